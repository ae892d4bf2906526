"""Play a bot of Ohell against OpenSpiel's ISMCTS, in duplicate deals of OpenSpiel's `oh_hell`.

A deal is one round. It is played once for each seat of the bot; ISMCTS has the other seats. OpenSpiel's state says
whose turn it is, which moves are legal and what the round scores. Beside it runs the same round in our rules, which
gives the bot its view. The bot is the one that is shipped, except that it counts OpenSpiel's points instead of ours.

ISMCTS is `pyspiel.ISMCTSBot` with one random rollout per simulation. It plays its most visited move. It maximises its
own points, while the bot maximises its lead over the mean of the others; so both results are kept.

OpenSpiel's worlds know too much: `resample_from_infostate` of `oh_hell` (2.0.2) shuffles the cards that the opponents
really hold, so ISMCTS knows which cards were not dealt. `Fair` therefore gives it worlds that are drawn from all hidden
cards and fit the suits that players lack. It shares the simulations between them, and adds up the visits.

A seed gives the same cards and the same luck to the bot. ISMCTS doesn't repeat itself, because it breaks ties by the
order of its hash tables, which differs each time. So a match that is played again differs within its interval.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Protocol

import attrs
import pyspiel

from lab.anchoring.translation import action_of, theirs
from lilygames.game import Budget, Strategy, Thinker
from lilygames.games.families.tricks.bots.players import Players
from lilygames.games.families.tricks.bots.scene import Points, Stakes
from lilygames.games.ohell.house import VERSIONS, largest_hand
from lilygames.gametest.intervals import margin
from lilygames.gametest.plays import luck_of
from lilygames_rules.cards import DECK, Card
from lilygames_rules.kit import Luck
from lilygames_rules.ohell import Match, Options, View
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, Deal, Play, Round
from lilygames_rules.tricks.hidden import cards_played, imagined

MADE = 10
"""OpenSpiel's points for a bid made, in addition to one for each trick."""


@attrs.frozen
class Anchor:
    """A comparison: the bot, ISMCTS, and the table at which they meet."""

    bot: str = "shark"
    """A level of Ohell's bots, maybe with a budget (`shark@1000`), or `random`."""
    simulations: int = 1000
    seats: int = 4
    cards: int = 5
    uct: float = 20.0
    """ISMCTS's exploration constant; points are not scaled."""
    worlds: int = 25
    """Fair worlds for each move of ISMCTS (see `Fair`); 0 for OpenSpiel's own, in which it knows too much."""
    penalty: bool = True
    """OpenSpiel's `off_bid_penalty`: a missed bid loses a point per trick, instead of earning one per trick taken."""

    @property
    def name(self) -> str:
        """OpenSpiel's name of the game."""
        penalty = str(self.penalty).lower()
        return f"oh_hell(players={self.seats},num_tricks_fixed={self.cards},off_bid_penalty={penalty})"


@attrs.frozen
class Played:
    """The results of one deal: mean points a round of the bot and of ISMCTS, and CPU seconds per move of each."""

    seed: int
    bot: float
    ismcts: float
    bot_moves: float
    ismcts_moves: float
    cpu: float

    @property
    def ahead(self) -> float:
        """The bot's lead over the mean of the other seats."""
        return self.bot - self.ismcts


@attrs.frozen
class Summary:
    """The results of some deals, with 95 % margins by deal (Student's t)."""

    deals: int
    ahead: float
    sure: float
    bot: float
    bot_sure: float
    ismcts: float
    ismcts_sure: float
    bot_ms: float
    ismcts_ms: float
    cpu: float


def with_penalty(bid: int, taken: int, _: int) -> int:
    """Return OpenSpiel's points for a round with `off_bid_penalty` (`OhHellState::ComputeScore`)."""
    return MADE + taken if bid == taken else -abs(bid - taken)


def without_penalty(bid: int, taken: int, _: int) -> int:
    """Return OpenSpiel's points for a round without `off_bid_penalty`, its default."""
    return taken + MADE * (bid == taken)


def _stakes(points: Points, _: View) -> Stakes:
    return Stakes(DECK, points, hook=True)


def _at_random(_: Any, moves: Sequence[Any], luck: Luck) -> Any:
    return luck.choice(moves)


