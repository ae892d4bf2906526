"""Liar's Lair: the game record."""

from __future__ import annotations

from lilygames.game import Game
from lilygames.games.liarslair import habits, house, screens, talk, words
from lilygames.games.liarslair.achievements import ACHIEVEMENTS
from lilygames.games.liarslair.advice import ADVISER, JUDGE
from lilygames.games.liarslair.attempts import attempts
from lilygames.games.liarslair.doubt import doubt
from lilygames.games.liarslair.facts import FACTS
from lilygames.games.liarslair.lesson import LESSON
from lilygames.games.liarslair.merging import MERGING
from lilygames.games.liarslair.temper import IN_CHARACTER
from lilygames_rules import liarslair
from lilygames_rules.kit import Seat
from lilygames_rules.lair.hands import TABLE
from lilygames_rules.lair.table import Reclaiming, Spoils, View


def _playing(view: View) -> set[Seat]:
    """Return the seats still in the game, including one whose hand is being divided after its knock-out."""
    phase = view.match.phase
    concerned = {*phase.waiting, *((phase.victim,) if isinstance(phase, Spoils) else ())}
    return {*range(view.match.seats)} - ({*view.match.out} - concerned)


def _last_card(view: View, _: Seat) -> bool:
    """Tell whether a seat has to reclaim the only card on the table. Hands are never so small."""
    return isinstance(view.match.phase, Reclaiming) and len(view.at(TABLE)) == 1


GAME = Game(
    rules=liarslair,
    title="Liar's Lair",
    credit="Liar's Lair by madmaw, from its README.",
    commands=words.COMMANDS,
    tell=words.tell,
    show=words.show,
    hand=words.hand,
    score=words.score,
    asks=screens.asks,
    picture=screens.picture,
    glance=screens.glance,
    final=screens.final_sheet,
    merging=MERGING,
    spell=words.spell,
    refusals=words.REFUSALS,
    sealed=True,
    facts=FACTS,
    playing=_playing,
    forced=_last_card,
    fills=lambda options, find: options.with_cards(find),
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    doubt=doubt,
    tagline="true and false cards",
    other_names=("lair",),
    minutes=8,
    quick_options=liarslair.Options(max_rounds=8),
    daily_options=liarslair.Options(max_rounds=24),
    players=house.LEVELS,
    strategy_versions=house.VERSIONS,
    in_character=IN_CHARACTER,
    habits=habits.HABITS,
    reveals=habits.reveals,
    advise=ADVISER,
    judge=JUDGE,
    situation=words.situation,
    lesson=LESSON,
    remarks=talk.remarks,
)
