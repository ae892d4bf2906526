"""The part of JSON Schema that our schemas use: where a value doesn't match, and why."""

import json
from importlib.resources import files


def _read(name):
    return json.loads((files("lilygames.edge") / name).read_text("utf-8"))


SCHEMA, GMCP = _read("machine.schema.json"), _read("gmcp.schema.json")
_TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "null": lambda value: value is None,
}
_SPOKEN = {
    *("$schema", "$comment", "title", "description", "$defs", "$ref"),
    *(
        "anyOf",
        "const",
        "prefixItems",
        "oneOf",
        "type",
        "enum",
        "required",
        "properties",
        "additionalProperties",
        "items",
    ),
}


def misfits(value, schema=SCHEMA, place="value", root=SCHEMA):
    """Yield a sentence for each way in which the value doesn't match the schema."""
    assert not set(schema) - _SPOKEN
    if "$ref" in schema:
        _, _, name = schema["$ref"].partition("#/$defs/")
        yield from misfits(value, root["$defs"][name], place, root)
    if "oneOf" in schema and 1 != sum(not [*misfits(value, one, place, root)] for one in schema["oneOf"]):
        yield f"{place} is none of those, or several: {value!r}"
    if "anyOf" in schema and all([*misfits(value, one, place, root)] for one in schema["anyOf"]):
        yield f"{place} is none of those: {value!r}"
    if "const" in schema and value != schema["const"]:
        yield f"{place} is {value!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} is {value!r}"
    kinds = schema.get("type", [])
    if kinds and not any(_TYPES[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        yield f"{place} is no {kinds}: {value!r}"
    elif isinstance(value, dict):
        yield from _object(value, schema, place, root)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from misfits(item, _item(schema, number), f"{place}[{number}]", root)


def _item(schema, number):
    first = schema.get("prefixItems", [])
    return first[number] if number < len(first) else schema.get("items") or {}


def _object(value, schema, place, root):
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place} has no {name}"
    for name, item in value.items():
        if name in known:
            yield from misfits(item, known[name], f"{place}.{name}", root)
        elif schema.get("additionalProperties") is False:
            yield f"{place} has {name}"
        elif "additionalProperties" in schema:
            yield from misfits(item, schema["additionalProperties"], f"{place}.{name}", root)
