"""Lie Die: the game record."""

from __future__ import annotations

from lilygames.game import LIES, Game
from lilygames.games.families.dice.merging import merging
from lilygames.games.liedie import character, house, master_steps, screens, talk, words
from lilygames.games.liedie.achievements import ACHIEVEMENTS
from lilygames.games.liedie.advice import ADVISER, JUDGE
from lilygames.games.liedie.attempts import attempts
from lilygames.games.liedie.doubt import doubt
from lilygames.games.liedie.lesson import LESSON
from lilygames_rules import liedie
from lilygames_rules.dice.cup import DICE, SIDES
from lilygames_rules.dice.throws import Throw
from lilygames_rules.kit import Seat
from lilygames_rules.liedie import ClaimMade


def _only_challenge(view: liedie.View, seat: Seat) -> bool:
    """Tell whether a seat has to answer the highest claim, which nobody can beat."""
    now = view.turn
    return now is not None and now.seat == seat and not now.taken and now.claim == Throw((SIDES,) * DICE)


GAME = Game(
    rules=liedie,
    title="Lie Die",
    credit="Lie Die from nickthecoder's page of its rules.",
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
    quick_options=liedie.Options(games=4, first="turns"),
    everyone_acts=lambda options, seats: options.first == "turns" and options.games >= seats,
    offers=words.offers,
    scores=lambda view: view.match.scores,
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    doubt=doubt,
    tagline="five dice, one throw, one lie",
    other_names=("lie dice",),
    minutes=3,
    players=house.LEVELS,
    limits=house.LIMITS,
    forced=_only_challenge,
    remarks=talk.remarks,
    warm_up=master_steps.warm_up,
    strategy_versions=house.VERSIONS,
    in_character=character.IN_CHARACTER,
    habits=(LIES,),
    reveals=character.reveals,
    advise=ADVISER,
    judge=JUDGE,
    lesson=LESSON,
)
