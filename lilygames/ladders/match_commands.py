"""The `/match` command: two teams play the same deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.ladders.duels import time_left
from lilygames.ladders.team_match import LARGEST, BoardResult, Member, TeamMatch, total
from lilygames.ladders.team_match_store import TeamMatches
from lilygames.tables.open import game_names
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import listing, shortened

_HOW = "type /match GAME, then two teams of the same size: /match ohell ann bob vs cat dan."


@attrs.frozen
class MatchContext:
    """The context of `/match`."""

    table: TableContext
    matches: TeamMatches
    games: Mapping[str, Game]
    """The games that can be played so."""

    @property
    def person(self) -> Person:
        """The person who typed it."""
        return self.table.person

    @property
    def key(self) -> str:
        """Their account key."""
        return self.matches.duels.accounts.key(self.person.name)


@command("match", group="afterwards", syntax="[GAME NAMES vs NAMES | NUMBER [play]]")
async def match(at: MatchContext, *words: str) -> Sequence[str] | None:
    """Play a match of two teams: /match ohell ann bob vs cat dan, then /match 3 play.

    Each of you plays the same deals as one of the other team, in the same seat
    and with the same bots. /match 3 shows the result. /help match
    """
    if not words:
        return await _listed(at)
    digits = words[0].removeprefix("#")
    if not (digits.isascii() and digits.isdigit()):
        return await _opened(at, words)
    found = await at.matches.find(int(digits[:9]))
    if len(words) == 1:
        return [*_shown(at, found, await at.matches.results(found))]
    if [fold(word) for word in words[1:]] != ["play"]:
        raise UserError(f"type /match {found.number}, or /match {found.number} play.")
    await _play(at, found)
    return None


async def _listed(at: MatchContext) -> list[str]:
    rows = []
    for found in await at.matches.latest(at.key):
        mine, theirs = total(await at.matches.results(found))
        rows.append(f"#{found.number} {_called(at, found)}: {mine} to {theirs}{_left(at, found)}")
    return rows or [f"(you haven't played a team match; {_HOW})"]


def _called(at: MatchContext, found: TeamMatch) -> str:
    """Return the game and the teams in words."""
    title = game_names.title(at.games, found.game)
    now = at.matches.duels.accounts.now
    one, other = (listing(now(member.name) for member in team) for team in found.teams)
    return f"{title}, {one} against {other}"


def _left(at: MatchContext, found: TeamMatch) -> str:
    seconds = found.until - at.matches.duels.sets.now()
    return f", {time_left(seconds)} left" if seconds > 0 else ""


def _shown(at: MatchContext, found: TeamMatch, results: Sequence[BoardResult]) -> Iterator[str]:
    """Yield the result of each board, and of the match."""
    yield f"Match #{found.number}: {_called(at, found)}{_left(at, found)}."
    now = at.matches.duels.accounts.now
    for pair, board in zip(found.boards, results, strict=True):
        names = [now(member.name) for member in pair]
        if board.final:
            mine, theirs = board.points
            yield f"  {names[0]} {mine}, {names[1]} {theirs}"
        else:
            over = zip(names, board.deals, board.done, strict=True)
            states = [f"{name} {'left' if deals is None else 'has played'}" for name, deals, done in over if done]
            yield f"  {' and '.join(names)}: {states[0] if states else 'not played yet'}"
    mine, theirs = total(results)
    yield f"Total: {mine} to {theirs}{'' if all(board.final for board in results) else ' so far'}."


async def _opened(at: MatchContext, words: Sequence[str]) -> list[str]:
    """Open a match, and tell everyone who plays; raises `UserError`."""
    game, names = game_names.split(at.table.tables.games, words)
    if game.name not in at.games:
        raise UserError(f"{game.title} has no team matches. Choose {listing(at.games, 'or')}.")
    teams = _teams(at, names)
    found = await at.matches.open(game.name, teams, at.person.name)
    host = at.table.tables.host
    told = [host.people.get(fold(host.accounts.now(one.name))) for team in teams for one in team]
    text = f"opens team match #{found.number}: {_called(at, found)}. To play, type /match {found.number} play"
    people = [person for person in told if person]
    host.tell(at.person.did("game", rooms=(game.name,), text=text), people, but=at.person)
    return [f"Match #{found.number}: everyone can type /match {found.number} play within 7 days."]


def _teams(at: MatchContext, names: Sequence[str]) -> tuple[tuple[Member, ...], tuple[Member, ...]]:
    """Return the teams that the words name; raises `UserError`."""
    folded = [fold(name) for name in names]
    if folded.count("vs") != 1:
        raise UserError(_HOW)
    middle = folded.index("vs")
    teams = (
        tuple(_member(at, name) for name in names[:middle]),
        tuple(_member(at, name) for name in names[middle + 1 :]),
    )
    keys = [one.key for team in teams for one in team]
    if len(teams[0]) != len(teams[1]) or not teams[0] or len(teams[0]) > LARGEST:
        raise UserError(f"both teams need the same number of players, at most {LARGEST}. So {_HOW}")
    if len(set(keys)) != len(keys):
        raise UserError("nobody can play for both teams.")
    if at.key not in keys:
        raise UserError("you can only open a match that you play in. Add your own name to a team.")
    return teams


def _member(at: MatchContext, name: str) -> Member:
    """Return a registered player; raises `UserError`."""
    accounts = at.matches.duels.accounts
    name = at.person.name if fold(name) == "me" else name
    known = accounts.names.get(fold(accounts.now(name)))
    if known is None:
        raise UserError(f"no account is called “{shortened(name, 20)}”. Only registered players can play team matches.")
    return Member(accounts.key(known), known)


async def _play(at: MatchContext, found: TeamMatch) -> None:
    """Play the person's own board; raises `UserError`."""
    board = found.board_of(at.key)
    if board is None:
        raise UserError(f"you don't play in match #{found.number}. Type /match {found.number} to see it.")
    if at.matches.duels.sets.now() >= found.until:
        raise UserError(f"the time of match #{found.number} is up. Type /match {found.number} to see the result.")
    if found.game not in at.games:
        raise UserError("this game isn't installed here any more.")
    game = at.games[found.game]
    deal = await at.matches.duels.deal(found.set_name(board), game, found.until)
    await at.matches.duels.play(at.table, game, deal, called=f"Team match #{found.number}")
