"""The next round of a tournament, and what is due: pure functions of the tournament, the time and the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import attrs

from lilygames.tournaments.pairing import arena, knockout, round_robin
from lilygames.tournaments.pairing.log import Bye, PairedTable, RoundPaired
from lilygames.tournaments.pairing.points import AVERAGE, WIN, lot
from lilygames.tournaments.pairing.swiss import Pairing, Past, Seating, first_round, last_round, later_round
from lilygames.tournaments.pairing.table_sizes import DUEL, default_rounds
from lilygames.tournaments.pairing.tournament import Tournament

GRACE = 600.0
"""Seconds that the start waits for more players before the tournament is cancelled."""
SHORT_ROUNDS = 2
"""Rounds of a Swiss tournament for fewer than 4 people, who play with bots."""
MOST_OF_ARENA = 1 / 3
"""The part of an arena in which a game surely ends, so that everyone has time for three."""
CHECK_IN = 900.0
"""Seconds before the start in which players check in."""
UNRATED: Mapping[str, float] = {}
"""No ratings: round 1 goes by lot."""
Due = Literal["nothing", "delay", "call off", "pair", "tend", "finish"]


def due(now_in: Tournament, now: float) -> Due:
    """Return what the director must do now."""
    if now_in.status == "open":
        return _due_before_start(now_in, now)
    latest = now_in.round
    if now_in.status != "running" or latest is None:
        return "nothing"
    if now_in.header.form == "arena":
        over = latest.done and now >= arena_ends(now_in)
        return "finish" if over else "tend"
    if not latest.done:
        return "tend"
    if is_last(now_in) or not _more_to_play(now_in):
        return "finish"
    return "pair" if now >= latest.ended + now_in.header.pause else "nothing"


def _due_before_start(now_in: Tournament, now: float) -> Due:
    if now < now_in.starts:
        return "nothing"
    if len(now_in.present) >= now_in.header.least:
        return "pair"
    if now_in.header.of_place:
        return "finish" if now >= now_in.starts + GRACE else "nothing"
    return "delay" if now_in.starts == now_in.header.starts else "call off"


def is_last(now_in: Tournament) -> bool:
    """Whether the latest round is the last one."""
    latest = now_in.round
    if latest is None:
        return False
    if now_in.form == "knockout":
        return knockout.is_final(latest.pairing)
    more = now_in.header.final and not latest.final and not now_in.short
    return latest.number >= now_in.planned and not more


def _more_to_play(now_in: Tournament) -> bool:
    """Whether enough players are left for another table."""
    if now_in.short:
        return bool(_still_in(now_in))
    return len(_still_in(now_in)) >= (DUEL if now_in.header.seats == DUEL else min(3, now_in.header.seats))


def arena_ends(now_in: Tournament) -> float:
    """Return when an arena ends: no table opens then, and running ones still count."""
    began = now_in.round.began + now_in.round.added if now_in.round else now_in.starts
    return began + 60.0 * now_in.header.minutes


def seating(now_in: Tournament, legal: range) -> Seating:
    """Return how the tournament seats people at a game for `legal` numbers of players."""
    sizes = range(DUEL, DUEL + 1) if now_in.header.seats == DUEL else range(max(3, legal.start), min(6, legal.stop))
    return Seating(now_in.header.seats, sizes, filled=_is_filled(now_in) and now_in.header.seats != DUEL)


def _is_filled(now_in: Tournament) -> bool:
    """Whether bots complete all tables: they have the same cards, or there are too few people for one."""
    return now_in.header.duplicate or now_in.short


def next_round(now_in: Tournament, seed: str, legal: range, ratings: Mapping[str, float] = UNRATED) -> RoundPaired:
    """Return the entry that begins the next round.

    `legal` are the numbers of players of the game. Round 1 goes by `ratings`, if there are any; then by lot.
    """
    number = len(now_in.rounds) + 1
    if now_in.header.form == "arena":
        return RoundPaired(number, 1, seed, _by_lot(now_in.present, seed), ())
    if now_in.form == "robin":
        return _robin(now_in, number, seed)
    order, seats = _order(now_in, seed, ratings), seating(now_in, legal)
    if now_in.form == "knockout":
        return _entry(now_in, number, seed, order, knockout.next_round(order, seats, past(now_in)))
    usual = now_in.planned or default_rounds(len(order), now_in.header.seats)
    planned = SHORT_ROUNDS if now_in.short else usual
    if now_in.header.final and number > planned:
        leaders = tuple(order[: now_in.header.final])
        return RoundPaired(number, planned, seed, tuple(order), (PairedTable(leaders),), final=True)
    pairing = _swiss(now_in, number, order, seats, last=number == planned)
    return attrs.evolve(_entry(now_in, number, seed, order, pairing), of=planned)


def _swiss(now_in: Tournament, number: int, order: Sequence[str], seats: Seating, *, last: bool) -> Pairing:
    points = {row.name: row.points for row in now_in.standings}
    if number == 1:
        return first_round(order, seats, past(now_in))
    if last:
        return last_round(order, points, seats, past(now_in))
    return later_round(order, points, seats, past(now_in))


def _entry(now_in: Tournament, number: int, seed: str, order: Sequence[str], pairing: Pairing) -> RoundPaired:
    """Return a pairing as an entry: with bots where tables must be full, and with the points of byes."""
    header = now_in.header
    filled = _is_filled(now_in)
    tables = [PairedTable(people, header.seats - len(people) if filled else 0) for people in pairing.tables]
    if (header.bye == "bot" or now_in.short) and header.seats == DUEL:
        tables += [PairedTable((key,), 1) for key in pairing.byes]
        return RoundPaired(number, 0, seed, tuple(order), tuple(tables))
    byes = tuple(Bye(key, WIN) for key in pairing.byes)
    return RoundPaired(number, 0, seed, tuple(order), tuple(tables), byes)


def past(now_in: Tournament) -> Past:
    """Return the earlier rounds as the pairing sees them."""
    return Past((one.pairing for one in now_in.rounds), now_in.apart)


def _by_lot(keys: Sequence[str], seed: str) -> tuple[str, ...]:
    return tuple(sorted(keys, key=lambda key: lot(seed, key)))


def _order(now_in: Tournament, seed: str, ratings: Mapping[str, float]) -> list[str]:
    """Return the people to pair, best standing first; before the first round by rating, then by lot."""
    if not now_in.rounds:
        return sorted(_by_lot(now_in.present, seed), key=lambda key: -ratings.get(key, 0.0))
    rows = sorted(now_in.standings, key=lambda row: (-row.points, -row.wins, row.lot))
    still = set(_still_in(now_in))
    return [row.name for row in rows if row.name in still]


def _still_in(now_in: Tournament) -> tuple[str, ...]:
    """Return the players who can be paired: in a knockout, those who went on."""
    latest = now_in.round
    if now_in.form != "knockout" or latest is None:
        return now_in.present
    through = {bye.key for bye in latest.byes}
    for table in latest.tables:
        result = table.result(latest.number)
        points = dict.fromkeys(table.paired.people, 0) | (result.points if result else {})
        playing = [key for key in table.paired.people if key not in table.absent]
        best = knockout.go_on(table.paired.people, points, latest.order)
        through |= set(best) & set(playing)
    return tuple(key for key in now_in.present if key in through)


def _robin(now_in: Tournament, number: int, seed: str) -> RoundPaired:
    """Return a round of the schedule that everyone who was there at the start is in.

    Leavers' seats go to bots, except in duels. There an opponent gets 12 points, or 0 if the results are struck.
    """
    order = now_in.rounds[0].order if now_in.rounds else _by_lot(now_in.present, seed)
    found = round_robin.schedule(len(order), now_in.header.seats, seed)
    tables, byes = [], []
    for numbers in found.rounds[number - 1]:
        people = tuple(order[one] for one in numbers if now_in.players[order[one]].playing)
        missing = [now_in.players[order[one]] for one in numbers if not now_in.players[order[one]].playing]
        if now_in.header.seats == DUEL and missing:
            byes += [Bye(key, 0 if missing[0].struck else WIN) for key in people]
        elif people:
            bots = now_in.header.seats - len(people) if now_in.header.duplicate else len(missing)
            tables.append(PairedTable(people, bots))
    byes += [Bye(order[one], AVERAGE if now_in.header.seats > DUEL else 0) for one in found.byes[number - 1]]
    return RoundPaired(number, len(found.rounds), seed, tuple(order), tuple(tables), tuple(byes))


def arena_tables(now_in: Tournament, now: float, legal: range, lasts: float) -> list[PairedTable]:
    """Return the tables of an arena to open now; none within `lasts` seconds, a game's usual length, of its end."""
    latest, header = now_in.round, now_in.header
    if latest is None or now >= arena_ends(now_in) - lasts:
        return []
    last = {key: frozenset(table.paired.people) for table in latest.tables for key in table.paired.people}
    waiting = [
        arena.Waiting(key, one.waits_since, last.get(key, frozenset()))
        for key, one in now_in.players.items()
        if one.playing and one.checked_in and one.waits_since
    ]
    opened = arena.openings(waiting, now, header.seats, seating(now_in, legal).legal, header.bots_after)
    return [PairedTable(one.people, one.bots) for one in opened]


def longest(now_in: Tournament, usual: float) -> float:
    """Return the usual length of a game in seconds; in an arena, at most a third of it."""
    return min(usual, 60 * now_in.header.minutes * MOST_OF_ARENA) if now_in.header.form == "arena" else usual
