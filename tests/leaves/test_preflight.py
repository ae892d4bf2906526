"""Settings against this machine: address, data folder, certificate and open files, each named with its line."""

import resource

import pytest

from lilygames.client.trust import fingerprint_of
from lilygames.edge.certificate import make_certificate
from lilygames.server import cli, preflight
from lilygames.server.config import Loaded, Misconfigured, Settings, read


@pytest.fixture
def checked(tmp_path):
    """Write a file of settings and return the complaint about it."""

    def check(text):
        file = tmp_path / "place.toml"
        file.write_text(text)
        with pytest.raises(Misconfigured) as refusal:
            preflight.check(read(file))
        return str(refusal.value).replace(str(tmp_path), "FOLDER")

    return check


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_named_with_its_line(checked, host):
    """Addresses for documentation (RFC 5737, RFC 3849) and a name that never resolves (RFC 2606)."""
    assert checked(f'\nhost = "{host}"').startswith(
        f"FOLDER/place.toml:2: host is {host}, but this machine doesn't have that address"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])
def test_an_address_of_this_machine_is_fine(host):
    preflight.check_address(Loaded(Settings(host=host), {}))


def test_a_data_folder_that_is_a_file_is_named_with_its_line(checked, tmp_path):
    (tmp_path / "notes").write_text("")

    assert "FOLDER/place.toml:3: data is FOLDER/notes/data, but FOLDER/notes is a file: choose a folder" == checked(
        f'\n\ndata = "{tmp_path}/notes/data"'
    )


def test_a_data_file_in_a_folder_that_is_a_file_is_named_with_its_line(checked, tmp_path):
    (tmp_path / "notes").write_text("")

    assert checked(f'data = "{tmp_path}"\nstore = "sqlite:{tmp_path}/notes/x.db"').startswith(
        "FOLDER/place.toml:2: store is FOLDER/notes, but"
    )


def test_a_data_folder_that_may_not_be_written_is_named_with_its_line(checked, tmp_path, monkeypatch):
    """The superuser may write anywhere, so the answer of the system is given here."""
    monkeypatch.setattr(preflight.os, "access", lambda path, how: path != tmp_path)

    assert checked(f'data = "{tmp_path}/data"').startswith(
        "FOLDER/place.toml:1: data is FOLDER/data, but you can't write to FOLDER"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\ntls_cert = "FOLDER/none"', "FOLDER/place.toml:2: FOLDER/none or FOLDER/none cannot be read"),
        ('tls_key = "FOLDER/place.toml"\ntls_cert = "FOLDER/place.toml"', "FOLDER/place.toml:2: FOLDER/place.toml and"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_named_with_its_line(checked, tmp_path, text, expected):
    assert checked(text.replace("FOLDER", str(tmp_path))).startswith(expected)


def test_settings_that_can_be_used_pass(tmp_path, capsys):
    words, key = make_certificate(tmp_path, ("localhost",))
    file = tmp_path / "place.toml"
    file.write_text(f'data = "{tmp_path}/data"\ntls_cert = "{words}"\ntls_key = "{key}"\n')

    assert fingerprint_of(words)
    assert 0 == cli.run(["check-config", str(file)])
    assert f"{file} is valid.\n" == capsys.readouterr().out
    assert not (tmp_path / "data").exists()


@pytest.fixture
def files(monkeypatch):
    """Pretend that this process may open so many files."""

    def allow(number):
        monkeypatch.setattr(preflight.resource, "getrlimit", lambda _: (64, number))
        monkeypatch.setattr(preflight.resource, "setrlimit", lambda *_: None)

    return allow


def test_too_few_files_are_refused_with_the_setting_and_the_command(files):
    files(64)
    with pytest.raises(Misconfigured) as refusal:
        preflight.check_files(Loaded(Settings(connections=2000), {"connections": "place.toml:4"}))

    assert (
        "place.toml:4: connections is 2000, which needs 2100 open files, but this process can open only 64: lower it,"
        " or raise the limit with `ulimit -n 2100` (in systemd LimitNOFILE=2100)"
    ) == str(refusal.value)


@pytest.mark.parametrize("number", [2100, 5000, resource.RLIM_INFINITY])
def test_enough_files_are_fine(files, number):
    files(number)
    preflight.check_files(Loaded(Settings(connections=2000), {}))
