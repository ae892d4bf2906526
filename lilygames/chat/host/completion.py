"""Tab completion: commands, legal moves, people and rooms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lilygames import bymail
from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.commands import complete

MOST = 500
"""Maximum moves considered: a bet may have many more."""


def completions(host: Host, person: Person, text: str) -> Sequence[str]:
    """Return the lines that complete `text`, without duplicates: moves first, the rest in alphabetical order."""
    if bymail.is_move(text):
        return ()
    mark, line = (text[:1], text[1:]) if text[:1] in ("/", ".") else ("", text)
    moves = complete(line, _moves(person))
    if " " in line:
        others = () if moves or _is_move(person, line) else _with_a_name(host, person, line)
    elif mark:
        verbs = {move.partition(" ")[0] for move in moves}
        others = complete(line, sorted({*_commands(host, person)} - verbs))
    else:
        others = complete(line, [f"{name};" for name in _names(host, person)]) if line else ()
    return [mark + one for one in dict.fromkeys((*moves, *others))]


def _moves(person: Person) -> Sequence[str]:
    """Return the legal moves at the table most likely meant."""
    return next((words[:MOST] for bot in person.focus.tables() if (words := bot.words(person))), ())


def _is_move(person: Person, line: str) -> bool:
    """Whether the line starts with a move, legal now or not. Names wouldn't help there."""
    word = line.partition(" ")[0].casefold()
    return any(word in move.names for bot in person.focus.tables() for move in bot.commands(person))


def _commands(host: Host, person: Person) -> Iterable[str]:
    """Return the names of usable commands: legal moves and the commands listed in the help."""
    legal = {command.name for bot in person.focus.tables() for command in bot.legal(person)}
    return legal | {command.name for command in host.commands if command.group}


def _with_a_name(host: Host, person: Person, line: str) -> Sequence[str]:
    """Return the line with its last word completed to a name; nothing if that word is empty."""
    head, _, word = line.rpartition(" ")
    return [f"{head} {name}" for name in complete(word, _names(host, person))] if word else ()


def _names(host: Host, person: Person) -> list[str]:
    """Return the people here and the rooms this person may see, sorted by name."""
    people = [other.name for _, other in host.people.known_parts() if other.here and other is not person]
    return sorted([*people, *(room.name for room in host.rooms.values() if room.may_see(person))], key=str.casefold)
