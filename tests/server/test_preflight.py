"""Test checks of settings on this machine: address, data folder, certificate and open files, with the line."""

import resource

import pytest

from lilygames.client.trust import fingerprint_of
from lilygames.edge.connections.certificate import make_certificate
from lilygames.server.settings.config import Loaded, Misconfigured, Settings, read
from lilygames.server.shell import cli
from lilygames.server.watch import preflight


@pytest.fixture
def checked(tmp_path):
    """Write a settings file and return the error about it."""

    def check(text):
        file = tmp_path / "place.toml"
        file.write_text(text)
        with pytest.raises(Misconfigured) as refusal:
            preflight.check(read(file))
        return str(refusal.value).replace(str(tmp_path), "FOLDER")

    return check


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "no-such-host.invalid"])
def test_address_is_refused_if_this_machine_does_not_have_it(checked, host):
    """Documentation addresses (RFC 5737, RFC 3849) and a name that never resolves (RFC 2606)."""
    assert checked(f'\nhost = "{host}"').startswith(
        f"FOLDER/place.toml:2: host is {host}, but this machine doesn't have that address"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])
def test_own_address_is_accepted(host):
    preflight.check_address(Loaded(Settings(host=host), {}))


def test_data_folder_is_refused_if_it_is_a_file(checked, tmp_path):
    (tmp_path / "notes").write_text("")

    assert "FOLDER/place.toml:3: data is FOLDER/notes/data, but FOLDER/notes is a file: choose a folder" == checked(
        f'\n\ndata = "{tmp_path}/notes/data"'
    )


def test_data_file_is_refused_if_its_folder_is_a_file(checked, tmp_path):
    (tmp_path / "notes").write_text("")

    assert checked(f'data = "{tmp_path}"\nstore = "sqlite:{tmp_path}/notes/x.db"').startswith(
        "FOLDER/place.toml:2: store is FOLDER/notes, but"
    )


@pytest.mark.parametrize("folder", ["/proc", "/proc/lilygames/data", "/sys/kernel"])
def test_data_folder_is_refused_if_it_is_not_writable(checked, folder):
    """Nobody can write there. Root's permissions say otherwise, so the check creates a folder and deletes it."""
    assert checked(f'data = "{folder}"').startswith(f"FOLDER/place.toml:1: data is {folder}, but you can't write to ")


def test_check_of_the_data_folder_leaves_nothing_there(tmp_path):
    preflight.check_data_folder(Loaded(Settings(data=tmp_path / "some" / "data"), {}))

    assert [] == [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('\ntls_cert = "FOLDER/none"', "FOLDER/place.toml:2: FOLDER/none can't be read"),
        ('tls_key = "FOLDER/place.toml"\ntls_cert = "FOLDER/place.toml"', "FOLDER/place.toml:2: FOLDER/place.toml and"),
    ],
)
def test_certificate_is_refused_if_it_does_not_work(checked, tmp_path, text, expected):
    assert checked(text.replace("FOLDER", str(tmp_path))).startswith(expected)


def test_valid_settings_pass(tmp_path, capsys):
    words, key = make_certificate(tmp_path, ("localhost",))
    file = tmp_path / "place.toml"
    file.write_text(f'data = "{tmp_path}/data"\ntls_cert = "{words}"\ntls_key = "{key}"\n')

    assert fingerprint_of(words)
    assert 0 == cli.run(["check-config", str(file)])
    assert f"{file} is valid.\n" == capsys.readouterr().out
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("text", "warned"),
    [
        ('metrics_port = 9\nmetrics_host = "0.0.0.0"', True),
        ('metrics_port = 9\nmetrics_host = "::"', True),
        ('metrics_port = 9\nmetrics_host = "metrics.example"', True),
        ('metrics_port = 9\nmetrics_host = "::1"', False),
        ('metrics_port = 9\nmetrics_host = "localhost"', False),
        ("metrics_port = 9", False),
        ('metrics_host = "0.0.0.0"', False),
    ],
)
def test_metrics_that_others_can_reach_bring_a_warning(tmp_path, capsys, text, warned):
    """The settings are valid all the same."""
    file = tmp_path / "place.toml"
    file.write_text(f'{text}\ndata = "{tmp_path}/data"\n')
    code, said = cli.run(["check-config", str(file)]), capsys.readouterr().out

    assert (0, warned) == (code, "Warning: metrics_host is" in said)
    assert said.endswith(f"{file} is valid.\n")


@pytest.fixture
def files(monkeypatch):
    """Pretend that this process may open so many files."""

    def allow(number):
        monkeypatch.setattr(preflight.resource, "getrlimit", lambda _: (64, number))
        monkeypatch.setattr(preflight.resource, "setrlimit", lambda *_: None)

    return allow


def test_too_few_open_files_are_refused(files):
    files(64)
    with pytest.raises(Misconfigured) as refusal:
        preflight.check_files(Loaded(Settings(connections=2000), {"connections": "place.toml:4"}))

    assert (
        "place.toml:4: connections is 2000, which needs 2100 open files, but this process can open only 64. Lower it,"
        " or raise the limit with `ulimit -n 2100` (in systemd LimitNOFILE=2100)"
    ) == str(refusal.value)


@pytest.mark.parametrize("number", [2100, 5000, resource.RLIM_INFINITY])
def test_enough_open_files_are_accepted(files, number):
    files(number)
    preflight.check_files(Loaded(Settings(connections=2000), {}))
