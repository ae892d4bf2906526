"""A restored backup: accounts that were deleted since are deleted again."""

import asyncio
import json
import sqlite3
from contextlib import closing

import pytest

from lilygames.privacy import deletion_list
from lilygames.server.shell import cli
from tests.privacy.conftest import ALSO_GONE, FORMERLY, GONE, STAY, bytes_with, opened, rows_with


@pytest.fixture
def run(capsys):
    """Run a command, and return its exit code and what it printed."""

    def run(*arguments):
        code = cli.run([*map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


@pytest.fixture
async def backup(evening, folder, tmp_path):
    """A backup of the evening. Afterwards Quuxbert was deleted, and the data file is moved away."""
    await evening.stage.kept()
    file = tmp_path / "backup.db"
    with closing(sqlite3.connect(folder / "lilygames.db")) as db:
        db.execute("VACUUM INTO ?", (str(file),))
    await evening.stage.deletions.delete(GONE)
    await evening.stop()
    for old in folder.glob("lilygames.db*"):
        old.unlink()
    return file


def test_list_beside_the_store_has_no_names(backup, folder):
    first, *rows = map(json.loads, (folder / deletion_list.NAME).read_text("ascii").splitlines())

    assert ({"key"}, 1) == ({*first}, len(rows))
    assert "quuxbert" not in (folder / deletion_list.NAME).read_text("ascii").casefold()


def test_restore_deletes_again(backup, folder, run):
    code, told = run("restore", backup, "--data", folder)

    assert 0 == code
    assert "Deleted 1 account again that had been deleted since the backup." in told
    assert [] == rows_with(folder, GONE, FORMERLY)
    assert [] == bytes_with(folder, GONE, FORMERLY)


async def test_others_of_the_backup_are_there_after_a_restore(backup, folder, run, clock):
    await asyncio.to_thread(run, "restore", backup, "--data", folder)
    evening = await opened(folder, clock)

    assert {*STAY, ALSO_GONE} == {*evening.stage.accounts.names.values()}
    assert 1 == len(evening.stage.accounts.deleted.deletions)
    await evening.stop()


def test_restore_without_a_list_says_so(backup, folder, run):
    (folder / deletion_list.NAME).unlink()
    code, told = run("restore", backup, "--data", folder)

    assert 0 == code
    assert f"There is no deletions.jsonl in {folder}, so no account was deleted again." in told


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"key":"00"}\n{"at":1}\n'])
def test_list_that_cannot_be_read_stops_a_restore_before_it_begins(backup, folder, run, text):
    (folder / deletion_list.NAME).write_text(text, "ascii")
    code, told = run("restore", backup, "--data", folder)

    assert 2 == code
    assert "without it, deleted accounts would come back" in told
    assert not (folder / "lilygames.db").exists()


async def test_data_file_put_back_by_hand_is_deleted_from_at_the_next_start(backup, folder, clock):
    (folder / "lilygames.db").write_bytes(backup.read_bytes())
    evening = await opened(folder, clock)
    await evening.stage.deletions._catch_up()
    await evening.stop()

    assert [] == rows_with(folder, GONE, FORMERLY)


async def test_account_with_a_seat_in_the_backup_is_deleted_again(evening, folder, clock, tmp_path):
    await evening.enter(GONE)
    await evening.type(GONE, "/new tally max=3")
    await evening.type("ann", "/sit tally")
    await evening.stage.kept()
    deletions = evening.stage.deletions
    await deletions.delete(GONE, sure=True)

    assert GONE not in await evening.told("ann", "/table")
    assert "former player" in await evening.told("ann", "/table")
