"""What a wheel holds, and that it needs no checkout."""

import tomllib

import lilygames


def test_a_wheel_has_two_packages_and_nothing_else(unpacked):
    """An editable checkout can import tests, scripts and help as well; nobody may come to rely on that."""
    expected = {"lilygames", "rules", f"lilygames-{lilygames.__version__}.dist-info"}
    assert expected == {path.name for path in unpacked.iterdir()}


def test_both_packages_say_that_they_are_typed(unpacked):
    assert (unpacked / "lilygames/py.typed").is_file()
    assert (unpacked / "rules/py.typed").is_file()


def test_every_help_page_is_packed(root, unpacked):
    here, there = root / "help", unpacked / "lilygames/_help"

    assert {page.relative_to(here): page.read_bytes() for page in here.rglob("*.txt")} == {
        page.relative_to(there): page.read_bytes() for page in there.rglob("*.txt")
    }


def test_the_wheel_runs_and_reads_its_pages_outside_the_checkout(python, unpacked, tmp_path):
    program = "import lilygames.cli, lilygames.help as h; print(h.__file__, len(h.pages().rows), h.folder())"
    file, pages, folder = python("-P", "-c", program, cwd=tmp_path, path=[unpacked]).split()

    assert str(unpacked / "lilygames/help.py") == file
    assert str(unpacked / "lilygames/_help") == folder
    assert int(pages) == len([*(unpacked / "lilygames/_help").rglob("*.txt")])
    assert python("-m", "lilygames", "--version", cwd=tmp_path, path=[unpacked]).startswith("lilygames ")


def test_the_version_is_the_same_in_both_places(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]

    assert lilygames.__version__ == project["version"]
