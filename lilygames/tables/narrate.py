"""What happens at a table, in words: pure functions from a table and its events to what a reader reads.

To whom it is shown is decided in `publish`, what of it a reader may know in `visible`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs
import structlog

from lilygames import drawing
from lilygames.chat.names import fold
from lilygames.game import Game, Reader
from lilygames.spoken import signed
from lilygames.tables import seal, visible
from lilygames.tables.life import Life, stopped, written
from lilygames.tables.table import PLAIN, SPOKEN, Table
from lilygames.text import Kind, Line, Tag, Voice, count, listing
from rules.kit import Event, Refused, Seat

log = structlog.get_logger()
Words = str | Callable[[Reader], str]
"""What a line says: the same to all, or to each reader in words of their own, who are "you" there."""
_NAMED = 12
"""Players up to which a table names the house players among them."""
REFUSALS = {
    "game-over": "this game is over; /new or /quick begins another.",
    "not-started": "the game has not begun; /start begins it.",
    "started": "the game has begun already; /table shows how it stands.",
    "no-substitute": "no bot plays this game yet, so nobody can take your seat; play on.",
    "seated": "you sit here already; /moves or /start goes on.",
    "adjourned": "the game is adjourned; /resume goes on.",
    "not-adjourned": "the game is going on; /adjourn puts it off.",
    "no-undo": "there is no last move to take back; /history shows what was played.",
    "lesson": "that can't be done in a lesson; play on, or /leave ends it.",
    "off-script": "the lesson waits for another move.",
    "table-full": "every seat is taken; /watch to look on, or /new for another table.",
}


def reader(table: Table, seat: Seat | None, voice: Voice, *, typed: bool = False) -> Reader:
    """Return who reads: a seat, or a watcher, with its voice; `typed` says whether it has just typed what happens."""
    return Reader(seat, table.seats.names, voice, typed)


def line(tag: Tag, text: str, kind: Kind = "game", aloud: str = "", by: str = "") -> Line:
    """Return a line of a table; a screen reader reads the words of `aloud`, if there are any.

    `by` is the person whose words are in it.
    """
    return Line(text, kind, by, aloud=aloud or None, tag=tag)


def says(seat: Seat, theirs: str, yours: str) -> Callable[[Reader], str]:
    """Return the words of a notice about a seat: `bob has 30 seconds left.`, on bob's screen `You have ...`."""
    return lambda reader: reader.says(seat, theirs, yours)


def worded(tag: Tag, table: Table, words: Callable[[Reader], str], seat: Seat | None, by: str = "") -> Line:
    """Return a notice as the owner of a seat reads it, or a watcher."""
    plain, spoken = (words(reader(table, seat, voice)) for voice in (PLAIN, SPOKEN))
    return line(tag, plain, aloud=spoken if spoken != plain else "", by=by)


# what has happened


def told(tag: Tag, game: Game, events: Iterable[Event], who: Reader) -> tuple[Line, ...]:
    """Return the lines about some events as a reader reads them who may know all of these."""
    return tuple([line(tag, row) for event in events for row in game.tell(event, who).split("\n") if row])


def happened(tag: Tag, table: Table, events: Iterable[Event], who: Reader) -> tuple[Line, ...]:
    """Return the lines that a reader sees of some events while they happen."""
    return told(tag, table.game, visible.all_seen(events, who.seat), who)


def taken_back(table: Table) -> str:
    """Return the sentence about the moves that the last entry of a table took back; empty if it took none back."""
    if not table.undone:
        return ""
    moves = "The last move is" if table.undone == 1 else f"The last {table.undone} moves are"
    return f"{moves} taken back." if table.counted else f"{moves} taken back. This game no longer counts."


def ending(table: Table, who: Reader) -> list[str]:
    """Return the last lines of a game that has ended, for a reader: who wins, and all scores from the best down.

    One that was broken off has neither. If it didn't count, that is said first.
    """
    outcome = table.outcome
    if outcome is None:
        left = table.closed and not table.lesson
        return ["Game over: nobody who played is left, so nobody wins."] if left else []
    winners = outcome.winners
    verb = "share the win" if len(winners) > 1 else "win" if winners[0] == who.seat else "wins"
    order = sorted(range(len(outcome.scores)), key=lambda seat: -outcome.scores[seat])
    said = signed if who.voice.spoken else str
    final = table.game.final
    sheet = final(table.view(who.seat), who) if final and table.started and not who.voice.spoken else ()
    scores = ", ".join(f"{who.who(seat)} {said(outcome.scores[seat])}" for seat in order)
    why = "hints were shown" if table.hints else "moves were taken back"
    uncounted = [] if table.counted else [f"This game didn't count, since {why}."]
    if sheet:
        return [*uncounted, f"Game over: {who.everyone(winners)} {verb} with {max(outcome.scores)}.", *sheet]
    return [*uncounted, f"Game over: {who.everyone(winners)} {verb}; {scores}."]


