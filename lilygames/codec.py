"""Convert values to JSON and back: moves, states, events and table acts, for storage, clients and digests.

An attrs value becomes an object with its class under `is`, or its `STORED_AS` if the class was renamed. A value with a
notation (a class with `parse` and its own `__str__`, such as a card) becomes that notation. An enum becomes its value
if all its values are text, else its name. Bytes become hex, and frozensets lists in a stable order. Reading is strict:
it accepts only what dumping produces, and any spelling of a notation that its class reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from json import encoder as json_encoder
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import attrs
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

Json = Any
"""JSON data: None, bool, int, float, str, lists, and dicts with text keys."""

_TAG = "is"
_SHOWN = 40
LATER = "added later"
"""In a field's metadata: it is left out while it has its default, so that earlier releases can read what is written."""
BESIDE = "stored beside"
"""In a field's metadata: it is neither written nor read here, because it is stored elsewhere."""


def dump(value: Any) -> Json:
    """Return `value` as JSON data; JSON data itself stays as it is. Raises `TypeError` for an unsupported class."""
    return _writer(value.__class__)(value)


def load(data: Json, kind: Any) -> Any:
    """Return the value of type `kind` (a class, a union, `tuple[Card, ...]`) that was dumped to `data`.

    Raises `ValueError` with a sentence for any other data, including unknown keys and classes.
    """
    try:
        return _hook(kind)(data, kind)
    except BaseValidationError as error:
        places = (" at ".join(place.rsplit(" @ ", 1)) for place in transform_error(error, _name(kind), _sentence))
        raise ValueError("; ".join(places)) from None


def to_text(value: Any) -> str:
    """Return `value` as compact JSON text. Equal values give the same text on every machine, as digests need."""
    return encode(_writer(value.__class__)(value))


def encode(data: Json) -> str:
    """Return dumped data as that text."""
    return "".join(_CHUNKS(data, 0))


def text_of_parts(kind: type, **parts: str) -> str:
    """Return the text of a value of a class from the texts of its fields, as `to_text` makes it of the value itself."""
    return _form(kind, tuple(parts)) % parts


@cache
def _form(kind: type, names: tuple[str, ...]) -> str:
    """Return the text of a value of a class, with `%(name)s` in place of each of its fields."""
    texts = {_TAG: encode(tag_of(kind)), **{name: f"%({name})s" for name in names}}
    return "{" + ",".join([f'"{name}":{texts[name]}' for name in sorted(texts)]) + "}"


def tag_of(kind: type) -> str:
    """Return the stored name of a class: its `STORED_AS` if it was renamed, else its own name."""
    stored_as: str = getattr(kind, "STORED_AS", kind.__name__)
    return stored_as


def from_text(text: str, kind: Any) -> Any:
    """Parse `text` as a value of type `kind`. Raises `ValueError` with a sentence."""
    try:
        return load(_DECODER.decode(text), kind)
    except RecursionError:
        raise ValueError("the text is nested too deeply") from None


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False, check_circular=False)


def _chunks_of(encoder: json.JSONEncoder) -> Callable[[Json, int], Iterable[str]]:
    """Return the function of CPython that encodes data in chunks, with an encoder's settings.

    `JSONEncoder.encode` makes one for each text; making it once takes 0.6 of the time for an act. To remove it, let
    `encode` call `_ENCODER.encode`.
    """
    make = getattr(json_encoder, "c_make_encoder", None)
    if make is None:
        return lambda data, _: encoder.iterencode(data)
    text, settings = json_encoder.encode_basestring_ascii, (encoder.sort_keys, encoder.skipkeys, encoder.allow_nan)
    chunks: Callable[[Json, int], Iterable[str]] = make(
        None, encoder.default, text, None, encoder.key_separator, encoder.item_separator, *settings
    )
    return chunks


_CHUNKS = _chunks_of(_ENCODER)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} isn't a JSON number")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _brief(data: Json) -> str:
    shown = repr(data)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"


def _origin(kind: Any) -> Any:
    return get_origin(kind)


def _name(kind: Any) -> str:
    if _origin(kind) in (Union, UnionType):
        return " or ".join(map(_name, get_args(kind)))
    return getattr(kind, "__name__", str(kind))


