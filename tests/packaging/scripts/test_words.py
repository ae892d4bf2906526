"""Test scripts/words on small trees with planted sentences."""

import re
import shutil
import subprocess
import sys

import pytest

GOOD = '"""Return the seats that are free."""\n'
LONG = "A table keeps its log," + " its seats, its clock" * 6 + " and the seal."
PLANTED = {
    "Who sits alone is named.": "headless",
    "What is typed here stays.": "headless",
    "A seat is kept. Whose line drops may come back.": "headless",
    "Tell somebody about it.": "phrase",
    "This is no number.": "phrase",
    "The list is to be sorted.": "phrase",
    "Who is here?": None,
    "There is no table called ohell.": None,
    "Remove the text `What it was` from the row.": None,
}


@pytest.fixture
def tree(root, tmp_path):
    """A folder with the script and a module without faults."""
    folder = tmp_path / "tree"
    for path in ("scripts", "lilygames", "help", "tests"):
        (folder / path).mkdir(parents=True)
    shutil.copy(root / "scripts/words", folder / "scripts/words")
    (folder / "lilygames/good.py").write_text(GOOD)
    return folder


def words(tree, *arguments):
    """Return the exit code and the rows that the script prints."""
    command = [sys.executable, tree / "scripts/words", *arguments]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert "" == done.stderr
    return done.returncode, done.stdout.splitlines()


def git(tree, *arguments):
    settings = ("-c", "user.name=ann", "-c", "user.email=ann@localhost", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", tree, *settings, *arguments], capture_output=True, check=True)


@pytest.fixture
def checkout(tree):
    """The tree as a git checkout with two commits on main; the first one has a fault."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed here")
    (tree / "lilygames/old.py").write_text('"""Who is old is named."""\n')
    for subject in ("first", "second"):
        (tree / "lilygames/good.py").write_text(f"{GOOD}# {subject}\n")
        git(tree, "init")
        git(tree, "add", ".")
        git(tree, "commit", "-m", subject)
    return tree


@pytest.mark.parametrize(("sentence", "kind"), PLANTED.items())
@pytest.mark.parametrize("place", ["docstring", "comment", "message", "page"])
def test_planted_sentence_is_found_with_its_file_and_row(tree, sentence, kind, place):
    files = {
        "docstring": ("lilygames/bad.py", f'X = 1\n"""{sentence}"""\n'),
        "comment": ("lilygames/bad.py", f"X = 1\n# {sentence}\n"),
        "message": ("lilygames/bad.py", f'X = 1\nY = f"""{sentence}"""\n'),
        "page": ("help/bad.txt", f"\n{sentence}\n"),
    }
    path, text = files[place]
    (tree / path).write_text(text)
    _, (*rows, summary) = words(tree)

    assert [path] * (kind is not None) == [row.partition(":2: ")[0] for row in rows if "words in a" not in row]
    assert bool(kind) == bool(re.search(rf"{kind} 1 \(", summary))


def test_long_sentence_is_named_with_its_first_row(tree):
    (tree / "lilygames/long.py").write_text('"""Return it.\n\nX. ' + LONG.replace(" its", "\nits") + '\n"""\n')

    assert words(tree)[1][0].startswith("lilygames/long.py:3: 32 words in a sentence: A table keeps its log")


def test_name_of_a_test_is_read(tree):
    (tree / "tests/test_bad.py").write_text("def test_who_leaves_is_named():\n    say('This is no message of ours.')\n")

    assert ["tests/test_bad.py:1"] == [row.partition(": ")[0] for row in words(tree)[1][:-1]]


def test_help_over_78_columns_is_found(tree):
    (tree / "help/wide.txt").write_text(f"{'x' * 78}\n{'x' * 79}\n")

    assert "help/wide.txt:2: 79 columns, at most 78" == words(tree)[1][0]


def test_text_files_of_a_folder_are_read(tree):
    (tree / "lilygames/chat").mkdir()
    (tree / "lilygames/chat/bad.py").write_text('"""Who is new is named."""\n')
    (tree / "lilygames/chat/cards.bin").write_bytes(b"\xff")
    (tree / "help/bad.txt").write_text("Who is old is named.\n")

    assert ["lilygames/chat/bad.py:1"] == [row.partition(": ")[0] for row in words(tree, "lilygames")[1][:-1]]


def test_old_faults_pass_and_a_new_one_fails(checkout):
    assert 0 == words(checkout, "--changed")[0]

    (checkout / "lilygames/new.py").write_text('"""Who is new is named."""\n')

    code, (row, _) = words(checkout, "--changed")
    assert (1, "lilygames/new.py:1") == (code, row.partition(": ")[0])


def test_only_changed_rows_of_a_file_are_read(checkout):
    (checkout / "lilygames/old.py").write_text('"""Who is old is named."""\n\n# What was added is bad.\n')

    assert ["lilygames/old.py:3"] == [row.partition(": ")[0] for row in words(checkout, "--changed")[1][:-1]]


def test_branch_is_compared_with_where_it_left_main(checkout):
    git(checkout, "switch", "-c", "branch")
    (checkout / "lilygames/new.py").write_text('"""Who is new is named."""\n')
    for subject in ("third", "fourth"):
        (checkout / "lilygames/good.py").write_text(f"{GOOD}# {subject}\n")
        git(checkout, "add", ".")
        git(checkout, "commit", "-m", subject)

    assert 1 == words(checkout, "--changed")[0]


def test_long_sentence_in_new_text_is_advice(checkout):
    (checkout / "lilygames/new.py").write_text(f'"""{LONG}"""\n')

    code, rows = words(checkout, "--changed")
    assert (0, 2) == (code, len(rows))


def test_shallow_clone_is_compared_with_its_only_commit(checkout, tmp_path):
    git(tmp_path, "clone", "--depth=1", f"file://{checkout}", "clone")
    assert 0 == words(tmp_path / "clone", "--changed")[0]

    (tmp_path / "clone/lilygames/old.py").write_text('"""Who is new is named."""\n')

    assert 1 == words(tmp_path / "clone", "--changed")[0]


def test_tree_without_git_passes(tree):
    (tree / "lilygames/new.py").write_text('"""Who is new is named."""\n')

    assert (0, ["no git checkout here: cannot tell what is new"]) == words(tree, "--changed")
