"""Requests of a program in machine mode: plain lines, and JSON objects with an id."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

import attrs

from lilygames.edge.wire.outbox import Outbox
from lilygames.text import Problem, clean, listing

LARGEST_NUMBER = 999_999_999
"""Largest number in a command."""
_DIGITS = len(str(LARGEST_NUMBER))
MOST_SEEN = 200
"""Maximum tables in a request."""
_ONCE = re.compile(r"[A-Za-z0-9_-]{1,40}")
_LINE_KEYS = frozenset(("line", "once", "seen"))
LARGEST_ID = 2**53 - 1
"""Ids are whole numbers that every language can hold exactly."""
GETS = ("place", "people", "rooms", "tables", "table", "choices", "commands")
OF_A_TABLE = ("table", "choices")
"""Names of the things that a program can get; those of a table need its number."""
FOLLOWED = ("tables", "place")
"""Names of the things of which a program can get news."""
LOOKUPS: Mapping[str, tuple[str, ...]] = {
    "replay": ("table", "from"),
    "export": ("table", "from"),
    "notes": ("table",),
    "played": ("name",),
    "stats": ("name",),
    "daily": (),
    "mistakes": (),
    "talk": (),
}
"""Names of the things that are read from the store, and the keys of their requests. A command sends each of them."""
Asks = Literal["line", "complete", "get", "picture", "ack"]
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
    """The number of a table; with `get tables`, that of the last table of the page before."""
    once: str = ""
    """A text by which a move is known, so that it's made once, however often it is sent."""
    seen: Mapping[int, int] | None = None
    """The log entry of each table that a line is meant for, by table number, if the program says so."""
    follow: bool | None = None
    """Whether to send news of the list of tables, or of the place, from now on; None doesn't change that."""


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
    if "ack" in data and "id" not in data:
        return _ack(data)
    return _request(data, _id(data.pop("id", None)))


def _request(data: dict[str, Any], number: int) -> Request:
    """Return the request with this id; raises `BadRequest`."""
    if isinstance(what := data.get("get"), str) and what in LOOKUPS:
        return Request(number, "line", _lookup(what, {key: data[key] for key in data if key != "get"}, number))
    if "watch" in data:
        return Request(number, "line", _watch(data, number))
    if "move" in data:
        once = once_of(data, number)
        return Request(number, "line", _move(data, number), once=once)
    if isinstance(data.get("line"), str) and data.keys() <= _LINE_KEYS:
        return Request(number, "line", clean(data["line"]), None, once_of(data, number), seen_in(data, number))
    return _answered_here(data, number)


def _answered_here(data: dict[str, Any], number: int) -> Request:
    """Return a request that isn't a line: it is answered without the host; raises `BadRequest`."""
    after, follow = _after(data, number), _follow(data, number)
    table = data.pop("table", None)
    if table is not None and (type(table) is not int or not 0 < table <= LARGEST_ID or "line" in data):
        raise BadRequest("“table” is the number of a table, for complete and get", number)
    asks = next((asks for asks in ASKS if asks in data), None)
    if asks is None or len(data) != 1:
        raise BadRequest("an object has an “id” and one of “line”, “complete” and “get”", number)
    text = data[asks]
    if asks == "picture" and text is True:
        return Request(number, asks, "")
    if not isinstance(text, str):
        raise BadRequest(f"“{asks}” must be a text", number)
    if asks == "get" and (text not in GETS or (text in OF_A_TABLE) is (table is None)):
        raise BadRequest(f"“get” can be {', '.join(GETS)}; {listing(OF_A_TABLE)} need a number in “table”", number)
    return Request(number, asks, clean(text), table or after, follow=follow)


def _after(data: dict[str, Any], number: int) -> int | None:
    """Take the last table that a program has of a list from its request; raises `BadRequest`."""
    after = data.pop("after", None) if data.get("get") == "tables" else None
    if after is not None and (type(after) is not int or not 0 <= after <= LARGEST_ID):
        raise BadRequest("“after” is the number of the last table that you have", number)
    return after


def _follow(data: dict[str, Any], number: int) -> bool | None:
    """Take from its request whether a program wants news of the list of tables or of the place.

    Raises `BadRequest`.
    """
    follow = data.pop("follow", None) if data.get("get") in FOLLOWED else None
    if follow is not None and type(follow) is not bool:
        raise BadRequest("“follow” is true or false", number)
    return follow


def once_of(data: dict[str, Any], number: int | None = None) -> str:
    """Take out and return the text by which a move is known, if there is one; raises `BadRequest`."""
    once = data.pop("once", "")
    if isinstance(once, str) and (not once or _ONCE.fullmatch(once)):
        return once
    raise BadRequest("“once” has 1 to 40 letters, digits, - or _", number)


def seen_in(data: Mapping[str, Any], number: int | None = None) -> Mapping[int, int] | None:
    """Return the log entries that the sender of a line saw: `{"12": 14}`; raises `BadRequest`."""
    if "seen" not in data:
        return None
    seen = data["seen"]
    if not isinstance(seen, dict) or len(seen) > MOST_SEEN or not all(map(_is_entry, seen.items())):
        raise BadRequest("“seen” has the last entry that you know of each table", number)
    return {int(table): seq for table, seq in seen.items()}


def _lookup(what: str, data: Mapping[str, Any], number: int) -> str:
    """Return the command for `{"get": "replay", "table": 12, "from": 30}` or `{"get": "stats", "name": "bob"}`.

    Raises `BadRequest`.
    """
    keys = LOOKUPS[what]
    given = {key: data[key] for key in keys if key in data}
    if data.keys() - given or ("table" in keys and "table" not in given):
        raise BadRequest(f"“{what}” takes {listing(f'“{key}”' for key in keys) or 'nothing else'}", number)
    if not all(_is_name(value) if key == "name" else _is_number(value) for key, value in given.items()):
        raise BadRequest(f"“{what}” takes a name without spaces, and whole numbers from 1", number)
    return clean(" ".join([f"/get:{what}", *map(str, given.values())]))


def _watch(data: Mapping[str, Any], number: int) -> str:
    """Return the line for `{"watch": "PEAR42"}`, which makes a page a television; raises `BadRequest`."""
    code = data["watch"]
    if len(data) > 1 or not _is_name(code):
        raise BadRequest("“watch” has the code of a party, such as PEAR42", number)
    return clean(f"/get:watch {code}")


def _ack(data: Mapping[str, Any]) -> Request:
    """Return the request `{"ack": {"12": 14}}`, which has no id because it isn't answered; raises `BadRequest`."""
    seen = data["ack"]
    if len(data) > 1 or not isinstance(seen, dict) or not all(map(_is_number, seen.values())):
        raise BadRequest("“ack” has the last entry that you know of each table")
    return Request(None, "ack", "")


def _move(data: Mapping[str, Any], number: int) -> str:
    """Return the command for `{"move": "play 7H", "table": 12, "seq": 14}`; raises `BadRequest`."""
    move, table, seq = (data.get(key) for key in ("move", "table", "seq"))
    numbers = _is_number(table) and (seq == 0 or _is_number(seq))
    if data.keys() != {"move", "table", "seq"} or not (numbers and isinstance(move, str) and move.strip()):
        raise BadRequest("“move” needs the number of a “table”, and in “seq” the last entry you know of it", number)
    return clean(f"/at {table}:{seq} {move}")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value.split() == [value]


def _is_entry(item: tuple[str, Any]) -> bool:
    table, seq = item
    return table.isascii() and table.isdecimal() and len(table) <= _DIGITS and (seq == 0 or _is_number(seq))


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 < value <= LARGEST_NUMBER


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
