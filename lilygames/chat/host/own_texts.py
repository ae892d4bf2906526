"""Texts that people write about themselves: their info, and memos by name, each of several lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.text import clean

LINES, LONGEST, MEMOS = 20, 200, 20
"""Maximum lines of a text, characters of a line, and memos of one person."""
NAME = 16
"""Maximum characters of a memo's name."""
What = Literal["info", "memo"]


def written(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a text, cleaned; raises `UserError` if there are too many, or one is too long."""
    text = tuple(clean(line).rstrip() for line in lines)
    if len(text) > LINES:
        raise UserError(f"that's {len(text)} lines, and the limit is {LINES}.")
    if (most := max(map(len, text), default=0)) > LONGEST:
        raise UserError(f"a line has {most} characters, and the limit is {LONGEST}.")
    return text


def set_info(host: Host, person: Person, lines: Sequence[str]) -> None:
    """Replace a person's info, save it, and tell those who want to know; raises `UserError`."""
    text = written(lines)
    person.update_profile(info=text)
    _tell(host, person, "info", "" if text else "cleared")


def set_memo(host: Host, person: Person, name: str, lines: Sequence[str]) -> None:
    """Replace a memo, or remove it if no line is left, save it, and tell those who want to know; raises `UserError`."""
    memos, text = person.profile.memos, written(lines)
    if text and name not in memos and len(memos) >= MEMOS:
        raise UserError(f"you already have {MEMOS} memos, which is the limit. Type /memo clear NAME to remove one.")
    kept = {one: said for one, said in memos.items() if one != name}
    person.update_profile(memos={**memos, name: "\n".join(text)} if text else kept)
    _tell(host, person, "memo", name)


def _tell(host: Host, person: Person, what: What, news: str) -> None:
    host.keep(person)
    host.tell_about(person, person.did(what, text=news), person.rooms)


def store(host: Host, person: Person, what: What, name: str, lines: Sequence[str]) -> str:
    """Store a text that the person's client has sent in one piece, and return what to say; raises `UserError`."""
    host.check_voice(person)
    if what == "info":
        set_info(host, person, lines)
        return "(your info has been changed)"
    set_memo(host, person, clean(name)[:NAME], lines)
    return f"(your memo {clean(name)[:NAME]} has been changed)"
