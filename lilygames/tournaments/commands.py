"""The /tournament command: create, join, watch and correct tournaments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from lilygames.chat.names.time_text import distance, written
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.text import Line, clean, listing, shortened
from lilygames.tournaments import words
from lilygames.tournaments.context import TournamentContext
from lilygames.tournaments.pairing import pairing, settings
from lilygames.tournaments.pairing.log import Act, Cancelled, CheckedIn, Corrected, Joined, KeptApart, Left
from lilygames.tournaments.pairing.points import shown
from lilygames.tournaments.pairing.round_robin import most_people
from lilygames.tournaments.pairing.tournament import Tournament
from lilygames_rules.kit import Refused

LISTED = 8
"""Tournaments in the list."""
WHY = 80
"""Maximum characters of a reason."""
Rows = Sequence[str | Line]


@command(
    "tournament",
    group="start",
    syntax="new|join|leave|checkin|standings|pairings|next|apart|correct|waive|cancel|list ...",
    says=("new", "correct", "cancel"),
)
async def tournament(at: TournamentContext, what: str = "list", *typed: str) -> Rows:
    """Play in a tournament: /tournament lists them, /tournament join takes part in the next one.

    /tournament new ohell swiss rounds=4 start=20:00 seats=4 clock=60 creates one.
    /tournament standings, pairings and next show how it stands. If several are
    open, add the name: /tournament join ohell-swiss. See /help tournament.
    """
    verbs = [verb for verb in _VERBS if what and verb.startswith(what.casefold())]
    if len(verbs) != 1 and what.casefold() not in _VERBS:
        raise UserError("type /tournament join, leave, standings, pairings, next or list: see /help tournament.")
    return await _VERBS[what.casefold() if what.casefold() in _VERBS else verbs[0]](at, typed)


# which one


def _chosen(at: TournamentContext, typed: Sequence[str]) -> tuple[Tournament, tuple[str, ...]]:
    """Return the tournament that is meant, and the other words: by name or `#3`, by room, or the only one."""
    known = [*at.director.open.values()]
    for one in known:
        if typed and typed[0].casefold() in (one.header.name.casefold(), f"#{one.header.number}"):
            return one, tuple(typed[1:])
    if not known:
        _no_more(typed)
        raise UserError("no tournament is open. Type /tournament to list what comes, or see /help tournament.")
    mine = [one for one in known if at.key in one.players and one.players[at.key].playing]
    here = [one for one in known if one.header.name == at.person.room.name]
    for found in (here, known, mine):
        if len(found) == 1:
            return found[0], tuple(typed)
    raise UserError(f"several tournaments are open. Add a name: {listing((one.header.name for one in known), 'or')}.")


def _no_more(rest: Sequence[str]) -> None:
    if rest:
        raise UserError(f"there's no open tournament “{shortened(rest[0], 20)}”. Type /tournament to list them.")


async def _act(at: TournamentContext, one: Tournament, act: Act) -> Tournament:
    """Append what someone has decided; raises `UserError`."""
    try:
        return await at.director.enter(one.header.number, act, at.person.name)
    except Refused as no:
        raise UserError(_REFUSALS[no.code].format(**no.facts)) from None


_REFUSALS: Mapping[str, str] = {
    "over": "this tournament is over. Type /tournament to list the open ones.",
    "joined": "you have joined already. Type /tournament leave to leave.",
    "not-joined": "you aren't in this tournament. Type /tournament join to take part.",
    "begun": "it has begun, and nobody can join a knockout or a round robin late. Type /tournament to list others.",
    "struck": "you left before half of your games, so your results here are struck. Type /tournament to list others.",
    "too-late": "it's too late to join: more than half of the rounds have begun. Type /tournament to list others.",
    "no-such-table": "there's no table {table} in round {round}. Type /tournament pairings to list the tables.",
    "scores": "that table has {seats} seats with a result. Type a score for each, in the order of the seats.",
}

# creating


async def _new(at: TournamentContext, typed: Sequence[str]) -> Rows:
    host, now = at.director.host, at.director.host.now()
    ready = await host.seniority.reached(at.person.name)
    if ready is None:
        raise UserError("guests can't create tournaments. Type /register PASSWORD to keep your name.")
    if now < ready:
        age, when = host.seniority.age, written(ready, now, at.person.profile.zone)
        raise UserError(f"you can create tournaments once your account is {age} old: {when}. Until then, ask a sysop.")
    for one in at.director.open.values():
        if one.header.by == at.key and one.going:
            raise UserError(f"you have {one.header.name} open already, and one at a time is the limit.")
    if not typed:
        raise UserError("say which game: /tournament new ohell swiss start=20:00 seats=4. See /help tournament.")
    made = await at.director.create(settings.header(at.director.tables.games, at.person, at.key, typed, now), at.person)
    header, by = made.header, at.director.reading(made, at.person)
    at.person.go(host.open_room(header.name))
    return [
        f"({header.name} is tournament {header.number} and starts at {by.time(header.starts)})",
        f"(the seed of its lots has the hash {header.seed[:16]}; type /tournament join to play in it yourself)",
    ]


# taking part


async def _join(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = await _to_join(at, typed)
    _no_more(rest)
    await _check_ban(at, one)
    _check_room(one, at.key)
    now_in = await _act(at, one, Joined(at.key, at.person.name, at.person.guest))
    at.person.go(at.director.host.open_room(one.header.name))
    by, header = at.director.reading(now_in, at.person), now_in.header
    if now_in.status == "running":
        return [f"(you play in {header.name} from the next {'table' if header.form == 'arena' else 'round'} on)"]
    if header.of_place:
        begins = words.begins(header, by)
        return [f"(you have joined {header.name}, which {begins}; you'll be taken to your table)"]
    if by.now >= now_in.starts - pairing.CHECK_IN:
        await _act(at, now_in, CheckedIn(at.key))
        return [f"(you play in {header.name}, which starts {distance(now_in.starts - by.now)})"]
    return [
        f"(you have joined {header.name}; be in this room when it starts, at {by.time(now_in.starts)})",
        "(if you are elsewhere, type /tournament checkin in the 15 minutes before)",
    ]


async def _to_join(at: TournamentContext, typed: Sequence[str]) -> tuple[Tournament, tuple[str, ...]]:
    """Return the tournament that someone wants to join, and the other words; a coming one is stored for that.

    Without a name it is the one of their room, or else the next one that begins.
    """
    coming = at.director.coming()
    if typed and (named := next((one for one in coming if typed[0].casefold() == one.name.casefold()), None)):
        return await at.director.begin(named), tuple(typed[1:])
    is_free = [one for one in at.director.open.values() if at.key not in one.players or not one.players[at.key].playing]
    soonest = min(is_free, key=lambda one: one.starts, default=None)
    if typed or not coming or at.person.room.name in {one.header.name for one in is_free}:
        return _chosen(at, typed)
    if soonest and soonest.starts <= coming[0].starts:
        return soonest, ()
    return await at.director.begin(coming[0]), ()


async def _check_ban(at: TournamentContext, one: Tournament) -> None:
    """Raise `UserError` for someone who didn't show up lately; in the same tournament they may come back."""
    if one.header.of_place:
        return
    stored = await at.director.store.ban(at.key)
    now = at.director.host.now()
    if stored and stored.ban.lasts(now) and at.key not in one.players:
        until = at.director.reading(one, at.person).time(stored.ban.until)
        raise UserError(f"you missed a table of a tournament, so you can't enter another until {until}.")


