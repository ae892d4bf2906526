"""Test the command line: exit codes, and one sentence for each error."""

import asyncio
import errno
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import structlog

from lilygames import __version__
from lilygames.edge.connections.tls import Unusable
from lilygames.server.process.exit_codes import EXIT_CODES, ExitCode
from lilygames.server.serving import serving
from lilygames.server.settings.config import FIELDS, Settings, describe
from lilygames.server.shell import cli, exports
from lilygames.store import StoreUnavailable
from lilygames.tables.verify.export import Unreadable
from lilygames.tables.verify.verify import Verdict
from tests.deadline import DEADLINE

SECRETS = ("--store", "--bus", "--mail-password")


@pytest.fixture
def root():
    """The checkout."""
    return Path(__file__).parents[2]


@pytest.fixture
def run(capsys):
    """Run a command and return its exit code, stdout and stderr."""

    def ran(*arguments):
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return ran


@pytest.fixture
def served(monkeypatch):
    """Replace the server: record its settings, then fail or end."""
    kept = []

    def instead(problem=None):
        async def serve(settings, ready, reloads, service, server_log, *, start):
            kept.append(settings)
            ready("telnet", "127.0.0.1:7777")
            if problem:
                raise problem

        monkeypatch.setattr(serving, "serve", serve)
        return kept

    yield instead
    structlog.reset_defaults()  # serving sends the log to this test's stderr


def test_version_is_one_line(run):
    code, said, complaint = run("--version")

    assert (0, "") == (code, complaint)
    assert re.fullmatch(rf"lilygames {re.escape(__version__)}(?: \(commit [0-9a-f]{{12}}\))?\n", said)


def test_commands_are_listed_if_none_is_given(run):
    code, _, said = run()

    assert 2 == code
    assert all(name in said for name in cli.COMMANDS)


def test_settings_are_printed_as_a_valid_file(run, tmp_path):
    code, said, _ = run("settings")
    file = tmp_path / "place.toml"
    file.write_text(said)

    assert (0, describe() + "\n") == (code, said)
    assert set(tomllib.loads(said)) == set(FIELDS)
    assert (0, f"{file} is valid.\n", f"Data folder: {Path('data').absolute()}\n") == run("check-config", file)


def test_serve_has_an_option_for_each_setting(run):
    """A password has none: other users of the machine can read a command line. There are options for files with it."""
    _, said, _ = run("serve", "--help")

    told = set(re.findall(r"^  (--[a-z-]+)", said, re.MULTILINE)) - {"--config", "--dry-run", "--help"}
    assert {field.option for field in FIELDS.values()} - {"--mail-password"} == told - {
        f"{name}-file" for name in SECRETS
    }
    assert {f"{name}-file" for name in SECRETS} <= told


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_can_be_imported_and_explains_itself(run, name):
    code, said, _ = run(name, "--help")

    assert (0, f"Usage: lilygames {name}") == (code, said[: 17 + len(name)])


def test_settings_can_come_from_the_environment_alone(run, served, monkeypatch, tmp_path):
    """For containers. LILYGAMES_CONFIG names the file, as --config does."""
    kept = served()
    (tmp_path / "place.toml").write_text('name = "cellar"\n')
    monkeypatch.setenv("LILYGAMES_CONFIG", str(tmp_path / "place.toml"))
    monkeypatch.setenv("LILYGAMES_PORT", "2")

    assert 0 == run("serve")[0]
    assert [Settings(port=2, name="cellar")] == kept
    monkeypatch.delenv("LILYGAMES_CONFIG")
    monkeypatch.setenv("LILYGAMES_DATA", str(tmp_path))
    assert (0, "The environment's settings are valid.\n", f"Data folder: {tmp_path}\n") == run("check-config")


def test_every_exit_code_is_explained(root):
    """`help/host/operations.md` has the table of the exit codes."""
    told = (root / "help/host/operations.md").read_text("utf-8")

    assert [] == [code for code, words in EXIT_CODES.items() if f"| {code:d} | {words[0]} | {words[1]} |" not in told]
    assert set(EXIT_CODES) == set(ExitCode)