def seal_at_the_end(tag: Tag, table: Table) -> Line:
    """Return whether the seal was opened."""
    if not visible.is_open(table.header, over=True):
        return line(tag, "The seal stays closed, since the rules keep something hidden.", aloud="Seal: closed.")
    opened = f"The seal is open: /verify {table.header.number} replays the game and checks it all."
    return line(tag, opened, aloud="Seal: open.")


# how the table stands


def sitting(table: Table, but: Seat | None = None) -> str:
    """Return who sits there and at which level the house plays, in words; players who have left are omitted.

    At a large table house players are counted, not named, so that it takes a row or two.
    """
    here = [who for seat, who in enumerate(table.seats) if seat != but and not who.gone]
    if len(here) <= _NAMED:
        return listing(who.listed for who in here)
    levels = Counter(who.level for who in here if who.house)
    house = (f"{count(number, 'bot')} ({level})" for level, number in levels.items())
    return listing([*(who.name for who in here if who.person), *house])


def company(table: Table, name: str) -> str:
    """Return who else sits there beside somebody, in words."""
    return sitting(table, but=table.seat_of(name)) or "nobody else yet"


def short_seal(table: Table) -> str:
    """Return the beginning of the seal, as people read it aloud."""
    return seal.shown(table.header.seal)


def standing(table: Table, case: str) -> str:
    """Return the state of a table in words; `case` is the number of the bug that stopped it, if one has."""
    if case:
        return stopped(case)
    life = written(table)
    if table.lesson and life is Life.RUNNING:
        return "lesson"
    uncounted = life in (Life.RUNNING, Life.PAUSED) and not table.counted
    return f"{life.value}, no longer counts" if uncounted else life.value


def summary(table: Table, case: str) -> str:
    """Return the table in a list: its game, who sits and at which level the house plays, how it stands."""
    return f"{table.game.title}, {sitting(table) or 'nobody yet'}; {standing(table, case)}"


def waiting(table: Table, who: Reader, unanswered: Sequence[str], name: str) -> str:
    """Return whom the table waits for, in words for a reader of that name; `unanswered` are invitations."""
    match written(table):
        case Life.WAITING if unanswered:
            names = ("you" if fold(guest) == fold(name) else guest for guest in unanswered)
            return f"waiting for {listing(names)} to answer the invitation; /start begins without"
        case Life.WAITING:
            return "the game has not begun: /start begins it, /house adds a bot"
        case Life.PAUSED:
            return "the game is adjourned: /resume goes on"
    if not table.to_move:
        return "the game is over: /new or /quick begins another"
    owners = ("your" if seat == who.seat else f"{who.names[seat]}'s" for seat in table.to_move)
    return f"it is {listing(owners)} turn"


def shown(table: Table, who: Reader) -> Sequence[str]:
    """Return what lies on the table, as a reader may know it; nothing before the first card."""
    if not table.started:
        return ()
    view = table.view(who.seat)
    if who.voice.spoken:
        return table.game.show(view, who)
    starred = attrs.evolve(who, names=table.seats.starred)
    if table.game.picture:
        title = f"{table.game.title} #{table.header.number}"
        return drawing.rows(table.game.picture(view, starred), title, starred)
    return table.game.show(view, starred)


def hand(table: Table, who: Reader) -> Sequence[str]:
    """Return what a reader's seat holds."""
    return table.game.hand(table.view(who.seat), who)


def question(table: Table, seat: Seat, who: Reader) -> Sequence[str]:
    """Return the rows that ask a seat for a move."""
    view, moves = table.view(seat), table.moves(seat)
    if table.game.turn and not who.voice.spoken:
        return table.game.turn(view, moves, who)
    return [f"Your turn: {table.game.ask(view, moves, who)}."]


def refusal(table: Table, no: Refused, who: Reader) -> str:
    """Return the sentence for a refusal: the game's, else the table's."""
    game = table.game
    if no.code in REFUSALS and no.code not in game.refusals:
        return REFUSALS[no.code]
    try:
        said: Any = game.refusal(no.code, no.facts, who)
    except Exception:
        log.exception("a refusal has no words", code=no.code, game=game.name)
        return "that cannot be done now; /moves lists what can."
    return str(said)
