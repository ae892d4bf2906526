"""Deleted accounts: the name is nowhere any more, games still verify, and what others have stays."""

import re
from pathlib import Path

import pytest

import lilygames
from lilygames.errors import UserError
from lilygames.privacy.personal_data import LOGS, RECORDS
from tests.privacy.conftest import ALSO_GONE, DAY, FORMERLY, GONE, bytes_with, opened, rows_with

PACKAGE = Path(lilygames.__file__).parent
LISTS = (
    *("/standings tally", "/rank tally month", "/tournament 1", "/ladder tally", "/match", "/match 1", "/friends"),
    *("/stats tally", "/events", "/rooms", "/who", "/review lobby 100", "/review me 100", "/preset", "/daily tally"),
    *("/what attic", "/log 1", "/log 2", "/replay 1 3", "/export 1", "/simul", "/notify", "/group", "/block", "/next"),
)
"""Commands whose answers name people."""


@pytest.fixture
async def deleted(evening):
    """The evening after Quuxbert was deleted."""
    await evening.stage.deletions.delete(GONE)
    return evening


async def test_every_kind_of_record_and_log_is_listed(evening):
    """Someone who adds a kind says what of a person is in it."""
    kinds = {row[0] for row in await evening.store._read(lambda db: db.execute("SELECT kind FROM record").fetchall())}
    logs = {row[0] for row in await evening.store._read(lambda db: db.execute("SELECT name FROM log").fetchall())}
    records, names = {kind.name for kind in RECORDS}, {kind.name for kind in LOGS}

    assert [] == sorted(kind for kind in kinds if kind not in records and f"{kind.partition('/')[0]}/" not in records)
    assert [] == sorted(log for log in logs if log not in names and f"{log.partition('/')[0]}/" not in names)


def test_every_kind_of_records_in_the_code_is_listed():
    constant = re.compile(r'^_?(?:KIND|RECORD|ROLE)\w* = "([a-z-]+)"$', re.MULTILINE)
    kinds = {kind for file in PACKAGE.rglob("*.py") for kind in constant.findall(file.read_text("utf-8"))}

    assert len(kinds) > 10
    assert [] == sorted(kinds - {one.name for one in RECORDS})


async def test_role_goes_with_the_account(evening):
    host = evening.stage.host
    assert "moderator" == evening.stage.desk.roles.of(GONE)
    await evening.stage.deletions.delete(GONE)
    evening.clock.now += 366 * DAY
    await host.accounts.create(GONE, "plums and pears", guest=False)

    assert "" == evening.stage.desk.roles.of(GONE)


async def test_record_of_someone_who_has_detached_goes_with_the_account(evening):
    await evening.enter(GONE)
    await evening.type(GONE, "/detach")
    assert [evening.stage.accounts.key(GONE)] == [*await evening.store.every("detached")]
    await evening.stage.deletions.delete(GONE)

    assert {} == await evening.store.every("detached")


async def test_evening_leaves_the_name_in_almost_every_kind(evening, folder):
    """Otherwise the next test would prove little."""
    await evening.stop()
    kinds = {row[0].partition("/")[0] for row in rows_with(folder, GONE, FORMERLY)}
    listed = {kind.name.partition("/")[0] for kind in (*RECORDS, *LOGS) if kind.holds and not kind.stays}

    elsewhere = {
        "claim",
        "detached",
        "here",
        "listed",
        "motd",
        "open",
        "purse",
        "sysop-claim",
        "ranking",
        "simul",
        "tournament-ban",
        "unregister",
    }

    assert elsewhere | {"table", "tables", "duplicate", "recap"} >= listed - kinds


async def test_name_is_nowhere_in_the_data_folder(deleted):
    await deleted.stop()

    assert [] == rows_with(deleted.folder, GONE, FORMERLY)
    assert [] == bytes_with(deleted.folder, GONE, FORMERLY)


