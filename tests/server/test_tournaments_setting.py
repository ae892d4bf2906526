"""The setting `tournaments`: what `check-config` says, and what a start takes."""

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import timetable_of
from lilygames.server.settings.config import FIELDS, Misconfigured
from lilygames.server.shell import cli

DEFAULT = FIELDS["tournaments"].default


def checked(tmp_path, monkeypatch, capsys, text):
    """Return the exit code and the sentence of `check-config` for a schedule."""
    monkeypatch.delenv("LILYGAMES_TOURNAMENTS", raising=False)
    file = tmp_path / "place.toml"
    file.write_text(f'data = "{tmp_path}"\ntournaments = "{text}"\n')
    code = cli.run(["check-config", str(file)])
    said = capsys.readouterr()
    return code, (said.out + said.err).replace(str(file), "FILE")


@pytest.mark.parametrize("text", ["", "none", DEFAULT, "hourly :30 wizard arena minutes=20"])
def test_schedule_is_valid(tmp_path, monkeypatch, capsys, text):
    code, said = checked(tmp_path, monkeypatch, capsys, text)

    assert (0, True) == (code, "is valid" in said), said


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("often ohell arena", "FILE:2: tournaments: “often ohell arena” must begin with hourly, daily or a day"),
        ("daily ohell swiss", "FILE:2: tournaments: “daily ohell swiss” needs a time such as 20:00 after daily"),
        ("hourly chess arena", "FILE:2: tournaments names chess, but no such game is installed"),
        ("hourly lilypoker arena", "FILE:2: tournaments can't be played so: lily-poker can't be played in a"),
        ("hourly ohell", "FILE:2: tournaments can't be played so: say which kind of tournament"),
        ("hourly ohell arena minutes=5", "minutes must be a whole number from 10 to 240"),
        ("hourly ohell swiss start=20:00", "a series has its start before its games"),
        ("hourly ohell swiss name=a_very_long_name_indeed", "can't be a tournament's name"),
        ("hourly ohell arena quickly", "I don't understand “quickly”"),
    ],
)
def test_wrong_schedule_is_named_with_its_line(tmp_path, monkeypatch, capsys, text, sentence):
    code, said = checked(tmp_path, monkeypatch, capsys, text)

    assert 78 == code
    assert sentence in said


def test_place_without_a_game_of_the_default_schedule_does_without_it():
    found = {name: game for name, game in games().items() if name not in ("ohell", "wizard")}
    timetable = timetable_of(attrs.evolve(SETTINGS, tournaments=DEFAULT), found)

    assert {"liedie", "liarsdice"} == {timetable.coming(hour * 3600.0, ())[0].game for hour in range(4)}


def test_place_does_not_start_with_a_schedule_of_its_own_for_a_game_that_is_missing():
    with pytest.raises(Misconfigured, match="names chess"):
        timetable_of(attrs.evolve(SETTINGS, tournaments="hourly chess arena"), games())


def test_default_schedule_has_games_short_enough_for_three_in_its_arena():
    """By the games' own word; `tests/wire/test_tournament_of_the_place.py` plays them."""
    timetable = timetable_of(attrs.evolve(SETTINGS, tournaments=DEFAULT), games())
    arenas = [timetable.coming(hour * 3600.0, ())[0] for hour in range(3)]

    assert {"liedie", "ohell", "liarsdice"} == {one.game for one in arenas}
    for one in arenas:
        assert 3 * games()[one.game].minutes <= one.minutes
