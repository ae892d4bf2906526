"""Packets for client programs: events, table state and legal moves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from lilygames import codec
from lilygames.game import Reader
from lilygames.proofs import commitments
from lilygames.tables.log.acts import Voided
from lilygames.tables.seal.rounds import hidden_sealing
from lilygames.tables.sight import narrate, turn_packet
from lilygames.tables.state import visible
from lilygames.tables.state.life import Life, written
from lilygames.tables.state.table import Table, free_seats
from lilygames.text import Packet
from lilygames_rules.kit import Event, Seat

LISTED = 64
"""Maximum number of moves sent; `count` gives the total."""

NAMES = ("event", "table", "view", "hand", "moves", "turn")
"""The packets of this module."""


def happened(room: str, table: Table, events: Sequence[Event], seat: Seat | None) -> Iterator[Packet]:
    """Yield each event as a seat or a spectator may see it."""
    for event in visible.all_seen(events, seat):
        yield Packet("event", {**_about(room, table, seat), "event": codec.dump(event)})


def taken_back(room: str, table: Table, seat: Seat | None) -> Iterator[Packet]:
    """Yield a packet if the last act undid moves: how many, and whether the game still counts."""
    if table.undone:
        event = {"is": "Undone", "moves": table.undone, "counted": table.counted}
        yield Packet("event", {**_about(room, table, seat), "event": event})


def seal(room: str, table: Table, name: str) -> Packet:
    """Return what a player's client needs to commit.

    That is the table's identity and what it's made of, the round, its seal and the player's id. Only this player gets
    the salt of the id.
    """
    rounds, header = table.rounds, table.header
    body = {
        "game": table.game.name,
        "version": header.version,
        "duplicate": header.duplicate,
        "first": header.seal,
        "round": rounds.number,
        "seal": rounds.seal,
        "root": rounds.root,
        "T": rounds.table,
    }
    if own := table.header.people.pair_of(name):
        body |= {"name": own.name, "id": own.id, "salt": own.salt}
    return Packet("seal", {"table": room, "number": table.header.number, **body})


def sealing(room: str, table: Table) -> Packet:
    """Return what a client needs to reveal: everything that has been sealed, and its digest."""
    rounds = table.rounds
    content = hidden_sealing(rounds, rounds.sealed).as_json() if rounds.sealed else {}
    digest = commitments.sealing_digest(rounds.table, content)
    body = {"T": rounds.table, "D": digest, "sealing": content}
    return Packet("sealing", {"table": room, "number": table.header.number, **body})


def voided(room: str, table: Table, void: Voided) -> Packet:
    """Return a void round for clients: the missing players, the opened secret and the next seal."""
    body = {"round": void.round, "missing": [*void.missing], "secret": void.secret, "seal": void.next_seal}
    return Packet("voided", {"table": room, "number": table.header.number, **body, "T": table.rounds.table})


def standing(room: str, table: Table, reader: Reader, told: int | None = None) -> Iterator[Packet]:
    """Yield the table's state: seats, view once started, and the reader's own hand and moves.

    All have the table's last log entry. `told` is the last one that the reader was told of in words, if that isn't it.
    """
    yield Packet("table", _table(room, table, reader, told))
    if not table.started:
        return
    seen = table.view(reader.seat)
    yield Packet("view", view(room, table, reader.seat, codec.dump(seen)))
    if reader.seat is not None:
        yield Packet("hand", {**_about(room, table, reader.seat), "rows": [*table.game.hand(seen, reader)]})
        yield Packet("moves", _moves(room, table, reader.seat))


def turn(room: str, table: Table, seat: Seat) -> Packet:
    """Return a seat's turn in words, as a page gets it; `ask` is None out of turn."""
    return Packet("turn", {**_about(room, table, seat), "ask": turn_packet.asked_now(table, seat)})


def view(room: str, table: Table, seat: Seat | None, seen: codec.Json) -> codec.Json:
    """Return the value of a packet with a dumped view."""
    return {**_about(room, table, seat), "view": seen}


def _about(room: str, table: Table, seat: Seat | None) -> Mapping[str, object]:
    """Return the table, log entry and reader of a packet. A room's name may be used again."""
    return {"table": room, "number": table.header.number, "seq": table.seq, "seat": seat}


def facts(room: str, table: Table) -> Mapping[str, object]:
    """Return what everyone in the room may know of a table."""
    return {
        "number": table.header.number,
        "room": room,
        "game": table.game.name,
        "state": state(table),
        "players": [who.name for who in table.seats.people],
        "seats": len(table.seats),
        "open": 0 if table.started else free_seats(table),
    }


def _table(room: str, table: Table, reader: Reader, told: int | None) -> codec.Json:
    return {
        "table": room,
        "number": table.header.number,
        "seq": table.seq,
        **({} if told in (None, table.seq) else {"told": told}),
        "game": table.game.name,
        "state": state(table),
        "counted": table.counted,
        "names": [*table.seats.starred],
        "seat": reader.seat,
        "turn": [*table.to_move],
        "sealed_by": [*table.rounds.sealed_by] if table.rounds.dealt else None,
        "rows": [*narrate.shown(table, reader)],
    }


WAITS = "waiting"
"""The state of a table whose game hasn't started."""
_STATES = {
    Life.WAITING: WAITS,
    Life.SHUFFLING: WAITS,
    Life.RUNNING: "playing",
    Life.PAUSED: "adjourned",
    Life.FROZEN: "adjourned",
    Life.OVER: "over",
}
"""Names of table states in packets."""


def state(table: Table) -> str:
    """Return the name of a table's state."""
    return _STATES[Life.OVER if table.outcome else written(table)]


def _moves(room: str, table: Table, seat: Seat) -> codec.Json:
    moves = table.moves(seat)
    listed = [table.game.spell(move) for move in itertools.islice(moves, LISTED)]
    return {**_about(room, table, seat), "turn": len(moves) > 0, "count": len(moves), "moves": listed}
