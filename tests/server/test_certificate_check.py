"""Test what `check-config` says about a certificate, and how sysops hear that it expires."""

import pytest
from structlog.testing import capture_logs

from lilygames.edge.connections.tls import ServerCertificate
from lilygames.gametest.stage import Stage
from lilygames.moderation.desk import SHELL
from lilygames.server.settings.config import load
from lilygames.server.shell import cli
from lilygames.server.watch.certificate_watch import DAY, CertificateWatch
from tests.edge.connections.test_edge_certificate import NOW, write
from tests.toys import TALLY


@pytest.fixture
def checked(capsys, tmp_path):
    """Check settings with a certificate, and return the exit code and the last line."""

    def check(*settings, **certificate):
        write(tmp_path, **certificate)
        rows = [f'data = "{tmp_path}"', f'tls_cert = "{tmp_path}/tls.crt"', f'tls_key = "{tmp_path}/tls.key"']
        (tmp_path / "place.toml").write_text("\n".join([*rows, *settings]))
        capsys.readouterr()
        code = cli.run(["check-config", str(tmp_path / "place.toml")])
        said = capsys.readouterr()
        return code, (said.out if code == 0 else said.err).replace(str(tmp_path), "")

    return check


@pytest.mark.parametrize(
    ("settings", "certificate", "expected"),
    [
        ([], {"ends": -0.5, "begins": -9}, "the certificate /tls.crt expired on"),
        ([], {"begins": 3}, "the certificate /tls.crt is only valid from"),
        ([], {"names": ()}, "the certificate /tls.crt has no host name (subjectAltName)"),
        (
            ['public_address = "play.example 7778"'],
            {"names": ("games.example", "www.example")},
            "the certificate /tls.crt is for games.example, www.example, but not for play.example",
        ),
        (
            ["web_port = 8443", 'web_address = "https://web.example"'],
            {"names": ("games.example",)},
            "is for games.example, but not for web.example",
        ),
    ],
)
def test_certificate_that_clients_reject_is_refused(checked, settings, certificate, expected):
    code, said = checked(*settings, **certificate)

    assert (78, True) == (code, expected in said), said
    assert said.splitlines()[-1].startswith("lilygames: /place.toml:2: ")


def test_key_of_another_certificate_is_refused(checked, tmp_path):
    checked()
    (tmp_path / "other").mkdir()
    _, key = write(tmp_path / "other")

    code, said = checked(f"tls_port = 0\n#{key}")
    assert 0 == code, said
    file = tmp_path / "place.toml"
    file.write_text(file.read_text().replace(f"{tmp_path}/tls.key", str(key)))
    assert 78 == cli.run(["check-config", str(file)])


@pytest.mark.parametrize(
    "settings",
    [
        ['tls_on = "machine"', 'public_address = "play.example 7777"'],
        ["web_port = 8080", 'tls_on = "telnet"', 'web_address = "https://web.example"'],
        ["web_port = 8080", 'web_proxies = "127.0.0.1"', 'web_address = "https://web.example"'],
    ],
    ids=["telnet has no TLS", "the page has no TLS", "a proxy has the page's certificate"],
)
def test_only_names_of_ports_with_tls_must_be_in_the_certificate(checked, settings):
    assert 0 == checked(*settings)[0]


def test_certificate_that_ends_soon_is_a_warning(checked):
    code, said = checked(ends=9.5)

    assert (0, True) == (code, "Warning: the TLS certificate /tls.crt expires in 9 days (" in said), said
    assert "Warning" not in checked(ends=20)[1]


@pytest.mark.parametrize(
    ("tls_on", "expected"),
    [
        ("telnet, machine, web", ["telnet", "machine", "web"]),
        ("web", ["web"]),
        ("", []),
        ("telnet machine", ["telnet", "machine"]),
    ],
)
def test_setting_says_which_ports_speak_tls(tls_on, expected):
    settings = load(None, {"tls_cert": "x", "tls_on": tls_on})

    assert expected == [port for port in ("telnet", "machine", "web") if settings.speaks_tls(port)]
    assert not load(None, {"tls_on": tls_on}).speaks_tls("telnet")


# while the server runs


@pytest.fixture
async def watched(stage, tmp_path):
    """A function that looks after so many days at a certificate that ends in 20, and one that returns what is told."""
    await stage.desk.appoint(SHELL, "Whammy", "sysop")
    stage.screens["Whammy"].take()
    now = [0.0]
    watch = CertificateWatch(ServerCertificate.load(*write(tmp_path, ends=20)), stage.host, lambda: now[0])

    async def after(days):
        now[0] = NOW.timestamp() + days * DAY
        await watch.look()
        return stage.screens["Whammy"].take(), stage.screens["bob"].take()

    return after


@pytest.fixture
async def stage():
    """A place with a sysop and someone else."""
    one = await Stage.open(TALLY)
    for name in ("Whammy", "bob"):
        await one.create_account(name, "plums and pears")
        one.enter(name)
        one.screens[name].take()
    return one


async def test_sysops_are_told_once_14_7_and_1_days_before_the_end(watched):
    told = {days: await watched(days) for days in (5, 6.5, 7, 12, 13.5, 18, 19.5, 19.9, 20.5)}

    assert [6.5, 13.5, 19.5] == [days for days, (sysop, _) in told.items() if sysop]
    assert {""} == {"".join(other) for _, other in told.values()}
    said = {days: " ".join("".join(rows).split()) for days, (rows, _) in told.items()}
    assert said[6.5].startswith("(for the sysop: the TLS certificate /")
    assert "expires in 13 days (" in said[6.5]
    assert "expires today" in said[19.5]


async def test_renewed_certificate_ends_the_warnings(watched, tmp_path):
    assert (await watched(10))[0]
    write(tmp_path, ends=100)

    with capture_logs() as logs:
        assert [[], []] == [*map(list, await watched(15))]

    assert [("certificate renewed", "info")] == [(one["event"], one["log_level"]) for one in logs]
    assert (await watched(90))[0]


async def test_certificate_that_cannot_be_loaded_is_logged_once(watched, tmp_path):
    await watched(1)
    (tmp_path / "tls.crt").write_text("half")

    with capture_logs() as logs:
        await watched(1)
        await watched(1)

    assert ["the new TLS certificate can't be used, so the old one stays"] == [one["event"] for one in logs]
