"""Test which data folder a command uses, and that only some commands create one."""

import re
import shlex
from pathlib import Path

import click
import pytest

from lilygames.server.shell import cli
from lilygames.store.sqlite.datafile import create

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("help/*.txt"), *ROOT.glob("help/host/*.*"), ROOT / "help/host/Dockerfile", ROOT / "README.md"],
    key=str,
)
READ = [
    ["archive"],
    ["backup", "copied.db"],
    ["claim", "zeus"],
    ["people", "list"],
    ["people", "show", "bob"],
    ["people", "role", "bob", "sysop"],
    ["people", "ban", "bob", "--why", "spam", "--yes"],
    ["people", "unban", "bob", "--why", "sorry"],
    ["people", "password", "bob"],
    ["people", "export", "bob"],
    ["people", "delete", "bob", "--yes"],
    ["reload"],
    ["tail", "--no-follow"],
    ["unsubscribe", "token"],
    ["vacuum"],
]
"""Every command that uses a store and must not create one."""


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder, and return its exit code and output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LILYGAMES_DATA", raising=False)
    monkeypatch.delenv("LILYGAMES_CONFIG", raising=False)

    def ran(*arguments):
        capsys.readouterr()
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out + said.err

    return ran


@pytest.fixture
def config(tmp_path):
    """Write a settings file."""

    def written(text):
        file = tmp_path / "place.toml"
        file.write_text(text)
        return file

    return written


def test_every_command_with_a_store_is_listed_here():
    """Commands with --data, but for those that may create a store and for the certificate, which needs none."""
    found = [words for words, command in commands(cli.commands) if "data" in (option.name for option in command.params)]

    assert {("certificate",), ("restore",), ("serve",)} == set(found) - {
        tuple(words[: 2 if words[0] == "people" else 1]) for words in READ
    }


