"""Which names people and rooms may have, and when two names are the same."""

from __future__ import annotations

import re

from lilygames.errors import UserError

_SHAPE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
_GUEST = re.compile(r"guest[olszb\d]*")
"""What the skeleton of a guest's number looks like."""
RESERVED = frozenset(
    (
        "all bot dealer game guest help here house lily lilygames lobby login me new nobody reader root "
        "server someone system table watcher you quit bye exit logout who rules resume "
    ).split()
)
LEADS = frozenset(
    (
        "ante board card cards case chips clock count dice draw drawn each everybody everyone feedback from goodbye "
        "group hand hero info it letters memo memos more nobody note nothing number odd order page pages password "
        "players pot private public push refused round rounds score seal seat skunk slip still the to trick true "
        "trump up usage waiting welcome your gameover infoof memoof memosof privatemessage yourturn "
    ).split()
)
"""First words of the server's own lines: a person or a room with such a name could write lines that sound like them.

By ear `Your-turn: KH` is `Your turn: KH`, so two words that begin a line are one name here.
"""
TITLES = frozenset("admin host moderator operator staff sysop".split())
"""Words for somebody who has a say here: nobody has one of them as a name, nor with a number behind it."""

RESERVED_NAME = "“{}” is a reserved name. Please choose another."


fold = str.casefold
"""From a name to the form in which names are compared: two names that fold alike are one."""


_TWINS = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "2": "z", "8": "b", "-": None, "_": None})


def skeleton(name: str) -> str:
    """Return a name with all that looks alike made the same: two names with one skeleton can be mistaken."""
    return fold(name).translate(_TWINS).replace("rn", "m").replace("vv", "w")


_DIGITS = str.maketrans("34679", "eabtg")
"""The other digits that are written for letters. Only reserved words are compared so: `bob3` is not `bobe`."""


def _plain(name: str) -> str:
    """Return a name as somebody in a hurry reads it, for the comparison with reserved words."""
    return skeleton(name).translate(_DIGITS)


def is_reserved(name: str, taken: frozenset[str] = frozenset()) -> bool:
    """Whether a name is, or looks like, one that belongs to the place itself: a word of the house or `taken`."""
    place = re.sub(r"-\d+$", "", fold(name))  # `ohell-2` will be a room
    title = re.sub(r"[-_\d]+$", "", fold(name))
    return (
        _GUEST.fullmatch(skeleton(place)) is not None
        or _plain(place) in {_plain(word) for word in RESERVED | LEADS | TITLES | taken}
        or _plain(title) in {_plain(word) for word in TITLES}
    )


def has_shape(name: str) -> bool:
    """Whether a name has the shape of one."""
    return _SHAPE.fullmatch(name) is not None


def allowed(name: str, taken: frozenset[str] = frozenset()) -> str:
    """Return the name if a person may have it; raises `UserError` with the sentence that says why not.

    `taken` are folded names that belong to the place itself: its games, rooms and house players.
    """
    if not has_shape(name):
        raise UserError("a name is 2 to 16 letters, digits, - or _, and begins with a letter.")
    if is_reserved(name, taken):
        raise UserError(RESERVED_NAME.format(name))
    return name


def claim_of(name: str) -> str:
    """Return what a node claims before it gives a name out: the same for all names that look alike."""
    return f"name {skeleton(name)}"
