"""After a game anyone can check it: the seal, and every entry against its replay."""

import json
from functools import cache

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames import codec
from lilygames.store import Entry
from lilygames.tables.log.acts import Closed, Cut, Header, Moved, Seated, Sitter, Start
from lilygames.tables.seal import seal
from lilygames.tables.state.table import Table
from lilygames.tables.verify.export import Unreadable, export, read_export
from lilygames.tables.verify.verify import verify
from tests.toys import TALLY, TOYS

SECRET = bytes(range(32))
NOTES = ("at", "by")
"""Fields that the store adds to an entry: its time and its author. The replay does not contain them."""


@cache
def finished(*, secret=SECRET):
    """Return the exported rows of a whole game: two sit, one cuts, and each makes the first listed move.

    Another secret than `SECRET` doesn't open the seal, but everything else fits.
    """
    tally = TALLY["tally"]
    options = codec.dump(tally.rules.Options(max=3, first_dealer="host"))
    table = Table(Header(1, "tally", tally.rules.VERSION, "tally", options, seal.seal_of(SECRET), "ann"), tally, secret)
    entries = []

    def then(act):
        after, _ = table.after(act)
        entries.append(Entry(after.seq, 7.5, "ann", after.body, ""))
        return after

    for act in (Seated(0, Sitter("ann")), Seated(1, Sitter("bob")), Cut(1, "seven"), Start()):
        table = then(act)
    while table.outcome is None:
        seat = next(seat for seat in (0, 1) if table.moves(seat))
        table = then(Moved(seat, codec.dump(table.moves(seat)[0])))
    table = then(Closed(secret.hex()))
    return tuple(export(table.header, entries))


def checked(rows):
    """Return the sentence about an exported log for a reader of the file."""
    try:
        return verify(*read_export("\n".join(rows)), TOYS).sentence
    except Unreadable as sentence:
        return str(sentence)


def changed(row, path, value):
    """Return the row with the field at the path set to a value, or removed if the value is `...`."""
    data = json.loads(row)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return json.dumps(data)


def fields(data, path=()):
    """Yield the path and value of every field, the outer ones too."""
    for key, value in data.items():
        yield (*path, key), value
        if isinstance(value, dict):
            yield from fields(value, (*path, key))


def test_unchanged_log_matches():
    entries = len(finished()) - 1

    assert f"Match: seal and all {entries} entries of table #1 (tally) fit." == checked(finished())


def test_log_is_read_as_it_was_exported():
    assert [*finished()] == export(*read_export("\n".join(finished())))


def differs(value, before, path):
    """Whether a field with the value `before` means something else with `value`. `...` stands for its default."""
    if value is ... and path in (("header", "rated"), ("header", "late")):
        return before not in (True, "ask")
    return before not in ("", 0, None, [], {}, "none") if value is ... else json.dumps(value) != json.dumps(before)


VALUES = st.one_of(
    st.sampled_from([..., None, True, "", "0" * 16, "KH", "Bid", "Cut", [], {}, 0, 1, 2, -1, 1.0, "1"]),
    st.integers(),
    st.text(max_size=20),
)


@settings(max_examples=300)
@given(st.data())
def test_no_field_of_any_line_can_be_changed(data):
    """`/verify` reports any changed field of any line, including the header, whatever its kind."""
    rows = [*finished()]
    line = data.draw(st.integers(0, len(rows) - 1), "line")
    path, before = data.draw(st.sampled_from([*fields(json.loads(rows[line]))]), "field")
    after = data.draw(VALUES.filter(lambda value: differs(value, before, path)), "value")
    rows[line] = changed(rows[line], path, after)
    sentence = checked(rows)

    if line and path[0] in NOTES and after is not ...:
        assert sentence.startswith("Match: ")
    elif line and line < len(rows) - 1 and (len(path) > 1 or path[0] in ("act", "told")):
        assert f"No match: entry {line} of table #1 (tally) differs from its replay." == sentence
    else:
        assert not sentence.startswith("Match: ")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("header", "options", "first_dealer"), "random"),
        (("header", "room"), "tally-2"),
        (("header", "host"), "eve"),
        (("header", "number"), 2),
        (("header", "invited"), ["eve"]),
    ],
)
def test_story_begins_with_the_header(path, value):
    """An option that no card has tested yet is part of the story too."""
    rows = [changed(finished()[0], path, value), *finished()[1:]]

    assert checked(rows).startswith("No match: entry 1 of table #")