async def test_nothing_that_others_can_type_shows_the_name(deleted):
    for name in ("ann", "bob"):
        for line in LISTS:
            told = await deleted.told(name, line)
            assert not re.search(f"{GONE}|{FORMERLY}", told, re.IGNORECASE), (line, told)


async def test_nobody_sees_the_name_after_a_restart_either(deleted):
    await deleted.stop()
    again = await opened(deleted.folder, deleted.clock)
    await again.enter("ann")
    for line in LISTS:
        told = await again.told("ann", line)
        assert not re.search(f"{GONE}|{FORMERLY}", told, re.IGNORECASE), (line, told)
    await again.stop()


async def test_finished_games_are_replayed_and_verified(deleted):
    for number in (1, 2):
        assert (await deleted.told("ann", f"/verify {number}")).startswith("Match: ")
        assert "former player" in await deleted.told("ann", f"/log {number}")
    assert "Replay 1, step 2 of" in await deleted.told("ann", "/replay 1 2")


@pytest.fixture
async def joined(evening):
    """A game that Quuxbert had joined at ann's table, neither as its host nor invited, after Quuxbert was deleted."""
    await evening.enter(GONE)
    await evening.type("ann", "/new tally max=3 first-dealer=host")
    number = max(evening.stage.open_tables)
    await evening.type("bob", f"/sit {number}")
    await evening.type(GONE, f"/sit {number}")
    await evening.type("ann", f"/at {number} start")
    await evening.play(number)
    await evening.stage.deletions.delete(GONE)
    return evening, number


async def test_finished_games_of_a_deleted_person_still_count_for_others(joined):
    """Totals that did not exist yet, and ratings after a change of the model, are made from these games."""
    evening, number = joined
    for one in (1, 2, number):
        table, _ = await evening.stage.tables.finished.replayed(one)

        assert ("former player" in table.names, table.closed) == (True, True)


async def test_two_deleted_people_can_be_told_apart(deleted):
    await deleted.stage.deletions.delete(ALSO_GONE)
    log = await deleted.told("ann", "/log 1")
    tournament = await deleted.stage.director.store.find(2)

    assert {"former player", "former player 2"} <= {*re.findall(r"former player(?: \d)?", log)}
    assert {"former player 1", "former player 2", "ann", "bob"} == {*tournament.players}
    assert (await deleted.told("ann", "/verify 1")).startswith("Match: ")


async def test_memory_of_bots_is_exported_and_deleted(evening):
    await evening.enter(GONE)
    await evening.type(GONE, "/set memory on")
    evening.stage.people[GONE].update_profile(reputations={"ohell Ada over": (2, 1)})
    await evening.type(GONE, "/blurb remembered")
    await evening.stage.kept()
    exported = [row async for row in evening.stage.deletions.personal.rows(GONE)]
    stored = rows_with(evening.folder, "ohell Ada over")
    await evening.stage.deletions.delete(GONE)

    assert 1 == len(stored)
    assert any("ohell Ada over" in row for row in exported)
    assert [] == rows_with(evening.folder, "ohell Ada over")


async def test_results_of_others_stay(evening):
    ratings = evening.stage.tables.results.ratings
    await ratings.read_of("ann", "bob")
    before = {name: (ratings.of(name), await evening.told(name, "/played")) for name in ("ann", "bob")}
    await evening.stage.deletions.delete(GONE)
    after = {name: (ratings.of(name), await evening.told(name, "/played")) for name in ("ann", "bob")}

    for name in ("ann", "bob"):
        assert before[name][1] == after[name][1]
        assert [(one.mu, one.games) for one in before[name][0].values()] == [
            (one.mu, one.games) for one in after[name][0].values()
        ]
    assert "former player 1" in str(after["ann"][0])


