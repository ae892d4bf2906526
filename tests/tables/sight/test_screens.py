"""A whole game on four screens: no card is shown before it is played, in any notation or answer."""

import re

import pytest

from lilygames.games.families.cards.spoken import rank
from lilygames.text import Voice

PEOPLE = {"ann": Voice(), "bob": Voice(suits="symbols"), "cat": Voice(spoken=True), "eve": Voice()}
ASKED = ["/table", "/hand", "/score", "/history", "/log", "/log 1", "/status", "/moves", "/options", "/tables", ""]
PRIED = ["/verify 1", "/export 1", "/pick 99", "/bid 99", "/bid x", "/at 1 hand", "/at 1", "/play", "/leave x", "99"]
ROUND = re.compile(r"^Round \d+ of \d+:|^Round \d+, \d+ cards?\.$")


def this_round(rows):
    """Return the rows since the last deal as one text: everyone may know the cards played before."""
    dealt = max((place for place, row in enumerate(rows) if ROUND.search(row)), default=0)
    return " ".join(" ".join(rows[dealt:]).split())


def shown(card, text):
    """Return whether a text names a card in letters, symbols or words, or after its suit as hands are shown."""
    forms = [re.escape(form) for form in (str(card), card.symbols, card.words)]
    behind_suit = rf"{card.suit.word} (?:(?!clubs|diamonds|hearts|spades)[^;:.])*\b{rank(card)}"
    return any(re.search(rf"(?<![\w]){form}(?![\w])", text) for form in (*forms, behind_suit))


def secrets(table, name):
    """Return the cards that other seats hold."""
    state, names = table.table.state, table.table.names
    if state.round is None:
        return []
    return [card for who, hand in zip(names, state.round.hands, strict=True) if who != name for card in hand]


@pytest.fixture
async def round_table(stage):
    """Tally between ann, bob and cat, with eve watching; each uses another notation for cards."""
    for name, voice in PEOPLE.items():
        stage.enter(name, voice)
    await stage.type("ann", "/new tally max=4 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("cat", "/sit tally")
    await stage.type("eve", "/watch tally")
    await stage.type("ann", "/start")
    return stage.table(1)


async def test_no_card_is_shown_before_it_is_played(stage, round_table):
    """Cards of another seat are neither in the story of the game nor in any answer to a command."""
    looked = 0
    while not round_table.over:
        for name, screen in stage.screens.items():
            told = this_round(screen.take())
            assert not [card for card in secrets(round_table, name) if shown(card, told)], (name, told)
        for line in (*ASKED, *PRIED) if round_table.table.seq % 4 == 0 else ASKED[looked % 11 : looked % 11 + 2]:
            for name in PEOPLE:
                text = this_round(await stage.type(name, line))
                looked += 1
                assert not [card for card in secrets(round_table, name) if shown(card, text)], (name, line, text)
                stage.screens[name].take()
        seat = next(seat for seat in range(3) if round_table.table.moves(seat))
        moves = round_table.table.moves(seat)
        move = moves[round_table.table.seq % len(moves)]
        await stage.type(round_table.table.names[seat], "/" + round_table.table.game.spell(move))

    assert looked > 200


async def test_search_finds_cards_that_are_there(stage, round_table):
    """Everyone's own cards are found on their own screens, so the test above can fail."""
    for seat, name in enumerate(round_table.table.names):
        (card,) = round_table.table.state.round.hands[seat]
        assert shown(card, this_round(await stage.type(name, "/hand")))


async def test_secret_is_on_no_screen_and_in_no_log_before_the_end(stage, round_table, store):
    secret = round_table.table.secret.hex()
    rows = [row for name in PEOPLE for line in (*ASKED, *PRIED) for row in await stage.type(name, line)]
    kept = [entry.body for log in store.entries.values() for entry in log]

    assert not [text for text in (*rows, *kept) if secret in text.casefold()]
    assert {"1": secret} == await store.every("secret")


async def test_spectator_without_a_seat_is_not_asked_for_a_move(stage, round_table):
    """A spectator's view has no hand, no turn and no numbers to pick."""
    rows = [row for line in (*ASKED, *PRIED) for row in await stage.type("eve", line)]

    assert not [row for row in rows if "Your turn: " in row or "Your hand: " in row]
