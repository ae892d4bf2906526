"""A stranger's package, made from the pages of /help maker alone, plays at a host that knows nothing of it."""

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
    "ohell": ("lily_ohell", "from lilygames.games.ohell import GAME", "a game of that name is there already"),
}
"""Plug-ins that no host can use: the module, what it says, and what the log says of it."""


@pytest.fixture(scope="module")
def package(root, python, tmp_path_factory):
    """A folder with the files that the pages write."""
    folder = tmp_path_factory.mktemp("package")
    python(root / "scripts/new-game", "dicey", "--package", folder, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def installed(package, python, tmp_path_factory):
    """A folder into which pip has installed the package."""
    target = tmp_path_factory.mktemp("installed")
    alone = ("--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check")
    python("-m", "pip", "-qq", "install", *alone, "--target", target, package, cwd=package)
    return target


@pytest.fixture(scope="module")
def played(installed, root, python, tmp_path_factory):
    """What two people read who play the game to its end, and then one of them with the house."""
    file = tmp_path_factory.mktemp("play") / "strangers.txt"
    file.write_text(PLAY, "utf-8")
    python("-m", "lilygames.gametest.playthrough", file, cwd=file.parent, path=[installed, root])
    return file.read_text("utf-8")


def read_off(root):
    """Return the rows that follow a row `--- FILE` on each page, by what that row says."""
    blocks = {}
    for page in root.glob("help/maker*.txt"):
        head, *rows = re.split(r"^--- ", page.read_text("utf-8"), flags=re.MULTILINE)
        assert head.startswith("MAKER")
        blocks |= {name: text for name, _, text in (row.partition("\n") for row in rows)}
    return blocks


def test_the_pages_are_the_package_and_nothing_else(root, package):
    """Each file is its parts in order, with two empty rows between them."""
    files = {str(path.relative_to(package)): path.read_text("utf-8") for path in package.rglob("*.*")}
    expected = {}
    for name, text in sorted(read_off(root).items()):
        path = name.partition(" ")[0]
        expected[path] = f"{expected[path]}\n\n{text}" if path in expected else text

    assert expected == files


def test_no_part_of_a_file_is_missing(root):
    """The parts say how many there are."""
    parts = [re.fullmatch(r"(\S+) \((\d+) of (\d+)\)", name) for name in read_off(root)]
    numbers = {}
    for part in filter(None, parts):
        numbers.setdefault((part[1], int(part[3])), set()).add(int(part[2]))

    assert numbers
    assert numbers == {(path, most): set(range(1, most + 1)) for path, most in numbers}


def test_the_first_page_names_all_the_others(root):
    overview = (root / "help/maker.txt").read_text("utf-8")
    others = {page.stem for page in root.glob("help/maker-*.txt")}

    assert others == set(re.findall(r"maker-\w+", overview))


def test_the_game_passes_its_own_test_as_installed(package, installed, root, python, tmp_path):
    """`check_game` holds for the installed package."""
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib")
    test = package / "test_dicey.py"
    told = python("-m", "pytest", *options, test, cwd=tmp_path, path=[installed, root])

    assert "2 passed" in told


def test_two_people_play_it_to_the_end(played):
    """Each reads the last line in its own words."""
    over = re.findall(r"^(\w+)< \[dicey\] Game over: ", played.partition("bob> /quick")[0], re.MULTILINE)

    assert ["ann", "bob"] == over


def test_its_game_can_be_verified(played):
    """The seal is the host's, whoever wrote the rules."""
    assert re.search(r"^ann< (\[dicey\] )?Match: ", played, re.MULTILINE)


def test_nobody_reads_anothers_die_before_the_end(played):
    """A throw is told with its number to whoever threw."""
    hidden = played.partition("bob> keep")[0]

    assert re.search(r"^ann< \[dicey\] You throw \d+\.$", hidden, re.MULTILINE)
    assert "bob< [dicey] ann throws a die." in hidden
    assert not re.search(r"ann throws \d", hidden)


def test_its_house_players_sit_down_for_quick(played):
    assert re.search(r"^bob< \[dicey(-2)?\] .*\(house\) sit down\.$", played, re.MULTILINE)


def test_its_page_is_in_the_manual(played):
    assert "bob< DICEY " in played


def test_a_broken_plugin_is_named_in_the_log_and_left_out(installed, root, python, tmp_path):
    """All that cannot be used is told, and what can be is played."""
    for name, (module, text, _) in BROKEN.items():
        if text is not None:
            (tmp_path / f"{module}.py").write_text(text, "utf-8")
        info = tmp_path / f"lily_{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: lily-{name}\nVersion: 1\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[lilygames.games]\n{name} = {module}:GAME\n", "utf-8")
    asks = "from lilygames.games import games; print('found:', *games())"
    said = python("-c", asks, cwd=tmp_path, path=[tmp_path, installed, root])

    found = re.search(r"^found: (.*)", said, re.MULTILINE)[1].split()
    assert {"ohell", "dicey"} <= set(found)
    assert not {"torn", "missing", "number"} & set(found)
    for module, _, sentence in BROKEN.values():
        assert re.search(rf"{sentence}.* by={module}:GAME", said), said
