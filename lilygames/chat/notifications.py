"""What somebody wishes to hear: rules for news, bells and stamps by event, person and room; whom they ignore.

One grammar for `/notify`, `/signal` and `/timestamp`: EVENTS of THINGS, on or off. The more a rule says, the more it
counts: one for an event and a thing before one for a thing, that before one for an event, and a default behind all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from lilygames.chat.events import KINDS, ChatEvent
from lilygames.chat.names import fold
from lilygames.chat.profile import Profile

Sense = Literal["notify", "signal", "timestamp"]
SENSES: tuple[Sense, ...] = ("notify", "timestamp", "signal")
ALWAYS = frozenset({"private", "public", "emote", "pa", "sysmsg"})
"""What is said is not silenced by /notify: /ignore does that, and the other one is told."""
QUIET = frozenset({"info", "memo"})
"""News that nobody hears unless they wish to."""
EVENTS = (*KINDS, "turn")
"""What rules are about: lily's events, a game's lines, and one's turn, which is never silenced."""


def default(sense: Sense, kind: str) -> bool:
    """Return whether somebody who has set nothing hears of an event, has it ring, or has it stamped."""
    return sense == "notify" and kind not in QUIET


def wished(profile: Profile, sense: Sense, kind: str, things: tuple[str, ...]) -> bool:
    """Return what the rules say of an event about some things: a person's and rooms' names, folded."""
    rules = profile.noise.get(sense)
    if not rules:
        return default(sense, kind)
    keys = [_key(event, thing) for about in (things, ("",)) for event in (kind, "all") for thing in about]
    return next((rules[key] for key in keys if key in rules), default(sense, kind))


def _key(event: str, thing: str) -> str:
    return f"{event} {thing}" if thing else event


def changed(rules: Mapping[str, bool], events: tuple[str, ...], things: tuple[str, ...], word: str) -> dict[str, bool]:
    """Return rules with those for events of things set `on` or `off`, or taken away (`clear`)."""
    keys = {_key(event, thing) for event in events or ("all",) for thing in things or ("",)}
    kept = {key: value for key, value in rules.items() if key not in keys}
    return kept if word == "clear" else kept | dict.fromkeys(keys, word == "on")


def ignores(profile: Profile, chat_event: ChatEvent) -> bool:
    """Return whether somebody does not hear this because of whom it is by.

    `private` and `public` are kinds of talk, `all` is both, a room's name is that room; `-room` makes an exception.
    """
    where = profile.ignored.get(fold(chat_event.by))
    if not where or not chat_event.said or chat_event.kind == "pa":
        return False
    rooms = {fold(room) for room in chat_event.rooms}
    if rooms and rooms <= {word.removeprefix("-") for word in where if word.startswith("-")}:
        return False
    kind = "private" if chat_event.kind == "private" else "public"
    return "all" in where or kind in where or bool(rooms & set(where))
