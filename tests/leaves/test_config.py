"""Test settings: a file, options that override it, and errors with file and line."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.server.config import FIELDS, Misconfigured, Settings, describe, load


@pytest.fixture
def written(tmp_path):
    """Write a settings file and return its path."""

    def write(text):
        file = tmp_path / "lilygames.toml"
        file.write_text(text, "utf-8")
        return file

    return write


def sentence(file, given=None):
    with pytest.raises(Misconfigured) as refusal:
        load(file, given)
    return str(refusal.value).replace(str(file), "FILE")


def test_settings_have_defaults_without_a_file():
    assert Settings() == load()


def test_file_changes_only_the_settings_it_names(written):
    assert Settings(port=4000, name="the cellar") == load(written('port = 4000\nname = "the cellar"\n'))


def test_options_override_the_file(written):
    assert Settings(port=5000, host="::1") == load(written('port = 4000\nhost = "::1"\n'), {"port": 5000})


def test_described_settings_can_be_loaded_again(written):
    settings = Settings(port=1, name='a "b" \\c')

    assert settings == load(written(describe(settings)))


def test_every_setting_has_its_own_description():
    sentences = [about.sentence for _, about in FIELDS.values()]

    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == len(sentences) == len(tomllib.loads(describe()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('name = "x"\nprot = 1', "FILE:2: there is no setting 'prot'; did you mean 'port'?"),
        ("[port]\nx = 1", "FILE:1: port must be a whole number, like 7777"),
        ("# port = 1\n\nport = true", "FILE:3: port must be a whole number, like 7777"),
        ("port = 99999", "FILE:1: port can't be 99999: use 0 to 65535"),
        ("port = 7777.0", "FILE:1: port must be a whole number, like 7777"),
        ('\n"port" = "7777"', "FILE:2: port must be a whole number, like 7777"),
        ("data = 3", 'FILE:1: data must be a path in quotes, like "data"'),
        ('log_level = "loud"', 'FILE:1: log_level can\'t be "loud": use debug, info, warning or error'),
        ("login_seconds = nan", "FILE:1: login_seconds can't be nan: use 1 to 3600"),
        ("port = 1\nport = 2", "FILE:2: this is not TOML: cannot overwrite a value"),
        ("port = = 1", "FILE:1: this is not TOML: invalid value"),
        (
            'store = "lily.db"',
            'FILE:1: store can\'t be "lily.db": use "", sqlite:FILE or postgresql://USER:PASSWORD@HOST/NAME',
        ),
        ('bus = "kafka://x"', 'FILE:1: bus can\'t be "kafka://x": use local, postgres or nats://HOST:PORT'),
        ('timezone = "Mars"', 'FILE:1: timezone can\'t be "Mars": use UTC or a name like Europe/Berlin'),
        ('greeting = "a\\u001bb"', 'FILE:1: greeting can\'t be "a\x1bb": use one line of at most 200 characters'),
        ('timezone = "../x"', 'FILE:1: timezone can\'t be "../x": use UTC or a name like Europe/Berlin'),
        (
            "house_pause_min = 9\nhouse_pause_max = 2",
            "FILE:1: house_pause_min (9) is more than house_pause_max (2): lower it",
        ),
        ("\nhouse_pause_max = 0.3", "FILE:2: house_pause_min (0.4) is more than house_pause_max (0.3): lower it"),
        ("\nmetrics_port = 7777", "FILE:2: port and metrics_port are both 7777: use different ports"),
        ('tls_cert = "x"\nport = 7778', "FILE:2: port and tls_port are both 7778: use different ports"),
        (
            '\nmail_host = "smtp.example"',
            "FILE:2: mail_host is set, so public_address must say where people connect, such as games.example 7777",
        ),
        (
            'public_address = "g.example 7777"\nmail_host = "smtp.example"',
            "FILE:2: mail_host is set, so mail_from must be the address that mails come from",
        ),
        (
            'push_servers = "https://ntfy.example"',
            "FILE:1: push_servers is set, so public_address must say where people connect, such as games.example 7777",
        ),
        (
            'push_servers = "ntfy.example"',
            'FILE:1: push_servers can\'t be "ntfy.example": use URLs like https://ntfy.example',
        ),
        (
            'mail_from = "Games <games@example.org>"',
            'FILE:1: mail_from can\'t be "Games <games@example.org>": use an address like games@example.org',
        ),
        (
            'mail_unsubscribe = "http://games.example/stop"',
            'FILE:1: mail_unsubscribe can\'t be "http://games.example/stop": use an address or an https URL',
        ),
        (
            'tls_cert = "x"\ntls_port = 9\nmetrics_port = 9',
            "FILE:3: tls_port and metrics_port are both 9: use different ports",
        ),
    ],
)
def test_invalid_setting_is_reported_with_file_and_line(written, text, expected):
    assert expected == sentence(written(text))


def test_unused_ports_may_be_equal(written):
    """TLS is off without a certificate, and port 0 picks a free one."""
    assert 7778 == load(written("port = 7778")).port
    assert 0 == load(written("port = 0\nmetrics_port = 0")).port


def test_all_settings_are_listed_if_none_is_similar(written):
    assert sentence(written("xyzzy = 1")).endswith(f"the settings are {', '.join(FIELDS)}")


def test_invalid_option_is_reported_as_it_is_typed():
    assert "--hash-time: hash_time can't be 0: use 1 to 100" == sentence(None, {"hash_time": 0})


def test_conflicting_settings_are_reported_by_option_or_line(written):
    file = written("\nport = 9000")

    assert "--metrics-port: port and metrics_port are both 9000: use different ports" == sentence(
        file, {"metrics_port": 9000}
    )
    assert "FILE:1: port and metrics_port are both 9: use different ports" == sentence(
        written("metrics_port = 9"), {"port": 9}
    )


def test_unreadable_file_is_reported(tmp_path):
    file = tmp_path / "none.toml"
    assert "can't read FILE: No such file or directory" == sentence(file)

    file.write_bytes(b"\xff\xfe")
    assert "FILE isn't in UTF-8: save it in that encoding" == sentence(file)


@given(port=st.integers(0, 65535), pause=st.floats(0, 2), name=st.text(st.characters(exclude_categories=["C"])))
def test_valid_values_are_accepted(port, pause, name):
    settings = load(None, {"port": port, "house_pause_min": pause, "name": name})

    assert (port, (pause, max(pause, 0.4)), name) == (settings.port, settings.house_pause, settings.name)


def test_mail_password_is_read_from_a_file_or_the_environment(tmp_path, monkeypatch):
    """A newline at the end, as editors leave it, isn't part of it."""
    file = tmp_path / "password"
    file.write_text("s3cret \n")
    monkeypatch.setenv("LILYGAMES_MAIL_PASSWORD", "other")

    assert "s3cret " == Settings(mail_host="h", mail_password_file=str(file)).mail_options.password
    assert "other" == Settings(mail_host="h").mail_options.password
    assert "" == Settings().mail_options.password


def test_mail_password_that_cannot_be_read_is_reported(tmp_path):
    with pytest.raises(Misconfigured, match=r"can't read mail_password_file .*: No such file or directory"):
        Settings(mail_host="h", mail_password_file=str(tmp_path / "none")).mail_options  # noqa: B018 - reading is the test
