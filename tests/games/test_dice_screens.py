"""The screens of the dice games: what a turn says is true, its numbers are moves, and the sheets add up."""

import random
import re
from functools import cache
from itertools import combinations, product

import pytest

from lilygames.game import Reader
from lilygames.games import games
from lilygames.layout import SLIM, WIDE
from lilygames.scene_rows import asking
from lilygames.tables.log.options import read
from lilygames.tables.sight.menu import Menu
from lilygames.text import Voice, columns
from lilygames_rules.dice.claims import Claim
from lilygames_rules.dice.cup import DICE, SIDES, Accept, Roll
from lilygames_rules.kit import KeyedLuck

NAMES = ("ann", "bob", "cat", "dave")
PLAYS = [
    ("liarsdice", "max-rounds=8 points=none"),
    ("liarsdice", "max-rounds=8 points=none kickers=strict reveal=always"),
    ("liarsdice", "max-rounds=8 points=none reveal=never"),
    ("liedie", "games=12"),
    ("liedie", "games=12 truth=atleast thirteen=nothing"),
]
liarsdice, liedie = (pytest.importorskip(f"lilygames_rules.{name}") for name in ("liarsdice", "liedie"))
ODDS = re.compile(r"(\d) (?:die|dice) (?:makes? it true|are that good) (never|always|(\d+) times in 100)\.")
BEST = re.compile(r"Chance (\d+) in 100( at best)?\.|(No chance)\.|(Certain)\.")
OF = re.compile(r"(?:rolled|threw) (\d) of ")
NUMBERED = re.compile(r"(?<!\S)(\d)\. (.*?)(?= {1,2}\d\. | {1,2}\(|$)")
WORDS = {"look": "peek", "unseen": "claim", "pass": "claim"}
EITHER = pytest.mark.parametrize(("name", "words"), PLAYS)


@cache
def played(name, words, seed=0, seats=3):
    """Return each turn of a game of sensible moves, and the last state.

    A turn is the state, the seat, its view and moves, and how many dice were rolled for the last claim. That is one
    number for all rolls, and one for the last roll.
    """
    game, pick, luck = games()[name], random.Random(seed), KeyedLuck(b"dice %d" % seed)
    rules, (options, _) = game.rules, read(game, words.split())
    state, turns, rolled = rules.start(seats, options, (), luck).state, [], DICE
    last = DICE
    while asked := [seat for seat in range(seats) if len(rules.moves(state, seat))]:
        seat, moves = asked[0], rules.moves(state, asked[0])
        view = rules.view(state, seat)
        turns.append((state, seat, view, moves, rolled, last))
        offers = game.offers(view, moves)
        move = offers[pick.randrange(len(offers))]
        step = rules.apply(state, seat, move, luck)
        state = step.state
        began = any(isinstance(event, liarsdice.RoundBegun | liedie.GameBegun) for event in step.events)
        rolled = DICE if began else rolled + len(move.places) if isinstance(move, Roll) else rolled
        rolled = 0 if isinstance(move, Accept) else rolled
        last = DICE if began else len(move.places) if isinstance(move, Roll) else last
    return turns, state


def standing(view):
    """Return the claim that someone has to answer, None out of such a turn."""
    now = view.passing if hasattr(view, "passing") else view.turn
    return None if now.taken else now.hand if hasattr(now, "hand") else now.claim


def true_of(view, claim, dice, *, exactly=True):
    """Return whether dice make a claim true, or at least as good, by the rules alone."""
    options = view.match.options
    if hasattr(options, "kickers"):
        return claim.true_of(dice, options.kickers)
    real = type(claim).of(dice)
    return claim == real if exactly and options.truth == "exact" else not claim.beats(real, options.thirteen)


@EITHER
def test_chance_of_a_claim_is_counted_over_all_falls_of_the_hidden_dice(name, words):
    game, found = games()[name], 0
    for _, seat, view, moves, *_ in played(name, words)[0]:
        row = " ".join(asking(game, view, moves, Reader(seat, NAMES)))
        if not (odds := ODDS.search(row)):
            continue
        found += 1
        kept = view.cup.seen if name == "liarsdice" else ()
        falls = [*product(range(1, SIDES + 1), repeat=DICE - len(kept))]
        good = sum(true_of(view, standing(view), (*kept, *fall), exactly=False) for fall in falls)
        expected = {0: "never", len(falls): "always"}.get(
            good, f"{min(99, max(1, round(100 * good / len(falls))))} times in 100"
        )
        assert (str(DICE - len(kept)), expected) == odds.groups()[:2]
    assert found


@EITHER
def test_chance_is_told_only_if_exactly_the_hidden_dice_were_rolled_last(name, words):
    """Otherwise some hidden dice were kept, and nobody else knows which."""
    game = games()[name]
    for _, seat, view, moves, _, last in played(name, words)[0]:
        if odds := ODDS.search(" ".join(asking(game, view, moves, Reader(seat, NAMES)))):
            assert int(odds[1]) == last
            assert not view.cup.known


