"""Which names people and rooms may have, and when two names are the same."""

from __future__ import annotations

import re

from lilygames.chat.sorry import Sorry

_SHAPE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
_GUEST = re.compile(r"guest[olszb\d]*")
"""What the skeleton of a guest's number looks like."""
RESERVED = frozenset(
    (
        "admin all bot dealer game guest help here house lily lilygames lobby login me new nobody reader root "
        "server someone sysop system table watcher you quit bye exit who "
    ).split()
)


def fold(name: str) -> str:
    """Return the form in which names are compared: two names that fold alike are one."""
    return name.casefold()


_TWINS = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "2": "z", "8": "b", "-": None, "_": None})


def skeleton(name: str) -> str:
    """Return a name with all that looks alike made the same: two names with one skeleton can be mistaken."""
    return fold(name).translate(_TWINS).replace("rn", "m").replace("vv", "w")


def allowed(name: str, taken: frozenset[str] = frozenset()) -> str:
    """Return the name if a person may have it; raises `Sorry` with the sentence that says why not.

    `taken` are folded names that belong to the place itself: its games, rooms and house players.
    """
    if not _SHAPE.fullmatch(name):
        raise Sorry("a name is 2 to 16 letters, digits, - or _, and begins with a letter.")
    place = re.sub(r"-\d+$", "", fold(name))  # `ohell-2` will be a room
    if _GUEST.fullmatch(skeleton(place)) or skeleton(place) in {skeleton(word) for word in RESERVED | taken}:
        raise Sorry(f"{name} is a name of the house; choose another.")
    return name
