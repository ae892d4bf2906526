"""Usage lines of commands that take any words say what the words are."""

import pytest


@pytest.mark.parametrize(
    ("name", "usage"),
    [
        ("new", "/new GAME [OPTION=VALUE...] [NAME...]"),
        ("house", "/house [LEVEL] [NUMBER]"),
        ("stats", "/stats [NAME] [GAME]"),
        ("quick", "/quick [GAME] [OPTION=VALUE...]"),
    ],
)
async def test_usage_names_the_arguments(stage, name, usage):
    (known,) = [known for known in stage.place.dispatcher.commands if known.name == name]

    assert usage == known.usage


async def test_no_usage_line_says_words(stage):
    assert [] == [known.usage for known in stage.place.dispatcher.commands if "WORDS" in known.usage]


async def test_line_without_a_game_is_answered_with_the_usage(stage):
    rows = await stage.type("ann", "/new")

    assert ["Usage: /new GAME [OPTION=VALUE...] [NAME...]"] == rows
