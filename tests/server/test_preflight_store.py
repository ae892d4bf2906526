"""Test that `check-config` tries the store and the bus, and creates nothing."""

import pytest

from lilygames.server.settings.config import load
from lilygames.server.settings.local_engines import free_port, nats
from lilygames.server.shell import cli
from lilygames.server.watch.preflight import warnings
from lilygames.store.sqlite.datafile import create


@pytest.fixture
def checked(capsys, tmp_path):
    """Check these settings, and return the exit code and the last line."""

    def check(text):
        (tmp_path / "place.toml").write_text(f'data = "{tmp_path}/data"\n{text}\n')
        capsys.readouterr()
        code = cli.run(["check-config", str(tmp_path / "place.toml")])
        said = capsys.readouterr()
        return code, (said.out if code == 0 else said.err).splitlines()[-1].replace(str(tmp_path), "")

    return check


def test_database_that_does_not_answer_is_reported_with_its_line_and_no_password(checked):
    port = free_port()
    code, said = checked(f'store = "postgresql://lily:hunter2@127.0.0.1:{port}/lily"')

    expected = f"lilygames: /place.toml:2: can't use the store: PostgreSQL at 127.0.0.1:{port}/lily doesn't answer"
    assert (78, expected) == (code, said[: len(expected)])
    assert "hunter2" not in said


def test_missing_database_is_reported(checked, database):
    code, said = checked(f'store = "{database}x"')

    assert (78, True) == (code, "can't use the store: There is no database" in said)


def test_database_stays_empty(checked, database, tmp_path):
    assert 0 == checked(f'store = "{database}"')[0]
    assert 78 == cli.run(["people", "list", "--config", str(tmp_path / "place.toml")])


def test_bus_that_does_not_answer_is_reported(checked, database):
    code, said = checked(f'store = "{database}"\nbus = "nats://127.0.0.1:{free_port()}"')

    assert (78, True) == (code, said.startswith("lilygames: /place.toml:3: can't use the bus: no NATS server")), said


def test_bus_that_answers_is_valid(checked, database, tmp_path):
    with nats(tmp_path / "nats") as bus:
        assert 0 == checked(f'store = "{database}"\nbus = "{bus.url}"')[0]


def test_damaged_data_file_is_reported_and_a_missing_one_is_not_created(checked, tmp_path):
    assert 0 == checked("")[0]
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    create(tmp_path / "data" / "lilygames.db")
    assert 0 == checked("")[0]
    (tmp_path / "data" / "lilygames.db").write_bytes(b"")

    assert (78, True) == ((found := checked(""))[0], "lilygames.db is empty: restore a backup" in found[1])


@pytest.mark.parametrize(
    ("pages", "code", "expected"),
    [
        ({}, 78, "which has none of appeal.txt, conduct.txt and privacy.txt: name another folder"),
        ({"seal.txt": "x"}, 78, "which has none of"),
        ({"conduct.txt": b"\xff"}, 78, "a page there can't be read"),
        ({"conduct.txt": "CONDUCT"}, 0, "is valid."),
        ({"privacy.txt": "Ask sysop@games.example"}, 0, "is valid."),
    ],
)
def test_folder_with_policies_is_checked(checked, tmp_path, pages, code, expected):
    (tmp_path / "policy").mkdir()
    for name, text in pages.items():
        (tmp_path / "policy" / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    found, said = checked(f'policy = "{tmp_path}/policy"')

    assert (code, True) == (found, expected in said), said


def test_privacy_page_without_a_contact_is_a_warning(tmp_path):
    (tmp_path / "privacy.txt").write_text("We keep little.")

    assert [
        f"{tmp_path}/privacy.txt has neither a mail address nor a link: say there whom people can ask."
    ] == warnings(load(None, {"policy": str(tmp_path)}))
