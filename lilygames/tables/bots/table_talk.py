"""Talk of bots at the table: remarks about what everyone has seen, and answers to greetings.

A remark follows from public events and from numbers in the log. So all nodes that have followed the game from its start
show the same one. It comes together with the moves that it is about, before anyone is asked to move: never between a
question and its answer. Programs hear none, screen readers only answers to their own greetings, and `/set quiet on`
turns it off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.remarks import Remark, at_the_end
from lilygames.tables.bots.characters import has_characters, temper_of
from lilygames.tables.bots.greetings import Greeting, answers, gesture, greeting
from lilygames.tables.log.acts import EVERY_ACT
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.state import visible
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Seat

AFTER = 0.4
"""Seconds until a bot answers a greeting: before the greeter goes on typing."""
APART = 7
"""Log entries between two remarks at a table, at least; news needn't wait for that after small talk."""
_ALONE = 2 * APART
"""Log entries until the bot that spoke last makes small talk."""
LONG_AGO = 60
"""Remarks after which a sentence may be said again."""
_TEMPERS: Mapping[str, int] = {"": 12, "bold": 25, "careful": 20, "talkative": 95, "grumpy": 10}
"""By temper: how often in 100 cases a bot speaks of news when it could."""
_SMALL = 60
"""How often in 100 cases a talkative bot makes small talk when it could."""
_CHATTY = "talkative"


def often(name: str, *, small: bool = False) -> int:
    """Return how often in 100 cases a bot speaks of news, or makes small talk."""
    temper = temper_of(name)
    return _TEMPERS[temper] if not small else _SMALL if temper == _CHATTY else 0


def drawn(below: int, *facts: object) -> int:
    """Return a number below a limit that follows from these facts."""
    return int(sha256(repr(facts).encode()).hexdigest(), 16) % below


@attrs.frozen
class Said:
    """The remarks of bots at a table: the latest ones, oldest first, and the seat and the time of the last one."""

    texts: tuple[str, ...] = ()
    seq: int | None = None
    """The number of the log entry of the last remark."""
    seat: Seat | None = None
    small: bool = False
    """Whether the last remark was small talk."""

    def may_speak(self, seq: int, seat: Seat, *, small: bool) -> bool:
        """Return whether a bot may speak after this log entry without talking too much."""
        if self.seq is None or (self.small and not small):
            return True
        return seq - self.seq >= (_ALONE if small and seat == self.seat else APART)

    def and_then(self, seq: int, seat: Seat, text: str, *, small: bool) -> Said:
        """Return what has been said after one more remark."""
        return Said((*self.texts, text)[-LONG_AGO:], seq, seat, small)


def remark(table: Table, seq: int, remarks: Iterable[Remark], said: Said, *, last: bool = False) -> Said:
    """Return what has been said after one of the bots has spoken, or the same if none of them wants to.

    It follows from the remarks that fit, and from public numbers: the table's, and that of the log entry. Nobody says
    what was said recently. News comes before small talk. At the `last` entry one of the bots always speaks.
    """
    number, bots = table.header.number, [seat for seat, who in enumerate(table.seats) if who.house]
    pairs = [(seat, one) for one in remarks for seat in bots if _suits(one, seat)]
    timely = [(seat, one) for seat, one in pairs if said.may_speak(seq, seat, small=one.small)]
    willing = [(seat, one) for seat, one in timely if _wants(table, seq, seat, one) and _unsaid(table, seat, one, said)]
    chosen = [pair for pair in willing if not pair[1].small] or willing
    if last and not chosen:
        chosen = [(seat, one) for seat, one in pairs if _unsaid(table, seat, one, said)]
    if not chosen:
        return said
    seat, one = chosen[drawn(len(chosen), "who", number, seq)]
    texts = _unsaid(table, seat, one, said)
    return said.and_then(seq, seat, texts[drawn(len(texts), "what", number, seq)], small=one.small)


def _wants(table: Table, seq: int, seat: Seat, one: Remark) -> bool:
    """Return whether a bot is in the mood to speak after this log entry."""
    share = often(table.names[seat], small=one.small)
    return bool(share) and drawn(100, "often", table.header.number, seq, seat, one.small) < share


def _suits(one: Remark, seat: Seat) -> bool:
    return seat != one.seat if one.by_others else seat == one.seat


def _unsaid(table: Table, seat: Seat, one: Remark, said: Said) -> Sequence[str]:
    """Return the sentences of a remark that nobody has said lately."""
    return [text for text in one.sayings.of(temper_of(table.names[seat])) if text not in said.texts]


