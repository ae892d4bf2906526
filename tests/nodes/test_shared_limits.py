"""Limits per address count for the whole place, whatever node someone connects to."""

from __future__ import annotations

from itertools import count

import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.accounts.login_attempts import TRIES
from lilygames.chat.visits.login import guessed
from lilygames.errors import UserError
from lilygames.gametest.stage import Screen
from lilygames.limits.quota import FEEDBACK, SHARED, WRONG_FOR_NAME, registering
from lilygames.nodes.shared_limits import TOPIC
from lilygames.text import Voice


async def guess(stage, name, *, right=False):
    async def fits():
        return right

    return await guessed(stage.host, Screen(Voice()), name, fits)


async def test_wrong_passwords_at_all_nodes_block_an_address(two, quiet):
    for number in range(TRIES + 1):
        await guess(two[number % 2], f"name{number}")
        await quiet(*two)
    for stage in two:
        with pytest.raises(UserError, match="too many wrong passwords"):
            await guess(stage, "another")


async def test_wrong_password_is_counted_once_at_each_node(two, quiet):
    await guess(two[0], "bob")
    await quiet(*two)

    assert [1, 1] == [stage.host.login_attempts.number("address", "stage") for stage in two]


async def test_name_is_tried_without_delay_after_its_owner_logged_in_at_another_node(two, quiet):
    here, there = two
    for number in range(WRONG_FOR_NAME.limits[0].most + 1):
        there.host.login_attempts.wrong(f"address{number}", "bob")
    before = there.host.login_attempts.delay("bob")
    await guess(here, "Bob", right=True)
    await quiet(*two)

    assert (0.5, 0) == (before, there.host.login_attempts.delay("bob"))


async def test_right_password_does_not_count_for_the_address(two, quiet):
    await guess(two[0], "bob", right=True)
    await quiet(*two)

    assert [0, 0] == [stage.host.login_attempts.number("address", "stage") for stage in two]


@pytest.mark.parametrize("quota", [registering(20), *SHARED], ids=lambda quota: quota.name)
async def test_tries_at_all_nodes_use_up_a_limit(two, quiet, quota):
    here, there = [stage.host.quotas for stage in two]
    for number in count():
        if (here, there)[number % 2].take(quota, here.at("stage")):
            break
        await quiet(*two)

    assert quota.limits[0].most == number
    assert [True, True] == [quotas.is_used_up(quota, here.at("stage")) for quotas in (here, there)]
    assert [False, False] == [quotas.is_used_up(quota, here.at("elsewhere")) for quotas in (here, there)]


async def test_feedback_at_all_nodes_uses_up_its_limit(two, quiet):
    people = [*zip(two, ("ann", "bob"), strict=True)]
    for stage, name in people:
        stage.enter(name)
    answers = []
    for number in range(FEEDBACK.limits[0].most + 1):
        stage, name = people[number % 2]
        answers.append("\n".join(await stage.type(name, "/feedback It works.")))
        await quiet(*two)

    assert [False] * FEEDBACK.limits[0].most + [True] == ["Refused: you can send" in answer for answer in answers]


async def test_node_goes_on_after_a_hint_that_cannot_be_read(two, quiet):
    here, there = two
    bus = here.node._bus
    assert isinstance(bus, LocalBus)
    for broken in (b"{", b"[]", b'{"limit": "no such", "address": "stage"}'):
        await bus.publish(TOPIC, broken)
    await guess(here, "bob")
    await quiet(*two)

    assert 1 == there.host.login_attempts.number("address", "stage")


async def test_tables_of_an_address_count_at_all_nodes(two, quiet):
    """Someone who is refused at one node isn't let in at the next."""
    refused = []
    for number in range(26):
        stage = two[number % 2]
        stage.enter(f"Dan{number}")
        refused.append("\n".join(await stage.type(f"Dan{number}", "/new tally max=3")))
        await quiet(*two)

    assert [False] * 24 + [True] * 2 == ["24 tables from your address are waiting" in rows for rows in refused]


async def test_rooms_of_an_address_count_at_all_nodes(two, quiet):
    refused = []
    for number in range(14):
        stage, name = two[number % 2], f"Dan{'abcdefghkmnprs'[number]}"
        stage.enter(name)
        refused.append(" ".join(" ".join(await stage.type(name, f"/create {name}s")).split()))
        await quiet(*two)

    assert [False] * 12 + [True] * 2 == ["12 rooms were opened from your address" in rows for rows in refused]


async def test_tables_of_a_person_count_at_all_nodes(two, quiet):
    here, there = two
    here.enter("Ann")
    for _ in range(4):
        await here.type("Ann", "/new tally max=3")
    await quiet(*two)
    here.drop("Ann")
    there.enter("Ann")
    await quiet(*two)

    assert "you already have 4 tables waiting" in "\n".join(await there.type("Ann", "/new tally max=3"))
