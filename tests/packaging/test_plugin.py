"""Test a plug-in package made only from the pages of /help maker, on a server that doesn't know it."""

import re

import pytest

PLAY = """\
seed: strangers
people: ann bob

ann> /new dicey sides=20 bob
bob> /sit dicey
ann> /again
bob> keep
ann> /verify 1
bob> /quick dicey
bob> /help dicey
"""
BROKEN = {
    "torn": ("lily_torn", "raise RuntimeError('not today')", "a game cannot be loaded"),
    "missing": ("lily_missing_altogether", None, "a game cannot be loaded"),
    "number": ("lily_number", "GAME = 7", "names no Game record"),
    "ohell": ("lily_ohell", "from lilygames.games.ohell import GAME", "a game with that name already exists"),
}
"""Broken plug-ins: the module, its contents, and what is logged about it."""


@pytest.fixture(scope="module")
def package(root, python, tmp_path_factory):
    """A folder with the files on the pages."""
    folder = tmp_path_factory.mktemp("package")
    python(root / "scripts/new-game", "dicey", "--package", folder, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def installed(package, python, tmp_path_factory):
    """A folder with the package installed by pip."""
    target = tmp_path_factory.mktemp("installed")
    alone = ("--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check")
    python("-m", "pip", "-qq", "install", *alone, "--target", target, package, cwd=package)
    return target


@pytest.fixture(scope="module")
def played(installed, root, python, tmp_path_factory):
    """The lines that two people read who play the game to its end, and then one of them with bots."""
    file = tmp_path_factory.mktemp("play") / "strangers.txt"
    file.write_text(PLAY, "utf-8")
    python("-m", "lilygames.gametest.playthrough", file, cwd=file.parent, path=[installed, root, root / "rules"])
    return file.read_text("utf-8")


def read_off(root):
    """Return the rows after each row `--- FILE` on the pages, by file."""
    blocks = {}
    for page in root.glob("help/maker*.txt"):
        head, *rows = re.split(r"^--- ", page.read_text("utf-8"), flags=re.MULTILINE)
        assert head.startswith("MAKER")
        blocks |= {name: text for name, _, text in (row.partition("\n") for row in rows)}
    return blocks


def test_pages_contain_exactly_the_package(root, package):
    """Each file is its parts in order, separated by two empty rows."""
    files = {str(path.relative_to(package)): path.read_text("utf-8") for path in package.rglob("*.*")}
    expected = {}
    for name, text in sorted(read_off(root).items()):
        path = name.partition(" ")[0]
        expected[path] = f"{expected[path]}\n\n{text}" if path in expected else text

    assert expected == files


def test_all_parts_of_a_file_are_present(root):
    """Each part says how many there are."""
    parts = [re.fullmatch(r"(\S+) \((\d+) of (\d+)\)", name) for name in read_off(root)]
    numbers = {}
    for part in filter(None, parts):
        numbers.setdefault((part[1], int(part[3])), set()).add(int(part[2]))

    assert numbers
    assert numbers == {(path, most): set(range(1, most + 1)) for path, most in numbers}


def test_first_page_names_all_the_others(root):
    overview = (root / "help/maker.txt").read_text("utf-8")
    others = {page.stem for page in root.glob("help/maker-*.txt")}

    assert others == set(re.findall(r"maker-\w+", overview))


def test_installed_game_passes_its_own_test(package, installed, root, python, tmp_path):
    """`check_game` accepts the installed package."""
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib")
    test = package / "test_dicey.py"
    told = python("-m", "pytest", *options, test, cwd=tmp_path, path=[installed, root, root / "rules"])

    assert "2 passed" in told


def test_two_people_can_play_the_game_to_its_end(played):
    """Each reads the last line in their own words."""
    over = re.findall(r"^(\w+)< Game over: ", played.partition("bob> /quick")[0], re.MULTILINE)

    assert ["ann", "bob"] == over


def test_game_can_be_verified(played):
    """The server's seal covers any game."""
    assert re.search(r"^ann< Match: ", played, re.MULTILINE)


def test_nobody_sees_another_players_die_before_the_end(played):
    """A throw is shown as a number only to its player."""
    hidden = played.partition("bob> keep")[0]

    assert re.search(r"^ann< You throw \d+\.$", hidden, re.MULTILINE)
    assert "bob< ann throws a die." in hidden
    assert not re.search(r"ann throws \d", hidden)


def test_bots_of_the_game_join_for_quick(played):
    assert re.search(r"^bob< \*.* sit down\.$", played, re.MULTILINE)


def test_page_of_the_game_is_found(played):
    assert "bob< DICEY " in played


def test_broken_plugin_is_logged_and_skipped(installed, root, python, tmp_path):
    """Each problem is logged, and the other games can be played."""
    for name, (module, text, _) in BROKEN.items():
        if text is not None:
            (tmp_path / f"{module}.py").write_text(text, "utf-8")
        info = tmp_path / f"lily_{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: lily-{name}\nVersion: 1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[lilygames.games]\n{name} = {module}:GAME\n", "utf-8")
    asks = "from lilygames.games import games; print('found:', *games())"
    said = python("-c", asks, cwd=tmp_path, path=[tmp_path, installed, root, root / "rules"])

    found = re.search(r"^found: (.*)", said, re.MULTILINE)[1].split()
    assert {"ohell", "dicey"} <= set(found)
    assert not {"torn", "missing", "number"} & set(found)
    for module, _, sentence in BROKEN.values():
        assert re.search(rf"{sentence}.* by={module}:GAME", said), said
