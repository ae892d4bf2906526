"""JSON Schemas of what `lilygames.codec` writes: the views and events of each game, from their classes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from importlib import import_module
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs

from lilygames import codec
from lilygames.game import Game
from lilygames_rules.kit import Event

_PLAIN: Mapping[Any, Mapping[str, str]] = {
    NoneType: {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bytes: {"type": "string"},
}


def schemas(games: Mapping[str, Game]) -> codec.Json:
    """Return one schema for all games: `view` and `event` of a game are under its name in `$defs`."""
    defs: dict[str, codec.Json] = {}
    for name, game in games.items():
        writer = _Writer(name, defs)
        view, events = writer.of(view_of(game)), [writer.of(event) for event in events_of(game)]
        defs[f"{name}.view"], defs[f"{name}.event"] = view, {"anyOf": events}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Views and events of the games, as they are in the packets view, event and update",
        "$comment": "From scripts/schemas. In $defs, GAME.view and GAME.event are the values; the others are parts.",
        "$defs": dict(sorted(defs.items())),
    }


def view_of(game: Game) -> Any:
    """Return the type of a game's views."""
    return getattr(game.rules, "View", None) or get_type_hints(game.rules.view)["return"]


def events_of(game: Game) -> Sequence[type[Event]]:
    """Return the classes of a game's events: those in its rules, and in the modules of rules that these use."""
    modules = {module.__name__ for module in _used(import_module(game.rules.apply.__module__), set())}
    return sorted((kind for kind in _below(Event) if kind.__module__ in modules), key=lambda kind: kind.__qualname__)


def _below(kind: type[Event]) -> Iterator[type[Event]]:
    for below in kind.__subclasses__():
        if "__attrs_attrs__" in vars(below):
            yield below
        yield from _below(below)


def _used(module: ModuleType, known: set[str]) -> Iterator[ModuleType]:
    """Yield a module, and the modules in the same package that its names come from."""
    if module.__name__ in known:
        return
    known.add(module.__name__)
    yield module
    package = module.__name__.partition(".")[0]
    for value in vars(module).values():
        name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(name, str) and name.partition(".")[0] == package:
            yield from _used(import_module(name), known)


class _Writer:
    """Writes the schemas of one game's types; each class becomes a part in `defs`."""

    def __init__(self, game: str, defs: dict[str, codec.Json]) -> None:
        self._game = game
        self._defs = defs

    def of(self, kind: Any, known: Mapping[Any, Any] | None = None) -> codec.Json:
        """Return the schema of a type; `known` are the types that its type variables stand for."""
        known = known or {}
        if isinstance(kind, TypeVar):
            return self.of(known.get(kind, kind.__bound__ or Any))
        if kind in _PLAIN:
            return _PLAIN[kind]
        origin, args = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(one, known) for one in args]}
        if origin is Literal:
            return {"enum": [codec.dump(choice) for choice in args]}
        if isinstance(origin, type) and issubclass(origin, Collection):
            return self._of_collection(origin, [self.of(one, known) for one in args if one is not ...], args)
        cls = origin or kind
        return self._of_class(cls, dict(zip(getattr(cls, "__parameters__", ()), args, strict=False)))

    @staticmethod
    def _of_collection(origin: type, inside: Sequence[codec.Json], args: Sequence[Any]) -> codec.Json:
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": inside[1]}
        if origin is tuple and args[-1:] != (...,):
            return {"type": "array", "prefixItems": inside, "items": False}
        return {"type": "array", "items": inside[0]}

    def _of_class(self, cls: Any, known: Mapping[Any, Any]) -> codec.Json:
        if isinstance(cls, type) and issubclass(cls, Enum):
            return {"enum": [codec.dump(member) for member in cls]}
        if codec.has_notation(cls):
            return {"type": "string"}
        if not attrs.has(cls):
            return {}
        name = f"{self._game}.{cls.__qualname__}"
        if name not in self._defs:
            self._defs[name] = {}
            self._defs[name] = self._object(cls, known)
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, cls: Any, known: Mapping[Any, Any]) -> codec.Json:
        hints = get_type_hints(cls)
        fields = [field for field in attrs.fields(cls) if field.init and codec.BESIDE not in field.metadata]
        doc = (cls.__doc__ or "").strip().partition("\n")[0]
        return {
            "type": "object",
            "description": doc,
            "required": ["is", *(field.name for field in fields if not field.metadata.get(codec.LATER))],
            "additionalProperties": False,
            "properties": {
                "is": {"const": codec.tag_of(cls)},
                **{field.name: self.of(hints[field.name], known) for field in fields},
            },
        }
