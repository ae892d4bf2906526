"""Narration: pure functions from a table and its events to the text a reader sees.

`publish` decides who gets the text, and `visible` what each reader may know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import attrs
import structlog

from lilygames import drawing
from lilygames.chat.names.names import fold
from lilygames.game import Game, InSequence, Reader
from lilygames.proofs.commitments import Sealed
from lilygames.scene_rows import asking
from lilygames.spoken import signed
from lilygames.tables.duplicate.daily_rules import is_daily
from lilygames.tables.log.acts import Sitter, Voided
from lilygames.tables.seal import seal
from lilygames.tables.seal.rounds import Rounds, digest_of, unproven
from lilygames.tables.state import visible
from lilygames.tables.state.life import Life, stopped, written
from lilygames.tables.state.table import PLAIN, SPOKEN, Table
from lilygames.text import MARGIN, QUOTE, Kind, Line, Problem, Tag, Voice, count, listing
from lilygames_rules.changed import changer, maker
from lilygames_rules.kit import Event, Refused, Seat

log = structlog.get_logger()
Words = str | Callable[[Reader], str]
"""Text that is the same for everyone, or a function that words it for each reader ("you")."""
_NAMED = 12
"""Maximum number of players for which bots are listed by name."""
REFUSALS = {
    "game-over": "this game is over. Type /quick or /new to start another.",
    "not-started": "the game hasn't started. Type /start to start it.",
    "started": "the game has already started. Type /table to see it.",
    "no-substitute": "no bot plays this game, so nobody can take over the seat.",
    "seated": "you already have a seat here. Type /status to see what the table is waiting for.",
    "adjourned": "the game is adjourned. Type /resume to continue it.",
    "not-adjourned": "the game isn't adjourned. Type /adjourn to stop for now.",
    "no-undo": "you can't undo anything now. Type /history to see what was played.",
    "lesson": "you can't do that in a lesson. Make a move, or type /leave to end the lesson.",
    "duplicate": "you can't do that here: every table with these cards must play under the same conditions.",
    "duplicate-seats": "the other tables with these cards have more players. Type /invite NAME to add one.",
    "off-script": "this lesson asks for another move.",
    "table-full": "every seat is taken. Type /new to open another table.",
    "frozen": "this table is frozen: the sysop is looking into it. Type /table to see it.",
    "not-frozen": "this table isn't frozen.",
    "bad-result": "the result needs a score for each seat, and a winner.",
    "sealing": "shuffling; try again in a moment.",
    "not-sealed": "nothing is sealed yet. Type /start first.",
    "unrevealed": "shuffling; try again in a moment.",
    "no-commitments": "this table takes no commitments. Type /cut WORD before the start instead.",
    "no-seat": "only players can take part in the shuffle. Type /sit to take a seat.",
    "bad-commitment": "a commitment has 64 digits, 0 to 9 and a to f. Type /help seal to see how it is made.",
    "missed-reveal": "your client didn't reveal its number in time, so it can't commit again at this table.",
    "early-reveal": "no number is wanted yet. Keep it until the table asks, after /start.",
    "no-commitment": "no commitment of yours is sealed, so there is nothing to reveal.",
    "wrong-nonce": "that number doesn't fit your commitment. Type /reveal again with the number you committed to.",
    "revealed": "your number has already been revealed.",
    "bad-sealing": "the table has just changed. Type /start again.",
    "bad-void": "this round can't be void. Type /table to see the table.",
}
UNSCORED = ("resigned", "tie")
"""Reasons of results that players agreed to, or that one of them gave away. Their scores only say who won."""
_reader, _line, _in_sequence = maker(Reader), maker(Line), maker(InSequence)
_reworded = changer(Line)


def reader(table: Table, seat: Seat | None, voice: Voice, *, typed: bool = False) -> Reader:
    """Return the reader for a seat or a spectator; `typed` means they just typed this move."""
    return _reader(seat, table.seats.names, voice, typed)


def line(tag: Tag, text: str, kind: Kind = "game", aloud: str = "", by: str = "") -> Line:
    """Return a line of a table, with `aloud` as the text for screen readers, if given.

    `by` is the person quoted in it.
    """
    return _line(text, kind, by, QUOTE if by else MARGIN, aloud or None, tag=tag)


def lines(tag: Tag, rows: Iterable[str], kind: Kind = "game") -> tuple[Line, ...]:
    """Return the lines of a table that have these rows."""
    return tuple([_line(row, kind, "", MARGIN, None, tag=tag) for row in rows])


def refused(tag: Tag, sentence: str, code: str, rule: str = "") -> Line:
    """Return the line that refuses something at a table, with its code for programs."""
    return attrs.evolve(line(tag, f"Refused: {sentence}"), problem=Problem(code, rule))


def says(seat: Seat, theirs: str, yours: str) -> Callable[[Reader], str]:
    """Return the words for a notice about a seat: `bob has 30 seconds left.`, or `You have ...` to bob."""
    return lambda reader: reader.says(seat, theirs, yours)


def worded(tag: Tag, table: Table, words: Callable[[Reader], str], seat: Seat | None, by: str = "") -> Line:
    """Return a notice as a seat's player or a spectator reads it."""
    plain, spoken = (words(reader(table, seat, voice)) for voice in (PLAIN, SPOKEN))
    return line(tag, plain, aloud=spoken if spoken != plain else "", by=by)


