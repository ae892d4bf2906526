"""The settings of a new tournament as typed: `ohell swiss rounds=4 start=20:00 seats=4 clock=60 duplicate=on`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.chat.names import times
from lilygames.chat.names.names import has_shape
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.joining.seats import check
from lilygames.tables.log import options
from lilygames.tables.log.clocks import Clock
from lilygames.tables.open import game_names
from lilygames.text import listing, shortened
from lilygames.tournaments.pairing.log import FORMS, Form, Header
from lilygames.tournaments.pairing.points import SEATS

MOST_ROUNDS, LONGEST_PAUSE = 20, 600
ARENA_MINUTES = range(10, 241)
SOON = 8.0
"""Seconds that someone waits in one of the place's own arenas before bots fill up a table."""
NAME = 16
"""Maximum characters of a name, as for people and rooms."""
_ENDINGS: Mapping[Form, str] = {"swiss": "swiss", "robin": "robin", "knockout": "cup", "arena": "arena"}
"""How a tournament is called after its game, if its organizer names it nothing else."""


def _number(name: str, allowed: range) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= 4 and int(text) in allowed):  # noqa: PLR2004
            raise UserError(f"{name} must be a whole number from {allowed.start} to {allowed.stop - 1}.")
        return int(text)

    return read


def _switch(text: str) -> bool:
    if text.casefold() not in ("on", "off"):
        raise UserError("duplicate can be on or off. With on, all tables of a round get the same cards.")
    return text.casefold() == "on"


def _bye(text: str) -> str:
    if text.casefold() not in ("points", "bot"):
        raise UserError("bye can be points or bot. It says what a player who is over gets in a round of duels.")
    return text.casefold()


def _seeding(text: str) -> str:
    if text.casefold() not in ("lot", "rating"):
        raise UserError("seeding can be lot or rating. It says in which order round 1 is paired.")
    return text.casefold()


def _clock(text: str) -> Clock:
    try:
        clock = Clock.parse(text)
    except ValueError:
        clock = Clock()
    if not clock.runs or clock.slow:
        raise UserError("a tournament's clock is like 60 (seconds per move) or 10m+5 (for the game, plus per move).")
    return clock


_READERS: Mapping[str, Callable[[str], Any]] = {
    "seats": _number("seats", SEATS),
    "rounds": _number("rounds", range(1, MOST_ROUNDS + 1)),
    "pause": _number("pause", range(LONGEST_PAUSE + 1)),
    "minutes": _number("minutes", ARENA_MINUTES),
    "final": _number("final", range(3, SEATS.stop)),
    "duplicate": _switch,
    "bye": _bye,
    "seeding": _seeding,
    "clock": _clock,
    "name": str,
}


def header(games: Mapping[str, Game], person: Person, key: str, words: Sequence[str], now: float) -> Header:
    """Return the header of the tournament that someone wants to create; raises `UserError` with what to type."""
    game, typed = game_names.split(games, words)
    made, start = _read(game, typed)
    if not start:
        raise UserError("say when it starts, such as start=20:00, start=fri_20:00 or start=in_30m.")
    starts = times.read(start.replace("_", " "), now, person.profile.zone).at
    return attrs.evolve(made, by=key, starts=starts)


def of_place(game: Game, words: Sequence[str]) -> Header:
    """Return the header of one of the place's own tournaments, without its start, from words like `arena minutes=25`.

    Unless they choose others, it has the options of `/quick`, which are those of a short game. Raises `UserError`.
    """
    made, start = _read(game, words, game.quick_options)
    if start:
        raise UserError("a series has its start before its games. Leave out start.")
    if not has_shape(made.name):
        raise UserError(f"{shortened(made.name, 20)} can't be a tournament's name. Choose another with name=NAME.")
    return attrs.evolve(made, least=1, bots_after=SOON)


def _read(game: Game, words: Sequence[str], base: Any = None) -> tuple[Header, str]:
    """Return the header that words describe, without organizer and start, and the start as it was typed, if it was.

    The game's options are those of `base`, unless words set them.
    """
    if game.joins or game.purse or game.sealed or not game.players:
        raise UserError(f"{game.title} can't be played in a tournament. Type /games to choose another game.")
    form, rest = _form(words)
    chosen, rest = _split(rest)
    start = chosen.pop("start", "")
    fields: dict[str, Any] = {name: _READERS[name](text) for name, text in chosen.items()}
    typed, names = options.read(game, rest, base)
    if names:
        raise UserError(f"I don't understand “{shortened(names[0], 20)}”. Type /help tournament for the settings.")
    made = Header(
        number=0,
        name=fields.pop("name", default_name(game.name, form)),
        form=form,
        game=game.name,
        version=game.rules.VERSION,
        options=codec.dump(typed),
        by="",
        starts=0.0,
        seed="",
        **fields,
    )
    check_seats(game, typed, made)
    return (attrs.evolve(made, minutes=made.minutes or 60) if form == "arena" else made), start


def default_name(game: str, form: Form) -> str:
    """Return the name of a tournament that its organizer gives no other: `ohell-swiss`."""
    return f"{game[: NAME - 1 - len(_ENDINGS[form])]}-{_ENDINGS[form]}"


def _form(words: Sequence[str]) -> tuple[Form, Sequence[str]]:
    """Split off the form of the tournament."""
    for number, word in enumerate(words):
        for form in FORMS:
            if word.casefold() == form:
                return form, [*words[:number], *words[number + 1 :]]
    raise UserError(f"say which kind of tournament: {listing(FORMS, 'or')}. Type /help tournament.")


def _split(words: Sequence[str]) -> tuple[dict[str, str], Sequence[str]]:
    """Split off the tournament's own settings from the game's options."""
    chosen, rest = dict[str, str](), []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name.casefold() in chosen:
            raise UserError(f"you typed {name.casefold()} twice. Leave one of them out.")
        if equals and name.casefold() in {*_READERS, "start"}:
            chosen[name.casefold()] = value
        else:
            rest.append(word)
    return chosen, rest


def check_seats(game: Game, chosen: Any, made: Header) -> None:
    """Raise `UserError` if the game or the form can't be played so."""
    least, most = game.rules.SEATS.start, game.rules.SEATS.stop - 1
    if not least <= made.seats <= most:
        raise UserError(f"{game.title} is for {least} to {most} players. Choose seats in that range.")
    check(game, chosen, made.seats)
    if made.final and (made.form != "swiss" or made.final not in game.rules.SEATS):
        raise UserError("only a Swiss tournament can have a final. Leave out final.")
    if made.minutes and made.form != "arena":
        raise UserError("only an arena has minutes. Set rounds, or leave both out.")
    if made.rounds and made.form != "swiss":
        raise UserError("only a Swiss tournament has rounds that you choose. Leave out rounds.")
    if made.seeding == "rating" and made.form not in ("swiss", "knockout"):
        raise UserError("only Swiss and knockout tournaments are seeded. Leave out seeding.")
    if made.duplicate and made.form == "arena":
        raise UserError("an arena has no rounds, so it can't be duplicate.")
