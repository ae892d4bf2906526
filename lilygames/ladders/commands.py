"""The `/ladder` command: the order of a game's players, challenges and duels."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.ladders.duels import time_left
from lilygames.ladders.ladder import (
    Accepted,
    Act,
    CameBack,
    Challenged,
    Decided,
    Duel,
    Joined,
    Ladder,
    Left,
    Rung,
    WentAway,
)
from lilygames.ladders.ladder_store import Ladders
from lilygames.ladders.season import season_named, shown_season
from lilygames.tables.open import game_names
from lilygames.tables.visits.table_context import TableContext, game_here
from lilygames.text import count, listing, shortened
from lilygames_rules.kit import Refused

_ALL, _TOP, _AROUND = 30, 10, 5
"""A longer ladder shows its top and the places around the reader."""
_REFUSALS: Mapping[str, str] = {
    "not-on-ladder": "{name} isn't on the {title} ladder. Type /ladder {game} to see who is.",
    "on-ladder": "you're already on the {title} ladder. Type /ladder {game} to see it.",
    "you-are-away": "you're away from the {title} ladder. Type /ladder back {game} first.",
    "they-are-away": "{name} is away from the ladder just now. Please challenge someone else.",
    "not-away": "you aren't away from the {title} ladder. Type /ladder away {game} to take a break.",
    "away-used": "you've been away for 30 days this year, which is the limit.",
    "not-above": "you can only challenge people above you. Type /ladder {game} to see them.",
    "too-far": "you can challenge people up to {reach} places above you. Type /ladder {game} to see them.",
    "one-out": "you've already challenged someone. Play that duel first, or wait for the answer.",
    "one-in": "{name} has to deal with another challenge first. Try again later, or challenge someone else.",
    "again": "you two have just had a duel. You can challenge {name} again 7 days after it.",
    "in-duel": "you can't be away during a duel. Type /ladder play {game} to play it.",
    "accepted": "you've already accepted. Type /ladder play {game} to play.",
    "no-duel": "that duel is over. Type /ladder {game} to see the ladder.",
}


@attrs.frozen
class LadderContext:
    """The context of `/ladder`."""

    table: TableContext
    ladders: Ladders

    @property
    def person(self) -> Person:
        """The person who typed it."""
        return self.table.person

    @property
    def key(self) -> str:
        """Their account key."""
        return self.ladders.key(self.person.name)


Verb = Callable[[LadderContext, Game, Sequence[str]], Awaitable[Sequence[str] | None]]


@command("ladder", group="afterwards", syntax="[GAME] [join | challenge NAME | accept | decline | play | ...]")
async def ladder(at: LadderContext, *words: str) -> Sequence[str] | None:
    """Climb a game's ladder: /ladder ohell, /ladder join ohell, /ladder challenge bob.

    The one you challenge types /ladder accept or /ladder decline. Then both
    type /ladder play. Also /ladder away, back and leave, and for an earlier
    season /ladder ohell last season. /help ladder has the rules.
    """
    verb, game, rest = _asked(at, words)
    if not words:
        return await _overview(at)
    if verb is None and game is None:
        raise UserError(f"type /ladder and a game: {listing(at.ladders.games, 'or')}.")
    if verb is None and game:
        return await _table(at, game, rest)
    return await _VERBS[verb or ""](at, game or await _meant(at, verb or ""), rest)


def _asked(at: LadderContext, words: Sequence[str]) -> tuple[str | None, Game | None, Sequence[str]]:
    """Return the verb and the game that the words name, and the others; raises `UserError`."""
    verb = next((fold(word) for word in words[:2] if fold(word) in _VERBS), None)
    game, rest = game_names.find_in(at.table.tables.games, [word for word in words if fold(word) != verb])
    if game is None and rest and verb is None:
        game = at.table.tables.game(rest.pop(0))
    if game and game.name not in at.ladders.games:
        raise UserError(f"{game.title} has no ladder. Type /ladder {listing(at.ladders.games, 'or')}.")
    return verb, game, rest


async def _meant(at: LadderContext, verb: str) -> Game:
    """Return the game of a verb without one; raises `UserError` if several are possible."""
    games = [*at.ladders.games.values()]
    ladders = {game.name: await at.ladders.settled(game) for game in games}
    if verb in ("accept", "decline"):
        mine = [game for game in games if _waiting(ladders[game.name], at.key)]
    elif verb == "play":
        mine = [game for game in games if _playable(ladders[game.name], at.key)]
        mine = mine or [game for game in games if _waits_for(at, ladders[game.name])]
    elif verb == "join":
        mine = []
    else:
        mine = [game for game in games if ladders[game.name].has(at.key)]
    if len(mine) == 1:
        return mine[0]
    here = game_here(at.table)
    if here and here.name in at.ladders.games and (here in mine or not mine):
        return here
    if verb in ("accept", "decline") and not mine:
        raise UserError("nobody has challenged you. Type /ladder to see the ladders.")
    if verb == "play" and not mine:
        raise UserError("you have no duel to play. Type /ladder to see the ladders.")
    names = listing((game.name for game in mine or games), "or")
    raise UserError(f"please add a game, as in /ladder {verb} {(mine or games)[0].name}. You can choose {names}.")


def _waiting(ladder: Ladder, key: str) -> Duel | None:
    """Return the challenge that someone has to answer, or None."""
    duel = ladder.challenge_to(key)
    return duel if duel and not duel.accepted else None


def _playable(ladder: Ladder, key: str) -> list[Duel]:
    """Return the duels in which someone has still to play, the first to end first."""
    open_ones = (duel for duel in ladder.duels_of(key) if duel.accepted and not duel.scored(key))
    return sorted(open_ones, key=lambda duel: duel.until)


def _waits_for(at: LadderContext, ladder: Ladder) -> str:
    """Return who has still to play a duel that the person has played; empty if there is nobody."""
    done = (duel for duel in ladder.duels_of(at.key) if duel.scored(at.key))
    return next((at.ladders.name(ladder, duel.other(at.key)) for duel in done), "")


# tables


async def _overview(at: LadderContext) -> Sequence[str]:
    """Return a row for each ladder, and what waits for the person."""
    rows = ["Ladders:"]
    for game in at.ladders.games.values():
        ladder = await at.ladders.settled(game)
        mine = f", you're number {ladder.place(at.key) + 1}" if ladder.has(at.key) else ""
        top = f", {at.ladders.name(ladder, ladder.rungs[0].key)} leads" if ladder.rungs else ""
        rows.append(f"  {game.name:<12} {count(len(ladder.rungs), 'player')}{top}{mine}")
        rows += [f"    {text}" for text in _yours(at, game, ladder)]
    return [*rows, "Type /ladder GAME to see one, or /ladder join GAME."]


async def _table(at: LadderContext, game: Game, rest: Sequence[str]) -> list[str]:
    """Return a ladder, or its table of an earlier season; raises `UserError`."""
    ladder = await at.ladders.settled(game)
    if rest:
        season = season_named(rest, ladder.season)
        if season is None:
            raise UserError(f"type /ladder {game.name}, or add an earlier season: last season, or season 2026-3.")
        past = await at.ladders.season(game, season)
        if past is None:
            months = shown_season(season)
            raise UserError(f"there was no {game.title} ladder from {months}. It's season {ladder.season} now.")
        ladder = past
    head = f"{game.title} ladder, {shown_season(ladder.season)}{', final' if ladder.ended else ''}:"
    if not ladder.rungs:
        return [head, f"(nobody has joined yet; type /ladder join {game.name})"]
    rows = [head, *_rows(at, ladder)]
    return rows if rest else [*rows, *_open(at, ladder), *_yours(at, game, ladder)]


def _rows(at: LadderContext, ladder: Ladder) -> Iterator[str]:
    """Yield the places; of a long ladder only the top and those around the reader."""
    mine = ladder.place(at.key) if ladder.has(at.key) else 0
    skipped = False
    for place, rung in enumerate(ladder.rungs):
        if len(ladder.rungs) > _ALL and place >= _TOP and abs(place - mine) > _AROUND:
            skipped = True
            continue
        if skipped:
            yield "      ..."
        skipped = False
        yield _row(at, ladder, place, rung)
    if skipped:
        yield f"      ... {count(len(ladder.rungs), 'player')} in all"


def _row(at: LadderContext, ladder: Ladder, place: int, rung: Rung) -> str:
    away = "  away" if rung.away else ""
    return f"{place + 1:>4}. {at.ladders.name(ladder, rung.key):<16} {rung.wins}-{rung.losses}{away}"


def _open(at: LadderContext, ladder: Ladder) -> Iterator[str]:
    """Yield the open duels of other people."""
    for duel in ladder.duels:
        if at.key not in duel.players:
            mine, theirs = (at.ladders.name(ladder, key) for key in duel.players)
            yield f"{mine} plays {theirs}." if duel.accepted else f"{mine} has challenged {theirs}."


def _yours(at: LadderContext, game: Game, ladder: Ladder) -> Iterator[str]:
    """Yield a sentence for each of the person's own duels."""
    for duel in ladder.duels_of(at.key):
        name, rest = at.ladders.name(ladder, duel.other(at.key)), time_left(duel.until - at.ladders.now)
        if not duel.accepted and duel.challenger == at.key:
            yield f"You've challenged {name}, who has {rest} to answer."
        elif not duel.accepted:
            yield f"{name} challenges you: /ladder accept, or decline. You have {rest}."
        elif duel.scored(at.key):
            yield f"You've played your duel with {name}, who has {rest} left."
        else:
            yield f"Your duel with {name}: /ladder play {game.name}. You have {rest}."