# events


def told(tag: Tag, game: Game, events: Iterable[Event], who: Reader) -> tuple[Line, ...]:
    """Return the lines for events to a reader who may see all of them."""
    return tuple([line(tag, row) for event in events for row in game.tell(event, who).split("\n") if row])


def happened(tag: Tag, table: Table, events: Iterable[Event], who: Reader) -> tuple[Line, ...]:
    """Return the lines a reader sees for events as they happen."""
    return told(tag, table.game, visible.all_seen(events, who.seat), who)


def in_sequence(
    tag: Tag, before: Table, events: Iterable[Event], who: Reader, *, asked: bool, person: Seat | None
) -> tuple[Line, ...]:
    """Return the lines for the events of moves in sequence, from the table before the first of them.

    `asked` says whether the reader is asked to move next. `person` is another person who made the first move.
    """
    merging = before.game.merging
    if merging is None:
        return happened(tag, before, events, who)
    look = partial(before.view, who.seat)
    moves = _in_sequence(look, visible.all_seen(events, who.seat), who, asked, person)
    return lines(tag, merging.rows(moves))


def and_waiting(tag: Tag, lines: tuple[Line, ...], waiting: str, who: Reader, *, named: bool) -> tuple[Line, ...]:
    """Return the lines for a reader's own move, which hands on the turn, and say whom the table is waiting for.

    The row of the move says it, unless it has `named` the next player already. Screen readers get a line for it,
    as they often get none for a move that was typed.
    """
    if not lines or (who.voice.spoken and not named):
        return (*lines, line(tag, waiting))
    if named or len(lines) > 1:
        return lines
    return (_reworded(lines[0], text=f"{lines[0].text} {waiting}"),)


def taken_back(table: Table) -> str:
    """Describe the moves undone by the table's last entry; empty if there are none."""
    if not table.undone:
        return ""
    moves = "The last move was" if table.undone == 1 else f"The last {table.undone} moves were"
    return f"{moves} taken back." if table.counted else f"{moves} taken back. This game no longer counts."


def ending(table: Table, who: Reader, *, with_sheet: bool = True) -> list[str]:
    """Return the last lines of a finished game for a reader: the winners, then all scores in order or as a sheet.

    An aborted game has neither. If the game didn't count, the text says so first. `with_sheet` is False for those who
    see the sheet beside the lines.
    """
    outcome = table.outcome
    ruled = [f"{table.adjudicated.by} ended this game: {table.adjudicated.why}."] if table.adjudicated else []
    if outcome is None and ruled:
        return [*ruled, "Game over: nobody wins."]
    if outcome is None:
        left = table.closed and not table.lesson
        return ["Game over: all players have left, so nobody wins."] if left else []
    winners = outcome.winners
    verb = "share the win" if len(winners) > 1 else "win" if winners[0] == who.seat else "wins"
    if table.adjudicated and outcome.reason in UNSCORED:
        return [*ruled, f"Game over: {who.everyone(winners)} {verb}."]
    order = sorted(range(len(outcome.scores)), key=lambda seat: -outcome.scores[seat])
    said = signed if who.voice.spoken else str
    final = table.game.final
    sheet = final(table.view(who.seat), who) if final and table.started and not who.voice.spoken else ()
    scores = ", ".join(f"{who.who(seat)} {said(outcome.scores[seat])}" for seat in order)
    why = "hints were shown" if table.hints else "moves were taken back"
    uncounted = [*ruled, *([] if table.counted else [f"This game didn't count because {why}."])]
    if sheet:
        best = in_units(max(outcome.scores), table.game)
        return [*uncounted, f"Game over: {who.everyone(winners)} {verb} with {best}.", *(sheet if with_sheet else ())]
    return [*uncounted, f"Game over: {who.everyone(winners)} {verb}; {scores}."]


