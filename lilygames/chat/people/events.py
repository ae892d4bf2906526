"""Chat events, and how they are written in lily's style."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import ClassVar, Literal, get_args

import attrs

from lilygames.codec import LATER
from lilygames.text import QUOTE, Line, clean
from lilygames_rules.changed import maker

Kind = Literal[
    "private",
    "public",
    "emote",
    "join",
    "quit",
    "create",
    "destroy",
    "retitle",
    "drename",
    "permit",
    "depermit",
    "appoint",
    "unappoint",
    "here",
    "away",
    "unidle",
    "attach",
    "detach",
    "connect",
    "disconnect",
    "blurb",
    "rename",
    "info",
    "memo",
    "pronoun",
    "ignore",
    "unignore",
    "review",
    "pa",
    "game",
    "sysmsg",
    "friend",
    "seek",
    "tournament",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
MESSAGES: tuple[Kind, ...] = ("private", "public", "emote", "pa")
"""The kinds of what people say."""
THEIR = "their"
"""The pronoun of someone who hasn't chosen one."""
PRONOUNS = ("his", "her", THEIR, "its")
"""The pronouns that people can choose; lily has the same."""


@attrs.frozen
class ChatEvent:
    """An event that others may hear of: something said or done. Without a sender, it comes from a game.

    `rooms` are the rooms it is for or about, `to` the people it was sent to. `text` is the message or the news (a
    title, a blurb, a new name). `blurb` is the sender's at the time. `at` is in seconds since 1970. Names are spelled
    as written.
    """

    STORED_AS: ClassVar = "Happening"

    kind: Kind
    by: str
    rooms: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    text: str = ""
    blurb: str = ""
    at: float = 0.0
    pronoun: str = attrs.field(default="", metadata={LATER: True})
    """The sender's, as in "has changed her blurb"; empty for "their"."""

    @property
    def said(self) -> bool:
        """Whether it is a message, which is kept for people who are away."""
        return self.kind in MESSAGES

    @property
    def only_room(self) -> str:
        """The room in which it is said, if it is said in one room and to nobody else; otherwise empty."""
        said_there = self.kind in ("public", "emote") and len(self.rooms) == 1 and not self.to
        return self.rooms[0] if said_there else ""

    @property
    def who(self) -> str:
        """The sender's name with their blurb."""
        return named(self.by, self.blurb) if self.blurb else self.by

    @property
    def recipients(self) -> str:
        """The recipients, as everyone reads them."""
        return ", ".join([*self.to, *self.rooms])


class MessageIds:
    """Ids of messages for pages. They grow, also over restarts, because they follow the time."""

    def __init__(self) -> None:
        self._last = 0

    def next(self, at: float) -> int:
        """Return an id for a message said at this time, in seconds since 1970."""
        self._last = max(self._last + 1, int(at * 1000))
        return self._last


def named(name: str, blurb: str) -> str:
    """Return a name with its blurb in lily's style: `Whammy [deal me in!]`."""
    return f"{name} [{blurb}]" if blurb else name


_SAYINGS: Mapping[str, str] = {
    "join": "{who} is now a member of {room}",
    "quit": "{who} is no longer a member of {room}",
    "create": "{who} has created the room {room} “{text}”",
    "destroy": "{who} has closed the room {room}",
    "retitle": "{who} has changed the title of {room} to “{text}”",
    "drename": "{who} has renamed the room {room} to {text}",
    "permit": "{who} has allowed {to} to join {room}",
    "depermit": "{who} has removed {to} from {room}{text}",
    "appoint": "{who} has appointed {to} {text} of {room}",
    "unappoint": "{who} has removed {to} as {text} of {room}",
    "here": "{who} is back",
    "away": "{who} is away{text}",
    "unidle": "{who} is no longer idle",
    "attach": "{who} has reconnected",
    "detach": "{who} has disconnected{text}",
    "connect": "{who} has entered lily",
    "disconnect": "{who} has left lily{text}",
    "rename": "{by} is now known as {text}",
    "info": "{who} has changed {their} info",
    "memo": "{who} has changed {their} memo {text}",
    "pronoun": "{who} has chosen the pronoun {text}",
    "ignore": "{who} is ignoring you{text}",
    "unignore": "{who} is no longer ignoring you",
    "review": "{who} has cleared the review of {room}",
    "game": "{who} {text}",
    "sysmsg": "{text}",
    "friend": "{who}, your friend, has entered lily",
    "seek": "{who} {text}",
    "tournament": "{text}",
}


