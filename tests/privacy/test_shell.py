"""`lilygames people password|export|delete`, without a server and with one."""

import asyncio
import json

import pytest

from lilygames.chat.accounts.one_time_words import RECOVERY
from lilygames.server.serving.control import Control, Reloads
from lilygames.server.shell import cli
from tests.privacy.conftest import FORMERLY, GONE, bytes_with, rows_with


@pytest.fixture
def run(capsys):
    """Run `lilygames people`, and return its exit code and what it printed."""

    def run(*arguments):
        code = cli.run(["people", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out if code == 0 else printed.err

    return run


def test_word_without_a_server_is_printed_and_stored_as_a_hash(folder, run):
    code, told = run("password", GONE, "--data", folder)
    word = told.split()[-1]

    assert (0, f"  {GONE} {word}") == (code, told.splitlines()[-1])
    assert [] == [row for row in rows_with(folder, GONE, FORMERLY) if word in str(row)]
    assert [RECOVERY] == [row[0] for row in rows_with(folder, FORMERLY) if row[0] == RECOVERY]


def test_export_without_a_server_is_printed(folder, run):
    code, told = run("export", GONE, "--data", folder)
    rows = [json.loads(row) for row in told.splitlines()]

    assert 0 == code
    assert "hello everyone" in told
    assert {"what"} <= {*rows[0]}


def test_deletion_without_a_server_leaves_no_name(folder, run):
    code, told = run("delete", GONE, "--yes", "--data", folder)

    assert (0, f"{GONE} is deleted. In results of others they are “former player 1”.\n") == (code, told)
    assert [] == bytes_with(folder, GONE, FORMERLY)


@pytest.mark.parametrize("what", [("password",), ("export",), ("delete", "--yes")])
def test_unknown_name_is_one_sentence(folder, run, what):
    code, told = run(*what, "nobody2", "--data", folder)

    sentence = "lilygames: there's no account called nobody2: `lilygames people list` lists them"
    assert (2, [f"Data folder: {folder}", sentence]) == (code, told.splitlines())


def test_missing_data_file_is_one_sentence(tmp_path, run):
    code, told = run("delete", "bob", "--yes", "--data", tmp_path)

    assert 78 == code
    assert f"\nlilygames: There is no data in {tmp_path}: " in told
    assert [] == [*tmp_path.iterdir()]


async def test_running_server_answers_through_its_socket(evening, folder, run):
    control = Control(evening.stage.place, Reloads(), None)
    await control.listen(folder)
    try:
        code, told = await asyncio.to_thread(run, "password", GONE, "--data", folder)
        assert (0, True) == (code, "types this at the login prompt within a day" in told)
        code, told = await asyncio.to_thread(run, "export", GONE, "--data", folder)
        assert (0, True) == (code, "hello everyone" in told)
        code, told = await asyncio.to_thread(run, "delete", GONE, "--yes", "--data", folder)
        assert (0, True) == (code, f"{GONE} is deleted." in told)
        assert await evening.stage.accounts.get(GONE) is None
    finally:
        control.close()


async def test_running_server_refuses_in_a_sentence(evening, folder, run):
    await evening.enter(GONE)
    await evening.type(GONE, "/new tally max=3")
    control = Control(evening.stage.place, Reloads(), None)
    await control.listen(folder)
    try:
        code, told = await asyncio.to_thread(run, "delete", GONE, "--yes", "--data", folder)
    finally:
        control.close()

    assert 2 == code
    assert f"{GONE} has a seat at a table." in told
