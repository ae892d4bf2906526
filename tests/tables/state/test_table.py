"""A table is the fold of its log, and the fold is pure."""

import json

import attrs
import pytest

from lilygames import codec
from lilygames.store import Entry
from lilygames.tables.log.acts import Body, Closed, Cut, Header, Moved, Seated, Sitter, Start
from lilygames.tables.seal import seal
from lilygames.tables.state.table import Diverged, Table
from lilygames_rules.kit import Refused

SECRET = bytes(32)
ACTS = [
    Seated(0, Sitter("ann")),
    Seated(1, Sitter("bob")),
    Cut(1, "seven"),
    Start(),
    Moved(1, {"is": "Bid", "tricks": 0}),
    Moved(0, {"is": "Bid", "tricks": 0}),
]


@pytest.fixture
def begun(tally):
    """A table without players."""
    options = codec.dump(tally["tally"].rules.Options(max=3, first_dealer="host"))
    header = Header(1, "tally", 1, "tally", options, seal.seal_of(SECRET), "ann")
    return Table(header, tally["tally"], SECRET)


def told(table, acts):
    """Return the tables after each action, and the entries that record it."""
    tables, entries = [table], []
    for act in acts:
        after, _ = tables[-1].after(act)
        entries.append(Entry(after.seq, 0.0, "x", after.body, ""))
        tables.append(after)
    return tables, entries


def replayed(table, entries):
    for entry in entries:
        table, _ = table.read(entry)
    return table


def test_log_read_again_gives_the_same_table(begun):
    """Crash recovery is replay."""
    tables, entries = told(begun, ACTS)

    for length in range(len(entries) + 1):
        assert tables[length] == replayed(begun, entries[:length])


def test_refusal_changes_nothing(begun):
    table = told(begun, ACTS)[0][-1]
    before = attrs.evolve(table)

    with pytest.raises(Refused):
        table.after(Moved(0, {"is": "Bid", "tricks": 1}))
    assert before == table


@pytest.mark.parametrize("act", [Seated(1, None), Seated(2, Sitter("cat")), Cut(0, "x"), Start()])
def test_seats_cuts_and_start_are_fixed_after_the_first_card(begun, act):
    table = told(begun, ACTS[:4])[0][-1]

    with pytest.raises(Refused):
        table.after(act)


def test_finished_table_accepts_nothing(begun):
    table = told(begun, [*ACTS, Closed(SECRET.hex())])[0][-1]

    with pytest.raises(Refused):
        table.after(Moved(1, {"is": "Play", "card": "2C"}))


def test_player_who_leaves_before_the_start_leaves_no_gap(begun):
    table = told(begun, [*ACTS[:2], Seated(0, None)])[0][-1]

    assert (Sitter("bob"),) == table.seats


def test_seat_changes_hands_in_mid_game(begun):
    table = told(begun, [*ACTS, Seated(0, Sitter("Ada", "novice"))])[0][-1]

    assert (Sitter("Ada", "novice"), Sitter("bob")) == table.seats


def test_secret_shows_in_no_entry_and_in_no_text(begun):
    """The seal's secret never appears before the end."""
    tables, entries = told(attrs.evolve(begun, secret=bytes(range(32))), ACTS)

    for shown in [repr(tables[-1]), codec.to_text(tables[-1].header), *(entry.body for entry in entries)]:
        assert bytes(range(32)).hex() not in shown


def tampered(body, path, value):
    data = json.loads(body)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return json.dumps(data)


@pytest.mark.parametrize(
    ("place", "path", "value"),
    [
        (0, ("act", "who", "name"), "eve"),
        (1, ("act", "seat"), 0),
        (2, ("act", "word"), "eight"),
        (3, ("told",), "0" * 16),
        (4, ("act", "move", "tricks"), 1),
        (5, ("act", "seat"), 1),
    ],
)
def test_any_change_in_a_log_is_found_at_its_entry(begun, place, path, value):
    """`/verify` reports a match, or the first entry that differs."""
    entries = told(begun, ACTS)[1]
    entries[place] = attrs.evolve(entries[place], body=tampered(entries[place].body, path, value))

    with pytest.raises(Diverged) as difference:
        replayed(begun, entries)
    assert place + 1 == difference.value.seq


def test_missing_entry_is_found(begun):
    entries = told(begun, ACTS)[1]

    with pytest.raises(Diverged) as difference:
        replayed(begun, [*entries[:2], *entries[3:]])
    assert 3 == difference.value.seq


def test_body_is_read_as_it_was_written(begun):
    after, _ = begun.after(ACTS[0])

    assert Body(ACTS[0], after.told) == codec.from_text(after.body, Body)