def _check_room(one: Tournament, key: str) -> None:
    most = most_people(one.header.seats)
    playing = [player for player in one.players.values() if player.playing and player.key != key]
    if one.header.form == "robin" and len(playing) >= most:
        raise UserError(f"a round robin has room for {most} players. Create a Swiss tournament for more.")


async def _leave(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _no_more(rest)
    await _act(at, one, Left(at.key))
    return [f"(you left {one.header.name}; if you're playing at a table, that game continues)"]


async def _check_in(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _no_more(rest)
    if one.status == "open" and at.director.host.now() < one.starts - pairing.CHECK_IN:
        raise UserError("you can check in during the 15 minutes before the start.")
    await _act(at, one, CheckedIn(at.key))
    return [f"(you are checked in for {one.header.name})"]


# looking


async def _list(at: TournamentContext, typed: Sequence[str]) -> Rows:
    _no_more(typed)
    now, zone = at.director.host.now(), at.person.profile.zone
    soon = [(header.starts, words.coming(header, now, zone)) for header in at.director.coming()]
    rows = []
    for number in await at.director.store.latest(LISTED):
        one = await _numbered(at, number)
        if one and not words.is_untold(one):
            row = words.described(one, at.director.reading(one, at.person))
            if one.header.of_place and one.status == "open":
                soon.append((one.starts, row))
            else:
                rows.append(row)
    rows = [*(row for _, row in sorted(soon)), *rows]
    return rows or ["(there are no tournaments; /tournament new ohell swiss start=20:00 creates one)"]


async def _found(at: TournamentContext, typed: Sequence[str]) -> tuple[Tournament, tuple[str, ...]]:
    """Return the tournament that is meant; one that is over is found by its name, or its number, such as `#3`."""
    if typed and typed[0].startswith("#") and typed[0][1:].isdecimal() and typed[0].isascii():
        one = await _numbered(at, int(typed[0][1:10]))
        if one is None:
            raise UserError(f"there's no tournament {shortened(typed[0], 10)}. Type /tournament to list them.")
        return one, tuple(typed[1:])
    names = {one.header.name.casefold() for one in at.director.open.values()}
    if typed and typed[0].casefold() not in names and (number := await at.director.store.called(typed[0])):
        over = await _numbered(at, number)
        if over:
            return over, tuple(typed[1:])
    return _chosen(at, typed)


async def _numbered(at: TournamentContext, number: int) -> Tournament | None:
    return at.director.open.get(number) or await at.director.store.find(number)


async def _standings(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = await _found(at, typed)
    _no_more(rest)
    return [*words.standings_rows(one, at.director.reading(one, at.person))]


async def _pairings(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = await _found(at, typed)
    number = int(rest[0]) if rest and rest[0].isascii() and rest[0].isdecimal() else len(one.rounds)
    if not one.rounds:
        return [f"(round 1 of {one.header.name} hasn't begun)"]
    if not 1 <= number <= len(one.rounds):
        raise UserError(f"there's no round {number}. The latest is round {len(one.rounds)}.")
    return [*words.pairing_rows(one, one.rounds[number - 1], at.director.reading(one, at.person).called)]


async def _next(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _no_more(rest)
    by = at.director.reading(one, at.person)
    latest = one.round
    if latest is None:
        return [f"{one.header.name} starts at {by.time(one.starts)}. {len(one.present)} players have checked in."]
    for number, table in enumerate(latest.tables, 1):
        if at.key in table.paired.people and not table.done:
            where = f"#{table.number}: type /at {table.number}" if table.number else "about to open"
            return [f"You play at table {number}, which is {where}."]
    for bye in latest.byes:
        if bye.key == at.key:
            return [f"You have a bye in round {latest.number}, which gives you {shown(bye.points)} points."]
    waiting = sum(not table.done for table in latest.tables)
    if waiting:
        return [f"Round {latest.number}: {waiting} of {len(latest.tables)} tables are still playing."]
    return [f"Round {latest.number} is over. The next one begins at {by.time(latest.ended + one.header.pause)}."]


# the organizer


def _organized(at: TournamentContext, one: Tournament) -> None:
    """Raise `UserError` unless the person organizes a tournament, or is a sysop."""
    if one.header.of_place and not at.director.host.is_sysop(at.person):
        raise UserError(f"{one.header.name} runs by itself, so only a sysop can do that.")
    if one.header.by != at.key and not at.director.host.is_sysop(at.person):
        called = at.director.reading(one, at.person).called
        raise UserError(f"only {called(one.header.by)}, who organizes {one.header.name}, can do that.")


def _player(at: TournamentContext, one: Tournament, name: str) -> str:
    key = at.director.host.accounts.key(name)
    if key not in one.players:
        raise UserError(f"{shortened(name, 20)} isn't in {one.header.name}. Type /tournament standings to see who is.")
    return key


async def _apart(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _organized(at, one)
    if len(rest) != 2:  # noqa: PLR2004 - a pair
        raise UserError("name two players who shouldn't meet: /tournament apart bob amy.")
    first, second = (_player(at, one, name) for name in rest)
    if first == second:
        raise UserError("name two different players: /tournament apart bob amy.")
    await _act(at, one, KeptApart(first, second))
    return [f"({rest[0]} and {rest[1]} don't meet if it can be avoided)"]


async def _correct(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _organized(at, one)
    numbers = [word for word in rest if word.lstrip("-").isdecimal() and word.isascii()]
    why = clean(" ".join(rest[len(numbers) :]))[:WHY]
    if len(numbers) < 4 or rest[: len(numbers)] != tuple(numbers) or not why:  # noqa: PLR2004 - two scores at least
        raise UserError(
            "type the round, the table, all scores and why: /tournament correct 2 1 30 20 10 5 wrong sheet."
        )
    round_, table, *scores = (int(word[:9]) for word in numbers)
    await _act(at, one, Corrected(round_, table, tuple(scores), at.key, why))
    return []


async def _waive(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _organized(at, one)
    if len(rest) != 1:
        raise UserError("name the player whose ban you lift: /tournament waive bob.")
    await at.director.store.lift_ban(_player(at, one, rest[0]))
    return [f"({rest[0]} may enter tournaments again)"]


async def _cancel(at: TournamentContext, typed: Sequence[str]) -> Rows:
    one, rest = _chosen(at, typed)
    _organized(at, one)
    await _act(at, one, Cancelled(at.key, clean(" ".join(rest))[:WHY]))
    return []


_VERBS: Mapping[str, Callable[[TournamentContext, Sequence[str]], Awaitable[Rows]]] = {
    "new": _new,
    "join": _join,
    "leave": _leave,
    "checkin": _check_in,
    "standings": _standings,
    "pairings": _pairings,
    "next": _next,
    "apart": _apart,
    "correct": _correct,
    "waive": _waive,
    "cancel": _cancel,
    "list": _list,
}
