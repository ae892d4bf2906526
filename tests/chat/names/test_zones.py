"""Time zones by the names that people type, and each person's zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from lilygames.chat.names import zones
from lilygames.errors import UserError
from lilygames.gametest.stage import Stage
from tests.toys import TOYS


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("utc", "UTC"),
        ("GMT+2", "Etc/GMT-2"),
        ("UTC+2", "Etc/GMT-2"),
        ("utc -5", "Etc/GMT+5"),
        ("GMT-03:00", "Etc/GMT+3"),
        ("+0100", "Etc/GMT-1"),
        ("+05:30", "Asia/Kolkata"),
        ("UTC+5:45", "Asia/Kathmandu"),
        ("GMT+0", "UTC"),
        ("Etc/GMT+2", "Etc/GMT+2"),
        ("CEST", "CET"),
        ("EST", "America/New_York"),
        ("pdt", "America/Los_Angeles"),
        ("AEST", "Australia/Sydney"),
    ],
)
def test_zone_is_found_by_its_name_or_its_city(typed, name):
    assert name == zones.find(typed)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("belrin", "there's no time zone “belrin”. Did you mean Europe/Berlin?"),
        ("istanbul", "“istanbul” could be Asia/Istanbul or Europe/Istanbul. Type /set zone and one of them."),
        ("IST", "“IST” could be Asia/Kolkata, Asia/Jerusalem or Europe/Dublin. Type /set zone and one of them."),
        ("+15", "no time zone is always at “+15”. Type a city or a name like Europe/Berlin: /help zone."),
        ("-03:30", "no time zone is always at “-03:30”. Type a city or a name like Europe/Berlin: /help zone."),
        ("xyz", "there's no time zone “xyz”. Type a name like Europe/Berlin: /help zone."),
        ("../../etc/passwd", "there's no time zone “../../etc/passwd”. Type a name like Europe/Berlin: /help zone."),
    ],
)
def test_wrong_zone_is_answered_with_close_ones(typed, answer):
    with pytest.raises(UserError) as refused:
        zones.find(typed)
    assert answer == str(refused.value)


def test_zone_of_a_person_is_the_places_until_they_choose_one(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")

    assert ["Asia/Tokyo", "Europe/Berlin", "Asia/Tokyo"] == [
        zones.zone_of(settings).key for settings in ({}, {"zone": "Europe/Berlin"}, {"zone": "Gone/Away"})
    ]


NOON = 1795604400.0
"""Wednesday 25 November 2026, 11:00 UTC: noon in Berlin, 6:00 in New York."""


@pytest.fixture
async def stage():
    """Ann in Berlin, and bob with the place's zone, UTC."""
    stage = await Stage.open(TOYS, clock=lambda: NOON)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/set zone berlin")
    return stage


async def test_zone_is_set_by_a_city_and_shown_with_the_time_there(stage):
    assert ["(zone is Europe/Berlin; it's Wed 25 Nov 12:00 there)"] == await stage.type("ann", "/set zone")
    assert ["(zone is the place's, UTC; it's Wed 25 Nov 11:00 there)"] == await stage.type("bob", "/set zone")
    assert ["(zone is America/New_York; it's Wed 25 Nov 06:00 there)"] == await stage.type("bob", "/set zone new york")
    assert ["(zone is the place's, UTC; it's Wed 25 Nov 11:00 there)"] == await stage.type("bob", "/set zone place")
    assert {} == stage.people["bob"].profile.settings


async def test_wrong_zone_changes_nothing(stage):
    assert ["Refused: there's no time zone “belrin”. Did you mean Europe/Berlin?"] == await stage.type(
        "ann", "/set zone belrin"
    )
    assert {"zone": "Europe/Berlin"} == stage.people["ann"].profile.settings


async def test_timestamps_are_in_each_readers_zone(stage):
    for name in ("ann", "bob"):
        await stage.type(name, "/set stamp on")
        stage.screens[name].take()
    stage.enter("cat")
    await stage.type("cat", "hello")

    assert " -> (12:00) From cat, to lobby:" in stage.screens["ann"].rows
    assert " -> (11:00) From cat, to lobby:" in stage.screens["bob"].rows


async def test_review_is_in_the_readers_zone(stage):
    await stage.type("bob", "hello")
    rows = await stage.type("ann", "/review lobby")

    assert "(Beginning review: Wed Nov 25 12:00:00 2026 CET)" == rows[0]
    assert "# -> (12:00) From bob, to lobby:" in [row.replace("#  ", "# ") for row in rows]


async def test_login_times_are_in_the_readers_zone(stage):
    assert [" 12:00 ", " 11:00 "] == [
        next(hour for hour in (" 12:00 ", " 11:00 ") if hour in row)
        for name in ("ann", "bob")
        for row in await stage.type(name, "/who")
        if row.startswith("  bob ")
    ]
    assert "logged in Wed Nov 25 2026 12:00 CET" in " ".join(await stage.type("ann", "/finger bob"))


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("GMT+2", "UTC+2; it's Wed 25 Nov 13:00"),
        ("utc-5", "UTC-5; it's Wed 25 Nov 06:00"),
        ("+05:30", "Asia/Kolkata; it's Wed 25 Nov 16:30"),
        ("CEST", "CET with summer time; it's Wed 25 Nov 12:00"),
    ],
)
async def test_difference_from_utc_is_understood_as_people_mean_it(stage, typed, understood):
    assert [f"(zone is {understood} there)"] == await stage.type("bob", f"/set zone {typed}")


@pytest.mark.parametrize("minutes", sorted(zones._PARTS_OF_AN_HOUR))
def test_zones_at_a_part_of_an_hour_never_change_their_clocks(minutes):
    zone = ZoneInfo(zones.find(minutes))
    year = (datetime(2026, month, 15, tzinfo=zone).utcoffset() for month in range(1, 13))

    assert {minutes} == {f"{'-' if one.days else '+'}{str(abs(one))[:-3]}" for one in year}


@pytest.mark.parametrize("abbreviation", sorted(zones._ABBREVIATIONS))
def test_abbreviation_is_one_of_the_zone_it_means(abbreviation):
    if abbreviation in ("z", "et", "ct", "mt", "pt", "hkt", "sgt"):
        return
    zone = ZoneInfo(zones.find(abbreviation))

    assert abbreviation.upper() in {datetime(2026, month, 15, tzinfo=zone).tzname() for month in (1, 7)}
