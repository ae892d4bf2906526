"""Liars Dice: the game record."""

from __future__ import annotations

from lilygames.game import LIES, Game
from lilygames.games.families.dice.merging import merging
from lilygames.games.liarsdice import screens, talk, words
from lilygames.games.liarsdice.achievements import ACHIEVEMENTS
from lilygames.games.liarsdice.bots import character, house, steps
from lilygames.games.liarsdice.bots.advice import ADVISER, JUDGE
from lilygames.games.liarsdice.bots.attempts import attempts
from lilygames.games.liarsdice.bots.doubt import doubt
from lilygames.games.liarsdice.lesson import LESSON
from lilygames_rules import liarsdice
from lilygames_rules.dice.passing import ClaimMade
from lilygames_rules.kit import Seat


def _everyone_begins(options: liarsdice.Options, seats: int) -> bool:
    """Tell whether every seat is sure to begin a round; with a point limit the game may end before."""
    return options.first == "turns" and options.points == "none" and options.max_rounds >= seats


def _only_challenge(view: liarsdice.View, seat: Seat) -> bool:
    """Tell whether a seat has to answer five aces, which nobody can beat."""
    now = view.passing
    return now is not None and now.holder == seat and not now.taken and now.least is None


GAME = Game(
    rules=liarsdice,
    title="Liars Dice",
    credit="Liars Dice from the CONNECT documentation, as Paul Stewart's lily pages kept it.",
    commands=words.COMMANDS,
    tell=words.tell,
    show=words.show,
    hand=words.hand,
    score=screens.score,
    ask=words.ask,
    asks=screens.asks,
    picture=screens.picture,
    glance=screens.glance,
    final=screens.final_sheet,
    merging=merging(words.tell, words.PASSES),
    hands_to=lambda event: event.to if isinstance(event, ClaimMade) else None,
    spell=words.spell,
    word=words.word,
    parts=words.PARTS,
    refusals=words.REFUSALS,
    quick_options=liarsdice.Options(points="none", max_rounds=4, first="turns"),
    everyone_acts=_everyone_begins,
    offers=words.offers,
    scores=lambda view: view.match.scores,
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    doubt=doubt,
    tagline="pass poker dice and a claim",
    other_names=("dice",),
    minutes=6,
    players=house.LEVELS,
    forced=_only_challenge,
    remarks=talk.remarks,
    warm_up=steps.warm_up,
    strategy_versions=house.VERSIONS,
    in_character=character.IN_CHARACTER,
    habits=(LIES,),
    reveals=character.reveals,
    advise=ADVISER,
    judge=JUDGE,
    lesson=LESSON,
)
