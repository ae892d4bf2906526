"""An unreadable record is logged with a case number and skipped: nobody else is affected, and it isn't lost."""

import json

import attrs
import pytest
from structlog.testing import capture_logs

from lilygames import codec
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.server.place.place import furnish
from lilygames.store import Draft, Entry
from lilygames.tables.results.results import Played
from lilygames.tables.seeks.vacation import Vacation
from tests.toys import TALLY

BROKEN = ["", "{", "[]", "null", '{"name": "whammy"}', '{"name": 3, "digest": "x", "guest": false}', b"\xff\xfe"]


@pytest.fixture
async def visited(store, typist):
    """Return a function that opens a place over the store and types these lines at it, and gives place and rows."""

    async def come(*lines):
        place = await furnish(store, SETTINGS, TALLY)
        terminal = typist(*lines, None)
        await visit(place.host, place.dispatcher, terminal)
        return place, " ".join(terminal.rows)

    return come


@pytest.fixture
async def whammy(visited, store):
    """The valid record of whammy's account."""
    place, _ = await visited("whammy", "correct horse", "correct horse")
    await place.host.profiles.finish()
    return store.records["account"]["whammy"]


def reported(logged):
    """Return the records that the log names as unreadable."""
    return [(entry["kind"], entry["key"], entry["case"]) for entry in logged if "cannot be read" in entry["event"]]


@pytest.mark.parametrize("body", BROKEN)
async def test_unreadable_account_is_reported_and_its_owner_told(visited, whammy, store, body):
    store.records["account"]["whammy"] = body
    with capture_logs() as logged:
        _, rows = await visited("whammy correct horse")

    ((kind, key, case),) = reported(logged)
    assert ("account", "whammy") == (kind, key)
    assert f"(case {case})" in rows
    assert "correct horse" not in str(logged)
    assert body == store.records["account"]["whammy"]


async def test_password_typed_for_an_unreadable_account_becomes_no_name(visited, whammy, store):
    store.records["account"]["whammy"] = "{"
    _, rows = await visited("whammy", "correcthorse")

    assert "password: " in rows
    assert "correcthorse" not in rows


@pytest.mark.parametrize("name", ["whammy", "Whammy", "vvhammy"])
async def test_name_of_an_unreadable_account_stays_reserved(visited, whammy, store, name):
    store.records["account"]["whammy"] = "{"
    place, rows = await visited(name, "other horse", "other horse")

    assert "You're in the lobby" not in rows
    assert ["whammy"] == [*store.records["account"]]
    assert place.host.accounts.is_known("whammy")


async def test_others_log_in_beside_an_unreadable_account(visited, whammy, store):
    await visited("fred", "another horse", "another horse")
    store.records["account"]["whammy"] = "{"
    _, rows = await visited("fred another horse")

    assert "You're in the lobby" in rows


async def test_account_works_again_as_soon_as_its_record_is_repaired(whammy, store, typist):
    store.records["account"]["whammy"] = "{"
    place = await furnish(store, SETTINGS, TALLY)
    store.records["account"]["whammy"] = whammy
    terminal = typist("whammy correct horse", None)
    await visit(place.host, place.dispatcher, terminal)

    assert "You're in the lobby" in " ".join(terminal.rows)
    assert 0 == len(place.tables.unreadable)


async def test_seat_is_kept_for_an_unreadable_account(visited, whammy, store):
    """It is kept as long as for any account, not as short as for a guest."""
    store.records["account"]["whammy"] = "{"
    place, _ = await visited()

    assert "whammy" in place.host.accounts.names


async def test_unreadable_discussion_is_skipped_and_its_name_kept(store):
    before = await Stage.open(TALLY, store=store)
    before.enter("ann")
    await before.type("ann", "/create cafe coffee")
    await before.type("ann", "/create pub beer")
    store.records["discussion"]["cafe"] = json.dumps({"name": "cafe", "title": "coffee", "charter": {}})
    with capture_logs() as logged:
        stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")

    assert [("discussion", "cafe")] == [found[:2] for found in reported(logged)]
    assert {"pub"} == {"pub", "cafe"} & {*stage.rooms}
    assert "cafe is taken" in " ".join(await stage.type("ann", "/create cafe tea"))
    assert "coffee" in store.records["discussion"]["cafe"]


