"""No row of an export can be deleted, doubled, swapped or altered unseen: by a stranger none, by a host few.

A stranger keeps the links and the end as they are. A forging host makes them again, so it can change what only the
rules or a memory can refute: `/help seal-forging` lists that. Draws and proofs aren't among it: they follow from the
other rows.
"""

import contextlib
import io
import json
import sys
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest

from lilygames.server.shell import exports
from lilygames.tables.log.acts import Closed, Left, Undone, UndoneUncounted
from lilygames.tables.verify.export import Unreadable
from lilygames_rules.kit import Refused
from tests.tables.sealed_games import NAMES, Host, played, remade
from tests.tables.verify import test_closed_log as closed
from tests.tables.verify.tampering import kind_of, tamperings
from tests.tables.verify.test_verify_game import SCRIPT, friday
from tests.toys import ALL, installed

OPEN = ("ohell", "wizard", "liarsdice", "liedie")
CLOSED = ("lilypoker", "liarspoker", "liarslair")
UNSEALED = tuple(f"open {name}" for name in CLOSED)
"""The same games where the seal is open."""
GAMES = (*OPEN, *CLOSED, *UNSEALED, "set")


@cache
def script():
    """Return the script as a module: a process for each file would take minutes."""
    loader = SourceFileLoader("verify_game", str(SCRIPT))
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    module = module_from_spec(spec_from_loader("verify_game", loader))
    loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


def accepts(lines):
    """Return whether the script calls an export a match."""
    with contextlib.redirect_stdout(io.StringIO()):
        return script().verdict(lines).startswith("Match")


def matches(lines):
    """Return whether `lilygames verify` calls an export a match."""
    try:
        return exports.verify("\n".join(lines), ALL).match
    except (Unreadable, Refused):
        return False


def short(name):
    """Return options of a short game."""
    shorter = {"ohell": {"max": 3}, "wizard": {"rounds": 3}, "liarsdice": {"max_rounds": 3}, "liedie": {"games": 3}}
    return ALL[name].rules.Options(**shorter[name])


@cache
def exported(name):
    """Return the rows of a whole game, as bob gets them; `set` is the second table of a duplicate set."""
    installed("ohell" if name == "set" else name.removeprefix("open "))
    if name in UNSEALED:
        return tuple(map(json.loads, unsealed(name.removeprefix("open ")).export))
    if name == "set":
        return tuple(map(json.loads, friday()[1]))
    if name in OPEN:
        return tuple(map(json.loads, played(ALL[name], short(name)).export))
    return tuple(map(json.loads, closed.exported(lair() if name == "liarslair" else session(name))))


@cache
def session(name):
    """Return a short closed session."""
    game = ALL[name]
    host = closed.host_of(game, game.quick_options or game.rules.Options()).seat(*NAMES).commit("bob", "carol").seal()
    return host.reveal("bob", "carol").start().play(most=30).then(Closed(""))


def lair():
    """Return a whole game of Liar's Lair whose facts stay closed."""
    game = ALL["liarslair"]
    host = Host(game, game.quick_options or game.rules.Options(), sealed=True).seat(*NAMES).commit("bob", "carol")
    return host.seal().reveal("bob", "carol").start().play(most=300).then(Closed(""))


def unsealed(name, moves=40):
    """Return a game whose seal is open, although it can be closed."""
    game = ALL[name]
    host = Host(game, game.quick_options or game.rules.Options()).seat(*NAMES).commit("bob").seal().reveal("bob")
    return host.start().play(1, most=moves).close()


def text(rows):
    return [json.dumps(row) for row in rows]


@pytest.mark.parametrize("name", GAMES)
def test_export_that_nobody_tampered_with_matches(name):
    rows = text(exported(name))

    assert (True, True) == (accepts(rows), matches(rows))
    assert rows == remade(exported(name)) or [json.loads(row) for row in remade(exported(name))] == [*exported(name)]


@pytest.mark.parametrize("name", GAMES)
def test_stranger_can_change_no_row(name):
    tampered = [*tamperings(exported(name), leaves=2)]

    assert [] == [one for one in tampered if accepts(one.lines)]
    assert [] == [one for one in tampered[::20] if matches(one.lines)]


