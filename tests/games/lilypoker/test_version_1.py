"""Old logs keep the rules that they were played by: version 1 of lily-poker plays as release 0.2 did."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from lilygames import codec
from lilygames.games import games
from lilygames.gametest import bot_record
from lilygames_rules import lilypoker
from lilygames_rules.kit import Refused
from lilygames_rules.past import lilypoker1
from tests.games.lilypoker.version_1 import luck

SESSIONS = json.loads(Path(__file__).with_name("version-1.json").read_text("utf-8"))
BOTS = Path(__file__).with_name("version-1-bots.json")
RECORD = json.loads(BOTS.read_text("utf-8"))
GAME = games()["lilypoker"]
VERSION_1 = GAME.by_version(1)


def replayed(rules, session):
    """Return the last state of a session that was played in release 0.2; raises `Refused` where the rules differ."""
    purses = tuple(session["purses"])
    options = codec.load(session["options"], rules.Options)
    state = rules.start(len(purses), options, purses, luck(session["seed"], 0)).state
    for number, (seat, move) in enumerate(session["moves"], 1):
        state = rules.apply(state, seat, codec.load(move, rules.Move), luck(session["seed"], number)).state
    return state


def end(rules, session):
    try:
        return [*replayed(rules, session).match.chips]
    except Refused as refused:
        return refused.code


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["seed"])
def test_session_of_version_1_ends_as_it_did(session):
    """The whole state is the same, in the bytes that release 0.2 wrote."""
    text = codec.to_text(replayed(lilypoker1, session))

    assert session["end"] == sha256(text.encode()).hexdigest()
    assert replayed(lilypoker1, session) == codec.from_text(text, lilypoker1.State)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session["seed"])
def test_sessions_of_version_1_are_those_in_which_the_rules_matter(session):
    assert session["chips"] != end(lilypoker, session)


def test_tables_of_version_1_have_their_rules():
    assert 2 == GAME.rules.VERSION
    assert lilypoker1 == VERSION_1.rules


def test_bots_are_asked_in_the_same_positions_of_version_1():
    options = [VERSION_1.rules.Options(**one) for one in RECORD["options"]]
    found = [place for one in options for place in bot_record.positions(VERSION_1, one, VERSION_1.quick)]
    text = codec.encode([codec.dump(place.state) for place in found])

    assert RECORD["positions"] == sha256(text.encode()).hexdigest()[:16]


@pytest.mark.slow
def test_bots_move_in_version_1_as_they_did():
    """Today's strategies and the earlier ones, by the record of release 0.2; a new version need not be in it."""
    wrong = bot_record.differences(VERSION_1, RECORD, bot_record.recorded(VERSION_1, RECORD["options"]), BOTS.name)

    assert [] == [one for one in wrong if "isn't recorded" not in one]
