"""Commands to check a finished game, here or at home."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.commands import Reads, command
from lilygames.errors import UserError
from lilygames.store import Entry
from lilygames.tables.log.acts import Header
from lilygames.tables.state.table import Diverged, Table
from lilygames.tables.state.visible import is_over, shows_parts, why_not_whole
from lilygames.tables.verify.bot_moves import decisions, seat_by_seat
from lilygames.tables.verify.closed_check import verify_closed
from lilygames.tables.verify.closed_log import closed_export
from lilygames.tables.verify.export import export, exported, rows_of, set_beside
from lilygames.tables.verify.verify import different, secret_for, verdicts
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line

STOP = -1
"""What /verify stop asks for instead of a game."""


def _game_or_stop(word: str) -> int:
    return STOP if word.casefold() == "stop" else int(word.removeprefix("#")[:9])


Checked = Annotated[int, Reads("NUMBER", _game_or_stop, "a game's number is like 12 or #12; /verify stop ends a check")]


@command("verify", group="table")
async def verify_table(at: TableContext, number: Checked = 0) -> str:
    """Check that a finished game was fair: replay it from its seal, and compute its bots' moves again.

    A game with strong bots takes a while. You can do other things meanwhile: the result
    follows. /verify stop ends the check.
    """
    if number == STOP:
        return at.tables.bot_checks.stop(at.person)
    number = await at.finished(number)
    if progress := at.tables.bot_checks.progress(at.person, number):
        return progress
    header, entries = await at.read(number)
    if shows_parts(header):
        return await _verified_closed(at, header, entries)
    duplicate = await at.tables.duplicates.find(header.duplicate) if header.duplicate else None
    *_, verdict = await run_in_slices(verdicts(header, entries, at.tables.games, duplicate), at.person.origin)
    game, secret = header.game_in(at.tables.games), secret_for(header, entries, duplicate)
    if not verdict.match or game is None or secret is None:
        return verdict.sentence
    made = seat_by_seat(await run_in_slices(decisions(Table(header, game, secret), entries), at.person.origin))
    bots = await at.tables.bot_checks.start(at.person, number, made) if made else ""
    return f"{verdict.sentence} {bots}".strip()


async def exported_rows(at: TableContext, number: int) -> Sequence[Line]:
    """Return the export of a finished game; 0 is the last one here. Raises `UserError`."""
    asked, number = number, await at.finished(number)
    named = [] if asked else [f"(game #{number}, the last one here)"]
    return [Line(row, margin=None) for row in [*named, *await export_of(at, number)]]


async def export_of(at: TableContext, number: int) -> Sequence[str]:
    """Return the export of a finished game as the person may see it; raises `UserError`."""
    header, entries = await at.read(number)
    if shows_parts(header) and is_over(entries):
        try:
            return await _closed_rows(at, header, entries)
        except Diverged as damage:
            raise _unreadable(header, damage) from None
    duplicate = await at.tables.duplicates.find(header.duplicate) if header.duplicate else None
    secret = secret_for(header, entries, duplicate)
    if why := "" if secret and duplicate else why_not_whole(header, entries):
        raise UserError(f"you can't export game #{number}: {why}. Type /log {number} to see your part of it.")
    game = header.game_in(at.tables.games) if header.fairness else None
    if game is None:
        return export(header, entries)
    beside = set_beside(await at.tables.duplicates.bodies(header.duplicate), duplicate.people) if duplicate else None
    try:
        rows = exported(header, game, secret or b"", entries, beside=beside)
        parts = await run_in_slices(rows, at.person.origin)
    except Diverged as damage:
        raise UserError(
            f"the log of table #{number} can't be read: {damage}. Type /feedback TEXT to tell the sysop."
        ) from None
    return [row for part in parts for row in part]


async def _closed_rows(at: TableContext, header: Header, entries: list[Entry]) -> list[str]:
    """Return the export of a closed game as a person may see it; raises `UserError`, or `Diverged` if it is damaged."""
    game = header.game_in(at.tables.games)
    if game is None:
        raise UserError(f"{header.game} version {header.version} isn't installed here, so you can't export the game.")
    secret = await at.tables.archive.secret(header.number, entries)
    name, key = at.person.name, at.tables.host.accounts.key
    return await at.tables.slow.later(closed_export, header, game, secret, entries, name=name, key=key)


def _unreadable(header: Header, damage: Diverged) -> UserError:
    """Return what someone is told who wants to export a damaged log."""
    return UserError(
        f"the log of table #{header.number} can't be read: {damage}. Type /feedback TEXT to tell the sysop."
    )


async def _verified_closed(at: TableContext, header: Header, entries: list[Entry]) -> str:
    """Return the verdict on a closed game: its commitments, and the proofs of the cards that the person saw."""
    if not is_over(entries):
        return f"table #{header.number} ({header.game}) isn't over yet, so there is nothing to check."
    try:
        rows = "\n".join(await _closed_rows(at, header, entries))
    except Diverged as difference:
        return different(header, difference)
    verdict = await at.tables.slow.later(verify_closed, header, at.tables.games[header.game], rows_of(rows))
    return f"{verdict.sentence} Check it at home: /export {header.number}." if verdict.match else verdict.sentence
