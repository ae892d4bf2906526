"""Every short word in every phase of every game: nothing ends, leaves or pays by accident.

All words of up to three letters, all cards, dice and numbers are read with a slash, without one, and as moves by mail.
They are typed by players who are asked or not, a player at two tables, a spectator, and someone in the lobby.
"""

import itertools
import string

import pytest
import structlog

from lilygames.chat.host.dispatch import Seated
from lilygames.chat.input import grammar
from lilygames.chat.input.grammar import Ask, ByMail, Enter, Move, Number, Pick, Run, ShowMenu, Talk
from lilygames.commands import UsageError
from lilygames.errors import UserError
from lilygames.games import games
from lilygames_rules.cards import DECK
from tests.grammar.phases import PLAYERS, SPECTATOR, TWICE, phases

LETTERS = ["".join(letters) for size in (1, 2, 3) for letters in itertools.product(string.ascii_lowercase, repeat=size)]
CARDS = [form for card in DECK for form in (str(card), card.symbols, str(card)[::-1], card.symbols[::-1])]
DICE = [f"#{place}" for place in range(1, 6)] + [
    "".join(dice) for dice in ("11", "66", "KK", "33145", "9TJQK", "AAAAA")
]
NUMBERS = [*map(str, range(121)), "#7", "007", "12:40"]
QUICK = [*LETTERS[:26], *LETTERS[26:702:5], *LETTERS[702::131], *CARDS[::7], *DICE, *NUMBERS[::9]]
"""Every word that matters most, and a sample of the others."""
HARMFUL = {"adjourn", "resign", "leave", "close", "quit", "bye", "detach", "destroy", "abort", "tie"}
PAYING = {"call", "raise", "bet", "allin", "fold"}


@pytest.fixture(autouse=True)
def quiet():
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    yield
    structlog.reset_defaults()


def meaning(line, context):
    """Return what a line means, or the error that refuses it."""
    try:
        return grammar.read(line, context)
    except (UserError, UsageError) as no:
        return no


def harm(found, word):
    """Return whether a command does harm that its name wasn't typed for in full."""
    return (found.whole or not {*HARMFUL, *PAYING}.isdisjoint(found.names)) and word.casefold() not in found.names


def check_bare(word, context):
    """Check a word without a mark."""
    means = meaning(word, context)
    sits = any(table.plays for table in context.tables)
    match means:
        case Move(table, found, rest):
            assert table.plays
            assert word.casefold() in found.names or grammar.fits(found, rest), (word, means)
            assert not harm(found, word) or word == rest, (word, means)
        case Number():
            assert sits
            assert word.isdigit()
        case Run(found, _):
            assert word.casefold() in {*found.names, *grammar.BARE, *grammar.ANSWERS}, (word, means)
            assert not harm(found, word) or word in grammar.BARE
        case Ask(lines):
            assert context.seated
            assert lines
        case Pick(line):
            assert word in context.menu.keys or word.isdigit(), (word, line)
        case Talk(text):
            assert word == text
            assert not (sits and word.isdigit()), word
        case _:
            assert isinstance(means, UserError | ShowMenu), (word, means)


def check_marked(word, context):
    """Check a word with a slash: an abbreviation of what does harm is asked about."""
    means = meaning(f"/{word}", context)
    match means:
        case Move(_, found, _) | Run(found, _):
            assert any(name.startswith(word.casefold()) for name in found.names)
            assert not harm(found, word), (word, found.name)
        case Ask(lines):
            assert all(line.startswith("/") for line in lines)
        case _:
            assert isinstance(means, UserError | UsageError), (word, means)


def check_mailed(word, context):
    """Check a move by mail: whatever the word is, it's a move of that table or nothing."""
    means = meaning(f"wizard move 1 {word}x secret {word}", context)
    if isinstance(means, UserError):
        return
    assert isinstance(means, ByMail | Pick), means
    for table in context.tables:
        if table.number == 1:
            match grammar.at_table(means.line, table):
                case Move(_, found, rest):
                    assert found in table.commands
                    assert not harm(found, word) or word == rest, (word, found.name)
                case other:
                    assert isinstance(other, Number | Ask | None), other


def unasked(context):
    """Return all that a line's meaning depends on, for someone whom no table asks; None if one does."""
    expected = [table.expected() for table in context.tables]
    if any(one and one.asked for one in expected):
        return None
    tables = [(table.number, table.plays) for table in context.tables], [bool(one and one.secret) for one in expected]
    return str((tables, context.menu, context.seated, context.invitations, context.invited, context.hearers))


async def check_game(name, words):
    """Check words in all phases of a game, for everyone; what has come before is skipped for those who aren't asked."""
    met, done = set(), set()
    async for _, stage in phases(name):
        for who in stage.people:
            context = stage.context(who)
            playing = sum(table.plays for table in context.tables)
            met.add((who if who in (SPECTATOR, TWICE) else "player" if who in PLAYERS else "lobby", playing))
            same = unasked(context)
            for word in () if same in done else words:
                check_bare(word, context)
                check_marked(word, context)
                check_mailed(word, context)
            done |= {same} - {None}
            assert isinstance(meaning("", context), Enter | Pick)
    assert {("player", 1), (TWICE, 2), (SPECTATOR, 0), ("lobby", 0)} <= met


@pytest.mark.parametrize("name", sorted(games()))
async def test_word_means_what_the_grammar_says_in_every_phase(name):
    await check_game(name, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(games()))
async def test_all_short_words_mean_what_the_grammar_says_in_every_phase(name):
    await check_game(name, [*LETTERS, *CARDS, *DICE, *NUMBERS])


@pytest.mark.parametrize("name", sorted(games()))
async def test_nothing_that_ends_leaves_or_pays_has_an_abbreviation(name):
    """Every beginning of such a name is asked about, or is something else."""
    async for _, stage in phases(name):
        for who in stage.people:
            context = stage.context(who)
            for whole in sorted(HARMFUL | PAYING | {"exit", "logout", "unregister", "unseek", "declare"}):
                for size in range(1, len(whole)):
                    check_marked(whole[:size], context)
                    for rest in ("", " 1", " 5", " yes"):
                        means = meaning(f"{whole[:size]}{rest}", context)
                        assert not (isinstance(means, Run | Move) and harm(means.command, whole[:size])), (whole, size)


async def test_table_s_lines_are_read_by_name_from_anywhere():
    """Cat has seats at two tables: a name in full is a move at either, an abbreviation only at the first."""
    async for phase, stage in phases(min(games())):
        if phase in ("arrived", "invited", "over", "replay"):
            continue
        person = stage.people[TWICE]
        first, second = [table for table in stage.place.dispatcher.context(person).tables if table.plays][:2]
        only = next(move for move in second.commands if all(move.name not in one.names for one in first.commands))
        assert isinstance(first, Seated)
        means = meaning(f"/{only.name}", stage.place.dispatcher.context(person))
        assert second == means.table
