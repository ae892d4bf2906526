"""Promises that every game keeps about words: clean lines that fit, worded refusals, moves that can be typed."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from types import ModuleType
from typing import Any

from lilygames.commands import Misread, Several, Unknown, complete, find
from lilygames.game import InSequence, Reader
from lilygames.gametest.plays import NAMES, Check, Spot
from lilygames.server.place.place import host_commands
from lilygames.tables.sight.menu import Menu
from lilygames.tables.state import visible
from lilygames.text import WIDTH, Voice, clean, columns
from lilygames_rules.kit import Event, Refused, Seat

_ROOM = WIDTH - len("[game-123] ")
"""Columns after the table's tag; longer lines are wrapped, so only a longer word can't fit."""


def flaw(text: str) -> str:
    """Return the error in a line for people, empty if there is none."""
    if clean(text) != text:
        return "has control, bidi or invisible characters"
    if any(columns(word) > _ROOM for word in text.split()):
        return f"has a word longer than a row of {WIDTH} columns"
    return ""


def events_have_words(check: Check) -> Iterator[str]:
    """Every event gives each reader a clean line or none."""
    for number, turn in enumerate(check.turns):
        for seat in (*range(check.seats), None):
            for event, lines in check.told(turn.events, seat, number):
                for line in lines.split("\n") if lines else ():
                    if reason := flaw(line) or ("" if line else "is empty"):
                        yield f"the line {line!r} for {event} {reason}"


def screens_have_words(check: Check) -> Iterator[str]:
    """The table, hand, score sheet and prompt are clean lines; the table and the prompt are never empty."""
    for spot in check.spots(None):
        view, lines = check.screen(spot)
        if not check.game.show(view, check.reader(spot.seat)) or (len(check.moves(spot)) and not lines[-1]):
            yield f"{spot}: the table is empty, or the prompt of the seat to move is"
        for line in lines:
            if reason := flaw(line):
                yield f"{spot}: the line {line!r} {reason}"


def refusal_codes_have_words(check: Check) -> Iterator[str]:
    """Every refusal code in the rules and their engines has a sentence."""
    for code in sorted(refusal_codes(module_of(check.rules)) - set(check.game.refusals)):
        yield f"the refusal {code} has no sentence"


def module_of(rules: Any) -> ModuleType:
    """Return the module of the rules."""
    return rules if isinstance(rules, ModuleType) else sys.modules[rules.State.__module__]


@cache
def refusal_codes(module: ModuleType) -> frozenset[str]:
    """Return the refusal codes in a module and in the modules of its package that it imports."""
    codes: set[str] = set()
    waiting, seen = [module], set[str]()
    while waiting:
        here = waiting.pop()
        seen.add(here.__name__)
        tree = ast.parse(inspect.getsource(here))
        codes |= {code for node in ast.walk(tree) if (code := code_of(node))}
        waiting += [engine for engine in engines(here) if engine.__name__ not in seen]
    return frozenset(codes)


def code_of(node: ast.AST) -> str:
    """Return the code of a call `Refused("code", ...)`, empty for anything else."""
    match node:
        case ast.Call(func=ast.Name("Refused") | ast.Attribute(attr="Refused"), args=[ast.Constant(str(code)), *_]):
            return code
    return ""


def engines(module: ModuleType) -> Iterator[ModuleType]:
    """Yield the modules it imports from, in its own package or in `lilygames_rules`."""
    packages = {"lilygames_rules", module.__name__.partition(".")[0]}
    for value in vars(module).values():
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
        if name.partition(".")[0] in packages:
            yield sys.modules[name]


def refusals_make_sentences(check: Check) -> Iterator[str]:
    """Every refusal met in play gives a clean sentence."""
    for tried in check.tries:
        if isinstance(tried.result, Refused):
            _, _, sentence = check.refusal(tried.spot, tried.result)
            if reason := flaw(sentence) or ("" if sentence else "is empty"):
                yield f"the sentence {sentence!r} for the refusal {tried.result.code} {reason}"


def moves_are_typed(check: Check) -> Iterator[str]:
    """Every legal move is spelled so that the game's commands parse it back."""
    for spot in check.spots():
        for move in check.some_moves(spot):
            if (back := read_back(check, spot, check.game.spell(move))) != move:
                yield f"{spot}: {move} is spelled {check.game.spell(move)!r}, which reads as {back}"


def parts_are_typed(check: Check) -> Iterator[str]:
    """Every legal move in parts reads back as that move, and its parts are words."""
    if check.game.parts is None:
        return
    for spot in check.spots():
        for move in check.some_moves(spot):
            parts = check.game.parts.of(move)
            if parts and (back := read_back(check, spot, " ".join(parts))) != move:
                yield f"{spot}: {move} has the parts {parts}, which read as {back}"


