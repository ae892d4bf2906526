"""Test duels between bots: equal players draw, a better one is found, and the figures are printed."""

from __future__ import annotations

import json
import os
from math import inf
from random import Random

import attrs
import pytest
from click.testing import CliRunner

from lilygames import codec
from lilygames.game import Budget, Thinker
from lilygames.games import games
from lilygames.gametest.duel import (
    Deal,
    Match,
    Scored,
    difference,
    main,
    opponents_in,
    paired,
    played,
    player,
    results,
    rotations,
    wins,
)
from lilygames.gametest.intervals import margin, t_quantile

SHORT = {
    "ohell": {"is": "Options", "max": 3, "decks": "auto", "dupes": "first", "supertrump": True, "hook": True}
    | {"first_dealer": "random"}
}


def duel(*players, game="ohell", deals=range(1, 9)):
    return list(results(players, [rotations(Match(game, SHORT[game], players), seed) for seed in deals]))


def scored(ahead, rounds=1, times=()):
    return Scored(ahead, rounds, 0.0, 0, 0, times)


@pytest.mark.parametrize("name", ["random", "novice", "always-challenge"])
def test_equal_players_score_zero(name):
    """Exactly, because the deals are duplicated."""
    (result,) = duel(name, name, name)

    assert pytest.approx(0, abs=1e-12) == result.ahead
    assert pytest.approx(0, abs=1e-12) == result.sure


def test_better_player_is_found():
    better, worse = duel("novice", "random", "random", deals=range(1, 25))

    assert better.ahead - better.sure > 0 > worse.ahead
    assert better.exact > worse.exact


def test_scores_add_up_to_zero():
    """The two identical players share the loss."""
    better, worse = duel("novice", "random", "random")

    assert pytest.approx(0) == better.ahead + 2 * worse.ahead


def test_every_player_plays_every_seat_of_a_deal():
    deal = rotations(Match("ohell", SHORT["ohell"], ("random", "random", "random")), 1)
    aheads = [[one.ahead for one in place] for place in deal.scored]

    assert sorted(aheads[0]) == sorted(aheads[1]) == sorted(aheads[2])
    assert len(set(aheads[0])) > 1


def test_mean_and_interval_are_taken_over_deals():
    deals = [Deal([[scored(4, rounds=2), scored(0, rounds=2)]], 0.0), Deal([[scored(3), scored(3)]], 0.0)]
    (result,) = results(["novice"], deals)

    assert 2 == result.ahead
    assert pytest.approx(12.706, rel=1e-4) == result.sure
    assert 6 == result.rounds


def test_share_of_games_won_has_an_interval_over_deals():
    deals = [Deal([[attrs.evolve(scored(0), won=won) for won in games]], 0.0) for games in ((1.0, 0.0), (1.0, 1.0))]
    (result,) = results(["novice"], deals)

    assert 0.75 == result.won
    assert pytest.approx(0.25 * 12.706, rel=1e-4) == result.won_sure


def test_times_are_given_as_median_and_99th_percentile():
    (result,) = results(["novice"], [Deal([[scored(0, times=tuple(n / 1000 for n in range(100)))]], 0.0)])

    assert (50, 99) == (pytest.approx(result.p50), pytest.approx(result.p99))


@pytest.mark.parametrize(
    ("freedom", "limit"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (20, 2.086), (49, 2.010), (1000, 1.962)]
)
def test_margins_are_those_of_student_s_t(freedom, limit):
    """Values of the table in Abramowitz and Stegun, 26.10."""
    assert pytest.approx(limit, abs=0.0006) == t_quantile(freedom)


def test_mean_of_three_deals_lies_in_its_interval_in_95_cases_of_100():
    """With the normal distribution's 1.96 it was 2.2 times too narrow, and missed the mean in 19 cases of 100."""
    random = Random(7)
    rows = [[random.gauss(0, 1) for _ in range(3)] for _ in range(2000)]
    inside = sum(abs(sum(row) / 3) <= margin(row) for row in rows)

    assert 1870 <= inside <= 1930


def test_one_deal_tells_nothing():
    assert inf == margin([3.0])


def test_match_stops_at_its_cpu_limit_but_not_before_two_deals():
    match = Match("ohell", SHORT["ohell"], ("random",) * 3)

    assert 2 == len([*played(match, range(1, 9), cpu=1e-9)])
    assert 8 == len([*played(match, range(1, 9))])


