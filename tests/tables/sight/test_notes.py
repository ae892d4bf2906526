"""Notes are private: kept with the seat, shown with the hand, and seen by nobody else."""

import pytest

from lilygames.gametest.stage import Stage
from tests.schemas import misfits


async def test_note_is_shown_below_the_hand(stage, table):
    await stage.type("ann", "/note KH bob wants it")

    assert "Note on KH: bob wants it" in await stage.type("ann", "/hand")


async def test_note_is_seen_by_nobody_else(stage, table):
    await stage.type("ann", "/note KH bob wants it")

    assert "wants it" not in " ".join([*await stage.type("bob", "/hand"), *await stage.type("bob", "/note")])


async def test_note_without_text_deletes_it(stage, table):
    await stage.type("ann", "/note KH bob wants it")
    await stage.type("ann", "/note KH")

    assert await stage.type("ann", "/note") == ["You don't have any notes. Type /note CARD TEXT to write one."]


async def test_notes_survive_a_restart(stage, table, store, tally):
    await stage.type("ann", "/note KH bob wants it")
    again = await Stage.open(tally, store=store)
    again.enter("ann")

    assert await again.type("ann", "/note") == ["Note on KH: bob wants it"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/note KH", "Refused: you don't have a note on KH. Type /note KH TEXT to write one."),
        ("/note x \x1b[2Jbob bids 9", "Note on x: bob bids 9"),
        (f"/note x {'long ' * 100}", "Note on x: long long"),
    ],
)
async def test_note_is_short_and_clean(stage, table, line, said):
    assert (await stage.type("ann", line))[0].startswith(said)


async def test_only_a_seat_has_notes(stage, table):
    stage.enter("cat")
    await stage.type("cat", "/watch tally")

    assert "Refused: you need a seat at tally" in (await stage.type("cat", "/note x y"))[0]


def packets(stage, name):
    return [packet.value for packet in stage.screens[name].packets if packet.name == "notes"]


async def test_page_gets_its_own_notes_as_soon_as_they_change(stage, table):
    for name in ("ann", "bob"):
        stage.screens[name].takes_packets = stage.screens[name].page = True
    await stage.type("ann", "/note KH bob wants it")
    await stage.type("ann", "/note KH")

    assert [{"number": 1, "notes": {"KH": "bob wants it"}}, {"number": 1, "notes": {}}] == packets(stage, "ann")
    assert [] == packets(stage, "bob")


async def test_program_gets_its_own_notes_alone(stage, table):
    for name in ("ann", "bob"):
        stage.screens[name].takes_packets = True
    await stage.type("ann", "/note KH bob wants it")
    await stage.type("ann", "/get:notes 1")
    await stage.type("bob", "/get:notes 1")

    assert [{"number": 1, "notes": {"KH": "bob wants it"}}] == packets(stage, "ann")
    assert [{"number": 1, "notes": {}}] == packets(stage, "bob")
    assert [] == [
        fault for name in ("ann", "bob") for value in packets(stage, name) for fault in misfits({"notes": value})
    ]


async def test_program_without_a_seat_gets_no_notes(stage, table):
    stage.enter("cat").takes_packets = True

    assert ["Refused: you need a seat at tally to take notes. Type /sit to take one."] == await stage.type(
        "cat", "/get:notes 1"
    )