# verbs


async def _add(at: LadderContext, game: Game, act: Act, name: str = "") -> Ladder:
    """Append an act for the person; a refusal becomes its sentence. Raises `UserError`."""
    try:
        return await at.ladders.add(game, act)
    except Refused as no:
        name = name or "that person"
        raise UserError(_REFUSALS[no.code].format(game=game.name, title=game.title, name=name, **no.facts)) from None


def _check_member(at: LadderContext, game: Game, ladder: Ladder) -> None:
    if not ladder.has(at.key):
        raise UserError(f"you aren't on the {game.title} ladder. Type /ladder join {game.name} first.")


async def _join(at: LadderContext, game: Game, rest: Sequence[str]) -> list[str]:
    accounts = at.table.tables.host.accounts
    if rest:
        raise UserError(f"type /ladder join {game.name}.")
    if fold(accounts.now(at.person.name)) not in accounts.names:
        raise UserError("only registered players can join a ladder. Type /register to keep your name.")
    ladder = await _add(at, game, Joined(at.key, at.person.name))
    place = f"You're number {ladder.place(at.key) + 1} of {len(ladder.rungs)} on the {game.title} ladder."
    if len(ladder.rungs) == 1:
        return [place]
    return [place, f"Your first challenge can go to anyone: /ladder challenge NAME {game.name}."]