def in_units(score: int, game: Game) -> str:
    """Return a score as what it is: `45`, or chips that were won, `+57 chips`."""
    return f"{score:+} {game.purse.unit}{'' if abs(score) == 1 else 's'}" if game.purse else str(score)


def begins(table: Table) -> Words:
    """Return the notice that a game begins, with its players, its seal and whose clients took part in the shuffle."""
    seats, rounds = range(len(table.seats)), table.rounds
    title = table.game.title
    sealed = f" {sealed_by(rounds, rounds.sealed)}" if rounds.sealed and rounds.sealed.commits else ""

    def words(reader: Reader) -> str:
        if reader.voice.spoken:
            return f"Game begins: {reader.everyone(seats)}.{sealed}"
        everyone = attrs.evolve(reader, names=table.seats.starred).everyone(seats)
        what = cards(table)
        return f"{title} begins: {everyone}. {what[:1].upper()}{what[1:]}.{sealed}"

    return words


def voided(void: Voided) -> str:
    """Return the notice of a void round, by name."""
    missed = f"{listing(void.missing)} didn't reveal in time, so this shuffle is void."
    return f"{missed} The next seal is {seal.shown(void.next_seal)}."


def voided_in_play(void: Voided) -> str:
    """Return the notice of a newcomer's round that is void, by name: the game stays sealed as before."""
    return f"{listing(void.missing)} didn't reveal in time, so the deck stays sealed as before."


def sealed_in_play(rounds: Rounds, sealed: Sealed) -> str:
    """Return whose clients sealed the hands from the next one on, as a newcomer joins a running game."""
    return f"{sealed_by(rounds, sealed)} The next hand is dealt from it."


def rooted(rounds: Rounds) -> str:
    """Return the notice of a new root for the hands that follow in a running game."""
    sealed = f" {sealed_by(rounds, rounds.dealt.sealed)}" if rounds.dealt and rounds.sealed_by else ""
    return f"The next {rounds.hands} hands have a new root: {seal.shown(rounds.root)}.{sealed}"


def sealed_by(rounds: Rounds, sealed: Sealed) -> str:
    """Return whose clients took part in a shuffle, and its code for comparing."""
    names = [name for name, _ in sealed.commits]
    return f"Deck sealed by {listing(names)}. Code {seal.shown(digest_of(rounds, sealed))}."


def shuffles(table: Table) -> list[str]:
    """Return whose clients took part in the shuffle, and which shuffles were void, with names."""
    rounds = table.rounds
    dealt = [sealed_by(rounds, rounds.dealt.sealed)] if rounds.dealt and rounds.sealed_by else []
    voids = [f"round {void.round} ({listing(void.missing)})" for void in rounds.voids]
    unproved = [unproven(rounds.unproven)] if rounds.unproven else []
    fixed = [f"Cards fixed as {seal.shown(table.fixed)}."] if table.fixed else []
    return [*dealt, *fixed, *unproved, *([f"Void shuffles: {listing(voids)}."] if voids else [])]


def seal_at_the_end(tag: Tag, table: Table) -> Line:
    """Return a line that says whether the seal was opened, and names void shuffles.

    That of a duplicate set opens later, when the last table is done.
    """
    void = f" {shuffles(table)[-1]}" if table.rounds.voids else ""
    if not visible.is_open(table.header, over=True):
        return line(tag, f"The seal stays closed, so hidden cards stay secret.{void}", aloud=f"Seal: closed.{void}")
    if table.header.duplicate:
        when = "this deal ends" if is_daily(table.header.duplicate) else "all games with these cards are over"
        later = f"The seal opens when {when}. Then type /verify {table.header.number}.{void}"
        return line(tag, later, aloud=f"Seal: opens later.{void}")
    opened = f"The seal is open. Type /verify {table.header.number} to check that the game was dealt fairly.{void}"
    return line(tag, opened, aloud=f"Seal: open.{void}")


