"""Notification rules: which events someone hears, with a bell or a timestamp, and whom they ignore.

`/notify`, `/signal` and `/timestamp` share one grammar: EVENTS of THINGS, on or off. The most specific rule wins. A
rule for an event and a thing comes first, then one for a thing, then one for an event, then the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from lilygames.chat.names.names import fold
from lilygames.chat.people.events import KINDS, ChatEvent
from lilygames.chat.people.profile import Profile

Sense = Literal["notify", "signal", "timestamp"]
SENSES: tuple[Sense, ...] = ("notify", "timestamp", "signal")
ALWAYS = frozenset({"private", "public", "emote", "pa", "sysmsg"})
"""Messages that /notify can't silence. Use /ignore, which tells the sender."""
QUIET = frozenset({"info", "memo", "pronoun"})
"""Events that are off by default."""
RINGING = frozenset({"friend", "seek"})
"""Events that ring by default, because the person has asked for each of them."""
EVENTS = (*KINDS, "turn")
"""Events that rules can name: lily's events, game lines, and your turn, which can't be silenced."""


def default(sense: Sense, kind: str) -> bool:
    """Return the default for an event: whether it is shown, rings, or has a timestamp."""
    if sense == "notify":
        return kind not in QUIET
    return sense == "signal" and kind in RINGING


def wished(profile: Profile, sense: Sense, kind: str, things: tuple[str, ...]) -> bool:
    """Return what the rules say about an event and things, which are folded names of a person and rooms."""
    rules = profile.noise.get(sense)
    if not rules:
        return default(sense, kind)
    keys = [_key(event, thing) for about in (things, ("",)) for event in (kind, "all") for thing in about]
    return next((rules[key] for key in keys if key in rules), default(sense, kind))


def _key(event: str, thing: str) -> str:
    return f"{event} {thing}" if thing else event


def changed(rules: Mapping[str, bool], events: tuple[str, ...], things: tuple[str, ...], word: str) -> dict[str, bool]:
    """Return rules with those for these events and things set to `on` or `off`, or removed (`clear`)."""
    keys = {_key(event, thing) for event in events or ("all",) for thing in things or ("",)}
    kept = {key: value for key, value in rules.items() if key not in keys}
    return kept if word == "clear" else kept | dict.fromkeys(keys, word == "on")


def ignores(profile: Profile, chat_event: ChatEvent) -> bool:
    """Return whether a person ignores this event because of its sender.

    `private` and `public` are kinds of talk, `all` is both, a room name is that room. `-room` makes an exception.
    """
    where = profile.ignored.get(fold(chat_event.by))
    if not where or not chat_event.said or chat_event.kind == "pa":
        return False
    rooms = {fold(room) for room in chat_event.rooms}
    if rooms and rooms <= {word.removeprefix("-") for word in where if word.startswith("-")}:
        return False
    kind = "private" if chat_event.kind == "private" else "public"
    return "all" in where or kind in where or bool(rooms & set(where))