def _blurb(chat_event: ChatEvent) -> str:
    if chat_event.text:
        return f"{chat_event.by} has changed {chat_event.pronoun or THEIR} blurb to [{chat_event.text}]"
    return f"{chat_event.by} has turned {chat_event.pronoun or THEIR} blurb off"


DETACHED = "detached"
"""The text of a `detach` event of someone who typed `/detach`. Otherwise, their connection has ended."""
_OWNERSHIP = ("appoint", "unappoint")


def _ownership(chat_event: ChatEvent) -> str:
    """Return the text for an offered room: only the person who is offered it hears of that."""
    room = chat_event.rooms[0]
    if not chat_event.to:
        return f"{chat_event.who} is now the owner of {room}"
    if chat_event.kind == "unappoint":
        return f"{chat_event.who} no longer offers you the room {room}"
    return f"{chat_event.who} has offered you the room {room}; to accept: /appoint {room} me owner"


def sentence(chat_event: ChatEvent) -> str:
    """Return the text of a notice, without its stars."""
    if chat_event.kind == "blurb":
        return _blurb(chat_event)
    if chat_event.kind == "detach" and chat_event.text == DETACHED:
        return f"{chat_event.who} has detached"
    if chat_event.text == "owner" and chat_event.kind in _OWNERSHIP:
        return _ownership(chat_event)
    room = chat_event.rooms[0] if chat_event.rooms else ""
    to = ", ".join(chat_event.to)
    return _SAYINGS[chat_event.kind].format(
        who=chat_event.who,
        by=chat_event.by,
        to=to,
        room=room,
        text=chat_event.text,
        their=chat_event.pronoun or THEIR,
    )


def clock(at: float, zone: tzinfo) -> str:
    """Return a timestamp in lily's style, `(21:18) `, in a time zone."""
    return f"{datetime.fromtimestamp(at, zone):(%H:%M)} "


def worded(chat_event: ChatEvent, *, stamp: tzinfo | None = None, own: bool = False) -> tuple[Line, ...]:
    """Return the lines that show an event, with a timestamp in the zone `stamp`, if any.

    With `own`, the arrow of the reader's own message points the other way.
    """
    when, by = clock(chat_event.at, stamp) if stamp else "", chat_event.by
    match chat_event.kind:
        case "public":
            who = named(by, chat_event.blurb) if chat_event.blurb else by
            to = chat_event.rooms[0] if len(chat_event.rooms) == 1 and not chat_event.to else chat_event.recipients
            return message(f" {'<-' if own else '->'} {when}From {who}, to {to}:", by, chat_event.text)
        case "private":
            return message(_private_header(chat_event, when, own=own), by, chat_event.text)
        case "emote":
            return (Line(f"> {when}(to {chat_event.recipients}) {acted(by, chat_event.text)}", "talk", by),)
        case "pa":
            return (Line(f"** {when}Public address message from {chat_event.who}: {chat_event.text} **", "talk", by),)
        case "game" if not by:
            return (Line(f"{when}{chat_event.text}", "game"),)
    return (Line(f"*** {when}{sentence(chat_event)} ***", "notice", by),)


def _private_header(chat_event: ChatEvent, when: str, *, own: bool) -> str:
    """Return the header of a private message: its sender and its recipients."""
    if own:
        return f" << {when}Private message to {chat_event.recipients}:"
    others = f" to {chat_event.recipients}" if len(chat_event.to) + len(chat_event.rooms) > 1 else ""
    return f" >> {when}Private message from {chat_event.who}{others}:"


_GAP, _line = Line("", "talk"), maker(Line)


def message(header: str, by: str, text: str) -> tuple[Line, ...]:
    """Return lily's three parts of a message: an empty line, the header and the text. Screen readers get one line."""
    text = (text if text.isascii() and text.isprintable() else clean(text)).strip()
    head = _line(header, "talk", by, QUOTE, f"{header} {text}")
    return (_GAP, head, _line(QUOTE + text, "talk", by, QUOTE, ""))


def acted(by: str, text: str) -> str:
    """Return the text of an emote: `Whammy grins`, `Whammy says, "hi"`, `Whammy . o O (hm)`."""
    text = clean(text).strip()
    if not text.startswith('"'):
        return f"{by}{text}" if text.startswith("'") else f"{by} {text}"
    said = text.removeprefix('"').strip()
    return f'{by} {"asks" if said.endswith("?") else "says"}, "{said}"'