def read_back(check: Check, spot: Spot, text: str) -> Any:
    """Return the move of a typed line, or the error."""
    word, _, rest = text.partition(" ")
    try:
        known = find(word, check.game.commands)
        return known.run(check.rules.view(spot.state, spot.seat), *known.read(rest))
    except (Unknown, Several, Misread, Refused) as said:
        return f"{type(said).__name__}: {said}"


def commands_say_how_they_are_used(check: Check) -> Iterator[str]:
    """Every command is found by its name, and has a usage line that begins with it and a summary."""
    for known in check.game.commands:
        if find(known.name, check.game.commands) is not known:
            yield f"/{known.name} is declared twice"
        if known.usage.split()[0] != f"/{known.name}" or not known.summary:
            yield f"/{known.name} has no summary, or its usage line begins otherwise: {known.usage!r}"


def command_names_are_free(check: Check) -> Iterator[str]:
    """No command has a name of the server's own: in a seat a player would get the move, and couldn't /leave."""
    taken = {name for known in host_commands() for name in known.names}
    for known in check.game.commands:
        for name in taken.intersection(known.names):
            yield f"the server has a command /{name}; give the game's another name"


def completion_offers_legal_words(check: Check) -> Iterator[str]:
    """Completion offers exactly the legal moves as they are typed, without repeats."""
    for spot in check.spots():
        words = [check.game.spell(move) for move in check.some_moves(spot)]
        for word in words:
            if word != clean(" ".join(word.split())) or word not in complete(word[: len(word) // 2], words):
                yield f"{spot}: completion would offer {word!r}, which nobody types"
        if len(set(words)) < len(set(check.some_moves(spot))):
            yield f"{spot}: two moves are spelled alike"


_NUMBER = re.compile(r"(?<![\w.])(\d+)\. ")


def numbers_are_moves(check: Check) -> Iterator[str]:
    """Every number in a prompt is a legal move with the same number in the list of moves."""
    for spot in check.spots():
        moves = check.moves(spot)
        if not len(moves):
            continue
        view = check.rules.view(spot.state, spot.seat)
        menu = Menu.of(check.game, view, moves)
        asked = check.prompt(view, moves, Reader(spot.seat, NAMES[: check.seats]))[-1]
        for number in map(int, _NUMBER.findall(asked)):
            if number not in menu.prompted or menu.move(number) not in moves:
                yield f"{spot}: the prompt {asked!r} shows {number}, which isn't a move in the list"


def doubts_have_words(check: Check) -> Iterator[str]:
    """Each legal move is usual, or `doubt` gives a clean sentence that says why it is odd."""
    for spot in check.spots():
        view = check.rules.view(spot.state, spot.seat)
        for move in check.some_moves(spot):
            asked = check.game.doubt(view, move)
            if reason := flaw(asked) or ("" if not asked or asked.endswith(".") else "is not a sentence"):
                yield f"{spot}: the doubt {asked!r} about {move} {reason}"


def shared_rows_fit_each_reader(check: Check) -> Iterator[str]:
    """Players who share a spectator's rows would get the same rows if they were made for them alone."""
    merging = check.game.merging
    for first, before in enumerate(check.turns[:-1]) if merging else ():
        for last in range(first + 1, min(first + _JOINED, len(check.turns) - 1) + 1):
            events = tuple(event for turn in check.turns[first + 1 : last + 1] for event in turn.events)
            for voice, person in product((Voice(), Voice(narrow=True)), (None, check.turns[first + 1].seat)):
                yield from _rows_that_differ(check, before.state, events, voice, person)


_JOINED = 3
"""Most moves in sequence that are checked together."""


def _rows_that_differ(
    check: Check, state: Any, events: tuple[Event, ...], voice: Voice, person: Seat | None
) -> Iterator[str]:
    """Yield each player who would share rows that aren't theirs; `person` has made the first move."""
    merging = check.game.merging
    if merging is None:
        return

    def rows(seat: Seat | None, by: Seat | None, *, asked: bool) -> list[str]:
        reader = Reader(seat, NAMES[: check.seats], voice)
        seen = visible.all_seen(events, seat)
        return [*merging.rows(InSequence(partial(check.rules.view, state, seat), seen, reader, asked, by))]

    for seat, asked in product(range(check.seats), (False, True)):
        by = person if person != seat else None
        shares = (person is None or by is not None) and merging.as_spectators(events, seat, asked=asked, person=by)
        if shares and rows(seat, by, asked=asked) != rows(None, person, asked=False):
            yield f"seat {seat} doesn't read {events} as spectators do"


WORDS: tuple[Callable[[Check], Iterator[str]], ...] = (
    events_have_words,
    screens_have_words,
    refusal_codes_have_words,
    refusals_make_sentences,
    moves_are_typed,
    parts_are_typed,
    commands_say_how_they_are_used,
    command_names_are_free,
    completion_offers_legal_words,
    numbers_are_moves,
    doubts_have_words,
    shared_rows_fit_each_reader,
)
"""Asked of each play."""
