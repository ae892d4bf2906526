"""/feedback: write to the sysops, and read what people wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import structlog

from lilygames.chat.host.context import Context
from lilygames.chat.host.feedback import Case
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.text import QUOTE, Line, clean, count, quoted

log = structlog.get_logger()
_NUMBER = re.compile(r"(?P<done>done\s+)?(?P<number>[0-9a-f]{6})", re.IGNORECASE)
_SHOWN = 60
"""Characters of each case shown in the list."""


@command("feedback", group="start")
async def feedback(context: Context, text: Rest = "") -> Sequence[Line]:
    """Tell the sysop about a problem or an idea: /feedback The score of my last trick looks wrong.

    The last lines on your screen are sent with it, but never a password.
    Sysops: /feedback lists the cases, /feedback CASE shows one, and
    /feedback done CASE removes it.
    """
    if not context.host.is_sysop(context.person):
        return await _sent(context, text)
    typed, zone = _NUMBER.fullmatch(text.strip()), context.person.profile.zone
    if typed and typed["done"]:
        case = await context.feedback.case(typed["number"])
        await context.feedback.done(case)
        return [Line(f"(Case {case.number} has been removed.)")]
    if typed:
        return _shown(await context.feedback.case(typed["number"]), zone)
    return await _sent(context, text) if text else _listed(await context.feedback.waiting(), zone)


async def _sent(context: Context, text: str) -> Sequence[Line]:
    if not text.strip():
        raise UserError("type /feedback and what you want to tell the sysop.")
    case = await context.feedback.send(context.person, text)
    screen = f" The last {count(len(case.screen), 'line')} of your screen were sent with it." if case.screen else ""
    return [Line(f"(Thank you. The sysop will read it as case {case.number}.{screen})")]


def _listed(cases: Sequence[Case], zone: ZoneInfo) -> list[Line]:
    """Return a line for each case, and how to read one."""
    if not cases:
        return [Line("(No feedback is waiting.)")]
    rows = [
        Line(f"Case {case.number}, {_when(case, zone)}, {case.by}: {case.text[:_SHOWN]}", by=case.by) for case in cases
    ]
    return [*rows, Line("(Type /feedback CASE to read one, or /feedback done CASE to remove it.)")]


def _shown(case: Case, zone: ZoneInfo) -> list[Line]:
    """Return the lines of one case. The sender's text and screen are marked as theirs."""
    sender = f"{case.by} (guest)" if case.guest else case.by
    return [
        Line(f"Case {case.number} from {sender}, {_when(case, zone)}, version {case.version}:"),
        quoted(case.by, case.text, f"Feedback of {case.by}:"),
        *([Line(f"The last lines on {case.by}'s screen:")] if case.screen else []),
        *(_seen(case.by, line) for line in case.screen),
        Line(f"(Type /feedback done {case.number} to remove it.)"),
    ]


def _seen(name: str, line: str) -> Line:
    """Return a line of a sender's screen, with its indentation, so that tables stay aligned."""
    text = clean(line).rstrip()
    return Line(QUOTE + text, by=name, aloud=f"Screen of {name}: {text.strip()}")


def _when(case: Case, zone: ZoneInfo) -> str:
    return f"{datetime.fromtimestamp(case.at, zone):%b %d %H:%M}"
