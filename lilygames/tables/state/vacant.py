"""Seats that someone can still take at a table: those that are free, and those of bots at a round's beginning."""

from __future__ import annotations

from lilygames.tables.state.table import Table, free_seats
from lilygames_rules.kit import Seat


def bots_own(table: Table) -> list[Seat]:
    """Return the seats of bots that keep them for nobody."""
    seats = enumerate(table.seats)
    return [seat for seat, who in seats if who.house and not (who.gone or who.stands_in or who.left)]


def bots_seats(table: Table) -> list[Seat]:
    """Return the seats of bots that newcomers may take at the next round; none at a table that isn't open to that.

    At a private table only a party has newcomers: those who know its code.
    """
    header = table.header
    shut = table.game.joins or (header.private and not header.party)
    return bots_own(table) if header.open_seats and table.going and not shut else []


def left_seats(table: Table) -> list[Seat]:
    """Return the seats that players have left to a bot for good."""
    return [seat for seat, who in enumerate(table.seats) if who.house and who.left] if table.going else []


def number_vacant(table: Table) -> int:
    """Return how many more people could get a seat."""
    if not table.started or (table.game.joins and table.going):
        return free_seats(table)
    return len(bots_seats(table)) + len(left_seats(table))
