"""People of other nodes: what a node learns of them, and what that costs it."""

from __future__ import annotations

import pytest

from lilygames.chat.visits.arrivals import arrive, depart
from lilygames.gametest.stage import Screen
from lilygames.nodes.presence import roster
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.text import Voice


class ReadStore(MemoryStore):
    """A store that records which kinds of records are read one by one."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.refuses = 0
        """Records of people that it will refuse to write."""

    async def keep(self, kind, key, body):
        if kind == roster.KIND and self.refuses:
            self.refuses -= 1
            raise StoreUnavailable("not now")
        await super().keep(kind, key, body)

    async def find(self, kind, key):
        self.found.append(kind)
        return await super().find(kind, key)


@pytest.fixture
def store():
    return ReadStore()


async def test_node_reads_nothing_when_someone_logs_in_at_another(two, quiet, store):
    """The announcement says all that is known of them."""
    here, there = two
    store.found.clear()
    here.enter("ann")
    await quiet(*two)

    assert [] == store.found
    assert "ann" in there.host.people


async def test_blurb_is_known_at_other_nodes_from_the_login_on(two, quiet):
    here, there = two
    await here.come("ann")
    await here.type("ann", "/blurb deal me in")
    here.drop("ann")
    await quiet(*two)
    await here.come("ann")
    await quiet(*two)

    assert "deal me in" == there.host.people["ann"].profile.blurb


async def test_new_blurb_of_a_renamed_person_is_known_at_other_nodes(two, quiet):
    here, there = two
    await here.come("ann")
    await here.type("ann", "/rename anna")
    await quiet(*two)
    await here.type("ann", "/blurb deal me in")
    await quiet(*two)

    assert {"anna": "deal me in"} == {one.name: one.profile.blurb for one in there.host.people.values()}


async def test_node_reads_nothing_when_someone_at_another_changes_their_profile_or_logs_out(two, quiet, store):
    """The announcement says what the profile is, and that of someone who has left concerns nobody."""
    here, there = two
    await here.come("ann")
    await quiet(*two)
    store.found.clear()
    await here.type("ann", "/blurb deal me in")
    await quiet(*two)
    blurb = there.host.people["ann"].profile.blurb
    here.drop("ann")
    await quiet(*two)

    assert ("deal me in", []) == (blurb, store.found)


async def test_profile_is_announced_again_after_the_store_was_away(two, quiet, store, monkeypatch):
    here, there = two
    await here.come("ann")
    await quiet(*two)
    monkeypatch.setattr(roster, "RETRY", 0)
    store.refuses = 2
    await here.type("ann", "/blurb deal me in")
    await quiet(*two)

    assert "deal me in" == there.host.people["ann"].profile.blurb


async def test_nothing_is_kept_of_a_guest_of_another_node_who_has_left(two, quiet):
    """Neither of one known in full, nor of one who shared no room with anybody here."""
    here, there = two
    here.enter("ann")
    await quiet(*two)
    there.enter("eve")
    for name in ("gus", "gil"):
        here.accounts.hold(name)
        here.people[name] = arrive(here.host, Screen(Voice()), name, guest=True)
        await quiet(*two)
        assert there.accounts.is_known(name)
        depart(here.host, here.people[name])
        await quiet(*two)
        there.drop("eve")
        assert not there.accounts.is_known(name)


async def test_former_name_of_someone_at_another_node_still_leads_to_them_after_they_left(two, quiet):
    here, there = two
    here.enter("ann")
    await here.create_account("ann", "a long password")
    await quiet(*two)
    await here.type("ann", "/rename anna")
    await quiet(*two)
    here.drop("ann")
    await quiet(*two)

    assert "anna" == there.accounts.now("ann")


@pytest.mark.parametrize("how", ["set", "reader"])
async def test_other_nodes_know_who_needs_longer(two, quiet, how):
    """So a bot takes the turn of someone at another node after twice the time there, too."""
    here, there = two
    screen = here.enter("Olga")
    there.enter("Bob")
    await quiet(*two)
    await there.type("Bob", "/new tally max=3 Olga")
    await quiet(*two)
    await here.type("Olga", "/sit")
    await quiet(*two)
    assert not there.host.people["olga"].needs_longer

    if how == "set":
        await here.type("Olga", "/set slow on")
    else:
        screen.set_voice(Voice(spoken=True))
    here.node.roster.glance()
    await quiet(*two)
    assert there.host.people["olga"].needs_longer
    (bot,) = there.open_tables.values()
    (olga,) = [who for who in bot.table.seats.people if who.name == "Olga"]
    assert bot.publisher.needs_longer(olga)

    screen.set_voice(Voice())
    await here.type("Olga", "/set slow off")
    here.node.roster.glance()
    await quiet(*two)
    assert not there.host.people["olga"].needs_longer


async def test_people_who_have_detached_from_another_node_are_listed_until_they_are_back(two, quiet):
    here, there = two
    await here.create_account("Dan", "green apples fall")
    for name in ("Dan", "Eve"):
        here.enter(name)
    there.enter("Ann")
    await quiet(*two)
    await here.type("Dan", "/detach")
    await quiet(*two)
    rows = await there.type("Ann", "/who")
    assert ["Dan"] == [row.split()[0] for row in rows if row.endswith("detach")]

    there.enter("Dan")
    await quiet(*two)
    assert [[], []] == [
        [row for row in await stage.type(name, "/who") if row.endswith("detach")]
        for stage, name in ((here, "Eve"), (there, "Ann"))
    ]
