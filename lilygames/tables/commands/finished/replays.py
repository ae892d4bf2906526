"""The `/replay` command: step through the positions of a finished game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.commands import Rest, command
from lilygames.errors import UserError
from lilygames.layout import packed, width_for
from lilygames.store import Entry
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.log.acts import Header
from lilygames.tables.sight import narrate, positions
from lilygames.tables.sight.positions import Viewpoint
from lilygames.tables.sight.replay import Step, replayed
from lilygames.tables.state import visible
from lilygames.tables.state.table import Diverged, Table
from lilygames.tables.visits.table_context import TableContext, TableNumber
from lilygames.text import Line, listing, shortened
from lilygames_rules.kit import Seat

_USAGE = "type /replay NUMBER, then Enter; or add back, round, seat, a step's number, or as NAME."

READERS = 1000
"""People whose place in a replay is remembered: those who have used one last."""
_WORDS = ("next", "back", "round", "trick", "seat", "quit")
_KEYS = {
    "": "next",
    **{word[0]: word for word in _WORDS},
    **{word: word for word in _WORDS},
    **dict.fromkeys(("end", "exit"), "quit"),
}
"""Keys after a step, each with the word that it stands for after /replay NUMBER."""


@attrs.frozen
class Replay:
    """A replay on someone's screen: the game, the current step, and the player whose view it is (empty for all)."""

    number: int
    step: int = 0
    by: str = ""


@attrs.frozen
class Recording:
    """A finished game for someone: its header, the steps with events, the table at the end, and their own seat."""

    header: Header
    steps: Sequence[Step]
    table: Table
    own: Seat | None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats whose view this person may see now."""
        return visible.views_open(self.header, len(self.table.seats), self.own, over=True)


@command("replay", group="afterwards", syntax="[NUMBER] [STEP | back | round | trick | as NAME]")
async def replay(at: TableContext, number: TableNumber = 0, how: Rest = "") -> Sequence[Line]:
    """Show a finished game again, step by step: /replay 12. Each step shows the table and the next move.

    Then press Enter for the next step. Type b to go back, r for the next round,
    t for the next trick, or a number for that step. Type s to see what the next
    player saw, and q to end the replay.

    /replay continues, /replay 12 back goes back, /replay 12 30 goes to step 30,
    and /replay 12 as bob shows what bob saw. If the table's seal stays closed,
    you only see your own view.
    """
    shown = at.tables.replays.get(fold(at.person.name), Replay(number))
    shown = shown if number in (0, shown.number) else Replay(number)
    if not shown.number:
        shown = Replay(await at.finished(0))
    if fold(how) in ("quit", "q", "end"):
        at.person.focus.close_menu()
        return [Line(f"(you left the replay; type /replay {shown.number} to continue)")]
    recording = await recording_of(at, shown.number)
    typed = f"/replay {shown.number}"
    before, shown = shown, _moved(at, shown, how.split(), recording)
    seat = recording.own if not shown.by else _eyes(at, recording, shown.by)
    viewpoint = Viewpoint(
        narrate.reader(recording.table, seat, at.person.voice),
        () if shown.by else recording.seats,
        goes_on=shown == attrs.evolve(before, step=before.step + 1) and before.step > 0,
    )
    _remember(at.tables.replays, fold(at.person.name), shown)
    rows = [Line(row, "game") for row in _screen(shown, recording, viewpoint, several=len(recording.seats) > 1)]
    at.person.focus.offer(keys={key: f"{typed} {word}" for key, word in _KEYS.items()}, at=typed, rows=rows)
    return rows


def _remember(replays: dict[str, Replay], reader: str, shown: Replay) -> None:
    """Remember where a reader is in a replay, and forget the one who used theirs longest ago if there are too many."""
    replays.pop(reader, None)
    replays[reader] = shown
    if len(replays) > READERS:
        del replays[next(iter(replays))]


def _screen(shown: Replay, recording: Recording, viewpoint: Viewpoint, *, several: bool) -> Iterator[str]:
    """Yield the rows of a step: the position, the next move or the end of the game, and the keys."""
    step, steps = recording.steps[shown.step - 1], len(recording.steps)
    spoken, by = viewpoint.reader.voice.spoken, f" as {shown.by}" if shown.by else ""
    title = (
        f"Step {shown.step} of {steps}{by}." if spoken else f"Replay {shown.number}{by}, step {shown.step} of {steps}"
    )
    if shown.step < steps:
        yield from positions.rows(step, viewpoint, title, first=shown.step == 1)
        yield from positions.following(recording.steps[shown.step], viewpoint)
    else:
        yield from positions.last_rows(step, viewpoint, title)
        yield from narrate.ending(recording.table, viewpoint.reader)
    keys = _named_keys(shown, steps, positions.parts(step), several=several)
    if not spoken:
        yield from packed(keys, width_for(viewpoint.reader), gap=" ")
    elif shown.step == 1:
        yield f"Keys: {' '.join(keys)}."


def _named_keys(shown: Replay, steps: int, parts: Sequence[str], *, several: bool) -> list[str]:
    """Return the keys that work at this step, with their effects."""
    onward = ["Enter next,"] if shown.step < steps else []
    back = ["b back,"] if shown.step > 1 else []
    jumps = [f"{key} next {part}," for key, part in zip("rt", parts, strict=False)] if onward else []
    return [*onward, *back, *jumps, *(["s seat,"] if several else []), f"1-{steps} a step,", "q end"]


def _moved(at: TableContext, shown: Replay, words: Sequence[str], recording: Recording) -> Replay:
    """Return the replay after the typed words: forward by default, `back`, a step's number, or `as NAME`."""
    step, by = shown.step + 1, shown.by
    match [word.casefold() for word in words]:
        case ["as", name]:
            step, by = max(shown.step, 1), recording.table.names[_eyes(at, recording, name)]
        case ["seat" | "s"]:
            step, by = max(shown.step, 1), _next_seat(at, recording, shown.by)
        case ["back" | "b"]:
            step = shown.step - 1
        case [("round" | "r" | "trick" | "t") as part]:
            step = 1 + _next_part(recording.steps, shown.step, "round" if part[0] == "r" else "trick")
        case [digits] if digits.isascii() and digits.isdigit():
            step = int(digits[:9])
        case [] | ["next" | "n"]:
            pass
        case _:
            raise UserError(_USAGE)
    return Replay(shown.number, max(1, min(len(recording.steps), step)), by)