def commands(group, *before):
    """Yield every command with its words."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)
        else:
            yield (*before, name), command


@pytest.mark.parametrize("words", READ, ids=" ".join)
def test_command_in_an_empty_folder_refuses_and_creates_nothing(run, config, tmp_path, words):
    file = config('name = "Cellar"\nsysops = "zeus"\n')

    code, said = run(*words, "--config", file)

    assert (78, True) == (code, f"There is no data in {tmp_path}/data: name the right folder" in said), said
    assert [file] == [*tmp_path.iterdir()]


@pytest.mark.parametrize("words", READ, ids=" ".join)
def test_command_on_an_empty_database_refuses_and_creates_nothing(run, config, database, words):
    file = config(f'store = "{database}"\nsysops = "zeus"\n')

    code, said = run(*words, "--config", file)

    assert (78, True) == (code, re.search(r"There is no data in 127\.0\.0\.1:\d+/\w+: name", said) is not None), said
    code, said = run("archive", "--config", file)
    assert 78 == code, said


def test_every_command_prints_its_folder_and_no_password(run, config, tmp_path):
    file = config('store = "postgresql://lily:hunter2@127.0.0.1:1/lily"\ndata = "kept"\n')

    said = [run(*words, "--config", file)[1] for words in READ]

    expected = f"Data folder: {tmp_path}/kept, store: 127.0.0.1:1/lily\n"
    assert [] == [one for one in said if expected not in one or "hunter2" in one]


def test_option_file_and_variable_name_the_folder(run, config, tmp_path, monkeypatch):
    for name in ("option", "file", "variable"):
        (tmp_path / name).mkdir()
        create(tmp_path / name / "lilygames.db")
    file = config('data = "file"\n')

    assert f"Data folder: {tmp_path}/option\n" in run("people", "list", "--data", "option")[1]
    assert f"Data folder: {tmp_path}/file\n" in run("people", "list", "--config", file)[1]
    monkeypatch.setenv("LILYGAMES_DATA", "variable")
    assert f"Data folder: {tmp_path}/variable\n" in run("people", "list")[1]


@pytest.mark.parametrize("words", [["people", "list"], ["serve"], ["backup", "x.db"], ["restore", "x.db"], ["reload"]])
def test_two_different_folders_are_refused(run, config, monkeypatch, words):
    file = config('port = 0\ndata = "kept"\n')

    by_option = run(*words, "--config", file, "--data", "other")
    monkeypatch.setenv("LILYGAMES_DATA", "other")
    by_variable = run(*words, "--config", file)

    rest = f"says that the data folder is other, but {file}:2 says kept: change or remove one of them\n"
    assert (78, f"lilygames: --data {rest}") == by_option
    assert (78, f"lilygames: LILYGAMES_DATA {rest}") == by_variable
    assert [file] == [*file.parent.iterdir()]


def test_one_folder_may_be_named_twice(run, config, tmp_path, monkeypatch):
    (tmp_path / "kept").mkdir()
    create(tmp_path / "kept" / "lilygames.db")
    file = config('data = "kept"\n')
    monkeypatch.setenv("LILYGAMES_DATA", f"{tmp_path}/x/../kept")

    assert 0 == run("people", "list", "--config", file, "--data", tmp_path / "kept")[0]


def test_backup_without_accounts_and_tables_fails(run, tmp_path):
    (tmp_path / "data").mkdir()
    create(tmp_path / "data" / "lilygames.db")

    code, said = run("backup", "evening.db")

    assert (2, True) == (code, f"there is nothing to back up in {tmp_path}/data" in said), said
    assert [tmp_path / "data"] == [*tmp_path.iterdir()]


def test_certificate_is_made_in_the_data_folder_of_the_settings(run, config, tmp_path):
    file = config('data = "kept"\n')

    assert 0 == run("certificate", "games.example", "--config", file)[0]
    assert ["tls.crt", "tls.key"] == sorted(path.name for path in (tmp_path / "kept").iterdir())


def test_unit_gives_the_same_settings_file_to_the_server_and_the_reload():
    """Commands that a sysop types get that file, too. It is what names the data folder."""
    unit = (ROOT / "help/host/lilygames.service").read_text()
    typed = [row.split("bin/lilygames ")[1].split() for row in unit.splitlines() if row.startswith("Exec")]

    assert [("serve", "--config"), ("reload", "--config")] == [tuple(words[:2]) for words in typed]
    assert {"/etc/lilygames/lilygames.toml"} == {words[2] for words in typed}
    assert not [words for words in typed if "--data" in words]


NAMES = re.compile(r"\b(FILE|FOLDER|SETTINGS|STORE|DIR|NAMES|NAME|TOKEN|TEXT|GAME|PORT)\b")
TYPED = re.compile(r"(?:^  +|`)(?:scripts/|\.venv/bin/)?lilygames +([a-z-]+(?: [^`\n]*?)?)(?:`|  |\n|$)", re.MULTILINE)


def test_every_command_in_the_manual_can_be_typed():
    """The words after two spaces are an explanation, and `...` leaves something out."""
    found = {(page.name, words) for page in PAGES for words in TYPED.findall(page.read_text("utf-8"))}

    assert len(found) > 30
    whole = [(page, words) for page, words in sorted(found) if "..." not in words]
    assert [] == [(page, words, why) for page, words in whole if (why := misunderstood(words))]


def misunderstood(words):
    """Return why a command line can't be typed like this; empty if it can."""
    typed = shlex.split(NAMES.sub("1", words.partition(" | ")[0]))
    group = cli.commands
    try:
        while isinstance(group, click.Group):
            name, group, typed = group.resolve_command(click.Context(group), typed)
        group.make_context(name, typed, resilient_parsing=False)
    except click.exceptions.MissingParameter:
        return ""  # a page may show only the part that matters
    except click.UsageError as problem:
        return problem.format_message()
    except click.exceptions.Exit:
        return ""
    return ""