def test_unknown_setting_is_reported_with_its_line(run, tmp_path):
    file = tmp_path / "place.toml"
    file.write_text("\nprot = 1\n")

    expected = (78, "", f"lilygames: {file}:2: there is no setting 'prot'; did you mean 'port'?\n")
    assert expected == run("check-config", file) == run("serve", "--config", file)


def test_serve_prints_its_address_and_options_override_the_file(run, served, tmp_path):
    kept = served()
    file = tmp_path / "place.toml"
    file.write_text('port = 1\nname = "cellar"\n')

    assert (0, "listening: telnet 127.0.0.1:7777\n", "") == run("serve", "--config", file, "--port", 2)
    assert [Settings(port=2, name="cellar")] == kept


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (serving.CannotListen("port 7777 is in use: choose another."), "port 7777 is in use: choose another."),
        (PermissionError(errno.EACCES, "denied", "d"), "can't use d (denied): choose another folder with --data"),
        (OSError(errno.EMFILE, "too many open files"), "too many open files: fix this and start again"),
        (StoreUnavailable("the disk is full: make room."), "the disk is full: make room."),
    ],
)
def test_error_is_a_sentence_and_exit_code_2(run, served, problem, expected):
    served(problem)
    code, _, said = run("serve")

    assert 2 == code
    assert said.startswith(f"lilygames: {expected}")
    assert 1 == said.count("\n")


def test_bad_certificate_is_reported_as_an_invalid_setting(run, served, tmp_path):
    """Exit code 78 stops systemd from restarting it. The sentence names the line."""
    served(Unusable("no certificate"))
    file = tmp_path / "place.toml"
    file.write_text('\ntls_cert = "x"\n')

    code, _, said = run("serve", "--config", file)

    assert (78, f"lilygames: {file}:2: no certificate\n") == (code, said)


@pytest.mark.parametrize("arguments", [("serve", "--prot", "1"), ("serve", "--port", "x"), ("sevre",), ("verify",)])
def test_usage_error_is_a_sentence_and_exit_code_2(run, arguments):
    code, said, complaint = run(*arguments)

    assert (2, "", 1) == (code, said, complaint.count("\n"))


@pytest.mark.parametrize(("match", "code"), [(True, 0), (False, 1)])
def test_verify_prints_whether_a_log_matches(run, monkeypatch, tmp_path, match, code):
    file = tmp_path / "game.jsonl"
    file.write_text("rows")
    monkeypatch.setattr(exports, "verify", lambda text: Verdict(match, f"{text} read."))

    assert (code, "rows read.\n", "") == run("verify", file, "--no-bots")


def test_verify_prints_what_each_receipt_says_about_a_log(run, monkeypatch, tmp_path):
    """A log that matches its replay may still not be the one that your client saw."""
    file, folder = tmp_path / "game.jsonl", tmp_path / "receipts" / "here_7778_tls"
    file.write_text("rows")
    folder.mkdir(parents=True)
    (folder / "one.json").write_text(RECEIPT)
    monkeypatch.setattr(exports, "verify", lambda text: Verdict(match=True, sentence=f"{text} read."))
    monkeypatch.setattr(
        exports, "verify_receipts", lambda text, receipts: [Verdict(match=False, sentence=receipts[0].name)]
    )

    assert (1, "rows read.\nbob\n", "") == run("verify", file, "--receipts", tmp_path, "--no-bots")


@pytest.mark.parametrize(("match", "code"), [(True, 0), (False, 1)])
def test_verify_recomputes_the_moves_of_bots(run, monkeypatch, tmp_path, match, code):
    file = tmp_path / "game.jsonl"
    file.write_text("rows")
    monkeypatch.setattr(exports, "verify", lambda text: Verdict(match=True, sentence=f"{text} read."))
    monkeypatch.setattr(exports, "verify_bots", lambda text, shown: Verdict(match=match, sentence="Bots."))

    assert (code, "rows read.\nBots.\n", "") == run("verify", file)
    assert (0, "rows read.\n", "") == run("verify", file, "--no-bots")