async def _challenge(at: LadderContext, game: Game, rest: Sequence[str]) -> list[str]:
    if len(rest) != 1:
        raise UserError(f"type /ladder challenge NAME {game.name}.")
    ladder = await at.ladders.find(game)
    _check_member(at, game, ladder)
    name = at.table.tables.host.accounts.now(rest[0])
    key = at.ladders.key(name)
    if not ladder.has(key):
        raise UserError(
            _REFUSALS["not-on-ladder"].format(name=f"“{shortened(rest[0], 20)}”", game=game.name, title=game.title)
        )
    name = at.ladders.name(ladder, key)
    await _add(at, game, Challenged(at.key, key, at.ladders.now), name)
    return [f"You've challenged {name}, who has 36 hours to answer."]


async def _accept(at: LadderContext, game: Game, rest: Sequence[str]) -> list[str]:
    duel = await _challenge_to_answer(at, game, rest, "accept")
    await _add(at, game, Accepted(duel.number, at.ladders.now))
    return [f"You both get the same cards and the same bots. Type /ladder play {game.name} within 7 days."]


async def _decline(at: LadderContext, game: Game, rest: Sequence[str]) -> list[str]:
    duel = await _challenge_to_answer(at, game, rest, "decline")
    await _add(at, game, Decided(duel.number, duel.challenger, "declined", at.ladders.now))
    return []


async def _challenge_to_answer(at: LadderContext, game: Game, rest: Sequence[str], verb: str) -> Duel:
    """Return the challenge that the person has to answer; raises `UserError`."""
    if rest:
        raise UserError(f"type /ladder {verb} {game.name}.")
    duel = _waiting(await at.ladders.find(game), at.key)
    if duel is None:
        raise UserError(f"nobody has challenged you on the {game.title} ladder. Type /ladder {game.name} to see it.")
    return duel


async def _play(at: LadderContext, game: Game, _: Sequence[str]) -> None:
    duels = _playable(await at.ladders.settled(game), at.key)
    if not duels and (name := _waits_for(at, await at.ladders.find(game))):
        raise UserError(f"you've already played this duel. The result counts once {name} has played, too.")
    if not duels:
        raise UserError(f"you have no duel to play on the {game.title} ladder. Type /ladder {game.name} to see it.")
    name = at.ladders.set_name(game, duels[0])
    found = await at.ladders.duels.deal(name, game, duels[0].until)
    await at.ladders.duels.play(at.table, game, found, called="Ladder duel")


async def _away(at: LadderContext, game: Game, _: Sequence[str]) -> list[str]:
    _check_member(at, game, await at.ladders.find(game))
    ladder = await _add(at, game, WentAway(at.key))
    left = 30 - ladder.rungs[ladder.place(at.key)].away_used
    return [f"You keep your place for up to {count(left, 'day')}. Type /ladder back {game.name} when you're back."]


async def _back(at: LadderContext, game: Game, _: Sequence[str]) -> list[str]:
    _check_member(at, game, await at.ladders.find(game))
    await _add(at, game, CameBack(at.key))
    return [f"Welcome back to the {game.title} ladder."]


async def _leave(at: LadderContext, game: Game, rest: Sequence[str]) -> list[str]:
    ladder = await at.ladders.find(game)
    _check_member(at, game, ladder)
    if ladder.duels_of(at.key) and [fold(word) for word in rest] != ["yes"]:
        lost = "if you leave now, your duels are off, and a challenger takes your place."
        raise UserError(f"{lost} To leave all the same, type /ladder leave {game.name} yes.")
    await _add(at, game, Left(at.key))
    return [f"You left the {game.title} ladder."]


_VERBS: Mapping[str, Verb] = {
    "join": _join,
    "challenge": _challenge,
    "accept": _accept,
    "decline": _decline,
    "play": _play,
    "away": _away,
    "back": _back,
    "leave": _leave,
}