def test_deals_are_the_same_with_and_without_a_limit():
    match = Match("ohell", SHORT["ohell"], ("random", "novice", "novice"))
    limited, whole = [*played(match, range(1, 4), cpu=1e-9)], [*played(match, range(1, 4))]

    assert [deal.scored[0][0].ahead for deal in limited] == [deal.scored[0][0].ahead for deal in whole][:2]


def test_player_can_be_a_function_in_a_file(tmp_path):
    file = tmp_path / "bold.py"
    file.write_text("def decide(view, moves, luck):\n    return moves[-1]\n")

    assert 7 == player(games()["ohell"], f"{file}:decide")(None, [3, 7], None)


@pytest.mark.parametrize(("name", "said"), [("nobody.py:decide", "there is no file"), ("{}:other", "has no function")])
def test_missing_player_in_a_file_is_refused(tmp_path, name, said):
    file = tmp_path / "bold.py"
    file.write_text("")

    with pytest.raises(LookupError, match=said):
        player(games()["ohell"], name.format(file))


def test_opponents_are_read_from_a_file(tmp_path):
    file = tmp_path / "opponents"
    file.write_text("# two of them\nrandom\n\nbold-club  # in a temper\n")
    asked = ["ohell", "novice", "--against", str(file), "--seats", "3", "--deals", "2", "--option", "max=3"]
    told = CliRunner().invoke(main, [*asked, "--json", str(tmp_path / "duel.json")])

    assert ["random", "bold-club"] == opponents_in(file.read_text())
    assert ["random", "bold-club"] == [one["players"][1] for one in json.loads((tmp_path / "duel.json").read_text())]
    assert 0 == told.exit_code


def test_budget_of_a_searching_bot_can_be_set():
    game = games()["ohell"]
    searching = next((name for name, level in game.players.items() if isinstance(level, Thinker)), None)
    if searching is None:
        pytest.skip("nobody searches yet")

    assert Budget(7) == player(game, f"{searching}@7").budget


def test_luck_of_the_cards_is_subtracted_and_named():
    """If luck can be measured, as in poker. The unadjusted points are available too."""
    asked = ["lilypoker", "tight", "novice", "--seats", "2", "--deals", "3", "--option", "hands=3"]
    without, whole = (CliRunner().invoke(main, [*asked, *more]).output for more in ([], ["--as-dealt"]))

    assert "luck of the cards subtracted" in " ".join(without.split())
    assert "points as they fell" in " ".join(whole.split())
    assert without.splitlines()[-3:] != whole.splitlines()[-3:]


def test_equal_players_score_zero_without_luck():
    match = Match("lilypoker", codec.dump(games()["lilypoker"].rules.Options(hands=2)), ("tight",) * 3)

    assert pytest.approx(0, abs=1e-9) == sum(one.ahead for one in rotations(match, 1).scored[0])


def test_result_is_printed_and_saved(tmp_path):
    asked = ["ohell", "novice", "random", "--seats", "3", "--deals", "2", "--option", "max=3"]
    told = CliRunner().invoke(main, [*asked, "--json", str(tmp_path / "duel.json")])
    kept = json.loads((tmp_path / "duel.json").read_text())

    assert 0 == told.exit_code
    assert "deals 1 to 2" in told.output
    assert ["novice", "random", "random"] == kept["players"]
    assert {"novice", "random"} == {row["player"] for row in kept["results"]}


def test_result_names_a_function_in_a_file_without_its_folder(tmp_path):
    (tmp_path / "bot.py").write_text("def first(view, moves, luck):\n    return moves[0]\n")
    told = CliRunner().invoke(
        main, ["liarsdice", f"{tmp_path}/bot.py:first", "novice", "--deals", "1", "--option", "points=none"]
    )

    assert "bot.py:first" in told.output
    assert str(tmp_path) not in told.output


def test_matches_against_the_opponents_in_a_file_are_plotted(tmp_path):
    (tmp_path / "opponents").write_text("random\nnovice # the weakest level\n")
    asked = ["--against", str(tmp_path / "opponents"), "--deals", "1", "--option", "max=3", "--seats", "3"]
    told = CliRunner().invoke(main, ["ohell", "novice", *asked, "--svg", str(tmp_path / "plot.svg")])
    plotted = (tmp_path / "plot.svg").read_text()

    assert 0 == told.exit_code, told.output
    assert "novice over random, 3 seats" in plotted
    assert "novice over novice, 3 seats" in plotted


