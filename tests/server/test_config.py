"""Test settings: a file, options that override it, and errors with file and line."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.server.settings.config import FIELDS, Misconfigured, Settings, describe, load, read


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
    sentences = [field.about.sentence for field in FIELDS.values()]

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
            'FILE:1: store isn\'t valid: use "", sqlite:FILE or postgresql://USER:PASSWORD@HOST/NAME',
        ),
        ('bus = "kafka://x"', "FILE:1: bus isn't valid: use local, postgres or nats://HOST:PORT"),
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
            'web_push = 1\nweb_port = 9778\nweb_address = "http://play.example"',
            "FILE:1: web_push is 1, so web_port must be set, and web_address must say where the page is, with https://",
        ),
        (
            'web_address = "https://tilde.example/games"',
            (
                'FILE:1: web_address can\'t be "https://tilde.example/games": '
                "use addresses like https://play.example.org, without a path"
            ),
        ),
        (
            'web_address = "https://games.example@evil.example"',
            (
                'FILE:1: web_address can\'t be "https://games.example@evil.example": '
                "use addresses like https://play.example.org, without a path"
            ),
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
        ("web_port = 9\nmetrics_port = 9", "FILE:2: web_port and metrics_port are both 9: use different ports"),
        (
            'web_proxies = "caddy.example"',
            'FILE:1: web_proxies can\'t be "caddy.example": use addresses or networks like 127.0.0.1, 10.0.0.0/8',
        ),
        (
            'tls_cert = "x"\ntls_port = 9\nmetrics_port = 9',
            "FILE:3: tls_port and metrics_port are both 9: use different ports",
        ),
    ],
)
def test_invalid_setting_is_reported_with_file_and_line(written, text, expected):
    assert expected == sentence(written(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port = 1\nname = “Cellar”\n", 'FILE:2: “ is a typographic quote: use the straight " instead'),
        ("name = ‘Cellar’\n", 'FILE:1: ‘ is a typographic quote: use the straight " instead'),
        ('name = "Cellar”\nport = 1\n', 'FILE:1: ” is a typographic quote: use the straight " instead'),
        ("\ufeffport = 1\n", "FILE:1: the file begins with a byte order mark (BOM): save it as UTF-8 without BOM"),
    ],
)
def test_typographic_quotes_and_a_bom_are_named(written, text, expected):
    assert expected == sentence(written(text))


def test_typographic_quotes_are_fine_inside_a_text(written):
    assert "“Hi”, she said" == load(written('greeting = "“Hi”, she said"\n')).greeting


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


def test_options_override_the_environment_and_that_the_file(written):
    file = written('port = 1\nname = "file"\nhash_time = 9\n')

    loaded = read(file, {"port": 3}, {"LILYGAMES_PORT": "2", "LILYGAMES_NAME": "variable"})

    assert Settings(port=3, name="variable", hash_time=9) == loaded.settings
    assert {"port": "--port", "name": "LILYGAMES_NAME", "hash_time": f"{file}:3"} == loaded.places


def test_variables_have_the_types_of_their_settings():
    environment = {"LILYGAMES_PORT": "0", "LILYGAMES_PATIENCE": "2.5", "LILYGAMES_DATA": "/srv/x"}

    assert Settings(port=0, patience=2.5, data=Path("/srv/x")) == read(environment=environment).settings


def test_empty_and_other_variables_set_nothing():
    """A restarted server gets LILYGAMES_HANDOVER; LILYGAMES_CONFIG names the file."""
    environment = {"LILYGAMES_PORT": "", "LILYGAMES_HANDOVER": "7", "LILYGAMES_CONFIG": "x.toml", "PORT": "9"}

    assert Settings() == read(environment=environment).settings


@pytest.mark.parametrize(
    ("variable", "text", "expected"),
    [
        ("PROT", "9", "LILYGAMES_PROT: there is no setting 'prot'; did you mean 'port'?"),
        ("PORT", "tcp://10.0.0.1:7777", "LILYGAMES_PORT: port must be a whole number, like 7777"),
        ("PORT", "99999", "LILYGAMES_PORT: port can't be 99999: use 0 to 65535"),
        ("LOG_FORMAT", "xml", 'LILYGAMES_LOG_FORMAT: log_format can\'t be "xml": use text or json'),
        ("PORT_FILE", "x", "LILYGAMES_PORT_FILE: there is no setting 'port_file'; did you mean 'port'?"),
    ],
)
def test_invalid_variable_is_reported_by_its_name(variable, text, expected):
    with pytest.raises(Misconfigured) as refusal:
        read(environment={f"LILYGAMES_{variable}": text})

    assert expected == str(refusal.value)


@pytest.fixture
def secret(tmp_path):
    """A file with a secret, and the newline that editors add."""
    file = tmp_path / "secret"
    file.write_text("s3cret \n")
    return file


def test_secret_is_read_from_the_file_that_any_source_names(secret, written):
    name, expected = "mail_password_file", Settings(mail_password="s3cret ")

    assert expected == read(None, {name: secret}, {}).settings
    assert expected == read(None, {}, {"LILYGAMES_MAIL_PASSWORD_FILE": str(secret)}).settings
    assert expected == read(written(f'{name} = "{secret}"'), {}, {}).settings
    assert Settings() == read(written(f'{name} = ""'), {}, {}).settings


def test_secret_of_a_stronger_source_counts(secret, written):
    """Whether it is a value or a file."""
    file = written(f'mail_password_file = "{secret}"')

    assert "other" == read(file, {}, {"LILYGAMES_MAIL_PASSWORD": "other"}).settings.mail_password


def test_secret_and_its_file_in_one_source_are_refused(secret, written):
    file = written(f'mail_password = "x"\nmail_password_file = "{secret}"')

    assert "FILE:2: mail_password and mail_password_file are both set: remove one of them" == sentence(file)


def test_secret_file_that_cannot_be_read_is_reported(written, tmp_path):
    file = written(f'mail_password_file = "{tmp_path}/none"')
    assert f"FILE:1: can't read mail_password_file {tmp_path}/none: No such file or directory" == sentence(file)
    assert 'FILE:1: store_file must be a path in quotes, like "/run/secrets/it"' == sentence(written("store_file = 3"))


def test_secrets_are_never_printed():
    """Neither by `lilygames settings`, nor where someone prints the value."""
    settings = Settings(store="postgresql://lily:hunter2@db/lily", mail_password="hunter2")

    assert "hunter2" not in describe(settings) + repr(settings)
    assert "# store is set, but not shown: it can contain a password\n" in describe(settings)
    with pytest.raises(Misconfigured) as refusal:
        read(environment={"LILYGAMES_STORE": "postgres//lily:hunter2@db"})
    assert "hunter2" not in str(refusal.value)


def test_mail_password_is_passed_on_only_if_there_is_a_server():
    assert "x" == Settings(mail_host="h", mail_password="x").mail_options.password
    assert "" == Settings(mail_password="x").mail_options.password