async def test_points_of_a_team_match_stay(evening):
    before = await evening.told("ann", "/match 1")
    await evening.stage.deletions.delete(GONE)
    after = await evening.told("ann", "/match 1")

    assert re.findall(r"\d+", before.replace(GONE, "")) == re.findall(r"\d+", after.replace("former player 1", ""))
    assert re.search(f"{ALSO_GONE} +[0-9]+ *- *[0-9]+|[0-9]", before)


async def test_rooms_close_and_rights_go(deleted):
    rooms = deleted.stage.rooms

    assert "cellar" not in rooms
    assert frozenset() == rooms["attic"].charter.permitted | rooms["attic"].charter.moderators
    assert (frozenset(), {}) == (rooms["loft"].charter.barred, rooms["loft"].charter.until)
    assert {"attic", "loft"} == {*await deleted.store.every("discussion")}


async def test_friends_groups_and_rules_of_others_lose_the_person(deleted):
    ann, bob = (deleted.stage.people[name].profile for name in ("ann", "bob"))

    assert ((), {"pals": ("~bob",)}) == (ann.friends, ann.groups)
    assert ((), {}) == (bob.blocked, {sense: rules for sense, rules in bob.noise.items() if rules})


async def test_messages_of_others_to_others_stay(deleted):
    told = await deleted.told("bob", "/review me 100")

    assert "to you two" in told
    assert "to both of you" not in told


async def test_deleted_account_cannot_log_in(deleted):
    assert await deleted.stage.accounts.get(GONE) is None
    assert GONE.casefold() not in deleted.stage.accounts.names


@pytest.mark.parametrize("name", [GONE, GONE.upper(), FORMERLY, "Quuxber-t", "Zwacke1"])
async def test_name_and_those_that_look_like_it_are_reserved_for_a_year(deleted, name):
    host = deleted.stage.host
    with pytest.raises(UserError, match="reserved name"):
        host.check_allowed(name)
    deleted.clock.now += 366 * DAY
    host.check_allowed(name)


async def test_name_is_reserved_after_a_restart(deleted):
    await deleted.stop()
    again = await opened(deleted.folder, deleted.clock)
    with pytest.raises(UserError, match="reserved name"):
        again.stage.host.check_allowed(GONE)
    await again.stop()


async def test_new_owner_of_a_deleted_name_inherits_nothing(deleted):
    deleted.clock.now += 366 * DAY
    await deleted.enter(GONE)
    await deleted.stage.look("deletions")

    assert "haven't finished a game" in await deleted.told(GONE, "/played")
    assert (await deleted.stage.host.owned(GONE)).memos == {}
    account = await deleted.stage.accounts.get(GONE)
    assert account.key not in (GONE.casefold(), FORMERLY.casefold())


async def test_someone_who_is_here_is_disconnected(evening):
    screen = await evening.enter(GONE)
    await evening.stage.deletions.delete(GONE)

    assert screen.closed
    assert "(Your account was deleted, so you're disconnected.)" in screen.rows
    assert GONE.casefold() not in evening.stage.host.people


async def test_seat_at_a_table_refuses_a_deletion(evening):
    await evening.enter(GONE)
    await evening.type(GONE, "/new tally max=3")

    with pytest.raises(UserError, match="Quuxbert has a seat at a table"):
        await evening.stage.deletions.delete(GONE)
    assert "has a seat at a table" in await evening.told(GONE, "/unregister yes")


async def test_tournament_that_is_not_over_refuses_a_deletion(evening):
    await evening.enter(GONE)
    await evening.type("ann", "/tournament new tally swiss rounds=1 seats=4 max=3 start=in_30m")
    await evening.type(GONE, "/tournament join")

    with pytest.raises(UserError, match=r"isn't over, and Quuxbert is in it"):
        await evening.stage.deletions.delete(GONE)


async def test_unknown_names_and_guests_are_refused(evening):
    for name in ("nobody2", "guest3"):
        with pytest.raises(UserError, match=f"there's no account called {name}"):
            await evening.stage.deletions.delete(name)