def test_verify_reports_a_folder_without_receipts_and_a_damaged_one(run, monkeypatch, tmp_path):
    file = tmp_path / "game.jsonl"
    file.write_text("rows")
    monkeypatch.setattr(exports, "verify", lambda text: Verdict(match=True, sentence=f"{text} read."))
    none = f"{tmp_path} has no receipts: give the folder where lilygames connect keeps them"
    assert (2, "", f"lilygames: {none}\n") == run("verify", file, "--receipts", tmp_path)

    (tmp_path / "one.json").write_text("{}")
    code, _, said = run("verify", file, "--receipts", tmp_path)
    assert (2, f"lilygames: {tmp_path / 'one.json'} isn't a receipt: ") == (code, said[: said.index("receipt: ") + 9])


def test_verify_reports_a_file_it_cannot_read(run, monkeypatch, tmp_path):
    file = tmp_path / "game.jsonl"
    assert (2, "", f"lilygames: can't read {file}: No such file or directory\n") == run("verify", file)

    file.write_bytes(b"\xff")
    assert (2, "", f"lilygames: {file} isn't an exported log: it isn't text in UTF-8\n") == run("verify", file)

    def refuse(_):
        raise Unreadable("this is no exported log.")

    monkeypatch.setattr(exports, "verify", refuse)
    file.write_text("x")
    assert (2, "", f"lilygames: {file}: this is no exported log.\n") == run("verify", file)


RECEIPT = """{
 "receipt": 1, "server": "games.example:7778", "name": "bob", "table": 12, "game": "tally", "T": "aa", "round": 1,
 "seal": "bb", "root": "", "nonce": "cc", "commit": "dd", "D": ["ee"], "revealed": "ee"}
"""


STUBBORN = """
import asyncio
from lilygames.server.commands import serve as command

async def serve(anew):
    print("up", flush=True)
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            print("told", flush=True)

asyncio.run(command.until_stopped(serve))
"""


LINK = re.compile(r'(?:href|src)="([^"]+)"')


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
async def test_second_signal_stops_a_server_that_ignores_the_first(sign):
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", STUBBORN, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    async with asyncio.timeout(DEADLINE):
        for expected in (b"up\n", b"told\n"):
            assert expected == await server.stdout.readline()
            server.send_signal(sign)

        assert -sign == await server.wait()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("docs", "xyzq"), "there's no page “xyzq”; `lilygames docs` lists all pages"),
        (("docs", "tornament"), "there's no page “tornament”; did you mean tournament"),
        (("docs", "tournament-"), "TOURNAMENT"),
        (("docs", "maker-"), "MAKER"),
        (("docs", "se"), "several pages begin like that: seal, "),
        (("bot", "ohell", "1"), "no server answers at port 1 (Connection refused): is it running?"),
        (("new-game",), "Give a NAME, or --convert FOLDER."),
        (
            ("new-game", "--convert", "/nowhere"),
            "/nowhere isn't a folder: give the one with the package's pyproject.toml.",
        ),
        (("new-game", "Pig"), "'Pig' can't be a game's name: "),
    ],
)
def test_tools_report_errors_in_a_sentence(run, words, expected):
    code, said, complaint = run(*words)

    assert (said or complaint).removeprefix("lilygames: ").startswith(expected)
    assert code == (0 if said else 2)


def test_manual_is_written_as_a_site_whose_links_lead_to_its_files(run, tmp_path):
    code, said, _ = run("docs", "--html", str(tmp_path / "manual"))
    files = {file.name for file in (tmp_path / "manual").iterdir()}
    links = {link for file in (tmp_path / "manual").glob("*.html") for link in LINK.findall(file.read_text("utf-8"))}
    assert (0, True) == (code, said.strip().endswith("pages"))
    assert {"index.html", "ohell.html", "site.css"} <= files
    assert set() == {link for link in links if not link.startswith("#")} - files


def test_manual_that_cannot_be_written_is_an_error_in_a_sentence(run, tmp_path):
    (tmp_path / "file").write_text("x")
    code, _, complaint = run("docs", "--html", str(tmp_path / "file" / "below"))
    assert (True, True) == (code != 0, "can't write to" in complaint)
