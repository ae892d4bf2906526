"""Ways to tamper with an export: each row deleted, doubled, swapped with the next of its kind, or altered."""

from __future__ import annotations

import json

import attrs

from lilygames.tables.verify.export import KINDS

UNCOVERED = ("names", "set_names")
"""Fields of the first row that nothing covers, because names can be deleted."""


@attrs.frozen
class Tampering:
    """A change to one row (from 0), and the rows afterwards."""

    what: str
    row: int
    rows: tuple[dict, ...] = attrs.field(repr=False)

    @property
    def lines(self):
        """The export, with the links and the end as they were."""
        return [json.dumps(row) for row in self.rows]


def kind_of(row):
    """Return the kind of a row: that of its act, or of its draw, or what else it is."""
    if "header" in row:
        return "first"
    if "act" in row:
        return row["act"]["is"]
    return next(kind for kind in KINDS if kind in row)


def tamperings(rows, leaves=None):
    """Yield all tamperings with the rows of an export; about as many `leaves` of each row are altered, or all."""
    for place, row in enumerate(rows):
        before, after = rows[:place], rows[place + 1 :]
        yield Tampering("deleted", place, (*before, *after))
        yield Tampering("doubled", place, (*before, row, row, *after))
        follower = next((n for n, other in enumerate(after) if kind_of(other) == kind_of(row) and other != row), None)
        if follower is not None:
            yield Tampering(
                "swapped", place, (*before, after[follower], *after[:follower], row, *after[follower + 1 :])
            )
        altered = [(field, other) for field in row for other in changes(row[field]) if field not in UNCOVERED]
        step = 1 if leaves is None else max(1, len(altered) // leaves)
        for field, other in altered[place % step :: step]:
            yield Tampering(f"altered {field}", place, (*before, {**row, field: other}, *after))


def changes(value):
    """Yield copies of a value, each with another value in one of its leaves."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield value + 1
        case str():
            yield ("1" if value[:1] == "0" else "0") + value[1:]
        case None:
            yield "x"
        case dict():
            for field, inner in value.items():
                yield from ({**value, field: other} for other in changes(inner))
        case list():
            for place, inner in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in changes(inner))