@EITHER
def test_chance_at_best_is_that_of_the_best_dice_to_keep(name, words):
    """It is told to whoever passed the dice on: they know what was there, and that dice which lie open were kept."""
    game, found = games()[name], 0
    for seats, seed in product((2, 3), range(3)):
        for _, seat, view, moves, rolled, last in played(name, words, seed, seats)[0]:
            row = " ".join(asking(game, view, moves, Reader(seat, NAMES)))
            odds, of = BEST.search(row), OF.search(row)
            assert not odds or standing(view)
            if not odds or not of:
                continue
            found += 1
            assert int(of[1]) == rolled == last
            lying = {place for place, face in enumerate(view.cup.dice) if face}
            keeps = [kept for kept in combinations(range(DICE), DICE - rolled) if lying <= {*kept}]
            best = max(made(view, [view.cup.last[place] for place in kept]) for kept in keeps)
            expected = 100 * best / SIDES**rolled
            if odds[1]:
                assert abs(int(odds[1]) - expected) <= 1
                assert bool(odds[2]) == (
                    len({tuple(sorted(view.cup.last[place] for place in kept)) for kept in keeps}) > 1
                )
            else:
                assert (0 if odds[3] else 100) == expected
    assert found or "always" in words


def made(view, kept):
    """Return in how many falls the dice that aren't kept make the claim as good as it says."""
    falls = product(range(1, SIDES + 1), repeat=DICE - len(kept))
    return sum(true_of(view, standing(view), (*kept, *fall), exactly=False) for fall in falls)


@EITHER
def test_seat_that_knows_the_dice_is_told_whether_the_claim_is_true(name, words):
    game, found = games()[name], set()
    for seed in range(4):
        for state, seat, view, moves, *_ in played(name, words, seed, seats=2)[0]:
            row = " ".join(asking(game, view, moves, Reader(seat, NAMES)))
            assert ("You know the dice" in row) == bool(standing(view) and view.cup.known)
            if "You know the dice" in row:
                verdict = "True!" if true_of(view, standing(view), state.cup.dice) else "A lie!"
                found.add(verdict)
                assert verdict in row
    assert found


@EITHER
def test_dice_that_the_passer_is_said_to_have_rolled_are_those_it_rolled(name, words):
    game, found = games()[name], 0
    for _, seat, view, moves, rolled, _ in played(name, words)[0]:
        row = asking(game, view, moves, Reader(seat, NAMES))[0]
        for told in re.findall(r"(?:rolled|threw) (\w+)(?:| of [^:]*):|\((\d+) dice\):", row):
            found += 1
            assert rolled == int("".join(told).replace("none", "0"))
    assert found


@EITHER
@pytest.mark.parametrize("voice", [Voice(), Voice(narrow=True)])
def test_number_of_a_turn_is_that_move_in_the_list_of_moves(name, words, voice):
    game = games()[name]
    for _, seat, view, moves, *_ in played(name, words)[0]:
        menu = Menu.of(game, view, moves)
        rows = asking(game, view, moves, Reader(seat, NAMES, voice))
        asks = next(place for place, row in enumerate(rows) if row.startswith("Your turn: "))
        shown = NUMBERED.findall(" ".join(row.strip() for row in rows[asks:]))
        assert [*map(str, range(1, len(menu.offers) + 1))] == [number for number, _ in shown]
        for number, said in shown:
            typed = game.spell(menu.move(int(number))).split()
            first = said.split()[0]
            same = first == typed[0] or WORDS.get(first) == typed[0] or said == " ".join(typed[1:])
            assert same or Claim.parse(said) == Claim.parse(" ".join(typed[1:])), (said, typed)


@EITHER
def test_final_sheet_adds_up_to_the_scores(name, words):
    """Right challenges and honest claims less wrong challenges and lies."""
    game, (_, state) = games()[name], played(name, words)
    view = game.rules.view(state, None)

    _, _, *rows = game.final(view, Reader(None, NAMES))

    assert len(view.match.scores) == len(rows)
    for row in rows:
        _, who, score, right, wrong, honest, lying = row.split()
        assert view.match.scores[NAMES.index(who)] == int(score)
        assert int(score) == int(right) - int(wrong) + int(honest) - int(lying)
    for row in game.final(view, Reader(None, NAMES, Voice(narrow=True)))[1:]:
        _, _, score, won, lost = row.split()
        assert int(score) == int(won) - int(lost)


@pytest.mark.parametrize(("name", "scored"), [("liarsdice", liarsdice.RoundScored), ("liedie", liedie.GameWon)])
@pytest.mark.parametrize(("width", "voice"), [(WIDE, Voice()), (SLIM, Voice(narrow=True))])
def test_scores_of_the_largest_table_fit_the_screen(name, scored, width, voice):
    seats = games()[name].rules.SEATS[-1]
    names = tuple(f"Bartholomew{seat}" for seat in range(seats))
    event = scored(100, 0, 1, (1, -1, *(0,) * (seats - 2)))

    for reader in (Reader(None, names, voice), Reader(1, names, voice)):
        rows = games()[name].tell(event, reader).split("\n")
        assert [] == [row for row in rows if columns(row) > width]
        assert seats == sum(row.count(" 0") for row in rows) + 2, "everyone's score is there"
