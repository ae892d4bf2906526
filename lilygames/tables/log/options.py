"""House rules as typed: `max=5 dupes=first`, parsed by the types of a game's options."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs

from lilygames import codec
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.log import clocks
from lilygames.tables.log.acts import Late
from lilygames.tables.log.clocks import Clock
from lilygames.text import listing, shortened

_SWITCH = {"on": True, "yes": True, "off": False, "no": False}


def typed(name: str) -> str:
    """Return an option's name as typed: `first-dealer`."""
    return name.replace("_", "-")


def said(value: Any) -> str:
    """Return an option's value as typed."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def words(game: Game, options: Any) -> dict[str, str]:
    """Return the options that people can set, as they are typed."""
    return {typed(name): said(getattr(options, name)) for name in _kinds(game)}


@attrs.frozen
class Frame:
    """Table settings that don't depend on the game, such as seal, clock, privacy and rating."""

    sealed: bool = False
    clock: Clock = clocks.NONE
    late: Late = "ask"
    private: bool = False
    rated: bool = True
    soft: bool = False
    """Whether a bot plays for someone who is silent while another person waits. Tables of `/quick` have it."""
    open_seats: bool = False
    """Whether anyone may take a bot's seat when a round begins. Tables of `/quick` have it, too."""


def _clock(text: str) -> Clock:
    try:
        return Clock.parse(text)
    except ValueError:
        raise UserError(
            "clock can be none, or like 60 or 3d (per move), or like 10m+5 (for the game, plus per move)."
        ) from None


def _late(text: str) -> Late:
    for known in get_args(Late):
        if text.casefold() == known:
            late: Late = known
            return late
    raise UserError(f"late can be {listing(get_args(Late), 'or')}. It says what happens when a player's time runs out.")


def _seal(text: str) -> bool:
    if text.casefold() not in ("open", "closed"):
        raise UserError("seal can be open or closed. If it is open, everyone can check the deal after the game.")
    return text.casefold() == "closed"


def _on(name: str) -> Callable[[str], bool]:
    def read_switch(text: str) -> bool:
        if text.casefold() not in _SWITCH:
            raise UserError(f"{name} can be on or off.")
        return _SWITCH[text.casefold()]

    return read_switch


_FRAME: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "seal": ("sealed", _seal),
    "clock": ("clock", _clock),
    "pace": ("clock", _clock),
    "late": ("late", _late),
    "private": ("private", _on("private")),
    "rated": ("rated", _on("rated")),
}
"""Keywords for the settings: the field each one sets, and the parser for its value."""


def frame(game: Game, words: Sequence[str]) -> tuple[Frame, tuple[str, ...]]:
    """Split off settings such as `seal=closed`, `clock=60` or `late=skip`.

    Returns the frame and the other words. A private table isn't rated, because standings would reveal it. Raises
    `UserError` with the valid choices.
    """
    chosen: dict[str, Any] = {"sealed": game.sealed}
    rest = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name.casefold() in _FRAME:
            field, read_value = _FRAME[name.casefold()]
            chosen[field] = read_value(value)
        else:
            rest.append(word)
    if chosen.get("private") and chosen.setdefault("rated", False):
        raise UserError("a private table can't be rated. Leave out rated=on or private=on.")
    return Frame(**chosen), tuple(rest)


def settings(words: Sequence[str]) -> tuple[str, ...]:
    """Return the fields of the frame that words such as `clock=60` set."""
    names = (word.partition("=")[0].casefold() for word in words if "=" in word)
    return tuple(_FRAME[name][0] for name in names if name in _FRAME)


def _kinds(game: Game) -> Mapping[str, Any]:
    """Return the types of the options people can set.

    Options marked `host` are filled from the server's files.
    """
    ours = {field.name for field in attrs.fields(game.rules.Options) if field.metadata.get("host")}
    return {name: kind for name, kind in get_type_hints(game.rules.Options).items() if name not in ours}


