"""Test the contents of the wheel, and that it works without the checkout."""

import asyncio
import os
import sys

import lilygames
from tests.deadline import DEADLINE


def test_wheel_contains_only_two_packages(unpacked):
    """An editable checkout can also import tests, scripts and help; nothing must rely on that."""
    expected = {"lilygames", "lilygames_rules", f"lilygames-{lilygames.__version__}.dist-info"}
    assert expected == {path.name for path in unpacked.iterdir()}


def test_both_packages_are_marked_as_typed(unpacked):
    assert (unpacked / "lilygames/py.typed").is_file()
    assert (unpacked / "lilygames_rules/py.typed").is_file()


def test_wheel_contains_every_module(root, unpacked):
    """The wheel is built from the sdist, so nothing is missing there either."""
    packages = ((root, "lilygames"), (root / "rules", "lilygames_rules"))
    modules = {path.relative_to(top) for top, name in packages for path in (top / name).rglob("*.py")}

    assert modules == {path.relative_to(unpacked) for path in unpacked.rglob("*.py") if "_help" not in path.parts}


def test_wheel_contains_every_help_page(root, unpacked):
    here, there = root / "help", unpacked / "lilygames/_help"

    assert {page.relative_to(here): page.read_bytes() for page in here.rglob("*.*")} == {
        page.relative_to(there): page.read_bytes() for page in there.rglob("*.*")
    }


def test_wheel_runs_outside_the_checkout(python, unpacked, tmp_path):
    program = (
        "import lilygames.server.shell.cli, lilygames.help as h; print(h.__file__, len(h.pages().rows), h.folder())"
    )
    file, pages, folder = python("-P", "-c", program, cwd=tmp_path, path=[unpacked]).split()

    assert str(unpacked / "lilygames/help.py") == file
    assert str(unpacked / "lilygames/_help") == folder
    assert int(pages) == len([*(unpacked / "lilygames/_help").rglob("*.txt")])
    assert python("-m", "lilygames", "--version", cwd=tmp_path, path=[unpacked]).startswith("lilygames ")


async def test_server_runs_from_the_wheel_outside_the_checkout(unpacked, tmp_path):
    """A guest can read /help there and play the installed games."""
    said = await visit(unpacked, tmp_path, "guest", "/help", "/games", "/bye")

    assert "Welcome to lily at lilygames" in said
    assert "\r\nHELP  " in said
    assert "\r\nohell: Ohell, " in said
    assert (tmp_path / "data").is_dir()


async def visit(path, place, *lines):
    """Return everything shown to someone who types these lines, until the server disconnects them."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", str(place / "data")),
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(DEADLINE):
            ready = (await server.stdout.readline()).decode()
            reader, writer = await asyncio.open_connection("127.0.0.1", int(ready.rpartition(":")[2]))
            writer.write("".join(f"{line}\r\n" for line in lines).encode())
            said = await reader.read(-1)
            writer.close()
            await writer.wait_closed()
    finally:
        server.terminate()
        await server.communicate()
    return said.decode("utf-8", "replace")
