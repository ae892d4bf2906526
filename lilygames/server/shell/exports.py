"""Verify and replay exported logs outside a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from lilygames.game import Game, at_once
from lilygames.games import games
from lilygames.proofs.receipt import Receipt
from lilygames.tables.log.acts import Header
from lilygames.tables.sight.replay import told
from lilygames.tables.state.table import Table
from lilygames.tables.state.visible import shows_parts
from lilygames.tables.verify import bot_moves
from lilygames.tables.verify.bot_moves import BotMove, Decision, counted, decisions, recomputed, seat_by_seat
from lilygames.tables.verify.closed_check import verify_closed
from lilygames.tables.verify.export import Row, Unreadable, exported, read_export, read_set, rows_of
from lilygames.tables.verify.receipt_check import check_receipts
from lilygames.tables.verify.verify import Verdict, secret_for
from lilygames.tables.verify.verify import verify as verified
from lilygames.text import Voice

Shown = Callable[[Iterable[Decision]], Iterable[Decision]]


def verify(text: str, installed: Mapping[str, Game] | None = None) -> Verdict:
    """Return whether an exported log matches its replay, by the installed games. Raises `Unreadable`."""
    header, entries = read_export(text)
    found = games() if installed is None else installed
    if shows_parts(header):
        return _closed(header, text, found)
    duplicate = read_set(text)
    verdict = verified(header, entries, found, duplicate)
    game = header.game_in(found)
    if not verdict.match or game is None or not header.fairness:
        return verdict
    secret = secret_for(header, entries, duplicate) or b""
    given = rows_of(text)
    beside = {"set": given[0]["set"]} if "set" in given[0] else {}
    made = exported(header, game, secret, entries, version=given[0]["lilygames"], beside=beside)
    return _with_links_and_draws(verdict, given, [json.loads(row) for rows in made for row in rows])


def _closed(header: Header, text: str, installed: Mapping[str, Game]) -> Verdict:
    """Return whether the commitments and proofs of a closed game fit."""
    game = header.game_in(installed)
    if game is None:
        return Verdict(match=False, sentence=f"{header.game} version {header.version} isn't installed here.")
    try:
        return verify_closed(header, game, rows_of(text))
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Unreadable("a proof in this export can't be read.") from None


def _with_links_and_draws(verdict: Verdict, given: Sequence[Row], again: Sequence[Row]) -> Verdict:
    """Return the verdict on the rows of an export: each must be what the log gives `again`. Names may be missing."""
    for row in (given[0], again[0]):
        row.pop("names", None)
        row.pop("set_names", None)
    for number, (row, wanted) in enumerate(zip(given, again, strict=False), 1):
        if row != wanted:
            return Verdict(match=False, sentence=f"No match: row {number} of the export has a wrong link or draw.")
    if len(given) != len(again):
        return Verdict(match=False, sentence=f"No match: the export has {len(given)} rows instead of {len(again)}.")
    return verdict


def verify_bots(text: str, installed: Mapping[str, Game] | None = None, shown: Shown = iter) -> Verdict:
    """Return whether the bots' moves in an exported log that matches its replay follow from what their seats could see.

    The sentence is empty if no bot has moved, or if the seal stays closed. The decisions pass through `shown`, which
    may show the progress. Raises `Unreadable`.
    """
    header, entries = read_export(text)
    game = header.game_in(games() if installed is None else installed)
    secret = secret_for(header, entries, read_set(text))
    if game is None or secret is None:
        return Verdict(match=True, sentence="")
    made = seat_by_seat(decisions(Table(header, game, secret), entries))

    async def checked() -> list[BotMove]:
        return [move async for move in recomputed(shown(made), at_once)]

    moves = asyncio.run(checked())
    return Verdict(match=not counted(moves).other, sentence=bot_moves.told(moves) if moves else "")


def verify_receipts(text: str, receipts: Iterable[Receipt]) -> list[Verdict]:
    """Return what each receipt of a player's client says about an exported log. Raises `Unreadable`."""
    header, entries = read_export(text)
    return [*check_receipts(header, entries, receipts)]


def replay(text: str, by: str = "", installed: Mapping[str, Game] | None = None) -> list[str]:
    """Return an exported log as it was shown to everyone, or to one player. Raises `Unreadable`."""
    header, entries = read_export(text)
    if shows_parts(header):
        raise Unreadable(f"its seal is closed. Type /log {header.number} on the server to see your part of the game.")
    game = header.game_in(games() if installed is None else installed)
    if game is None:
        raise Unreadable(f"{header.game} version {header.version} is not installed here.")
    story = told(header, game, entries, secret_for(header, entries, read_set(text)) or b"", name=by, voice=Voice())
    return [line.text for some in story for _, line in some]
