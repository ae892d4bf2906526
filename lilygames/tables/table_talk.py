"""Talk of bots at the table: remarks about what everyone has seen, and answers to greetings.

A remark follows from public events and from numbers in the log, so all nodes that follow the table show the same one.
It comes together with the moves that it is about, before anyone is asked to move: never between a question and its
answer. Programs hear none, screen readers only answers to their own greetings, and `/set quiet on` turns it off.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.remarks import Remark, at_the_end
from lilygames.tables import visible
from lilygames.tables.characters import temper_of
from lilygames.tables.publish import Publisher
from lilygames.tables.runner import Advanced, Runner
from lilygames.tables.table import Table
from rules.kit import Seat

AFTER = 0.4
"""Seconds until a bot answers a greeting: before the greeter goes on typing."""
_APART = 8
"""Log entries between two remarks at a table, at least."""
_GREETING = re.compile(
    r"(?i)(?:\*?(?P<before>\w+)[,:] *)?"
    r"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day)"
    r"|(?P<parting>gg|good game|nice game|bye|goodbye|good night))(?![-\w])(?P<after>.{0,30})"
)
"""A greeting and a few words more, with the names of those it is for. Bots may be named with their star."""
_PARTINGS = ("Thanks for the game, {name}.", "Good game, {name}. See you!")
"""Answers to people who take their leave."""
_TEMPERS: Mapping[str, tuple[int, Sequence[str]]] = {
    "": (35, ("Hello, {name}.", "Good day, {name}.")),
    "bold": (50, ("Hello, {name}! Ready to lose?", "Hi, {name}! I feel lucky today.")),
    "careful": (35, ("Hello, {name}. Take your time.", "Good day, {name}. Let's see.")),
    "talkative": (95, ("Hello, {name}! Good to see you.", "Hi, {name}! Shall we play?")),
    "grumpy": (20, ("Hm. Hello, {name}.", "Hello, {name}. Let's get on with it.")),
}
"""By temper: how often in 100 cases a bot speaks when it could, and how it greets."""


def temper(name: str) -> tuple[int, Sequence[str]]:
    """Return how often a bot speaks, and how it greets."""
    return _TEMPERS[temper_of(name)]


def drawn(below: int, *facts: object) -> int:
    """Return a number below a limit that follows from these facts."""
    return int(sha256(repr(facts).encode()).hexdigest(), 16) % below


def remark(table: Table, seq: int, remarks: Sequence[Remark], said: Collection[str] = ()) -> tuple[Seat, str] | None:
    """Return what one of the bots says, if any of them wants to speak.

    They have `said` these sentences at the table, oldest first, and say others as long as there are any.
    """

    def wants(seat: Seat) -> bool:
        often, _ = temper(table.names[seat])
        return table.seats[seat].house and drawn(100, "often", table.header.number, seq, seat) < often

    willing = [one for one in remarks if wants(one.seat)]
    if not willing:
        return None
    one = willing[drawn(len(willing), "who", table.header.number, seq)]
    known = one.sayings.of(temper_of(table.names[one.seat]))
    unsaid = [text for text in known if text not in said]
    oldest = [text for text in said if text in known][:1]
    texts = unsaid or oldest
    return one.seat, texts[drawn(len(texts), "what", table.header.number, seq)]


class TableTalk:
    """The talk of a table's bots."""

    def __init__(self, runner: Runner, publisher: Publisher) -> None:
        self._runner = runner
        self._publisher = publisher
        self._last = -_APART
        self._said: dict[str, None] = {}
        """Remarks made at the table, oldest first."""
        self._greeted = set[tuple[str, bool, Seat]]()
        """Folded names of people, whether they took their leave, and a bot that has answered."""

    def observe(self, advanced: Advanced) -> None:
        """Let a bot say something about what everyone has just seen."""
        table, seq = advanced.after, advanced.after.seq
        if not (self._talks(table) and table.seats.bots):
            return
        ended = table.outcome if table.ended and not advanced.before.ended else None
        if seq - self._last < _APART and not ended:
            return
        remarks = at_the_end(ended) if ended else table.game.remarks(visible.all_seen(advanced.events, None))
        if found := remark(table, seq, [*remarks], self._said):
            seat, text = found
            self._last = seq
            self._said.pop(text, None)
            self._said[text] = None
            self._say(table.names[seat], text)

    def answers(self, person: Person, text: str) -> bool:
        """Answer a greeting soon, and return whether a bot will; each answers a person once, and once when they leave.

        The first bot that the greeting names answers it. If it names none, one that hasn't answered yet does, unless it
        is for a person.
        """
        table, name = self._runner.table, fold(person.name)
        greeting = _GREETING.fullmatch(text.strip())
        if not (greeting and self._talks(table) and listens(person, greeting=True)):
            return False
        leaves = bool(greeting["parting"])
        known = {seat for who, left, seat in self._greeted if (who, left) == (name, leaves)}
        seat = self._greeted_by(person, re.findall(r"\w+", f"{greeting['before'] or ''} {greeting['after']}"), known)
        if seat is None:
            return False
        self._greeted.add((name, leaves, seat))
        answers = _PARTINGS if leaves else temper(table.names[seat])[1]
        answer = answers[drawn(len(answers), name, table.seq)].format(name=person.name)
        asyncio.get_running_loop().call_later(AFTER, self._say, table.names[seat], answer, name)
        return True

    def has(self, name: str) -> bool:
        """Return whether a bot of this name sits at the table."""
        return any(who.house and fold(who.name) == fold(name) for who in self._runner.table.seats)

    @property
    def has_bots(self) -> bool:
        """Whether any bot sits at the table."""
        return any(who.house for who in self._runner.table.seats)

    def _greeted_by(self, person: Person, words: Sequence[str], known: Collection[Seat]) -> Seat | None:
        """Return the seat of the bot that answers a greeting with these words, if any; those `known` have done so."""
        table, name, named = self._runner.table, fold(person.name), [*map(fold, words)]
        bots = {fold(table.names[seat]): seat for seat, who in enumerate(table.seats) if who.house}
        if to := [bots[word] for word in named if word in bots]:
            return None if to[0] in known else to[0]
        rest = [seat for seat in bots.values() if seat not in known]
        if not rest or any(word in self._runner.room.people for word in named):
            return None
        return rest[drawn(len(rest), "greets", table.header.number, name)]

    def _talks(self, table: Table) -> bool:
        header = table.header
        return self._runner.services.talk and not (header.lesson or header.duplicate or header.tournament)

    def _say(self, name: str, text: str, greeter: str = "") -> None:
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
        self._publisher.remarks.add(line, wants)
        if not self._publisher.waiting:
            self._publisher.remarks.say()


def listens(person: Person, *, greeting: bool = False) -> bool:
    """Return whether a person wants to hear what bots say; with a screen reader, only answers to their `greeting`."""
    settings = person.profile.settings
    quiet = settings.get("quiet") == "on" or settings.get("machine", "off") != "off"
    return not quiet and (greeting or not person.voice.spoken)
