"""The published strength of the bots: measured with the versions that play now, and no level loses to its own past."""

import json
from xml.etree import ElementTree as ET

import attrs
import pytest
from click.testing import CliRunner

from lilygames.games import games
from lilygames.gametest import strength
from lilygames.gametest.strength import (
    FOLDER,
    MATCHES,
    PLOT,
    RESULTS,
    first_seed,
    game_of,
    limit,
    losses,
    main,
    meetings,
    missing,
    plans,
    plot,
)

PLANS, SEEDS = plans(FOLDER)
ROWS = json.loads((FOLDER / RESULTS).read_text("utf-8"))


@pytest.mark.parametrize("name", PLANS)
def test_every_standing_match_was_played_with_the_bots_of_today(name):
    plan = PLANS[name]
    if plan.get("game", name) not in games():
        pytest.skip(f"not here: {name}")

    assert [] == missing(game_of(name, plan), ROWS, plan)


def test_result_with_other_options_does_not_count():
    game = games().get("lilypoker")
    if game is None:
        pytest.skip("not here: lilypoker")
    plan = {**PLANS["lilypoker-draw"], "options": ["variant=draw", "hands=7"]}

    assert "lilypoker" == game_of("lilypoker-draw", plan).name
    assert meetings(game, plan) == missing(game, ROWS, plan)


def test_no_level_loses_to_the_one_below_or_to_itself_in_an_earlier_release():
    assert [] == losses(ROWS)


def test_every_result_has_its_seeds_deals_and_interval():
    for row in ROWS:
        assert row["deals"] > 1
        assert row["first"] >= 1
        assert all(result["sure"] < float("inf") for result in row["results"])


def test_plot_shows_every_result():
    kept = (FOLDER / PLOT).read_text("utf-8")
    bars = [one for one in ET.fromstring(kept).iter() if one.get("class") == "bar"]

    assert plot(ROWS) == kept
    assert len(ROWS) == len(bars)


def row(ahead, sure, other="club", won=0.4):
    result = {"player": "shark", "ahead": ahead, "sure": sure, "won": won}
    return {"game": "liarsdice", "players": ["shark", other], "results": [result], "versions": {}}


@pytest.mark.parametrize(("ahead", "sure", "wrong"), [(-0.3, 0.2, 1), (-0.3, 0.4, 0), (0.3, 0.2, 0)])
def test_level_loses_if_its_whole_interval_is_below_zero(ahead, sure, wrong):
    if "liarsdice" not in games():
        pytest.skip("not here: liarsdice")

    assert wrong == len(losses([row(ahead, sure)]))


def test_loss_to_a_style_does_not_count():
    assert [] == losses([row(-1, 0.1, "five kings")])


def test_level_that_gives_up_points_for_wins_does_not_lose():
    assert [] == losses([row(-0.3, 0.2, won=0.5)])


def test_result_of_an_older_version_is_missing():
    game = games().get("ohell")
    if game is None:
        pytest.skip("not here: ohell")
    newer = attrs.evolve(game, strategy_versions={**game.strategy_versions, "shark": "99"})

    assert [("shark", "club", 4)] == missing(newer, ROWS, PLANS["ohell"])


def test_strongest_level_plays_against_the_styles_in_the_plan():
    game = next((game for name, game in games().items() if name == "lilypoker"), None)
    if game is None:
        pytest.skip("not here: lilypoker")
    plan = {"seats": [2, 6], "styles": ["call-all"]}

    assert [("shark", "call-all", 2), ("shark", "call-all", 6)] == meetings(game, plan)[-2:]


def test_clubs_in_the_tempers_of_the_plan_play_against_other_clubs_at_the_largest_table():
    game = next((game for name, game in games().items() if name == "lilypoker"), None)
    if game is None:
        pytest.skip("not here: lilypoker")
    plan = {"seats": [2, 6], "tempers": ["bold", "grumpy"]}

    assert [("bold-club", "club", 6), ("grumpy-club", "club", 6)] == meetings(game, plan)[-2:]


@pytest.mark.parametrize(
    ("level", "other", "kind"),
    [("club", "novice", "levels"), ("shark", "naive", "styles"), ("bold-club", "club", "tempers")],
)
def test_levels_styles_and_tempers_have_seeds_of_their_own(level, other, kind):
    assert SEEDS[kind] == first_seed(SEEDS, {"styles": ["naive"]}, (level, other, 2))


@pytest.mark.parametrize(("seats", "seconds"), [(2, 30), (3, 20), (4, 20)])
def test_match_named_as_longer_has_a_limit_of_its_own(seats, seconds):
    plan = {"cpu": 5, "longer": {"club over novice": 20, "club over novice, 2 seats": 30}}

    assert seconds == limit(plan, ("club", "novice", seats))
    assert 5 == limit(plan, ("shark", "club", seats))


def test_styles_and_tempers_play_at_the_tables_that_the_plan_names_for_them():
    game = next((game for name, game in games().items() if name == "lilypoker"), None)
    if game is None:
        pytest.skip("not here: lilypoker")
    plan = {"seats": [2, 6, 9], "styles": ["call-all"], "style_seats": [2], "tempers": ["bold"], "temper_seats": 6}

    assert [("shark", "call-all", 2), ("bold-club", "club", 6)] == meetings(game, plan)[-2:]


def test_level_with_fewer_seats_in_the_plan_plays_only_at_these_tables():
    game = games().get("wizard")
    if game is None:
        pytest.skip("not here: wizard")
    plan = {"seats": [3, 4], "fewer_seats": {"shark": [4]}}
    tables = {(level, seats) for level, _, seats in meetings(game, plan)}

    assert {("club", 3), ("club", 4), ("shark", 4)} == tables


def test_matches_of_one_game_are_played_and_the_others_are_kept(tmp_path, monkeypatch):
    kept = [one for one in ROWS if one["game"] == "wizard"]
    plan = PLANS["wizard"]
    wizard = f"[wizard]\nseats = {plan['seats']}\noptions = {plan['options']}\ncpu = 1\n"
    wizard += f"fewer_seats = {{shark = {plan['fewer_seats']['shark']}}}\n"
    others = wizard if "wizard" in games() else ""
    (tmp_path / MATCHES).write_text(f'[ohell]\nseats = [3]\noptions = ["max=3"]\ncpu = 0.001\n{others}')
    (tmp_path / RESULTS).write_text(json.dumps(kept))
    real = strength.pairs
    monkeypatch.setattr(
        strength, "pairs", lambda game: iter([("club", "novice")]) if game.name == "ohell" else real(game)
    )
    told = CliRunner().invoke(main, ["ohell", "--folder", str(tmp_path)])
    rows = json.loads((tmp_path / RESULTS).read_text())

    assert 0 == told.exit_code, told.output
    assert kept == [one for one in rows if one["game"] != "ohell"]
    assert [["club", "novice", "novice"]] == [one["players"] for one in rows if one["game"] == "ohell"]
    assert (tmp_path / PLOT).read_text().startswith("<svg")
    assert "" == CliRunner().invoke(main, ["ohell", "--missing", "--folder", str(tmp_path)]).output
    assert "" == CliRunner().invoke(main, ["--check", "--folder", str(tmp_path)]).output


def test_unknown_game_is_refused_in_a_sentence():
    told = CliRunner().invoke(main, ["whist"])

    assert 2 == told.exit_code
    assert "there are no standing matches of 'whist'" in " ".join(told.output.split())