BESIDE_THE_GAME = {f"altered {field}" for field in ("at", "by", "link", "seq", "is", "told", "sum")}
"""The time and author of an entry, the digest of the story, and what the host makes again anyway."""
OF_A_HOST = {
    "first": {"altered header", "altered set"},
    "Seated": {"swapped", "altered act"},
    "Committed": {"swapped", "doubled"},
    "Revealed": {"swapped"},
    "Start": {"altered seen"},
    "Closed": {"altered act"},
    "end": {"deleted", "doubled", "altered end"},
}
"""Changes that a forging host can make, by the kind of row: clients' order, notes on seats, what was seen, the end."""
MOVES = ("Moved", "link")
"""A move, and what was seen of one: only the rules, or a memory, can refute it."""


def by_a_host(name, leaves):
    """Yield each tampering with a game whose host makes the links and the end again, and the rows then."""
    for one in tamperings(exported(name), leaves):
        with contextlib.suppress(LookupError):
            yield one, remade(one.rows)


@pytest.mark.parametrize("name", GAMES)
def test_host_can_change_only_what_the_help_page_lists(name):
    """Above all: no draw and no proof can be left out, doubled, swapped or altered."""
    accepted = {(kind_of(exported(name)[one.row]), one.what) for one, rows in by_a_host(name, 2) if accepts(rows)}
    listed = {(kind, what) for kind, found in OF_A_HOST.items() for what in found | BESIDE_THE_GAME}

    unlisted = {(kind, what) for kind, what in accepted if kind not in MOVES and what not in BESIDE_THE_GAME} - listed
    assert set() == unlisted
    assert set() == {kind for kind, _ in accepted} & {"key", "proof", "unproven"}


@pytest.mark.parametrize("name", [*OPEN, *CLOSED, *UNSEALED])
def test_lilygames_verify_finds_what_a_host_changes_in_draws_proofs_and_open_moves(name):
    kinds = ("key", "proof", "Moved")
    tampered = [(one, rows) for one, rows in by_a_host(name, 2) if kind_of(exported(name)[one.row]) in kinds]
    found = {one.what for one, rows in tampered[::5] if matches(rows)}

    assert set() == found - BESIDE_THE_GAME


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("kind", ["end", "proof", "link"])
def test_last_row_that_a_stranger_left_out_is_found_by_both_verifiers(name, kind):
    """Of a closed game, too, whose last entry and last proof nothing else needs."""
    rows = [*exported(name)]
    rows.remove(next(row for row in reversed(rows) if kind in row))

    assert (False, False) == (accepts(text(rows)), matches(text(rows)))


def test_proof_of_a_fact_that_a_host_doubled_or_swapped_is_found_by_both_verifiers():
    installed("liarslair")
    rows = [*exported("liarslair")]
    first, second = [place for place, row in enumerate(rows) if "proof" in row][:2]
    doubled = remade([*rows[:first], rows[first], *rows[first:]])
    swapped = remade([*rows[:first], rows[second], rows[first], *rows[second + 1 :]])

    assert [(False, False)] * 2 == [(accepts(some), matches(some)) for some in (doubled, swapped)]


def test_fact_that_a_host_told_otherwise_than_it_was_fixed_is_found_by_both_verifiers():
    installed("liarslair")
    rows = json.loads(json.dumps(exported("liarslair")))
    dealt = next(event for row in rows for event in row.get("seen", ()) if event["is"] == "Dealt")
    dealt["cards"][0][2] = not dealt["cards"][0][2]
    forged = remade(rows)

    assert (False, False) == (accepts(forged), matches(forged))


# older formats


def as_before(rows):
    """Return an export as an earlier release wrote it: no end, and a closed game's acts without what was seen."""
    first, *rest = rows
    rest = [{**row} for row in rest if "end" not in row]
    for row in rest:
        if "act" in row:
            row.pop("seen", None)
    return [{**first, "lilygames": 2 + first["header"].get("ids", False)}, *rest]


@pytest.mark.parametrize("name", GAMES)
def test_export_of_an_earlier_release_is_still_read(name):
    rows = remade(as_before(exported(name)))

    assert (True, True) == (accepts(rows), matches(rows))
    assert 2 == json.loads(rows[0])["lilygames"]


@pytest.mark.parametrize("name", [*OPEN, *UNSEALED, "set"])
def test_draw_that_is_missing_in_an_export_of_an_earlier_release_is_found(name):
    rows = as_before(exported(name))
    without = [[*rows[:place], *rows[place + 1 :]] for place, row in enumerate(rows) if "key" in row]
    without.append([row for row in rows if "key" not in row])

    assert [] == [some for some in without if accepts(text(remade_rows(some)))]
    assert [] == [some for some in without[::20] if matches(text(remade_rows(some)))]