def strategy(anchor: Anchor) -> Strategy:
    """Return the bot as it is shipped, but with OpenSpiel's scoring; raises `LookupError` if it isn't known."""
    points = with_penalty if anchor.penalty else without_penalty
    level, _, iterations = anchor.bot.partition("@")
    bots = {**Players(largest_hand, partial(_stakes, points)).levels(), "random": _at_random}
    if level not in bots:
        raise LookupError(f"there is no bot {level!r}; there are {', '.join(bots)}")
    bot = bots[level]
    return Thinker(bot.decide, Budget(int(iterations))) if iterations and isinstance(bot, Thinker) else bot


def ours(anchor: Anchor, seed: int) -> Round:
    """Return the round with that seed in our rules, dealt from one pack by a random dealer."""
    luck, order = luck_of(seed, 0), tuple(range(anchor.seats))
    dealer = luck.for_("dealer").choice(order)
    hands, turned = exactbid.hand_out(order, dealer, anchor.cards, DECK, luck.for_("deal"))
    return exactbid.opened(Deal(1, anchor.cards, order, dealer, turned, turned.suit if turned else None), hands)


def played(anchor: Anchor, seed: int) -> Played:
    """Return the results of a deal, played once for each seat of the bot."""
    begun, game = time.process_time(), pyspiel.load_game(anchor.name)
    rounds = [Table(anchor, seed, place).play(game) for place in range(anchor.seats)]
    return Played(
        seed,
        bot=fmean(returns[place] for place, (returns, _) in enumerate(rounds)),
        ismcts=fmean(
            points for place, (returns, _) in enumerate(rounds) for seat, points in enumerate(returns) if seat != place
        ),
        bot_moves=fmean(used for _, times in rounds for used in times[0]),
        ismcts_moves=fmean(used for _, times in rounds for used in times[1]),
        cpu=time.process_time() - begun,
    )


Times = tuple[list[float], list[float]]
"""CPU seconds of each move of the bot, and of ISMCTS, without forced moves."""


class Searcher(Protocol):
    """A player of OpenSpiel's."""

    def step(self, state: pyspiel.State, now: Round) -> int:
        """Return the number of a move; the state and the round are the same position."""


class Shipped:
    """ISMCTS as OpenSpiel has it, in worlds of OpenSpiel's."""

    def __init__(self, anchor: Anchor, luck: Luck) -> None:
        self._bot = _ismcts(anchor, luck, anchor.simulations, pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT)

    def step(self, state: pyspiel.State, _: Round) -> int:
        """Return the most visited move."""
        return int(self._bot.step(state))