def _remarks(advanced: Advanced) -> Iterable[Remark]:
    return advanced.after.game.remarks(visible.all_seen(advanced.events, None))


class StaleTalk:
    """Drops small talk that waits for its row when news comes, before the row tells both."""

    acts = EVERY_ACT

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    def observe(self, advanced: Advanced) -> None:
        """Drop it if the new events are news."""
        held = self._publisher.remarks
        if held.holds_small_talk and not all(one.small for one in _remarks(advanced)):
            held.drop_small_talk()


class TableTalk:
    """The talk of a table's bots."""

    acts = EVERY_ACT

    def __init__(self, runner: Runner, publisher: Publisher, *, talks: bool) -> None:
        self._runner = runner
        self._publisher = publisher
        self._may_talk = talks
        self._said = Said()
        self._greeted = set[tuple[str, str, Seat]]()
        """Folded names of people, the occasions of their greetings, and a bot that has answered."""

    def observe(self, advanced: Advanced) -> None:
        """Let a bot say something about what everyone has just seen."""
        table, seq = advanced.after, advanced.after.seq
        if not (self._talks(table) and table.seats.bots):
            return
        ended = table.outcome if table.ended and not advanced.before.ended else None
        found = at_the_end(ended) if ended else _remarks(advanced)
        said = remark(table, seq, found, self._said, last=ended is not None)
        if said is not self._said and said.seat is not None:
            self._said = said
            self._say(table.names[said.seat], said.texts[-1], small=said.small)

    def answers(self, person: Person, text: str, *, acted: bool = False) -> bool:
        """Answer a greeting soon, and return whether a bot will; each answers a person once on each occasion.

        If it is `acted`, the text is an emote.

        The first bot that the greeting names answers it. If it names none, one that hasn't answered yet does, unless it
        is for a person.
        """
        table, name, found = self._runner.table, fold(person.name), gesture(text) if acted else greeting(text)
        if not (found and self._may_talk and not table.header.lesson and listens(person, greeting=True)):
            return False
        seat = self._greeted_by(person, found)
        if seat is None:
            return False
        self._greeted.add((name, found.occasion, seat))
        texts = answers(found.occasion, temper_of(table.names[seat]) if has_characters(table) else "")
        answer = texts[drawn(len(texts), name, table.seq)].format(name=person.name)
        asyncio.get_running_loop().call_later(AFTER, self._say, table.names[seat], answer, name)
        return True

    def has(self, name: str) -> bool:
        """Return whether a bot of this name sits at the table."""
        return any(who.house and fold(who.name) == fold(name) for who in self._runner.table.seats)

    @property
    def has_bots(self) -> bool:
        """Whether any bot sits at the table."""
        return any(who.house for who in self._runner.table.seats)

    def _greeted_by(self, person: Person, found: Greeting) -> Seat | None:
        """Return the seat of the bot that answers a greeting, if any; those that have done so don't."""
        table, name = self._runner.table, fold(person.name)
        bots = {fold(table.names[seat]): seat for seat, who in enumerate(table.seats) if who.house}
        others = self._runner.room.people.keys() - {name}
        meant = [bots[bot] for bot in found.meant_for([*bots], others)]
        rest = [seat for seat in meant if (name, found.occasion, seat) not in self._greeted]
        return rest[drawn(len(rest), "greets", table.header.number, name, found.occasion)] if rest else None

    def _talks(self, table: Table) -> bool:
        header = table.header
        return self._may_talk and not (header.lesson or header.duplicate or header.tournament)

    def _say(self, name: str, text: str, greeter: str = "", *, small: bool = False) -> None:
        """Show a bot's words, or hold them for the row about moves that still wait.

        Each node shows remarks to its own people who watch the game. The answer to a greeter (a folded name) goes to
        everyone in the room at once, as talk does: the game may be over.
        """
        room = self._runner.room
        if name not in self._runner.table.names:
            return

        def wants(person: Person) -> bool:
            if greeter:
                return listens(person, greeting=fold(person.name) == greeter)
            return person.local and fold(person.name) not in room.not_watching and listens(person)

        line = self._publisher.line(f"*{name} says: {text}", aloud=f"{name} says: {text}")
        self._publisher.remarks.add(line, wants, small=small)
        if not self._publisher.holds_moves:
            self._publisher.remarks.say()


def listens(person: Person, *, greeting: bool = False) -> bool:
    """Return whether a person wants to hear what bots say; with a screen reader, only answers to their `greeting`."""
    settings = person.profile.settings
    quiet = settings.get("quiet") == "on" or settings.get("machine", "off") != "off"
    return not quiet and (greeting or not person.voice.spoken)