def remade_rows(rows):
    return [json.loads(row) for row in remade(rows)]


@pytest.mark.parametrize("name", ["lilypoker", "liarslair"])
def test_proofs_that_are_missing_in_an_export_of_an_earlier_release_are_found(name):
    """Unless they are of the first hand, whose cards such an export doesn't show."""
    rows = as_before(exported(name))
    without = text(remade_rows([row for row in rows if "proof" not in row]))

    assert (False, False) == (accepts(without), matches(without))


# what the derivation has to know


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("undone", [1, 4, 9])
def test_draws_of_moves_that_were_taken_back_stay_in_the_export(name, undone):
    installed(name)
    host = Host(ALL[name], short(name)).seat(*NAMES).commit("bob").seal().reveal("bob").start().play(most=10)
    host.then(UndoneUncounted(host.table.past[-undone].to)).play(seed=2).close()
    rows = [json.loads(row) for row in host.export]
    draws = [place for place, row in enumerate(rows) if "key" in row]

    assert (True, True) == (accepts(text(rows)), matches(text(rows)))
    assert [] == [place for place in draws if accepts(remade([*rows[:place], *rows[place + 1 :]]))]


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("moves", range(0, 24, 3))
def test_game_that_was_broken_off_matches(name, moves):
    installed(name)
    host = Host(ALL[name], short(name)).seat(*NAMES).commit("bob").seal().reveal("bob").start().play(most=moves)
    rows = host.close().export

    assert (True, True) == (accepts(rows), matches(rows))


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_with_other_options_match(name, seats, seed):
    """Each option that decides about draws: the first player, the packs, the rounds, the end."""
    installed(name)
    names = ("bob", "carol", "dave", "erin", "Frank", "grace")[:seats]
    for changes in OTHERS[name]:
        host = Host(ALL[name], ALL[name].rules.Options(**changes)).seat(*names).commit("bob").seal().reveal("bob")
        rows = host.start().play(seed).close().export
        assert (changes, True, True) == (changes, accepts(rows), matches(rows))


OTHERS = {
    "ohell": [{"max": "ask"}, {"max": 4, "first_dealer": "host"}, {"max": 3, "decks": 2}],
    "wizard": [{"rounds": 2}, {"rounds": 4, "order": "inorder"}],
    "liarsdice": [{"points": 2}, {"points": "none", "max_rounds": 4, "first": "turns"}, {"points": 1, "first": "host"}],
    "liedie": [{"games": 1}, {"games": 4}, {"games": 3, "first": "host"}, {"games": 3, "first": "turns"}],
}


UNSEALED_OTHERS = {
    "lilypoker": [
        {"variant": "holdem", "limit": "no", "buyin": 10},
        {"variant": "stud7", "showdown": "ask"},
        {"variant": "choice"},
        {"buyin": 8, "ante": 2, "hands": 20},
        {"limit": "pot", "openers": "jacks", "showdown": "ask"},
    ],
    "liarspoker": [
        {"hands": 12},
        {"numbers": "bills", "hands": 6},
        {"choose": "manual", "opener": "random", "hands": 12},
        {"numbers": "bills", "choose": "manual", "rebid": False},
    ],
    "liarslair": [
        {"volunteer": False},
        {"deal": "random", "spare": 2},
        {"cards": "generated"},
        {"characters": "own-truths", "each": 2},
        {"characters": "secret", "spare": 1},
        {"characters": "related", "cards": "generated"},
    ],
}


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("moves", [0, 5, 120])
def test_games_with_an_open_seal_and_other_options_match(name, moves):
    installed(name)
    for changes in UNSEALED_OTHERS[name]:
        host = Host(ALL[name], ALL[name].rules.Options(**changes)).seat("bob", "Carol", "dave", "Erin").commit("bob")
        rows = host.seal().reveal("bob").start().play(3, most=moves).close().export
        assert (changes, True, True) == (changes, accepts(rows), matches(rows))


@pytest.mark.parametrize("name", CLOSED)
def test_draws_of_moves_that_were_taken_back_stay_in_an_export_with_an_open_seal(name):
    installed(name)
    game = ALL[name]
    host = Host(game, game.quick_options or game.rules.Options()).seat(*NAMES).commit("bob").seal().reveal("bob")
    host.start().play(most=12)
    host.then(UndoneUncounted(host.table.past[-4].to)).play(seed=2, most=30).close()

    assert (True, True) == (accepts(host.export), matches(host.export))