@pytest.mark.parametrize("place", [1, 4, 9])
def test_missing_or_repeated_line_is_named_at_its_place(place):
    rows = [*finished()]
    without, twice = [*rows[:place], *rows[place + 1 :]], [*rows[: place + 1], *rows[place:]]

    assert f"No match: entry {place} of table #1 (tally) differs from its replay." == checked(without)
    assert f"No match: entry {place + 1} of table #1 (tally) differs from its replay." == checked(twice)


def test_two_swapped_lines_are_found():
    rows = [*finished()]
    rows[5], rows[6] = rows[6], rows[5]

    assert "No match: entry 5 of table #1 (tally) differs from its replay." == checked(rows)


def test_log_without_its_end_is_reported_as_open():
    assert "table #1 (tally) isn't over yet, so there is nothing to check." == checked(finished()[:-1])


def test_another_secret_does_not_fit_the_seal():
    rows = [*finished()[:-1], changed(finished()[-1], ("act", "secret"), bytes(32).hex())]

    assert "No match: the secret of table #1 (tally) doesn't match its seal." == checked(rows)


def test_game_dealt_from_another_secret_than_the_sealed_one_does_not_match():
    assert "No match: the secret of table #1 (tally) doesn't match its seal." == checked(finished(secret=bytes(32)))


def test_rules_that_are_not_installed_are_named():
    rows = [changed(finished()[0], ("header", "version"), 99), *finished()[1:]]

    assert "tally version 99 isn't installed here." == checked(rows)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "hello", "[]", "{}", "1", '"x"', "null", '{"header": 1}', "[" * 100_000, "9" * 5000, "\x00", "\ud800"],
)
def test_file_that_isnt_a_log_is_reported_as_such(text):
    with pytest.raises(Unreadable, match="this isn't an exported log"):
        read_export(text)


def test_unknown_format_of_export_is_refused():
    rows = [changed(finished()[0], ("lilygames",), 2), *finished()[1:]]

    assert checked(rows).startswith("this isn't an exported log")


async def test_open_table_is_reported_as_open(stage, table):
    assert ["table #1 (tally) isn't over yet, so there is nothing to check."] == await stage.type("ann", "/verify 1")
    assert ": it isn't over yet" in " ".join(await stage.type("ann", "/export 1"))


async def test_screens_that_people_read_can_be_checked_by_anyone(stage, table, finish):
    """`lilygames verify FILE` reads the output of `/export N`."""
    await finish()
    rows = await stage.type("bob", "/export 1")

    assert checked(rows).startswith("Match: ")


async def test_table_that_waits_for_its_rules_shows_its_log_to_nobody(stage, table, store):
    """A log that has not ended may hold one seat's secrets, whichever node serves it."""
    without = await type(stage).open({}, store=store)
    without.enter("eve")

    assert ": it isn't over yet" in " ".join(await without.type("eve", "/export 1"))


async def test_damaged_log_is_answered_with_one_sentence(stage, table, finish, store):
    await finish()
    log = store.entries["table/1"]
    log[4] = attrs.evolve(log[4], body=log[4].body.replace("Bid", "Bet"))

    assert ["No match: entry 5 of table #1 (tally) differs from its replay."] == await stage.type("ann", "/verify 1")
    assert "Refused: the log of table #1 can't be read: entry 5" in " ".join(await stage.type("ann", "/log 1"))
