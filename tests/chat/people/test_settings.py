"""Terminal settings of a person, and that they are stored."""

import pytest

from lilygames.chat.people.settings import SETTINGS, changed, listed
from lilygames.errors import UserError


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("width", "60", {"width": "60"}),
        ("WIDTH", "060", {"width": "60"}),
        ("wid", "20", {"width": "20"}),
        ("color", "ON", {"colour": "on"}),
        ("editor", "off", {"editor": "off"}),
        ("bell", "off", {}),
        ("width", "auto", {}),
    ],
)
def test_setting_is_stored_if_it_isnt_the_default(name, value, kept):
    assert kept == changed({}, name, value)


def test_setting_put_back_to_its_default_is_deleted():
    assert {"colour": "on"} == changed({"colour": "on", "width": "60"}, "width", "auto")


@pytest.mark.parametrize(
    ("name", "value"), [("width", "19"), ("width", "501"), ("width", "²"), ("width", "9" * 5000), ("bell", "auto")]
)
def test_invalid_value_is_answered_with_the_valid_ones(name, value):
    with pytest.raises(UserError, match=f"{name} can be (auto or 20 to 500|off or on), as in /set {name}"):
        changed({}, name, value)


@pytest.mark.parametrize("name", ["wdith", "", "e r"])
def test_unknown_setting_is_answered_with_the_known_ones(name):
    with pytest.raises(
        UserError,
        match=r"The settings are width, reader, .*deck, bell, .*stamp, tags, .*memory, page, slow, confirm, machine",
    ):
        changed({}, name, "on")


def test_every_setting_has_a_row_that_fits():
    assert len(SETTINGS) == len(listed({}))
    assert max(map(len, listed({}))) <= 78


async def test_set_alone_lists_all(stage):
    rows = await stage.type("ann", "/set")

    assert "width   auto  columns of a line; auto asks your terminal (auto, 20 to 500)" in rows
    assert "(type /set NAME VALUE to change one)" == rows[-1]


async def test_terminal_follows_its_settings(stage):
    assert ["(width is 60)"] == await stage.type("ann", "/set width 60")
    assert {"width": "60"} == stage.screens["ann"].settings
    assert ["(width is 60)"] == await stage.type("ann", "/set width")
    assert ["(width is auto)"] == await stage.type("ann", "/set width auto")
    assert {} == stage.screens["ann"].settings


async def test_invalid_setting_is_refused_in_one_sentence(stage):
    assert ["Refused: bell can be off or on, as in /set bell off."] == await stage.type("ann", "/set bell 3")


async def test_setting_holds_at_the_next_login(come, place):
    await come("dora", "plums and pears", "plums and pears", "/set width 60")
    await place.host.profiles.finish()
    terminal = await come("dora", "plums and pears")

    assert {"width": "60"} == terminal.settings


@pytest.mark.parametrize(("setting", "rule"), [("bell", "/signal turn"), ("stamp", "/timestamp all")])
async def test_bell_and_stamp_are_rules_by_a_shorter_name(stage, setting, rule):
    await stage.type("ann", f"/set {setting} on")
    assert f"on  {rule.split()[1]}" in await stage.type("ann", rule.split()[0])
    await stage.type("ann", f"{rule} off")

    assert [f"({setting} is off)"] == await stage.type("ann", f"/set {setting}")
    assert {} == stage.people["ann"].profile.settings
