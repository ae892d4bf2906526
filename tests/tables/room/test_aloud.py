"""A line typed at a table is a move or is said aloud, and never the other by mistake."""

import pytest

from lilygames.chat.input.grammar import also_talk, as_move
from tests.toys import ALL

TALLY = ALL["tally"]
MAX, BID, PLAY = (next(one for one in TALLY.commands if one.name == name) for name in ("max", "bid", "play"))


def read(line, *legal):
    """Return the name and the rest that a bare line reads as, or None for talk."""
    found = as_move(line, lambda: legal, TALLY.commands)
    return found and (found[0].name, found[1])


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bid 1", ("bid", "1")),
        ("BID 1", ("bid", "1")),
        ("b 1", ("bid", "1")),
        ("bid", ("bid", "")),
        ("bid one", ("bid", "one")),
        ("play", ("play", "")),
        ("play K", ("play", "K")),
        ("play qeen", ("play", "qeen")),
        ("p kh", ("play", "kh")),
        ("kh", ("play", "kh")),
        ("10C", ("play", "10C")),
        ("AH", ("play", "AH")),
    ],
)
@pytest.mark.parametrize("legal", [(), (BID,), (PLAY,)])
def test_line_that_reads_as_a_move_is_one_at_any_time(line, move, legal):
    """It is that move, and out of turn it is refused. It is never said aloud by accident."""
    assert move == read(line, *legal)


@pytest.mark.parametrize(
    "line",
    [
        "play something nice for us",
        "bid farewell to all of you",
        "play it again",
        "play nice",
        "bid farewell",
        "b",
        "p",
        "b quick",
        "so kh it is",
        "K",
        "H",
        "10",
        "hello",
        "max is slow",
        "",
        "'bid 1",
        "bids 1",
        "playing kh",
    ],
)
@pytest.mark.parametrize("legal", [(), (BID,), (PLAY,)])
def test_talk_is_said_at_any_time(line, legal):
    assert read(line, *legal) is None


@pytest.mark.parametrize("word", ["ah", "as", "ad", "Ah", "Ad"])
async def test_word_that_is_also_a_card_is_asked_about(stage, table, word):
    """A sigh must not cost an ace, and an ace must not be said aloud."""
    await stage.type("bob", "1")
    await stage.type("ann", "1")
    stage.screens["ann"].take()
    seq = table.table.seq

    answer = await stage.type("bob", word)

    assert [f"Did you mean /play {word}? Type 1 to play it, or ' first to say it."] == answer
    assert seq == table.table.seq
    assert [] == stage.screens["ann"].take()


@pytest.mark.parametrize("line", ["1", "bid 1", "/bid 1", "/pick 1"])
async def test_move_typed_in_another_room_is_still_a_move(stage, table, line):
    """While you have a seat, a line that looks like a move is never said aloud."""
    await stage.type("bob", "/join lobby")

    assert "You bid 1. Waiting for ann." in await stage.type("bob", line)


async def test_spectator_only_talks(stage, table):
    stage.enter("cat")
    await stage.type("cat", "/watch tally")

    for line in ("bid 1", "1", "KH", "ah"):
        assert ["(message sent to tally)"] == await stage.type("cat", line)


@pytest.mark.parametrize("line", ["...", ". hello", ".5 of it", ". ", " well then", "  indent", "._."])
async def test_dot_or_space_alone_begins_no_command(stage, line):
    """It does only before a known command: people's other lines are said."""
    assert ["(message sent to lobby)"] == await stage.type("ann", line)


@pytest.mark.parametrize("line", ["/", "//", "/ ", "/ bid", "/;", "/\u202f", "/🂡"])
async def test_slash_before_an_unknown_word_is_refused_in_one_sentence(stage, table, line):
    answer = " ".join(await stage.type("ann", line))

    assert answer.startswith(("Refused: ", "Refused: ", "Usage: "))


EVERYDAY = """a ah all am and as ask at away bad bye call can cool did do easy er fair few fine five for four fun gg go
good great ha hand hard he hello help her hey hi high hm how i if in is it just king last later left let lol low luck
lucky
me mine more my my! nice no none nope not now of off oh ok okay on one only or ouch over own please pot push queen
quick ready red right same see she short six so some sorry still stop sure ten thanks that the then they this three to
today
too top tough true turn two uh um up us very wait wall was way we well what who why will wins wow yeah yes you zero"""
PHRASES = (
    "i fold",
    "good call",
    "nice bid",
    "fair play",
    "all in all",
    "five bucks",
    "2 minutes",
    "3 more",
    "to go",
    ":-)",
)


@pytest.mark.parametrize("name", sorted(ALL))
def test_everyday_words_are_talk_at_every_table(name):
    """A word that people also use in talk would be a bad notation: such a line is said aloud, or asked about.

    The name of a move that stands alone is that move: a poker player who types `call` calls.
    """
    commands = ALL[name].commands
    alone = {name for command in commands for name in command.names if not command.arguments}
    words = [word for word in EVERYDAY.split() if word not in alone]
    moves = [line for line in (*words, *PHRASES) if as_move(line, tuple, commands) and not also_talk(line)]

    assert [] == moves
