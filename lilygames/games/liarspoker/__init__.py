"""Liar's Poker: the game record."""

from __future__ import annotations

import attrs

from lilygames.game import Game, HiddenDigits, Purse
from lilygames.games.liarspoker import habits, house, screens, talk, words
from lilygames.games.liarspoker.achievements import ACHIEVEMENTS
from lilygames.games.liarspoker.advice import ADVISER, JUDGE
from lilygames.games.liarspoker.attempts import attempts
from lilygames.games.liarspoker.doubt import doubt
from lilygames.games.liarspoker.lesson import LESSON
from lilygames.games.liarspoker.temper import IN_CHARACTER
from lilygames.layout import side_by_side
from lilygames_rules import liarspoker
from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import BidMade, Challenged
from lilygames_rules.kit import Seat
from lilygames_rules.past import liarspoker2


def _only_challenge(view: liarspoker.View, seat: Seat) -> bool:
    """Tell whether a seat has to answer the highest bid, which nobody can beat."""
    now = view.auction
    return now is not None and now.turn == seat and now.bid is not None and now.bid.rung == now.top - 1


_NEWEST = Game(
    rules=liarspoker,
    title="Liar's Poker",
    credit="Salomon's Liar's Poker, from “Liars Poker”, rules current as of February 10, 1986.",
    commands=words.COMMANDS,
    tell=words.tell,
    show=words.show,
    hand=words.hand,
    score=screens.score,
    asks=screens.asks,
    picture=screens.picture,
    glance=screens.glance,
    final=screens.final_sheet,
    merging=side_by_side(words.tell, BidMade, Challenged, shown=screens.shows_bids),
    hands_to=lambda event: event.up_to if isinstance(event, Challenged) else None,
    spell=words.spell,
    parts=words.PARTS,
    refusals=words.REFUSALS,
    offers=words.offers,
    sealed=True,
    hidden=lambda options: tuple(
        HiddenDigits(purpose, slips.LINES, slips.LONG, before=(len(slips.ALPHABET),) * 2)
        for purpose in (("slip",) if options.choose == "auto" else ("slip", "pile"))
    ),
    early_ends=frozenset(),
    purse=Purse(
        unit="unit",
        brings=lambda _, held: held,
        changes=lambda view: view.match.balances,
        staying=lambda view: {*view.match.players, *view.match.sitting},
    ),
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    doubt=doubt,
    tagline="bid on digits nobody sees whole",
    quick_options=liarspoker.Options(hands=3),
    minutes=6,
    daily_options=liarspoker.Options(hands=5),
    players=house.LEVELS,
    forced=_only_challenge,
    remarks=talk.remarks,
    strategy_versions=house.VERSIONS,
    in_character=IN_CHARACTER,
    habits=habits.HABITS,
    reveals=habits.reveals,
    advise=ADVISER,
    judge=JUDGE,
    situation=words.situation,
    lesson=LESSON,
)

GAME = attrs.evolve(_NEWEST, earlier=(attrs.evolve(_NEWEST, rules=liarspoker2),))
