"""Requests of a program in machine mode: plain lines, and JSON objects with an id."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import attrs

from lilygames.edge.outbox import Outbox
from lilygames.text import Problem, clean

LARGEST_ID = 2**53 - 1
"""Ids are whole numbers that every language can hold exactly."""
GETS = ("place", "people", "rooms", "tables", "table", "commands")
"""Names of the things that a program can get; `table` needs a number."""
Asks = Literal["line", "complete", "get"]
ASKS: tuple[Asks, ...] = get_args(Asks)
BAD_REQUEST = "bad-request"


class BadRequest(ValueError):
    """An object isn't a valid request. The text says what is wrong; `id` is its id, if that could be read."""

    def __init__(self, sentence: str, id_: int | None = None) -> None:
        super().__init__(sentence)
        self.id = id_


@attrs.frozen
class Request:
    """A request: a line to handle, a line to complete, or the name of what to send."""

    id: int | None
    """None for a plain line, whose end isn't reported."""
    asks: Asks
    text: str
    table: int | None = None


@attrs.define(eq=False)
class Ongoing:
    """A request that is being handled, and why it was refused, if it was."""

    id: int
    show: Callable[..., None]
    """Shows lines to the program that asked."""
    outbox: Outbox | None = None
    """The outbox of that program, to find it in a crowd."""
    problem: Problem | None = None
    sentence: str = ""

    def refused(self, problem: Problem, sentence: str) -> None:
        """Record why it was refused; the first reason counts."""
        if self.problem is None:
            self.problem, self.sentence = problem, sentence


def read(line: str) -> Request:
    """Return the request in a line; a line that isn't an object is a plain one. Raises `BadRequest`."""
    if not line.lstrip().startswith("{"):
        return Request(None, "line", line)
    data = _object(line)
    number = _id(data.pop("id", None))
    table = data.pop("table", None)
    if table is not None and (type(table) is not int or not 0 < table <= LARGEST_ID or "line" in data):
        raise BadRequest("“table” is the number of a table, for complete and get", number)
    asks = next((asks for asks in ASKS if asks in data), None)
    if asks is None or len(data) != 1:
        raise BadRequest("an object has an “id” and one of “line”, “complete” and “get”", number)
    text = data[asks]
    if not isinstance(text, str):
        raise BadRequest(f"“{asks}” must be a text", number)
    if asks == "get" and (text not in GETS or (text == "table") is (table is None)):
        raise BadRequest(f"“get” can be {', '.join(GETS)}; “table” needs a number in “table”", number)
    return Request(number, asks, clean(text), table)


def _id(number: Any) -> int:
    if type(number) is not int or not 0 <= number <= LARGEST_ID:
        raise BadRequest(f"“id” must be a whole number from 0 to {LARGEST_ID}")
    return number


def _object(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line, object_pairs_hook=_once, parse_constant=_no_constant)
    except BadRequest:
        raise
    except (ValueError, RecursionError):
        raise BadRequest("a line that begins with { must be one object in JSON. To say it, type ' before it") from None
    if not isinstance(data, dict):
        raise BadRequest("a request is one object")
    return data


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, in which no key may come twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        raise BadRequest("a key comes twice in the object")
    return data


def _no_constant(name: str) -> Any:
    raise BadRequest(f"{name} isn't JSON")
