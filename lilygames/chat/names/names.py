"""Names of people and rooms: which are allowed, and which count as the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import count

from lilygames.errors import UserError

_SHAPE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
_GUEST = re.compile(r"guest[olszb\d]*")
"""Skeletons of numbered guest names."""
RESERVED = frozenset(
    (
        "all bot dealer game guest help here house lily lilygames lobby login me new nobody reader root "
        "server someone system table watcher you quit bye exit logout who rules resume "
    ).split()
) | {"beacon", "forgot", "machine"}
LEADS = frozenset(
    (
        "ante board card cards case chips clock count dice draw drawn each everybody everyone feedback from goodbye "
        "group hand hero info it letters memo memos more nobody note nothing number odd order page pages password "
        "players pot private public push refused round rounds score seal seat skunk slip still the to trick true "
        "trump up usage waiting welcome your gameover infoof memoof memosof privatemessage yourturn "
    ).split()
) | {"next"}
"""Words that start the server's own lines, and so are reserved: such a name could fake those lines.

A screen reader says `Your-turn: KH` like `Your turn: KH`, so a two-word start is listed as one name.
"""
TITLES = frozenset("admin host moderator operator staff sysop".split())
"""Titles of staff, reserved as names with and without a number after them."""

RESERVED_NAME = "“{}” is a reserved name. Please choose another."
LONGEST = 16
"""Maximum characters of a name."""


class NoName(UserError):
    """A name that nobody can have. `near` is what free names that are like it begin with; empty if there are none."""

    code = "refused"

    def __init__(self, why: str, near: str) -> None:
        super().__init__(f"{why}. Please choose another name.")
        self.why = why
        self.near = near


fold = str.casefold
"""Fold a name for comparison: names that fold alike are the same."""


_TWINS = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "2": "z", "8": "b", "-": None, "_": None})


def skeleton(name: str) -> str:
    """Return a name with lookalike characters unified. Names with the same skeleton can be confused."""
    return fold(name).translate(_TWINS).replace("rn", "m").replace("vv", "w")


_DIGITS = str.maketrans("34679", "eabtg")
"""Other digits used for letters. They only count for reserved words: `bob3` isn't `bobe`."""


def _plain(name: str) -> str:
    """Return a simplified name for the comparison with reserved words."""
    return skeleton(name).translate(_DIGITS)


def is_reserved(name: str, taken: frozenset[str] = frozenset()) -> bool:
    """Whether a name is, or looks like, a reserved word or one of `taken`."""
    place = re.sub(r"-\d+$", "", fold(name))  # a room may be called `ohell-2`
    title = re.sub(r"[-_\d]+$", "", fold(name))
    return (
        is_numbered(place)
        or _plain(place) in {_plain(word) for word in RESERVED | LEADS | TITLES | taken}
        or _plain(title) in {_plain(word) for word in TITLES}
    )


def is_numbered(name: str) -> bool:
    """Whether a name is one that guests without a name of their own are given: `guest7`."""
    return _GUEST.fullmatch(skeleton(name)) is not None


def has_shape(name: str) -> bool:
    """Whether a name has a valid form."""
    return _SHAPE.fullmatch(name) is not None


def allowed(name: str, taken: frozenset[str] = frozenset()) -> str:
    """Return the name if a person may have it; otherwise raise `UserError` with the reason.

    `taken` are folded names of the server's own games, rooms and bots.
    """
    if not has_shape(name):
        if not name.isascii():
            raise NoName("names use the letters a to z", plain_letters(name) or _NEUTRAL)
        raise UserError("a name has 2 to 16 letters, digits, - or _, and starts with a letter.")
    if is_reserved(name, taken):
        raise UserError(RESERVED_NAME.format(name))
    return name


def plain_letters(text: str) -> str:
    """Return a text as it could be in a name: in the letters a to z, without accents, and nothing else.

    Cyrillic and Greek letters are transliterated. Other scripts leave nothing.
    """
    apart = unicodedata.normalize("NFKD", "".join(map(_written_out, unicodedata.normalize("NFC", text))))
    plain = "".join(map(_written_out, apart))
    return "".join(letter for letter in plain if letter.isascii() and (letter.isalnum() or letter in "-_"))[:LONGEST]


def _written_out(letter: str) -> str:
    """Return how a letter is written with others, in its case; the letter itself if that isn't known."""
    written = _WRITTEN_OUT.get(letter.lower(), letter)
    return written.capitalize() if letter.isupper() and written != letter else written


_CYRILLIC = dict(zip("абвгдезийклмнопрстуфыэіґўђјѓќ", "abvgdeziyklmnoprstufyeigudjgk", strict=True))
_GREEK = dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True))
_SEVERAL = "ё:yo ж:zh х:kh ц:ts ч:ch ш:sh щ:shch ю:yu я:ya ї:yi є:ye љ:lj њ:nj ћ:c џ:dz ѕ:dz θ:th χ:ch ψ:ps"
_LATIN = {"ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
_WRITTEN_OUT = _CYRILLIC | _GREEK | _LATIN | dict(pair.split(":") for pair in _SEVERAL.split())
"""Letters that aren't a letter from a to z with an accent, and how they are written with those."""
_NEUTRAL = "traveller"
"""The start of a proposed name, if a name has no letter that we know."""


def like(name: str, known: Collection[str]) -> str:
    """Return the one of some folded names that a name equals or looks like; empty if none."""
    plain = _plain(name)
    return next((one for one in known if _plain(one) == plain), "")


def names_like(near: str) -> Iterator[str]:
    """Yield names that begin with `near`, without end: itself, if it has the form of a name, and with a number."""
    if has_shape(near):
        yield near
    for number in count(2):
        yield f"{near[: LONGEST - len(str(number))]}{number}"


def claim_of(name: str) -> str:
    """Return the claim a node makes before it assigns a name: the same for all names that look alike."""
    return f"name {skeleton(name)}"