# Writing: by the value's own class.

_PLAIN = frozenset({NoneType, bool, int, float, str})


@cache
def _writer(kind: Any) -> Callable[[Any], Json]:
    if kind in _PLAIN:
        return _same
    if issubclass(kind, Enum):
        return attrgetter("value" if _by_value(kind) else "name")
    if has_notation(kind):
        return str
    if attrs.has(kind):
        return _class_writer(kind)
    for family, writer in _FAMILIES:
        if issubclass(kind, family):
            return writer
    raise TypeError(f"{kind.__name__} has no JSON form: make it a frozen attrs class or give it a notation")


def _same(value: Any) -> Json:
    return value


def _class_writer(kind: Any) -> Callable[[Any], Json]:
    fields = [field for field in attrs.fields(kind) if field.init and BESIDE not in field.metadata]
    names = tuple(field.name for field in fields)
    added = {field.name: field.default for field in fields if field.metadata.get(LATER)}
    tag = tag_of(kind)

    def write(value: Any) -> Json:
        data: dict[str, Json] = {_TAG: tag}
        for name in names:
            item = getattr(value, name)
            data[name] = item if item.__class__ in _PLAIN else _writer(item.__class__)(item)
        return data

    def write_shortly(value: Any) -> Json:
        data = write(value)
        for name, default in added.items():
            if data[name] == default:
                del data[name]
        return data

    return write_shortly if added else write


def _key(value: Any) -> str:
    data = dump(value)
    if isinstance(data, str):
        return data
    if type(data) is int:
        return str(data)
    raise TypeError(f"{_brief(value)} cannot be a key: use text, whole numbers, enums or values with a notation")


def _write_dict(value: Mapping[Any, Any]) -> Json:
    return {
        name if name.__class__ is str else _key(name): (
            item if item.__class__ in _PLAIN else _writer(item.__class__)(item)
        )
        for name, item in value.items()
    }


def _write_set(value: AbstractSet[Any]) -> Json:
    return sorted(map(dump, value), key=_ENCODER.encode)


def _write_sequence(value: Sequence[Any]) -> Json:
    return [item if item.__class__ in _PLAIN else _writer(item.__class__)(item) for item in value]


_FAMILIES: tuple[tuple[type, Callable[[Any], Json]], ...] = (
    (bytes, bytes.hex),
    (Mapping, _write_dict),
    (AbstractSet, _write_set),
    (Sequence, _write_sequence),
)


@cache
def has_notation(kind: Any) -> bool:
    """Return whether a class reads and writes itself as text. Enums never do: their members have words."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return False
    return callable(getattr(kind, "parse", None)) and getattr(kind, "__str__", None) is not object.__str__


@cache
def _by_value(kind: Any) -> bool:
    """Return whether the enum's values are words of their own."""
    return all(isinstance(member.value, str) for member in kind)


# Reading: by the expected type. cattrs finds the parts; these hooks are strict where cattrs would convert.


_CONVERTER = Converter(forbid_extra_keys=True)
_hook = cache(_CONVERTER.get_structure_hook)


def _sentence(error: BaseException, kind: Any) -> str:
    match error:
        case KeyError():
            return "it is missing"
        case ForbiddenExtraKeysError():
            return f"there is no {' or '.join(sorted(error.extra_fields))} in {error.cl.__name__}"
        case _:
            return str(error) or f"it isn't a valid {_name(kind)}"


def _exact(data: Json, kind: Any) -> Any:
    if issubclass(kind, Enum):
        return _member(data, kind)
    if type(data) is not kind:
        raise ValueError(f"{_brief(data)} is not of type {kind.__name__}")
    return data


def _member(data: Json, kind: type[Enum]) -> Any:
    for member in kind:
        if data == (member.value if _by_value(kind) else member.name):
            return member
    raise ValueError(f"{_brief(data)} isn't a valid {kind.__name__}")


def _bytes(data: Json, _: Any) -> bytes:
    return bytes.fromhex(_exact(data, str))


for _kind in (NoneType, bool, int, float, str):
    _CONVERTER.register_structure_hook(_kind, _exact)