async def test_unreadable_vacation_is_skipped(store):
    store.records["vacation"] = {"ann": "{", "bob": json.dumps(attrs.asdict(Vacation(until=5.0)))}
    with capture_logs() as logged:
        stage = await Stage.open(TALLY, store=store)

    assert [("vacation", "ann")] == [found[:2] for found in reported(logged)]
    assert 5.0 == stage.tables.vacations.ends("bob")


@pytest.mark.parametrize("damage", ["record", "body", "gap"])
async def test_unreadable_rating_is_skipped_and_the_next_games_are_rated(store, damage):
    """A damaged record is read from the log instead."""
    people = {"ann": 1, "bob": 2}
    ratings = (await Stage.open(TALLY, store=store)).tables.results.ratings
    for table in (1, 2, 3):
        await ratings.rate("tally 2", table, people)
    store.records["rating"]["tally 2/ann"] = "{"
    if damage == "gap":
        del store.entries["ratings/2"][1]
    elif damage == "body":
        store.entries["ratings/2"][1] = attrs.evolve(store.entries["ratings/2"][1], body="{")
    again = (await Stage.open(TALLY, store=store)).tables.results.ratings
    await again.read_of("ann", "bob")

    assert ratings.known == again.known
    if damage != "gap":  # the memory store counts its entries, so it can't append after a gap
        await again.rate("tally 2", 4, people)
        assert 4 == again.one("tally 2", "ann").games


async def test_game_whose_places_are_unreadable_is_skipped_and_the_next_games_are_rated(store):
    people = {"ann": 1, "bob": 2}
    ratings = (await Stage.open(TALLY, store=store)).tables.results.ratings
    for table in (1, 2, 3):
        await ratings.rate("tally 2", table, people)
    store.entries["ratings"][1] = attrs.evolve(store.entries["ratings"][1], body="{")
    del store.entries["ratings/2"], store.records["rating"], store.records["ranked"]
    store._landed = {key: entries for key, entries in store._landed.items() if key[0] != "ratings/2"}
    again = (await Stage.open(TALLY, store=store)).tables.results.ratings
    await again.rate_waiting()

    assert 2 == again.one("tally 2", "ann").games


async def test_unreadable_belongings_are_set_aside_and_their_owner_is_told(visited, whammy, store):
    """Later writes do not overwrite them."""
    store.records["belongings"]["whammy"] = '{"settings": "'
    with capture_logs() as logged:
        place, rows = await visited("whammy correct horse", "/blurb new")
    await place.host.profiles.finish()

    ((kind, key, case),) = reported(logged)
    assert ("belongings", "whammy") == (kind, key)
    assert f"can't be read: case {case}." in rows
    assert "new" in store.records["belongings"]["whammy"]
    assert '{"settings": "' == store.records["unreadable"]["belongings/whammy"]


async def test_unreadable_key_of_sessions_ends_them_and_nothing_else(store):
    await Stage.open(TALLY, store=store)
    store.entries["resume-key"][0] = attrs.evolve(store.entries["resume-key"][0], body="3")
    with capture_logs() as logged:
        stage = await Stage.open(TALLY, store=store)

    assert [("log entry", "resume-key 1")] == [found[:2] for found in reported(logged)]
    assert "You're in the lobby" in " ".join(stage.enter("ann").take())


async def test_unreadable_row_of_games_played_is_skipped(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    results = stage.tables.results
    row = Played(table=1, game="tally", at=1.0, place=1, seats=2, score=5)
    store.entries["played/ann"] = [Entry(1, 1.0, "table", "{", "a")]
    await store.append("played/ann", 1, [Draft("table", codec.to_text(row))], cmd="b")

    assert [row] == await results.played("ann")


async def test_talk_is_reviewed_without_the_unreadable_entries(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    stage.enter("bob")
    for said in ("one", "two", "three"):
        await stage.type("ann", f"number {said}")
        await stage.history.finish()
    store.entries["said/lobby"][1] = attrs.evolve(store.entries["said/lobby"][1], body="{")
    rows = " ".join(await stage.type("bob", "/review lobby 9"))

    assert ["number one", "number three"] == [
        said for said in ("number one", "number two", "number three") if said in rows
    ]
