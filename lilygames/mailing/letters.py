"""The words of mails and push messages. They name games, tables and people, but never cards, dice or passwords.

Only someone who forgot their password gets a one-time word.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.names.time_text import day_and_time
from lilygames.mailing.items.items import Item
from lilygames.mailing.options import MailOptions
from lilygames.mailing.subscription import CODE_LASTS, UNREAD
from lilygames.text import clean, count

WIDTH = 72
"""Columns of a row of a mail."""
SHOWN = 10
"""Items that one mail lists; the rest are counted."""
LONGEST = 200
"""Characters of an item, because it may have a title that someone chose."""
PUSHED = 3
"""Items that one push message lists."""
UNSUBSCRIBE = "List-Unsubscribe"
NEXT = "\n"


@attrs.frozen
class Letter:
    """A message in words: what a mail and a push message are made of."""

    subject: str
    paragraphs: tuple[str, ...]
    brief: str
    """All of it in one or two sentences, for a push message."""
    table: int = 0
    """The number of the table that comes first in it; 0 if that isn't a table."""


def plain(text: str) -> str:
    """Return a text from elsewhere as one short line, without anything that a mail or a screen could misread."""
    return " ".join(clean(text).split())[:LONGEST]


def dated(item: Item, now: float, zone: ZoneInfo) -> Item:
    """Return an item with a whole sentence, for a reader in a zone: an event has the time when it begins there."""
    if not item.starts:
        return item
    return attrs.evolve(item, text=f"{item.text} {item.says} {day_and_time(item.starts, now, zone)}.")


def code_letter(options: MailOptions, name: str, code: str, channel: str) -> Letter:
    """Return the message that carries a code."""
    minutes = round(CODE_LASTS / 60)
    return Letter(
        subject=f"{options.name}: your code is {code}",
        paragraphs=(
            f"{name} wants to get notifications from {options.name} at this address.",
            f"If that's you, type this at {options.name} within {minutes} minutes:",
            f"  /{channel} code {code}",
            "If it isn't you, ignore this message. Nothing else will be sent here without the code.",
        ),
        brief=f"{name} wants messages here. If that's you, type /{channel} code {code} at {options.name}.",
    )


def word_letter(options: MailOptions, name: str, word: str) -> Letter:
    """Return the message with a one-time word for a forgotten password."""
    return Letter(
        subject=f"{options.name}: a one-time word to log in",
        paragraphs=(
            f"Someone who says they are {name} forgot the password at {options.name}.",
            'If that\'s you, type this at the prompt "login:" within an hour, and choose a new password:',
            f"  {name} {word}",
            "If it isn't you, ignore this mail. Your password stays as it is.",
        ),
        brief="",
    )


def news_letter(options: MailOptions, name: str, items: Sequence[Item], *, last: bool, channel: str) -> Letter:
    """Return the message about everything that waits for a person; `items` isn't empty.

    Events come first, then what has waited longest.
    """
    ordered = sorted(items, key=lambda item: (not item.starts, item.starts or item.since, item.key))
    more = len(ordered) - SHOWN
    rows = [row for item in ordered[:SHOWN] for row in (f"  {plain(item.text)}", f"    {item.act}")]
    stop = f"We'll stop now: you haven't logged in since the last {UNREAD} messages. Type /{channel} on to start again."
    others = f" (and {len(items) - 1} more)" if len(items) > 1 else ""
    return Letter(
        subject=f"{options.name}: {plain(ordered[0].text).partition('. ')[0].rstrip('.')}{others}",
        paragraphs=(
            f"Hello {name},",
            f"{'this waits' if len(items) == 1 else f'{len(items)} things wait'} for you at {options.name}:",
            *rows,
            *([f"  And {count(more, 'more thing')}. Type /next there to see the next one."] if more > 0 else []),
            f"Connect with your client, or with this line, and log in as {name}:",
            f"  telnet {options.address}",
            "Then type the line that starts with a slash.",
            *([stop] if last else []),
        ),
        brief=" ".join([*(f"{plain(item.text)} ({item.act})" for item in ordered[:PUSHED]), *([stop] if last else [])]),
        table=ordered[0].table,
    )


def body(letter: Letter) -> str:
    """Return a letter's paragraphs as rows. Indented paragraphs keep their indentation, and stay together."""
    text, before = "", ""
    for paragraph in letter.paragraphs:
        words = paragraph.lstrip(" ")
        indent = paragraph[: len(paragraph) - len(words)]
        rows = textwrap.fill(
            words,
            WIDTH,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        text += f"{'' if not text else NEXT if indent and before else NEXT * 2}{rows}"
        before = indent
    return text


class _Policy(EmailPolicy):
    """How mails are written: as the standard library does, but with the header to unsubscribe as it is.

    The library would encode its long words, and mail programs couldn't read them.
    """

    def fold(self, name: str, value: Any) -> str:
        """Return a header as rows."""
        return f"{name}: {value}{self.linesep}" if name == UNSUBSCRIBE else super().fold(name, value)

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return a header as rows."""
        return self.fold(name, value).encode() if name == UNSUBSCRIBE else super().fold_binary(name, value)


_POLICY = _Policy(linesep="\r\n")


def mail_of(
    letter: Letter, options: MailOptions, *, to: str, mail_id: str, now: float, token: str = ""
) -> EmailMessage:
    """Return a letter as a mail. The same `mail_id` gives the same Message-ID, which shows a repeated mail.

    With a `token` it has the headers to unsubscribe (RFC 2369 and RFC 8058).
    """
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = options.sender_header
    mail["To"] = to
    mail["Subject"] = plain(letter.subject)
    mail["Date"] = datetime.fromtimestamp(now, UTC)
    mail["Message-ID"] = f"<{mail_id}@{options.sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    if token:
        mail[UNSUBSCRIBE] = ", ".join(f"<{way}>" for way in unsubscribe_ways(options, token))
        if unsubscribe_page(options, token):
            mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    text = body(letter) + (f"\n\n-- \n{footer(options, token)}" if token else "") + "\n"
    mail.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
    return mail


def unsubscribe_ways(options: MailOptions, token: str) -> list[str]:
    """Return the addresses at which a token unsubscribes: a web page if the sysop has one, and a mailbox."""
    page = unsubscribe_page(options, token)
    mailbox = options.unsubscribe if "@" in options.unsubscribe else options.sender
    return [*([page] if page else []), f"mailto:{quote(mailbox, safe='@')}?subject={quote(f'unsubscribe {token}')}"]


def unsubscribe_page(options: MailOptions, token: str) -> str:
    """Return the web page at which a token unsubscribes: the sysop's own or ours; empty if there is none."""
    ours = f"{options.web_address}/unsubscribe" if options.web_address else ""
    page = options.unsubscribe if options.unsubscribe.startswith("https://") else ours
    return f"{page}?token={quote(token)}" if page else ""


def footer(options: MailOptions, token: str) -> str:
    """Return the last rows of each mail: why it came, and how to stop."""
    page = unsubscribe_page(options, token)
    return (
        f"You get this mail because you typed /mail at {options.name}. To stop it, type\n"
        "/mail off there. If you can't log in any more, log in as a guest and type\n"
        f"/mail stop {token}" + (f"\nor open {page}" if page else "")
    )