# state of the table


def sitting(table: Table, but: Seat | None = None) -> str:
    """List the players and bot levels; players who have left are omitted.

    At a large table, bots are counted instead of named, so the list takes only a row or two.
    """
    return listed(who for seat, who in enumerate(table.seats) if seat != but)


def listed(sitters: Iterable[Sitter]) -> str:
    """List players and bot levels, as `sitting` does."""
    here = [who for who in sitters if not who.gone]
    if len(here) <= _NAMED:
        return listing(who.listed for who in here)
    levels = Counter(who.level for who in here if who.house)
    house = (f"{count(number, 'bot')} ({level})" for level, number in levels.items())
    return listing([*(who.name for who in here if who.person), *house])


def company(table: Table, name: str) -> str:
    """List the other players at someone's table."""
    return sitting(table, but=table.seat_of(name)) or "nobody else yet"


def cards(table: Table) -> str:
    """Return what fixes a table's cards: its seal, or the duplicate set that is sealed already."""
    header = table.header
    return f"the cards are those of {header.duplicate}" if header.keyed else f"the seal is {short_seal(table)}"


def short_seal(table: Table) -> str:
    """Return the start of the seal, for reading aloud."""
    return seal.shown(current_seal(table))


def current_seal(table: Table) -> str:
    """Return the seal of the current round."""
    return table.rounds.seal or table.header.seal


def standing(table: Table, case: str) -> str:
    """Describe the table's state; `case` is the number of the bug that stopped it, if any."""
    if case:
        return stopped(case)
    life = written(table)
    if table.lesson and life is Life.RUNNING:
        return "lesson"
    uncounted = life in (Life.RUNNING, Life.PAUSED) and not table.counted
    return f"{life.value}, no longer counts" if uncounted else life.value


def summary(table: Table, case: str) -> str:
    """Return the table's row in a list: game, players, bot levels and state."""
    return f"{table.game.title}, {sitting(table) or 'nobody yet'}; {standing(table, case)}"


_HELD = {
    Life.SHUFFLING: "shuffling: waiting for {}",
    Life.PAUSED: "the game is adjourned: type /resume to continue it",
    Life.FROZEN: "the table is frozen: the sysop is looking into it",
}


def waiting(table: Table, who: Reader, unanswered: Sequence[str], name: str) -> str:
    """Describe whom the table is waiting for; `unanswered` are open invitations.

    `name` is the reader's name.
    """
    match written(table):
        case Life.WAITING if unanswered:
            names = ["you" if fold(guest) == fold(name) else guest for guest in unanswered]
            ways = "/sit or /decline" if "you" in names else "/start to start without waiting"
            return f"waiting for {listing(names)} to answer the invitation: type {ways}"
        case Life.WAITING:
            return "the game hasn't started: type /start to start it, or /house to add a bot"
        case Life.SHUFFLING | Life.PAUSED | Life.FROZEN as held:
            return _HELD[held].format(listing(table.rounds.missing))
    if not table.to_move:
        return "the game is over: type /quick or /new to start another"
    owners = ("your" if seat == who.seat else f"{who.names[seat]}'s" for seat in table.to_move)
    return f"it is {listing(owners)} turn"


def shown(table: Table, who: Reader) -> Sequence[str]:
    """Return the public state of the table as a reader may see it; empty before the deal."""
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
    """Return the hand of a reader's seat."""
    return table.game.hand(table.view(who.seat), who)


def question(table: Table, seat: Seat, who: Reader) -> Sequence[str]:
    """Return the rows that ask a seat to move."""
    return asking(table.game, table.view(seat), table.moves(seat), who)


def refusal(table: Table, no: Refused, who: Reader) -> str:
    """Return the message for a refusal: the game's own, else the table's."""
    game = table.game
    if no.code in REFUSALS and no.code not in game.refusals:
        return REFUSALS[no.code]
    try:
        said: Any = game.refusal(no.code, no.facts, who)
    except Exception:
        log.exception("a game has no text for a refusal", code=no.code, game=game.name)
        return "you can't do that now. Type /moves to list your moves."
    return str(said)
