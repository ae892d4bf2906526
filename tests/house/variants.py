"""Small variants of our games, with their bots, which know nothing but the changed numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import attrs

from lilygames.game import Budget, Strategy, Thinker
from lilygames.games import games
from tests.house.small import small
from tests.house.spiel import Node, Variant, by_lot, mixed

EXTRAS = ("bonus", "sixes", "hero", "skunk", "progressive")
"""The additions of the 1986 rules to Liar's Poker."""


@attrs.frozen
class Small:
    """A variant and its bots by level."""

    variant: Variant
    players: Mapping[str, Strategy]
    worth: float | None = None
    """The value for seat 0 that its bots expect, if they know one."""
    asks: Callable[[Strategy, Node], Counter[Any]] = mixed
    """How to ask a bot for its probabilities."""


def whole(name: str, seats: int, **options: Any) -> Variant:
    """Return a game as people play it, from the first card; a result is the lead over the others."""
    game = games()[name]
    table = game.rules.Options(**options)
    purses = [game.purse.brings(table, game.purse.first)] * seats if game.purse else ()

    def begin(luck: Any) -> Any:
        return game.rules.start(seats, table, purses, luck).state

    def scores(state: Any) -> Sequence[float] | None:
        return ahead(game.rules.outcome(state))

    return Variant(game.rules, seats, begin, scores)


def ahead(out: Any) -> Sequence[float] | None:
    """Return each seat's lead over the mean of the others; None while the game goes on."""
    return out and [one - (sum(out.scores) - one) / (len(out.scores) - 1) for one in out.scores]


def ohell(seats: int, lowest: str, thought: int = 2000) -> Small:
    """Return a round of Ohell with one card each, from a deck that begins with that rank; a result is a lead.

    So its shark plays for points, though the round is the last one.
    """
    changes = {"lilygames_rules.cards": [("for rank in range(2, ACE + 1))", f"for rank in range({lowest}, ACE + 1))")]}
    rules, exactbid, cards, house = small(
        changes,
        "lilygames_rules.ohell",
        "lilygames_rules.tricks.exactbid",
        "lilygames_rules.cards",
        "lilygames.games.ohell.house",
    )
    order = tuple(range(seats))

    def begin(luck: Any) -> Any:
        hands, turned = exactbid.hand_out(order, seats - 1, 1, cards.DECK, luck)
        match = rules.Match(rules.Options(decks=1), seats, seats - 1, 1, (0,) * seats, ())
        deal = exactbid.Deal(1, 1, order, seats - 1, turned, turned.suit, None, "cancel-pair")
        return rules.State(match, exactbid.opened(deal, hands))

    def scores(state: Any) -> Sequence[float] | None:
        return ahead(rules.outcome(state))

    shark = Thinker(house.PLAYERS.search, Budget(thought))
    return Small(Variant(rules, seats, begin, scores), {**house.LEVELS, "shark": shark})


def liarspoker(
    digits: int,
    kinds: int,
    seats: int = 2,
    learned: Sequence[int] = (),
    extras: bool = True,  # noqa: FBT001, FBT002 - a row of numbers names a variant
) -> Small:
    """Return a hand of Liar's Poker with this many digits per number and kinds of digits; seat 0 opens.

    `learned` is the hands and rounds that its bots learn from first; `extras` are those of 1986.
    """
    options = dict.fromkeys(EXTRAS, extras)
    chance = ("0.1**held * 0.9 **", f"{1 / kinds}**held * {1 - 1 / kinds} **")
    changes = {
        "lilygames_rules.bidding.slips": [
            ("LONG = 8", f"LONG = {digits}"),
            ("choice(DIGITS) for", f"choice(DIGITS[1 : {kinds + 1}]) for"),
        ],
        "lilygames_rules.bidding.ladder": [("RANKS = range(1, 11)", f"RANKS = range(1, {kinds + 1})")],
        "lilygames.games.liarspoker.reading": [chance],
        "lilygames.games.liarspoker.house": [chance],
        "lab/learn-liarspoker": [('numbers="bills", hands=1)', f'numbers="bills", hands=1, **{options!r})')],
    }
    rules, ladder, slips, house, reads, script = small(
        changes,
        *(
            "lilygames_rules.liarspoker",
            "lilygames_rules.bidding.ladder",
            "lilygames_rules.bidding.slips",
            "lilygames.games.liarspoker.house",
        ),
        *("lilygames.games.liarspoker.reading", "lab/learn-liarspoker"),
    )
    if learned:
        known = script.learn(seats, *learned)
        reads.learned = lambda _: known
    every, table = tuple(range(seats)), rules.Options(numbers="bills", hands=1, **options)

    def begin(luck: Any) -> Any:
        bills = tuple(slips.Slip("AA", (slips.any_number(luck),)) for _ in every)
        match = rules.Match(table, every, every, (0,) * seats, 0, 0, lines=(1,))
        return rules.State(match, bills, auction=ladder.Auction(every, digits * seats, table.rebid, turn=0))

    def scores(state: Any) -> Sequence[float] | None:
        out = rules.outcome(state)
        return out and out.scores

    return Small(Variant(rules, seats, begin, scores), {**house.LEVELS, **house.STYLES})


