"""lily-poker: the game record."""

from __future__ import annotations

from functools import partial

import attrs

from lilygames.game import Game, HiddenShuffle, Purse
from lilygames.games.lilypoker import screens, talk, words
from lilygames.games.lilypoker.achievements import ACHIEVEMENTS
from lilygames.games.lilypoker.bots import habits, house
from lilygames.games.lilypoker.bots.advice import ADVISER, JUDGE
from lilygames.games.lilypoker.bots.attempts import attempts
from lilygames.games.lilypoker.bots.doubt import doubt
from lilygames.games.lilypoker.bots.temper import IN_CHARACTER
from lilygames.games.lilypoker.lesson import LESSON
from lilygames.games.lilypoker.merging import MERGING
from lilygames_rules import lilypoker
from lilygames_rules.cards import DECK
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import View
from lilygames_rules.past import lilypoker1
from lilygames_rules.poker import hands, session
from lilygames_rules.poker.cards import Reshuffled


def _staying(view: View) -> set[Seat]:
    """Return the seats still in the session, including all-in players who leave after the showdown."""
    return {*view.match.sitting, *(view.deal.left if view.deal else ())}


_NEWEST = Game(
    rules=lilypoker,
    title="lily-poker",
    credit="lily-poker: Phil Rzewski wrote the first game for lily; its rules are lost, and these are ours.",
    commands=words.COMMANDS,
    tell=words.tell,
    show=words.show,
    hand=words.hand,
    score=screens.score,
    asks=screens.asks,
    picture=screens.picture,
    glance=screens.glance,
    final=screens.final_sheet,
    merging=MERGING,
    spell=words.spell,
    word=words.word,
    refusals=words.REFUSALS,
    offers=words.offers,
    sealed=True,
    hidden=lambda _: (
        HiddenShuffle("deal", len(DECK), lilypoker.HandBegun, pack=DECK),
        HiddenShuffle("reshuffle", len(DECK), lilypoker.HandBegun, proven=False, told=Reshuffled),
    ),
    playing=lambda view: {*view.match.players, *(view.deal.betting.order if view.deal else ())},
    early_ends=frozenset(),
    purse=Purse(
        unit="chip",
        brings=lambda options, held: min(options.buyin, held),
        changes=lambda view: session.changes(view.match),
        staying=_staying,
        first=1000,
        staked=True,
    ),
    warm_up=house.warm_up,
    prepare=partial(hands.strength, DECK[: hands.FIVE]),
    everyone_acts=lambda options, _: options.hands == "unlimited",  # in a few hands the others may always fold first
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    doubt=doubt,
    tagline="five-card draw, for chips",
    other_names=("poker",),
    minutes=10,
    daily_options=lilypoker.Options(variant="holdem", hands=12),  # no fold or discard changes the cards that follow
    players=house.LEVELS,
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

GAME = attrs.evolve(_NEWEST, earlier=(attrs.evolve(_NEWEST, rules=lilypoker1),))