@pytest.mark.parametrize("name", ["lilypoker", "liarspoker"])
@pytest.mark.parametrize("moves", [5, 19])
def test_players_who_left_are_dealt_nothing_more(name, moves):
    """So the check expects no slip of theirs, and a hand that ends as they leave."""
    installed(name)
    host = Host(ALL[name], ALL[name].rules.Options()).seat("bob", "Carol", "dave", "Erin").commit("bob").seal()
    host.reveal("bob").start().play(moves, most=moves)
    for seat in (2, 1):
        host.then(Left(seat)).play(moves, most=moves)
    rows = host.close().export

    assert (True, True) == (accepts(rows), matches(rows))


@closed.POKER
@pytest.mark.parametrize(("moves", "found"), [(39, False), (40, True)])
def test_last_deal_of_poker_can_be_hidden_only_if_few_moves_follow_it(moves, found):
    """The script doesn't know the chips, so they could belong to the hand before. `lilygames verify` knows."""
    rows = [json.loads(row) for row in unsealed("lilypoker", moves).export]
    last = max(place for place, row in enumerate(rows) if "key" in row)
    hidden = remade([*rows[:last], *rows[last + 1 :]])

    assert ["luck", "deal", 7] == rows[last]["key"]
    assert (not found, False) == (accepts(hidden), matches(hidden))


def test_note_that_an_earlier_release_named_in_an_undo_takes_back_one_move():
    """There `to` can be an entry after the last move, and only that move is taken back."""
    installed("ohell")
    host = Host(ALL["ohell"], short("ohell")).seat("bob", "carol").commit("bob").seal().reveal("bob").start()
    host.play(most=1).then(Undone(host.table.seq)).play(seed=2).close()

    assert (True, True) == (accepts(host.export), matches(host.export))


# poker


@closed.POKER
@pytest.mark.parametrize("reader", ["bob", "a spectator"])
@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem", "choice"])
def test_hand_that_ends_with_its_deal_is_proved_with_its_own_cards(variant, reader):
    """Everyone is all-in with the ante, so an entry can deal several hands. Each shows only its own cards."""
    game = ALL["lilypoker"]
    options = game.rules.Options(variant=variant, buyin=5, ante=2, hands=12)
    host = closed.host_of(game, options).seat(*NAMES).commit("bob").seal().reveal("bob").start().play(3, most=200)
    host.then(Closed(""))
    rows = closed.exported(host, reader)
    seat = 0 if reader == "bob" else None

    assert (True, True) == (accepts(rows), matches(rows))
    assert {hand: cards for hand, cards in closed.seen(host, seat).items() if cards} == dict(
        closed.proved(rows, closed.DECK)
    )


@pytest.mark.parametrize("name", ["lilypoker", "liarspoker"])
@pytest.mark.parametrize("reader", ["bob", "a spectator"])
def test_closed_game_whose_moves_were_taken_back_matches(name, reader):
    """After an undo, it isn't clear which hand a card is from, so it has no proof; a hand can be dealt again."""
    installed(name)
    game = ALL[name]
    host = closed.host_of(game, game.quick_options or game.rules.Options()).seat(*NAMES).commit("bob").seal()
    host.reveal("bob").start().play(most=20)
    for undone in (1, 9, 4):
        host.then(UndoneUncounted(host.table.past[-undone].to)).play(seed=2, most=15)
    rows = closed.exported(host.then(Closed("")), reader)

    assert (True, True) == (accepts(rows), matches(rows))


def test_number_that_is_marked_as_drawn_twice_is_named():
    """A host can leave out its proof, but not in silence."""
    installed("liarspoker")
    rows = [*exported("liarspoker")]
    place = next(place for place, row in enumerate(rows) if "proof" in row)
    shown = next(
        event["slip"]["numbers"] for row in rows for event in row.get("seen", ()) if event["is"] == "SlipDealt"
    )
    forged = remade([*rows[:place], *rows[place + 1 : -1], {"unproven": shown[0]}, rows[-1]])

    assert accepts(forged)
    assert f"Drawn more than once, so without a proof: {shown[0]}." in exports.verify("\n".join(forged), ALL).sentence
