"""How lines typed at a table are read."""

import pytest

from lilygames.tables.room.typed_moves import TypedMoves


async def test_bare_number_is_the_move_where_every_move_is_a_number(stage, table):
    """`1` bids 1."""
    assert "You bid 1. Waiting for ann." in await stage.type("bob", "1")


WAYS = [
    "/bid 1",
    "/BID 1",
    "/b 1",
    ".bid 1",
    ".b 1",
    " /bid 1",
    " bid 1",
    "\\/bid 1",
    "bid 1",
    "Bid 1",
    "b 1",
    "/pick 1",
]
SAID = ["hello", "play something nice for us", "bid farewell to them all", "'bid 1", "'1", "I bid you welcome"]


@pytest.mark.parametrize("line", WAYS)
async def test_move_is_typed_in_many_ways(stage, table, line):
    """With a slash, dot or space before a known command, in any unique abbreviation and case, or bare at your table."""
    assert "You bid 1. Waiting for ann." in await stage.type("bob", line)


async def test_bare_number_picks_a_card_from_the_list_last_shown(stage, table):
    await stage.type("bob", "1")
    await stage.type("ann", "1")
    hand = table.table.view(1).round.hand

    assert f"You play {hand[0]}. Waiting for ann." in await stage.type("bob", "1")


async def test_bare_card_is_played(stage, table):
    await stage.type("bob", "1")
    await stage.type("ann", "1")
    (card,) = table.table.view(1).round.hand

    assert f"You play {card}. Waiting for ann." in await stage.type("bob", str(card).lower())


async def test_number_outside_the_list_shows_the_list_again(stage, table):
    """An old list is shown again, never played from."""
    await stage.type("bob", "1")
    await stage.type("ann", "1")

    refused, asked = await stage.type("bob", "7")

    assert "Refused: there's no option 7 on your screen. Your options:" == refused
    assert asked.startswith("Your turn: play 1. ")


@pytest.mark.parametrize("line", ["bid 1", "/bid 1", "1", "KH", "play KH"])
async def test_move_out_of_turn_is_refused_and_never_said_aloud(stage, table, line):
    answer = await stage.type("ann", line)

    assert answer[0].startswith("Refused: ")
    assert not any(" - " in row for row in stage.screens["bob"].take())


@pytest.mark.parametrize("line", SAID)
async def test_talk_at_the_table_is_never_a_move(stage, table, line):
    seq = table.table.seq
    stage.screens["ann"].take()

    await stage.type("bob", line)

    assert seq == table.table.seq
    assert f" - {line.removeprefix(chr(39))}" in stage.screens["ann"].take()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/bid", "Usage: /bid TRICKS"),
        ("/bid two", "Usage: /bid TRICKS  (TRICKS is a whole number)"),
        ("/bid 1 2", "Usage: /bid TRICKS  (I don't understand “2”)"),
        ("/bid 9", "Refused: bid 0 or 1."),
        ("/play K", "Usage: /play CARD  (a card is like KH or 10C)"),
    ],
)
async def test_impossible_move_is_refused_in_one_sentence_and_the_turn_is_repeated(stage, table, line, said):
    """Every refusal says what can be done instead, and the `Your turn: ` line comes again."""
    assert [said, "Your turn: bid 0 or 1."] == await stage.type("bob", line)


async def test_hook_is_explained(stage, table):
    """The hook: not every player can make their bid."""
    await stage.type("bob", "1")

    refused, asked = await stage.type("ann", "0")

    assert refused.startswith("Refused: the bids can't add up to 1 trick: bid 1")
    assert "Your turn: bid 1." == asked


async def test_typos_are_answered_with_a_suggestion(stage):
    """They are answered with "Did you mean"."""
    assert ["Refused: there is no command /mvoes. Did you mean /moves?"] == await stage.type("ann", "/mvoes")


async def test_move_without_a_seat_says_where_it_can_be_made(stage):
    assert "Refused: /bid is a move of Tally, and you don't have a seat" in (await stage.type("ann", "/bid 3"))[0]


async def test_play_with_a_game_is_quick(stage):
    """For a person without a seat, `/play GAME` is `/quick GAME`."""
    assert "(you sit at tally;" in (await stage.type("ann", "/play tally"))[0]


async def test_enter_alone_repeats_the_question(stage, table):
    hand = table.table.view(1).round.hand[0]

    assert [f"Your hand: {hand}", "Your turn: bid 0 or 1."] == await stage.type("bob", "")


async def test_moves_lists_the_legal_moves(stage, table):
    assert ["0. bid 0", "1. bid 1", "Your turn: bid 0 or 1."] == await stage.type("bob", "/moves")
    assert ["It is bob's turn."] == await stage.type("ann", "/moves")


@pytest.mark.parametrize("line", ["/moves", "/who", "hello everybody", "bid 1"])
async def test_command_and_talk_are_read_without_computing_the_legal_moves(stage, table, monkeypatch, line):
    """Spelling them all takes time while everyone waits: Liars Dice has hundreds."""
    looked = []
    monkeypatch.setattr(type(table), "legal", lambda *_: looked.append(1) or ())
    await stage.type("bob", line)

    assert [] == looked


async def test_only_a_word_that_begins_like_a_move_spells_out_the_legal_moves(stage, table, monkeypatch):
    """There may be thousands of them."""
    asked = []
    monkeypatch.setattr(TypedMoves, "legal", lambda typed, person: asked.append(person.name) or typed.commands(person))
    for line in ("/tab", "/nosuch"):
        await stage.type("bob", line)
    assert [] == asked

    assert any("You bid" in row for row in await stage.type("bob", "/bi 0"))
    assert ["bob"] == asked