def read(game: Game, words: Sequence[str], base: Any = None) -> tuple[Any, list[str]]:
    """Split off game options such as `max=5` and `-german`.

    Returns the options and the other words, which are names. Options not given are as in `base`, or the default. Raises
    `UserError` with the valid choices.
    """
    chosen, names = _chosen(game, words)
    return attrs.evolve(game.rules.Options() if base is None else base, **chosen), names


def set_by(game: Game, words: Sequence[str]) -> tuple[str, ...]:
    """Return the fields of the game's options that words such as `max=5` and `-german` set; raises `UserError`."""
    return tuple(_chosen(game, words)[0])


def _chosen(game: Game, words: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return the options that words set, and the other words; raises `UserError`."""
    kinds = _kinds(game)
    chosen: dict[str, Any] = {}
    names = []
    for word in words:
        if word.startswith("-"):
            chosen |= _flag(game, kinds, word[1:])
        elif "=" in word:
            name, _, value = word.partition("=")
            chosen |= _setting(game, kinds, name, value)
        else:
            names.append(word)
    return chosen, names


def _flag(game: Game, kinds: Mapping[str, Any], word: str) -> dict[str, Any]:
    """Set the only option that accepts the value `word`, as in pbmserv."""
    fits = [name for name, kind in kinds.items() if word.casefold() in choices(kind)]
    if len(fits) != 1:
        raise UserError(
            f"{game.title} has no option -{shortened(word, 20)}. Type /options {game.name} to list its options."
        )
    return {fits[0]: _value(game, fits[0], kinds[fits[0]], word)}


def _setting(game: Game, kinds: Mapping[str, Any], word: str, value: str) -> dict[str, Any]:
    name = word.casefold().replace("-", "_")
    if name not in kinds:
        near = difflib.get_close_matches(name, kinds, n=1) or list(kinds)
        known = listing(map(typed, near), "or")
        shown = shortened(word, 20)
        raise UserError(
            f"{game.title} has no option “{shown}”. Did you mean {known}? Type /options {game.name} to list them."
        )
    return {name: _value(game, name, kinds[name], value)}


def _value(game: Game, name: str, kind: Any, word: str) -> Any:
    folded = word.casefold()
    candidates = [int(folded)] if folded.isascii() and folded.isdigit() and len(folded) < 10 else []  # noqa: PLR2004
    for candidate in [*candidates, *([_SWITCH[folded]] if folded in _SWITCH else []), folded]:
        try:
            return codec.load(candidate, kind)
        except ValueError:
            continue
    raise UserError(
        f"{typed(name)} must be {listing(choices(kind), 'or')}. Type /options {game.name} to list all options."
    )


def choices(kind: Any) -> list[str]:
    """Return the values that can be typed for an option type."""
    if kind is bool:
        return ["on", "off"]
    if get_origin(kind) is Literal:
        return [said(value) for value in get_args(kind)]
    if kind is int:
        return ["a whole number"]
    return [choice for one in get_args(kind) if one is not NoneType for choice in choices(one)] or ["a word"]


def rows(game: Game) -> list[str]:
    """Return a row for each option of a game: name, default and other choices."""
    kinds = _kinds(game)
    default = attrs.asdict(game.rules.Options(), recurse=False)
    open_is_better = "we recommend open: then everyone can check the deal"
    about = open_is_better if game.facts else "closed: hidden cards stay secret after the game"
    ours = (
        f"seal={'closed' if game.sealed else 'open'} ({about})",
        "clock=none (or like 60, 3d: per move; 10m+5: for the game, plus per move)",
        "private=off (on: only invited people can play, watch or see the table)",
        "rated=on (off: the game doesn't change ratings)",
        "late=ask (skip or substitute: what happens when a player's time runs out)",
    )
    return [*(f"{typed(name)}={said(default[name])} ({listing(choices(kinds[name]), 'or')})" for name in kinds), *ours]
