"""Ohell: the game record."""

from __future__ import annotations

from functools import partial

from lilygames.game import Game
from lilygames.games.families.tricks import screens, talk
from lilygames.games.families.tricks import words as trick_words
from lilygames.games.families.tricks.attempts import attempts
from lilygames.games.families.tricks.bots import habits
from lilygames.games.families.tricks.doubt import doubt
from lilygames.games.families.tricks.last_card import forced as has_last_card
from lilygames.games.families.tricks.merging import merging
from lilygames.games.ohell import house, words
from lilygames.games.ohell.achievements import ACHIEVEMENTS
from lilygames.games.ohell.lesson import LESSON
from lilygames_rules import ohell
from lilygames_rules.kit import Seat


def _forced(view: ohell.View, seat: Seat) -> bool:
    """Tell whether everyone can see that a seat has only one move: its last card, or the bid that the hook leaves."""
    return has_last_card(view, seat) or _has_one_bid(view)


def _has_one_bid(view: ohell.View) -> bool:
    now = view.round
    if now is None or now.deal.cards > 1 or now.bids.count(None) != 1:
        return False
    return view.match.options.hook and sum(bid for bid in now.bids if bid) <= 1


GAME = Game(
    rules=ohell,
    title="Ohell",
    credit="Ohell as written for lily by Paul Stewart; the rules are quoted from its help.",
    commands=words.COMMANDS,
    tell=words.tell,
    show=words.show,
    hand=trick_words.hand,
    score=trick_words.score,
    asks=words.asks,
    picture=partial(screens.picture, turn=ohell.turn),
    merging=merging(words.tell),
    forced=_forced,
    glance=screens.glance,
    final=screens.final_sheet,
    spell=words.spell,
    word=words.word,
    refusals=words.REFUSALS,
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    deals=screens.deals,
    doubt=doubt,
    tagline="bid your tricks, take just these",
    other_names=("oh hell", "hell"),
    quick_options=ohell.Options(max=3),
    players=house.LEVELS,
    remarks=talk.remarks,
    strategy_versions=house.VERSIONS,
    in_character=house.IN_CHARACTER,
    habits=habits.HABITS,
    reveals=habits.reveals,
    advise=house.PLAYERS.adviser,
    judge=house.PLAYERS.judge,
    lesson=LESSON,
)
