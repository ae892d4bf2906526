"""Wizard as it was played by mail: its lines are read, and their passwords are never shown or stored."""

import traceback

import pytest
from structlog.testing import capture_logs

from lilygames import bymail
from lilygames.chat.host.completion import completions
from lilygames.gametest.stage import Stage
from tests.toys import TALLY, installed

LEADS = ["", "/", ".", " ", " /", "\\", "\\/"]
SECRETS = ("mordo", "sesame")


@pytest.fixture
async def stage(store):
    stage = await Stage.open({**installed("wizard"), **TALLY}, store=store)
    for name in ("ann", "bob", "cat", "eve"):
        stage.enter(name)
    return stage


@pytest.fixture
async def wizard(stage):
    """A game of three by mail, in the order of the invitation; ann bids first."""
    await stage.type("ann", "/wizard challenge -inorder bob cat")
    await stage.type("bob", "/sit wizard")
    await stage.type("cat", "/sit wizard")
    return stage.table(1)


def unwrapped(rows):
    """Return rows as one text."""
    return " ".join(" ".join(rows).split())


async def everything(stage, store):
    """Return everything that anyone was shown, and everything stored, as one text."""
    await stage.kept()
    shown = [row for screen in stage.screens.values() for row in screen.rows]
    logs = [
        entry.body
        for name in ("said/lobby", "said/wizard", "table/1", "tables")
        for entry in (await store.read(name)).entries
    ]
    return "\n".join([*shown, *logs])


@pytest.mark.parametrize("lead", LEADS)
async def test_move_by_mail_is_made_at_its_table(stage, wizard, lead):
    """It may be typed in the lobby, with or without a slash."""
    await stage.type("ann", "/join lobby")

    assert "You bid 1. Waiting for bob." in await stage.type("ann", f"{lead}wizard move 1 mordo sesame 1")


@pytest.mark.parametrize(
    "line", ["WIZARD MOVE 1 mordo sesame 1", "wizard move #1 mordo sesame bid 1", "/wiz move 1 mordo sesame 1"]
)
async def test_move_by_mail_may_be_typed_in_other_ways(stage, wizard, line):
    assert "You bid 1. Waiting for bob." in await stage.type("ann", line)


async def test_card_is_played_by_mail(stage, wizard):
    for name in ("ann", "bob", "cat"):
        await stage.type(name, f"wizard move 1 {name} sesame 0")
    (card,) = wizard.table.view(0).round.hand

    assert f"You play {card}. Waiting for bob." in await stage.type("ann", f"wizard move 1 mordo sesame {card}")


BAD = [
    "wizard move",
    "wizard move 1",
    "wizard move 1 mordo",
    "wizard move 1 mordo sesame",
    "wizard move mordo sesame 1",
    "wizard move 99 mordo sesame 1",
    "wizard move 1 mordo sesame open sesame 1",
    "wizard move 1 mordo sesame sesame",
    "wizard move 1 mordo sesame 9",
    "/wizard move 1 mordo sesame KH",
    ".wizard move 1 mordo sesame",
    "wizard  move  1  mordo  sesame",
]


@pytest.mark.parametrize("who", ["ann", "bob", "eve"])
@pytest.mark.parametrize("line", [*BAD, "wizard move 1 mordo sesame 1"])
async def test_no_password_is_said_shown_or_kept(stage, store, wizard, who, line):
    """This holds for any typist, on turn or not, with a seat or without, and for malformed lines."""
    await stage.type("bob", "/join lobby")

    await stage.type(who, line)

    text = await everything(stage, store)
    assert not [word for word in SECRETS if word in text]