def liedie(dice: int, faces: int, claims: int | None = None, rounds: int = 200) -> Small:
    """Return a game of Lie Die for two with this many dice and faces, and bots who know its table.

    Seat 0 throws first; or it has taken the worst throw, which both know, under a claim that this many claims beat.
    """
    rules, throws, cups, house, knows, script = _liedie(dice, faces)
    worth, thrown = script.table(0, rounds)
    knows.TABLE = script.packed(worth).tobytes() + thrown.tobytes()
    match, ladder = rules.Match(rules.Options(), (0, 0)), throws.ladder()

    def begin(luck: Any) -> Any:
        if claims is None:
            return rules.State(match, rules.Turn(0), cups.filled(2, 0, luck, number=1))
        cup = cups.Cup(ladder[0].dice, (False,) * dice, (cups.Memory(ladder[0].dice),) * 2)
        return rules.State(match, rules.Turn(0, ladder[-1 - claims], taken=True, thrown=False), cup)

    def scores(state: Any) -> Sequence[float] | None:
        out = rules.outcome(state)
        return out and out.scores

    known = script.first(worth) if claims is None else float(worth[len(ladder) - 1 - claims][0])
    return Small(Variant(rules, 2, begin, scores), house.LEVELS, known)


def _liedie(dice: int, faces: int, *more: str) -> list[ModuleType]:
    cup = ("DICE, SIDES = 5, 6", f"DICE, SIDES = {dice}, {faces}")
    changes = {
        "lilygames_rules.dice.cup": [cup],
        "lilygames_rules.dice.throws": [cup, ("(5,): Type.YAHTZEE", f"({dice},): Type.YAHTZEE")],
        "lilygames.games.liedie.ladder": [
            ("RUNGS = 252", "RUNGS = len(ladder())"),
            ('(files(__package__) / "ladder.bin").read_bytes()', "TABLE"),
        ],
        "lab/solve-liedie": [
            ("ALL = 5", f"ALL = {dice}"),
            ("range(1, 6)", "range(1, ALL + 1)"),
            ("keeps(5)", "keeps(ALL)"),
            ("-1, 5)", "-1, ALL)"),
        ],
    }
    return small(
        changes,
        *(
            "lilygames_rules.liedie",
            "lilygames_rules.dice.throws",
            "lilygames_rules.dice.cup",
            "lilygames.games.liedie.house",
        ),
        *("lilygames.games.liedie.ladder", "lab/solve-liedie", *more),
    )


def liarsdice(dice: int, faces: int, claims: int) -> Small:
    """Return the end of a round of Liars Dice for two with this many dice and faces, rolled once by their holder.

    Seat 0 is offered dice that its opponent has rolled, with a claim that this many claims beat. The shark goes by the
    odds, because its table is about five dice.
    """
    changes = {
        "lilygames_rules.dice.cup": [("DICE, SIDES = 5, 6", f"DICE, SIDES = {dice}, {faces}")],
        "lilygames_rules.dice.claims": [
            ("DICE = 5", f"DICE = {dice}"),
            ("ACE, KING = 6, 5", f"ACE, KING = {faces}, {faces - 1}"),
        ],
        "lilygames_rules.dice.passing": [("ROLLS, ROLLS_AFTER_ALL = 2, 3", "ROLLS, ROLLS_AFTER_ALL = 1, 1")],
        "lilygames.games.liarsdice.bots.house": [('"two pair J"', '"pair"')],
        "lilygames.games.liarsdice.solved.chances": [('"three"', '"pair"')],
    }
    rules, cups, hands, passing, house = small(
        changes,
        *(
            "lilygames_rules.liarsdice",
            "lilygames_rules.dice.cup",
            "lilygames_rules.dice.claims",
            "lilygames_rules.dice.passing",
            "lilygames.games.liarsdice.bots.house",
        ),
    )
    match, hand = rules.Match(rules.Options(points=1, passing="next"), (0, 0)), hands.ladder()[-1 - claims]
    offered = passing.Passing(0, 1, hand, taken=False, vouched=True, over=hands.ladder()[0], rolled=1)

    def begin(luck: Any) -> Any:
        return rules.State(match, offered, cups.filled(2, 1, luck, number=1))

    def scores(state: Any) -> Sequence[float] | None:
        out = rules.outcome(state)
        return out and out.scores

    def to_the_next(move: Any) -> bool:
        return getattr(move, "to", None) is None

    players = {**house.LEVELS, "shark": house.odds}
    return Small(Variant(rules, 2, begin, scores, to_the_next), players, asks=by_lot)
