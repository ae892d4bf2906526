"""`/preset save friday tally max=3 bob`, then `/new friday`: a saved table, opened again and again."""

import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.seeks.presets import LONGEST, MOST
from tests.toys import TALLY


async def said(stage, name, line):
    """Return the answer that `name` gets, as one row."""
    return " ".join(row.strip().removeprefix("- ") for row in await stage.type(name, line))


async def test_saved_table_is_opened_by_its_name(stage):
    await stage.type("ann", "/preset save Friday tally max=3 clock=60 bob")
    await stage.type("ann", "/new friday")
    table = stage.table(1).table

    assert (3, "1 minute per move", ("bob",)) == (table.options.max, table.header.clock.said, table.header.invited)


async def test_further_words_are_added_to_a_preset(stage):
    stage.enter("cat")
    await stage.type("ann", "/preset save friday tally max=3 bob")
    await stage.type("ann", "/new friday max=5 cat")

    assert (5, ("bob", "cat")) == (stage.table(1).table.options.max, stage.table(1).table.header.invited)


async def test_presets_are_listed_and_deleted(stage):
    await stage.type("ann", "/preset save friday tally max=3 bob")

    assert "friday: tally max=3 bob" == await said(stage, "ann", "/preset")
    assert "(you deleted the preset friday)" == await said(stage, "ann", "/preset forget FRIDAY")
    assert (await said(stage, "ann", "/preset")).startswith("(you don't have any presets")
    assert "there is no game called “friday”" in await said(stage, "ann", "/new friday")


async def test_presets_survive_a_restart_and_belong_to_their_owner(stage, store):
    await stage.type("ann", "/preset save friday tally max=3")
    after = await Stage.open(TALLY, store=store)
    for name in ("ann", "bob"):
        after.enter(name)

    assert "there is no game called" in await said(after, "bob", "/new friday")
    await after.type("ann", "/new friday")
    assert 3 == after.table(1).table.options.max


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("/preset save friday bridge", "there is no game called “bridge”"),
        ("/preset save friday tally hue=red", "Tally has no option “hue”"),
        ("/preset save friday tally nobody", "nobody is called “nobody”"),
        ("/preset save tally tally max=3", "“tally” is the name of a game"),
        ("/preset save 2nd tally", "a preset's name has 1 to 16 letters"),
        ("/preset save friday", "type /preset to list"),
        ("/preset forget friday", "you don't have a preset “friday”"),
        ("/preset fold", "type /preset to list"),
    ],
)
async def test_invalid_preset_is_refused_with_a_hint(stage, line, answer):
    assert f"Refused: {answer}" in await said(stage, "ann", line)
    assert {} == await stage.tables.presets.of("ann")


async def test_guest_is_told_to_register(stage):
    stage.people["bob"].guest = True

    assert "/register" in await said(stage, "bob", "/preset save friday tally")


async def test_number_and_length_of_presets_are_limited(stage):
    await stage.tables.presets.keep("ann", {f"p{number}": "tally" for number in range(MOST)})

    assert f"you already have {MOST} presets" in await said(stage, "ann", "/preset save one tally")
    assert "(saved:" in await said(stage, "ann", "/preset save p1 tally max=3")
    await stage.tables.presets.keep("ann", {})
    assert f"can have {LONGEST} characters" in await said(stage, "ann", f"/preset save one tally {'max=3 ' * 40}")