def _next_part(steps: Sequence[Step], now: int, part: str) -> int:
    """Return the index of the first step after `now` in another round or trick, or of the last step.

    Raises `UserError` if the game doesn't tell.
    """
    if not positions.parts(steps[0]):
        raise UserError(
            "this game can't be replayed by rounds. Press Enter for the next step, or type a step's number."
        )
    before = positions.part_of(steps[max(now, 1) - 1], part)
    changed = (place for place in range(now, len(steps)) if positions.part_of(steps[place], part) != before)
    return next(changed, len(steps) - 1)


def _next_seat(at: TableContext, recording: Recording, by: str) -> str:
    """Return the player whose view follows that of `by`: everyone's (empty), then one seat after the other."""
    open_to = recording.seats
    if len(open_to) < 2:  # noqa: PLR2004 - there is no other
        raise UserError("the seal of that game stays closed, so you can only see your own view.")
    now = _seat_of(at, recording.table, by) if by else None
    following = open_to[0] if now is None else now + 1
    return recording.table.names[following] if following in open_to else ""


async def recording_of(at: TableContext, number: int) -> Recording:
    """Return a finished game; raises `UserError`."""
    header, entries = await at.read(number)
    recording = await recorded(at.tables.finished, header, entries, at.person.origin)
    own = _seat_of(at, recording.table, at.person.name) if await at.had_name(entries) else None
    return attrs.evolve(recording, own=own)


async def recorded(finished: FinishedTables, header: Header, entries: Sequence[Entry], origin: str) -> Recording:
    """Return a finished game that may be shown, as spectators see it; `origin` is who waits for it.

    Raises `UserError`.
    """
    game, number = header.game_in(finished.games), header.number
    if game is None:
        raise UserError(f"{header.game} version {header.version} isn't installed here, so you can't replay the game.")
    table = Table(header, game, await finished.archive.secret(number, [*entries]))
    try:
        steps = await run_in_slices(replayed(table, entries), origin)
    except Diverged as damage:
        raise UserError(
            f"the log of table #{number} can't be read: {damage}. Type /feedback TEXT to tell the sysop."
        ) from None
    if not (steps and steps[-1].table.closed):
        raise UserError(f"table #{number} isn't over yet. Type /log {number} to see the game so far.")
    shown = [step for step in steps if step.is_shown]
    if not shown:
        raise UserError(f"table #{number} was closed before the game started, so there is nothing to show.")
    return Recording(header, shown, steps[-1].table, None)


def _seat_of(at: TableContext, table: Table, name: str) -> Seat | None:
    """Return the seat of the person who played under this name or another one of theirs."""
    key = at.tables.host.accounts.key
    return next((seat for seat, who in enumerate(table.seats) if key(who.name) == key(name)), None)


def _eyes(at: TableContext, recording: Recording, name: str) -> Seat:
    """Return the seat of a player whose view the person may see; raises `UserError`."""
    table = recording.table
    seat = _seat_of(at, table, name)
    if seat is None:
        players = listing((who.starred for who in table.seats), "or")
        raise UserError(f"nobody called “{shortened(name, 20)}” played that game. Choose {players}.")
    if seat not in recording.seats:
        raise UserError("the seal of that game stays closed, so you can only see your own view.")
    return seat