class Fair:
    """ISMCTS that is told nothing but what its seat can know.

    It searches in turn from several deals that fit its view. In each, its own worlds exchange the opponents' cards.
    """

    def __init__(self, anchor: Anchor, luck: Luck) -> None:
        self._anchor, self._luck = anchor, luck
        visits = pyspiel.ISMCTSFinalPolicyType.NORMALIZED_VISIT_COUNT
        self._bot = _ismcts(anchor, luck, anchor.simulations // anchor.worlds, visits)

    def step(self, state: pyspiel.State, now: Round) -> int:
        """Return the move with the most visits in all worlds together."""
        visits: Counter[int] = Counter()
        for world in range(self._anchor.worlds):
            for action, share in self._bot.get_policy(self.imagined(state, now, world)):
                visits[action] += share
        return max(sorted(visits), key=visits.__getitem__)

    def imagined(self, state: pyspiel.State, now: Round, world: int) -> pyspiel.State:
        """Return a state that this seat can't tell from the real one, each that fits being equally likely."""
        before = 2 + self._anchor.seats * self._anchor.cards + 1
        done = state.history()[before:]
        drawn = imagined(exactbid.see(now, now.turn), now.turn, DECK, self._luck.for_("world", len(done), world))
        played: list[list[Card]] = [[] for _ in now.hands]
        for seat, card, _ in cards_played(now):
            played[seat].append(card)
        hands = [(*held, *gone) for held, gone in zip(drawn.hands if drawn else (), played, strict=True)]
        found = theirs(state.get_game(), exactbid.opened(now.deal, hands))
        for action in done:
            found.apply_action(action)
        return found


def _ismcts(anchor: Anchor, luck: Luck, simulations: int, policy: pyspiel.ISMCTSFinalPolicyType) -> pyspiel.ISMCTSBot:
    evaluator = pyspiel.RandomRolloutEvaluator(1, luck.roll(2**30))
    return pyspiel.ISMCTSBot(luck.roll(2**30), evaluator, anchor.uct, simulations, -1, policy)


class Table:
    """A round with the bot at one seat and ISMCTS at the others."""

    def __init__(self, anchor: Anchor, seed: int, place: int) -> None:
        self._anchor, self._seed, self._place = anchor, seed, place
        self._strategy = strategy(anchor)
        self._match = Match(Options(decks=1), anchor.seats, 0, anchor.cards, (0,) * anchor.seats, ())
        kind = Fair if anchor.worlds else Shipped
        lucks = [luck_of(seed, place, f"ismcts {seat}") for seat in range(anchor.seats)]
        self._ismcts: list[Searcher] = [kind(anchor, luck) for luck in lucks]

    def play(self, game: pyspiel.Game) -> tuple[list[float], Times]:
        """Play the round; return OpenSpiel's points by seat, and the times of the moves."""
        now = ours(self._anchor, self._seed)
        state, times = theirs(game, now), (list[float](), list[float]())
        while not state.is_terminal():
            moves = {action_of(move): move for move in self._moves(now)}
            begun = time.process_time()
            action = self._action(state, now, list(moves.values()))
            if len(moves) > 1:
                times[now.turn != self._place].append(time.process_time() - begun)
            state.apply_action(action)
            now, _ = exactbid.act(now, moves[action], None)
        return state.returns(), times

    def _moves(self, now: Round) -> Sequence[Bid | Play]:
        if exactbid.bidding(now):
            return exactbid.bids(now, exactbid.evening_bid(now))
        return exactbid.plays(now.hands[now.turn], now.trick)

    def _action(self, state: pyspiel.State, now: Round, moves: Sequence[Bid | Play]) -> int:
        seat = now.turn
        if seat != self._place:
            return self._ismcts[seat].step(state, now)
        view = View(seat, self._match, exactbid.see(now, seat))
        return action_of(self._strategy(view, moves, luck_of(self._seed, state.move_number(), f"seat {seat}")))


def summary(deals: Sequence[Played]) -> Summary:
    """Return the means of some deals, and their margins."""

    def mean(value: Callable[[Played], float]) -> tuple[float, float]:
        values = [*map(value, deals)]
        return fmean(values), margin(values)

    ahead, bot, ismcts = (
        mean(value) for value in (lambda deal: deal.ahead, lambda deal: deal.bot, lambda deal: deal.ismcts)
    )
    moves = [
        1000 * fmean(times) for times in zip(*((deal.bot_moves, deal.ismcts_moves) for deal in deals), strict=True)
    ]
    return Summary(len(deals), *ahead, *bot, *ismcts, *moves, sum(deal.cpu for deal in deals))


def published(rows: Sequence[Mapping[str, Any]], anchor: Anchor, deals: Sequence[Played]) -> list[Mapping[str, Any]]:
    """Return the rows of published results with that of these deals, in place of one of the same comparison."""
    compared = attrs.asdict(anchor)
    result = {
        "compared": compared,
        "version": VERSIONS.get(anchor.bot.partition("@")[0], ""),
        "first": min(deal.seed for deal in deals),
        **attrs.asdict(summary(deals)),
    }
    return [*(row for row in rows if row["compared"] != compared), result]


class Record:
    """A file of the deals played, one JSON value on a line, after the line of what is compared."""

    def __init__(self, path: Path, anchor: Anchor) -> None:
        """Read what has been played, or begin the file; raises `LookupError` if it compares something else."""
        self._path, begins = path, json.dumps(attrs.asdict(anchor))
        if not path.exists():
            path.write_text(begins + "\n", "utf-8")
        first, *rows = path.read_text("utf-8").splitlines()
        if first != begins:
            raise LookupError(f"{path} compares something else: {first}")
        self.deals = [Played(**json.loads(row)) for row in rows]

    def add(self, deal: Played) -> None:
        """Write another deal to the file."""
        self.deals.append(deal)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(attrs.asdict(deal)) + "\n")


def resumed(anchor: Anchor, record: Record, seeds: range, cpu: float) -> Iterator[Played]:
    """Play the deals that the record lacks, and yield each one; stop when the CPU seconds are used up (0: no limit)."""
    done, used = {deal.seed for deal in record.deals}, 0.0
    for seed in seeds:
        if seed not in done:
            deal = played(anchor, seed)
            record.add(deal)
            yield deal
            used += deal.cpu
            if cpu and used >= cpu:
                return