def test_cpu_limit_alone_decides_how_many_deals_are_played(monkeypatch):
    monkeypatch.setattr("lilygames.gametest.duel._USUAL", 2)
    told = CliRunner().invoke(
        main, ["ohell", "random", "--option", "max=3", "--seats", "2", "--cpu", "0.2", "--deals", "3"]
    )
    unlimited = CliRunner().invoke(main, ["ohell", "random", "--option", "max=3", "--seats", "2", "--cpu", "0.2"])

    assert "deals 1 to 3;" in told.output
    assert "stopped by --cpu" in unlimited.output
    assert "deals 1 to 2," not in unlimited.output


def test_interval_of_a_single_deal_is_null(tmp_path):
    """JSON has no infinity."""
    CliRunner().invoke(
        main, ["ohell", "novice", "random", "--than", "club", "--deals", "1", "--json", str(tmp_path / "duel.json")]
    )
    kept = json.loads((tmp_path / "duel.json").read_text())

    assert [None, None, None] == [kept["than"]["sure"], kept["results"][0]["sure"], kept["results"][0]["won_sure"]]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["whist", "novice"], "there is no game 'whist'"),
        (["ohell", "grandmaster"], "Ohell has no player 'grandmaster'; there are novice"),
        (["ohell", "novice@5"], "no budget to change"),
        (["ohell", "novice", "--option", "max=many"], "max"),
        (["ohell", "novice", "--seats", "3", "--option", "max=2"], "3 to 69"),
        (["ohell", "novice", "--deals", "0"], "0 is not in the range"),
        (["ohell", "novice", "--cpu", "-1"], "-1.0 is not in the range"),
        (["ohell", "club", "novice", "random", "--seats", "2"], "--seats 2 is too few for 3 players"),
        (["ohell", "club", "novice", "--against", __file__], "name only one player"),
        (["ohell", "club", "--against", os.devnull], "names no opponent"),
        (["ohell", "club", "--json", "no such folder/duel.json"], "there is no folder 'no such folder'"),
    ],
)
def test_impossible_duel_is_refused_in_a_sentence(asked, said):
    told = CliRunner().invoke(main, asked)

    assert 2 == told.exit_code
    assert said in " ".join(told.output.split())


def test_player_is_not_ahead_of_itself_in_the_same_deals():
    match = Match("ohell", SHORT["ohell"], ("novice", "random", "random"))

    assert (0, 0) == difference(paired(match, "novice", range(1, 4)))


def test_difference_is_that_of_the_results_in_the_same_deals():
    match = Match("ohell", SHORT["ohell"], ("novice", "random", "random"))
    pairs = [*paired(match, "club", range(1, 5))]
    ahead, sure = difference(pairs)
    alone = duel("novice", "random", "random", deals=range(1, 5))[0].ahead
    other = duel("club", "random", "random", deals=range(1, 5))[0].ahead

    assert pytest.approx(alone - other) == ahead
    assert 0 < sure < inf


def test_difference_in_wins_is_that_of_the_results_in_the_same_deals():
    match = Match("ohell", SHORT["ohell"], ("club", "random", "random"))
    won, sure = difference(paired(match, "random", range(1, 5)), wins)
    alone = duel("club", "random", "random", deals=range(1, 5))[0].won

    assert pytest.approx(100 * (alone - 1 / 3)) == won
    assert 0 < sure < inf


def test_cpu_limit_ends_a_comparison():
    match = Match("ohell", SHORT["ohell"], ("novice", "random", "random"))

    assert 2 == len([*paired(match, "random", range(1, 100), cpu=1e-6)])


def test_comparison_is_printed_and_saved(tmp_path):
    file = tmp_path / "duel.json"
    asked = ["ohell", "novice", "random", "--than", "random", "--seats", "3", "--deals", "2", "--option", "max=3"]
    told = CliRunner().invoke(main, [*asked, "--json", str(file)])

    assert "points a round ahead of random in these deals" in " ".join(told.output.split())
    assert "more of 100 games" in " ".join(told.output.split())
    kept = json.loads(file.read_text("utf-8"))["than"]
    assert "random" == kept["player"]
    assert {"ahead", "sure", "won", "won_sure"} == {*kept} - {"player"}


def test_comparison_with_an_unknown_player_is_refused():
    told = CliRunner().invoke(main, ["ohell", "novice", "random", "--than", "champion"])

    assert 2 == told.exit_code
    assert "no player 'champion'" in told.output
