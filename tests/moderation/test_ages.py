"""Old reports, actions and addresses are deleted, and what is in force stays."""

import time

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.moderation.actions import Standing
from lilygames.moderation.ages import ModerationAges
from tests.moderation.conftest import FORMERLY
from tests.moderation.test_reports import sent


async def test_decided_reports_are_deleted_and_waiting_ones_stay(says, store, clock):
    await says("Mo", f"/reports {await sent(says)} acted Warned.")
    await sent(says, "/report cat rude")

    assert 0 == await ModerationAges(store).forget_reports(clock())
    assert 1 == await ModerationAges(store).forget_reports(clock() + 1)
    assert ({}, 1) == (await store.every("report-closed"), len(await store.every("report")))


async def test_old_actions_are_deleted_from_the_audit_log(stage, says, store):
    await says("Mo", "/mute bob 1d spam")

    assert 3 == await ModerationAges(store).forget_audit(time.time() + 10)
    assert "(nothing was decided)" == await says("whammy", "/audit")
    assert "you're muted" in await says("Bob", "hello")
    await says("Mo", "/warn cat rude")
    assert "Mo warned Cat" in await says("whammy", "/audit")


async def test_addresses_are_deleted_after_the_sanction_has_ended(stage, says, store, clock):
    await says("Mo", "/mute bob 1h spam")
    assert 0 == await ModerationAges(store).forget_addresses(clock())
    assert 1 == await ModerationAges(store).forget_addresses(max(clock() + 4000, time.time() + 10))
    standing = codec.from_text(await store.find("standing", fold(FORMERLY["Bob"])), Standing)

    assert ((), ()) == (standing.mute.addresses, standing.actions[-1].addresses)
    assert all("192.0.2" not in entry.body for entry in (await store.read("audit")).entries)
