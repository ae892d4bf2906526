"""Test private database and bus servers: loopback only, can be killed and restarted, end with the block."""

import os
import socket
import tempfile
from pathlib import Path

import pytest

from lilygames.server.settings import local_engines

MAKERS = {"postgres": local_engines.postgres, "nats": local_engines.nats}


@pytest.fixture(params=MAKERS)
def maker(request):
    return MAKERS[request.param]


def test_missing_program_is_reported_with_its_package():
    with pytest.raises(local_engines.Missing, match="no-such-program isn't installed: apt-get install somewhere"):
        local_engines.program("no-such-program", "somewhere")


def test_server_ends_with_its_block_and_leaves_nothing(maker):
    try:
        with maker() as engine:
            place, port = engine.folder, engine.port
            assert engine.answers()
    except local_engines.Missing as missing:
        pytest.skip(str(missing))

    assert not place.exists()
    with socket.socket() as call:
        assert 0 != call.connect_ex(("127.0.0.1", port))


@pytest.fixture
def folder():
    """A folder that everyone can enter, because PostgreSQL doesn't run as root."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place, "engine")


def test_killed_server_restarts_with_the_same_port_and_folder(maker, folder):
    """A folder that was passed in is kept."""
    try:
        with maker(folder) as engine:
            first = engine.pid
            engine.kill()
            assert (0, False) == (engine.pid, engine.answers())
            engine.start()
            assert engine.answers()
            assert first != engine.pid
    except local_engines.Missing as missing:
        pytest.skip(str(missing))

    assert folder.exists()


def test_databases_are_still_there_after_a_restart_in_the_same_folder(folder):
    try:
        with local_engines.postgres(folder) as engine:
            engine.create("kept")
    except local_engines.Missing as missing:
        pytest.skip(str(missing))

    with local_engines.postgres(folder) as engine:
        assert "kept" in engine.databases
        engine.order("CREATE TABLE here ()", "kept")


def test_failed_start_is_reported_with_the_last_output(tmp_path):
    engine = local_engines.Engine(("sh", "-c", "echo no room >&2; exit 1"), local_engines.free_port(), tmp_path)

    with pytest.raises(RuntimeError, match="doesn't start: no room"):
        engine.start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to let PostgreSQL run as somebody else")
def test_folder_is_reported_if_postgresql_cannot_enter_it(tmp_path):
    """Test folders belong to root alone."""
    tmp_path.chmod(0o700)
    try:
        with pytest.raises(RuntimeError, match=r"can't reach .*: name a folder that everyone can enter"):
            local_engines.postgres(tmp_path / "engine").__enter__()
    except local_engines.Missing as missing:
        pytest.skip(str(missing))
