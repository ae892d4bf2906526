"""All packets of one step carry one log entry, also while bots' moves wait to be told in one row."""

import json

import pytest

from lilygames.gametest.stage import Stage
from tests.tables.callers import Caller
from tests.toys import ALL

OF_A_STEP = ("Lily.Event", "Lily.Table", "Lily.View", "Lily.Hand", "Lily.Moves", "Lily.Turn")


async def heard(game, name, moves=12):
    """Return what Bob's client gets by GMCP in a game with three bots, message by message."""
    stage = await Stage.open({game: ALL[game]}, seed=game)
    bob = Caller(stage, name, program=False, guest=True)
    await bob.hears('Core.Supports.Set ["Lily 1"]')
    await bob.types(f"/quick {game} seats=4\n")
    for _ in range(moves):
        await bob.types("")
        if words := [word for table in bob.person.seats for word in table.words(bob.person)]:
            await bob.types(f"{words[0]}\n")
    split = [message.partition(" ") for message in bob.told()]
    return [(package, json.loads(body)) for package, _, body in split if package in OF_A_STEP]


@pytest.mark.parametrize("game", sorted({"ohell", "wizard", "tally"} & ALL.keys()))
async def test_packets_of_a_step_carry_one_seq(game):
    steps, now = [], {}
    for package, value in await heard(game, "Bob"):
        if package in now or (package == "Lily.Event" and "Lily.Table" in now):
            steps.append(now)
            now = {}
        if package != "Lily.Event":
            now[package] = value["seq"]
    waited = [step for step in steps if len({*step.values()}) > 1]

    assert 10 < len(steps)
    assert [] == waited


async def test_turn_is_in_words_when_there_are_moves_and_else_null():
    told = await heard("ohell", "Bob")
    moves = [value["turn"] for package, value in told if package == "Lily.Moves"]
    asked = [value["ask"] for package, value in told if package == "Lily.Turn"]
    pairs = [*zip(moves, asked, strict=True)]

    assert {True, False} == {turn for turn, _ in pairs}
    assert [turn for turn, _ in pairs] == [ask is not None for _, ask in pairs]
    assert "How many tricks will you take?" in {ask["question"] for _, ask in pairs if ask}


async def test_client_that_wants_no_turns_gets_none():
    stage = await Stage.open({"ohell": ALL["ohell"]}, seed="ohell")
    bob = Caller(stage, "Bob", program=False, guest=True)
    await bob.hears('Core.Supports.Set ["Lily.Moves 1"]')
    await bob.types("/quick ohell seats=4\n")

    assert {"Lily.Moves"} == {message.partition(" ")[0] for message in bob.told()}


async def test_table_says_which_entry_was_told_last_if_later_ones_wait():
    tables = [value for package, value in await heard("ohell", "Bob") if package == "Lily.Table"]
    waiting = [table for table in tables if "told" in table]

    assert waiting
    assert all(table["told"] < table["seq"] for table in waiting)
