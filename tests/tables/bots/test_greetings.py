"""Bots answer greetings in several forms: those for them or for everyone, and not those for a person."""

import pytest

from lilygames.chat.names.names import fold
from lilygames.tables.bots.characters import TEMPERS
from lilygames.tables.bots.greetings import _ANSWERS, _FORMS, answers, gesture, greeting

BOTS = ["ada", "max"]
SAID = {
    "hello": (
        "hi",
        "hello",
        "Hey bots!",
        "hi there",
        "hello again, Max",
        "good evening, all",
        "Morning!",
        "yo",
        "hi :)",
    ),
    "luck": ("good luck", "Good luck, everyone!", "gl hf", "glhf", "have fun", "may the best bot win"),
    "thanks": ("thanks", "Thank you, Ada", "thx", "ty max", "cheers"),
    "praise": ("well played", "Well played, Ada!", "nice bluff", "good one", "wp", "congrats", "well done, bots"),
    "parting": ("gg", "gg wp", "good game", "bye", "good night, all", "thanks for the game", "see you", "See ya later"),
}


@pytest.mark.parametrize(("occasion", "text"), [(occasion, text) for occasion in SAID for text in SAID[occasion]])
def test_greeting_has_an_occasion(occasion, text):
    assert occasion == greeting(text).occasion


@pytest.mark.parametrize(
    "text",
    [
        "hi-lo is a nice game",
        "history is dull",
        "see you challenged my five kings again",
        "morning came too soon",
        "evening out the scores, are we",
        "thankfully not",
        "g",
        "nice weather",
        "hello, what did you all bid in the round before?",
        "",
    ],
)
def test_other_lines_are_not_greetings(text):
    assert greeting(text) is None


@pytest.mark.parametrize("text", ["hello Max", "Max: hi", "*max, hello", "@Max hi", "hi *Max!", "thanks max", "wp Max"])
def test_bot_that_is_named_is_meant(text):
    assert ["max"] == greeting(text).meant_for(BOTS, {"bob"})


@pytest.mark.parametrize(
    "text", ["hello", "hi all", "good luck", "gg", "thanks, everyone", "well played bots", "all: hi"]
)
def test_greeting_for_everyone_is_for_the_bots_too(text):
    assert BOTS == greeting(text).meant_for(BOTS, {"bob"})


@pytest.mark.parametrize("text", ["hello bob", "Bob: hi", "good luck, Bobby", "gg bobb", "thanks bobby", "bye, bobby!"])
def test_greeting_for_a_person_is_left_to_them(text):
    """People shorten names."""
    assert () == greeting(text).meant_for(BOTS, {fold("Bobby"), "bob"})


@pytest.mark.parametrize("text", ["thanks", "well played", "nice one!"])
def test_thanks_and_praise_that_name_nobody_are_for_bots_only_if_no_other_person_is_there(text):
    """They are for whoever has just done something."""
    assert () == greeting(text).meant_for(BOTS, {"bob"})
    assert BOTS == greeting(text).meant_for(BOTS, set())


@pytest.mark.parametrize("text", ["waves", "waves to everyone", "bows.", "raises a glass", "nods"])
def test_emote_that_greets_is_for_everyone(text):
    assert BOTS == gesture(text).meant_for(BOTS, {"bob"})


def test_emote_that_greets_someone_is_for_them():
    assert ["max"] == gesture("waves at Max").meant_for(BOTS, {"bob"})
    assert () == gesture("waves at bob").meant_for(BOTS, {"bob"})


@pytest.mark.parametrize(
    "text", ["thinks", "waves goodbye to a pile of chips that was once so large", "wavers", "hello"]
)
def test_other_emotes_are_not_greetings(text):
    assert gesture(text) is None


def test_short_words_do_not_stand_for_names():
    assert BOTS == greeting("hi, so am I").meant_for(BOTS, {"sonny", "amy"})


@pytest.mark.parametrize("occasion", _FORMS)
def test_bots_answer_in_character_with_the_name_of_the_greeter(occasion):
    every = [text for texts in _ANSWERS[occasion].values() for text in texts]

    assert {"", *TEMPERS} == {*_ANSWERS[occasion]}
    assert answers(occasion, "bold") != answers(occasion, "grumpy")
    assert all(text.count("{name}") == 1 and len(text) <= 60 for text in every)
    assert len(every) == len({*every})
