"""Test duels between bots: equal players draw, a better one is found, and the figures are printed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from lilygames import codec
from lilygames.game import Budget, Thinker
from lilygames.games import games
from lilygames.gametest.duel import Match, Scored, main, player, results, rotations

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
    aheads = [[one.ahead for one in place] for place in deal]

    assert sorted(aheads[0]) == sorted(aheads[1]) == sorted(aheads[2])
    assert len(set(aheads[0])) > 1


def test_mean_and_interval_are_taken_over_deals():
    deals = [[[scored(4, rounds=2), scored(0, rounds=2)]], [[scored(3), scored(3)]]]
    (result,) = results(["novice"], deals)

    assert 2 == result.ahead
    assert pytest.approx(1.96 * 2**0.5 / 2**0.5) == result.sure
    assert 6 == result.rounds


def test_times_are_given_as_median_and_99th_percentile():
    (result,) = results(["novice"], [[[scored(0, times=tuple(n / 1000 for n in range(100)))]]])

    assert (50, 99) == (pytest.approx(result.p50), pytest.approx(result.p99))


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

    assert pytest.approx(0, abs=1e-9) == sum(one.ahead for one in rotations(match, 1)[0])


def test_result_is_printed_and_saved(tmp_path):
    asked = ["ohell", "novice", "random", "--seats", "3", "--deals", "2", "--option", "max=3"]
    told = CliRunner().invoke(main, [*asked, "--json", str(tmp_path / "duel.json")])
    kept = json.loads((tmp_path / "duel.json").read_text())

    assert 0 == told.exit_code
    assert "deals 1 to 2" in told.output
    assert ["novice", "random", "random"] == kept["players"]
    assert {"novice", "random"} == {row["player"] for row in kept["results"]}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["whist", "novice"], "there is no game 'whist'"),
        (["ohell", "grandmaster"], "Ohell has no player 'grandmaster'; there are novice"),
        (["ohell", "novice@5"], "no budget to change"),
        (["ohell", "novice", "--option", "max=many"], "max"),
        (["ohell", "novice", "--seats", "3", "--option", "max=2"], "3 to 69"),
    ],
)
def test_impossible_duel_is_refused_in_a_sentence(asked, said):
    told = CliRunner().invoke(main, asked)

    assert 2 == told.exit_code
    assert said in " ".join(told.output.split())
