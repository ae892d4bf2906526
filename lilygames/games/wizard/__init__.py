"""Wizard: the game record."""

from __future__ import annotations

from functools import partial

from lilygames.game import Game
from lilygames.games.families.tricks import screens, talk
from lilygames.games.families.tricks import words as trick_words
from lilygames.games.families.tricks.attempts import attempts
from lilygames.games.families.tricks.bots import habits
from lilygames.games.families.tricks.doubt import doubt
from lilygames.games.families.tricks.last_card import forced
from lilygames.games.families.tricks.merging import merging
from lilygames.games.wizard import house, words
from lilygames.games.wizard.achievements import ACHIEVEMENTS
from lilygames.games.wizard.lesson import LESSON
from lilygames_rules import wizard

GAME = Game(
    rules=wizard,
    title="Wizard",
    credit="Wizard by Ken Fisher, as played by mail at gamerz.net; the rules are quoted from pbmserv's help.",
    commands=words.COMMANDS,
    tell=words.tell,
    show=words.show,
    hand=trick_words.hand,
    score=words.score,
    asks=words.asks,
    picture=partial(screens.picture, turn=wizard.turn),
    merging=merging(words.tell),
    forced=forced,
    glance=screens.glance,
    final=screens.final_sheet,
    spell=words.spell,
    word=words.word,
    refusals=words.REFUSALS,
    attempts=attempts,
    achievements=ACHIEVEMENTS,
    deals=screens.deals,
    doubt=doubt,
    tagline="Ohell with wizards and jesters",
    quick_options=wizard.Options(rounds=5),
    minutes=8,
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