async def test_no_password_is_logged(stage, wizard, monkeypatch):
    """It isn't logged even if an error happens while the line is processed."""

    def breaks(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr(type(wizard.typed), "number", breaks)
    with capture_logs() as logs:
        await stage.type("ann", "wizard move 1 mordo sesame 1")

    (entry,) = logs
    told = "".join([str(entry), *traceback.format_exception(entry["exc_info"])])
    assert "a bug" in told
    assert not [word for word in SECRETS if word in told]


async def test_unreadable_move_by_mail_is_answered_with_an_example(stage, wizard):
    told = unwrapped(await stage.type("ann", "wizard move 1 mordo sesame"))

    assert "Refused: a move by mail is like: wizard move 12 ID PASSWORD KH. Here /at 12 KH is enough" in told


@pytest.mark.parametrize("line", ["wizard move 1 mor", "/wizard move 1 mordo ses", "wizard move 1 mordo sesame "])
async def test_move_by_mail_is_never_completed(stage, wizard, line):
    assert () == completions(stage.host, stage.people["ann"], line)


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("wizard move 12 mordo sesame KH", "/at 12 KH"),
        ("/wizard move 12 mordo sesame bid 3", "/at 12 bid 3"),
        ("wizard move 12 mordo sesame", ""),
        ("hello", "hello"),
        ("/wizard challenge bob", "/wizard challenge bob"),
        ("the wizard may move 1 or 2 or 3", "the wizard may move 1 or 2 or 3"),
    ],
)
def test_history_stores_a_move_by_mail_as_its_command(line, kept):
    assert kept == bymail.to_remember(line)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("wizard move 12 mordo", "wizard move 12 *****"),
        ("wizard move 12 mordo ses", "wizard move 12 ***** ***"),
        ("/wizard move 12 mordo sesame KH", "/wizard move 12 ***** ****** KH"),
        ("wizard move 12 ", "wizard move 12 "),
        ("hello\nwizard move 12 mordo sesame KH", "hello\nwizard move 12 ***** ****** KH"),
        ("what a move 12 mordo", "what a move 12 mordo"),
    ],
)
def test_password_is_hidden_while_it_is_typed(typed, shown):
    assert shown == bymail.hidden(typed)


# Refusals name the game that was meant.


async def test_invited_player_is_told_how_to_sit(stage):
    await stage.type("ann", "/wizard challenge bob cat")

    for line in ("/at 1 bid 1", "/at wizard 1", "/at 1 KH", "/at 1 /play KH", "wizard move 1 me sesame 1"):
        told = unwrapped(await stage.type("bob", line))
        assert "Refused: you don't have a seat at wizard yet. Type /sit wizard to accept the invitation." == told


async def test_move_without_a_seat_is_refused_about_that_table(stage, wizard):
    rows = await stage.type("eve", "/at 1 bid 1")

    assert "Refused: you don't have a seat at wizard. Type /watch wizard to watch, or" == rows[0]


@pytest.mark.parametrize("line", ["/at tally bid 99", "/at tally 3"])
async def test_move_without_a_table_is_refused_about_that_game(stage, line):
    told = unwrapped(await stage.type("ann", line))

    assert "Refused: no table is open at tally. Type /quick tally to play, or /tables to list all tables." == told


async def test_move_that_is_not_legal_is_refused_in_the_words_of_that_game(stage, wizard):
    assert "Refused: bid 0 or 1." in await stage.type("ann", "/at wizard bid 99")


async def test_move_without_a_table_names_all_games_that_have_it(stage):
    told = unwrapped(await stage.type("eve", "/bid 3"))

    assert "Refused: /bid is a move of Wizard and Tally, and you don't have a seat." in told


# Invitations.


async def test_bare_sit_accepts_the_only_invitation(stage):
    await stage.type("ann", "/wizard challenge bob cat")

    assert "(you sit at wizard with ann; the seal is" in (await stage.type("bob", "/sit"))[0]


async def test_bare_decline_declines_the_only_invitation(stage):
    await stage.type("ann", "/wizard challenge bob cat")

    assert ["(you declined the invitation to wizard)"] == await stage.type("bob", "/decline")
    told = unwrapped(await stage.type("bob", "/decline"))
    assert "Refused: nobody has invited you. Type /seeks to list the tables that need players." == told


@pytest.mark.parametrize("line", ["/sit", "/decline"])
async def test_several_invitations_need_a_name(stage, line):
    await stage.type("ann", "/wizard challenge bob cat")
    await stage.type("cat", "/new tally bob")

    assert ["Refused: you have several invitations. Add the table: wizard or tally."] == await stage.type("bob", line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/wizard challenge bob", "Wizard is for 3 to 6 players. Name 2 to 5 others"),
        ("/wizard challenge", "Wizard is for 3 to 6 players"),
        ("/wizard challenge bob bob ann", "Wizard is for 3 to 6 players"),
        ("/wizard challenge -french bob cat", "Wizard has no option -french"),
        ("/wizard challenge style=french bob cat", "style must be american, german or canadian"),
        ("/new wizard bob cat eve fay gus hal", "Wizard is for 3 to 6 players."),
        ("/wizard challenge bob cat eve fay gus hal", "Wizard is for 3 to 6 players"),
        ("/new tally max=20 bob cat", "the largest hand must have"),
    ],
)
async def test_impossible_game_is_refused_before_anyone_is_invited(stage, line, said):
    for name in ("fay", "gus", "hal"):
        stage.enter(name)
    stage.screens["bob"].take()

    told = unwrapped(await stage.type("ann", line))

    assert said in told
    assert [] == stage.screens["bob"].take()
    assert {} == stage.open_tables