_CONVERTER.register_structure_hook(bytes, _bytes)
_CONVERTER.register_structure_hook_func(lambda kind: isinstance(kind, type) and issubclass(kind, Enum), _member)


@_CONVERTER.register_structure_hook_factory(attrs.has)
def _class(kind: Any) -> Callable[[Json, Any], Any]:
    beside = [field.name for field in attrs.fields(kind) if BESIDE in field.metadata]
    left_out: dict[str, Any] = {name: override(omit=True) for name in beside}
    build, tag = make_dict_structure_fn(kind, _CONVERTER, **left_out), tag_of(kind)

    def read(data: Json, _: Any) -> Any:
        if not isinstance(data, dict) or data.get(_TAG) != tag:
            raise ValueError(f"{_brief(data)} isn't a valid {kind.__name__}")
        fields = data.copy()
        del fields[_TAG]
        return build(fields, kind)

    return read


@_CONVERTER.register_structure_hook_factory(has_notation)
def _notation(kind: Any) -> Callable[[Json, Any], Any]:
    def read(data: Json, _: Any) -> Any:
        return kind.parse(_exact(data, str))

    return read


@_CONVERTER.register_structure_hook_factory(lambda kind: _origin(kind) is Literal)
def _literal(kind: Any) -> Callable[[Json, Any], Any]:
    choices = {_ENCODER.encode(dump(choice)): choice for choice in get_args(kind)}

    def read(data: Json, _: Any) -> Any:
        text = _ENCODER.encode(data)
        if text not in choices:
            raise ValueError(f"{_brief(data)} is not one of {', '.join(choices)}")
        return choices[text]

    return read


@_CONVERTER.register_structure_hook_factory(lambda kind: _origin(kind) in (Union, UnionType))
def _union(kind: Any) -> Callable[[Json, Any], Any]:
    tagged = {tag_of(one): one for one in get_args(kind) if attrs.has(one) and not has_notation(one)}
    plain = [one for one in get_args(kind) if one not in tagged.values()]

    def read(data: Json, _: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get(_TAG), str) and data[_TAG] in tagged:
            one = tagged[data[_TAG]]
            return _hook(one)(data, one)
        for one in plain:
            try:
                return _hook(one)(data, one)
            except (ValueError, BaseValidationError):
                continue
        raise ValueError(f"{_brief(data)} isn't a valid {_name(kind)}")

    return read


@_CONVERTER.register_structure_hook_factory(lambda kind: _origin(kind) is tuple)
def _tuple(kind: Any) -> Callable[[Json, Any], Any]:
    kinds = get_args(kind)
    if kinds[-1:] == (...,):
        return _many(kind)

    def read(data: Json, _: Any) -> Any:
        if len(_exact(data, list)) != len(kinds):
            raise ValueError(f"{_brief(data)} has not {len(kinds)} parts")
        return tuple(_hook(one)(item, one) for one, item in zip(kinds, data, strict=True))

    return read


@_CONVERTER.register_structure_hook_factory(lambda kind: _origin(kind) in (frozenset, AbstractSet, Sequence))
def _many(kind: Any) -> Callable[[Json, Any], Any]:
    one = get_args(kind)[0]
    family = frozenset if _origin(kind) in (frozenset, AbstractSet) else tuple

    def read(data: Json, _: Any) -> Any:
        hook = _hook(one)
        return family([hook(item, one) for item in _exact(data, list)])

    return read


@_CONVERTER.register_structure_hook_factory(lambda kind: _origin(kind) in (dict, Mapping))
def _dict(kind: Any) -> Callable[[Json, Any], Any]:
    name_kind, item_kind = get_args(kind)

    def read(data: Json, _: Any) -> Any:
        return {
            _read_key(name, name_kind): _hook(item_kind)(item, item_kind) for name, item in _exact(data, dict).items()
        }

    return read


def _read_key(name: str, kind: Any) -> Any:
    if kind is not int:
        return _hook(kind)(name, kind)
    if str(int(name)) != name:
        raise ValueError(f"{_brief(name)} is not how a whole number is written")
    return int(name)
