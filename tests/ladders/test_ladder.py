"""The rules of a ladder: challenges, duels, drops, absence and seasons."""

from datetime import date, timedelta

import attrs
import pytest

from lilygames.ladders.ladder import (
    AGAIN,
    ANSWER,
    PLAY,
    Accepted,
    CameBack,
    Challenged,
    Decided,
    Ended,
    Joined,
    Ladder,
    Left,
    Midnight,
    Opened,
    Rung,
    Score,
    Scored,
    WentAway,
)
from lilygames.ladders.season import season_named, season_of, shown_season
from lilygames_rules.kit import Refused

TODAY = date(2026, 11, 23)


def ladder(names, **idle):
    """Return a ladder of people named by letters, top first, some of them idle for so many days."""
    rungs = tuple(Rung(name, name, idle=idle.get(name, 0)) for name in names)
    return Ladder.opened(Opened("2026-4", TODAY.isoformat(), rungs, challengers=tuple(names)))


def order(known):
    return "".join(rung.key for rung in known.rungs)


def after(known, *acts):
    for act in acts:
        known = known.after(act)
    return known


def beaten(known, winner, loser, at=0.0):
    """Return a ladder after a challenger has won a duel."""
    known = after(known, Challenged(winner, loser, at), Accepted(known.number + 1, at))
    for key, points in ((winner, 9), (loser, 5)):
        known = known.after(Scored(known.number, Score(key, points)))
    return known.after(known.due(at, TODAY))


def slept(known, days):
    """Return a ladder some midnights later."""
    for _ in range(days):
        known = known.after(Midnight((date.fromisoformat(known.day) + timedelta(days=1)).isoformat()))
    return known


def refused(known, act):
    with pytest.raises(Refused) as no:
        known.after(act)
    return no.value.code


# the worked examples


def test_winner_takes_the_place_and_an_idle_player_drops_one():
    """G16."""
    known = beaten(ladder("ABCDEFGH", C=20), "G", "D")
    assert "ABCGDEFH" == order(known)
    assert "ABGCDEFH" == order(slept(known, 1))


def test_idle_neighbours_drop_from_the_bottom_up():
    """G17: from the top down they would only swap places."""
    assert "CABD" == order(slept(ladder("ABCD", A=20, B=20), 1))


# challenges


def test_people_challenge_up_to_four_places_above():
    known = ladder("ABCDEFGH")
    assert "too-far" == refused(known, Challenged("F", "A", 0.0))
    assert "D" == known.after(Challenged("H", "D", 0.0)).duels[0].defender
    assert "not-above" == refused(known, Challenged("C", "D", 0.0))
    assert "not-above" == refused(known, Challenged("C", "C", 0.0))


@pytest.mark.parametrize(
    ("people", "away", "expected"), [(40, 0, 4), (41, 0, 4), (60, 0, 6), (60, 20, 4), (125, 0, 12)]
)
def test_tenth_of_a_large_ladder_is_within_reach_and_absent_people_dont_count(people, away, expected):
    known = ladder([f"p{n}" for n in range(people)])
    rungs = tuple(attrs.evolve(rung, away=n < away) for n, rung in enumerate(known.rungs))

    assert expected == attrs.evolve(known, rungs=rungs).reach


def test_first_challenge_can_go_to_anyone_and_the_next_one_cannot():
    known = beaten(after(ladder("ABCDEFGH"), Joined("N", "N")), "N", "H")
    assert "ABCDEFGNH" == order(known)
    known = after(ladder("ABCDEFGH"), Joined("N", "N"), Challenged("N", "A", 0.0), Decided(1, "A", "score", 0.0))
    assert "too-far" == refused(known, Challenged("N", "A", AGAIN))


def test_leaving_and_joining_again_gives_no_second_first_challenge():
    known = after(ladder("ABCDEFGH"), Left("H"), Joined("H", "H"))

    assert "too-far" == refused(known, Challenged("H", "A", 0.0))


def test_one_challenge_out_and_one_in():
    known = after(ladder("ABCDEFGH"), Challenged("D", "B", 0.0))
    assert "one-out" == refused(known, Challenged("D", "C", 0.0))
    assert "one-in" == refused(known, Challenged("E", "B", 0.0))
    known = known.after(Challenged("E", "D", 0.0))
    assert [("D", "B"), ("E", "D")] == [duel.players for duel in known.duels]


def test_same_two_play_again_after_seven_days_at_the_earliest():
    known = beaten(ladder("ABCD"), "B", "A")
    assert "again" == refused(known, Challenged("A", "B", AGAIN - 1))
    assert 1 == len(known.after(Challenged("A", "B", AGAIN)).duels)


def test_challenge_without_an_answer_in_36_hours_is_lost():
    known = after(ladder("ABCD"), Challenged("C", "A", 0.0))
    assert known.due(ANSWER - 1, TODAY) is None
    known = known.after(known.due(ANSWER, TODAY))

    assert "CABD" == order(known)
    assert (1, 1) == (known.rungs[0].wins, known.rungs[1].losses)


def test_declining_loses_at_once():
    assert "CABD" == order(after(ladder("ABCD"), Challenged("C", "A", 0.0), Decided(1, "C", "declined", 5.0)))


# duels


def test_higher_total_wins_and_a_defender_who_wins_or_ties_keeps_the_place():
    known = after(ladder("ABCD"), Challenged("C", "A", 0.0), Accepted(1, 0.0))
    for mine, theirs, expected in (
        (9, 5, "CABD"),
        (5, 9, "ABCD"),
        (7, 7, "ABCD"),
        (None, 3, "ABCD"),
        (3, None, "CABD"),
    ):
        done = after(known, Scored(1, Score("C", mine)), Scored(1, Score("A", theirs)))
        assert expected == order(done.after(done.due(1.0, TODAY)))


def test_player_who_has_not_played_in_seven_days_loses_and_without_anyone_nothing_happens():
    known = after(ladder("ABCD"), Challenged("C", "A", 0.0), Accepted(1, 100.0))
    assert known.due(100 + PLAY - 1, TODAY) is None
    assert "ABCD" == order(known.after(known.due(100 + PLAY, TODAY)))
    known = known.after(Scored(1, Score("C", -3)))
    assert known.due(100 + PLAY - 1, TODAY) is None
    assert "CABD" == order(known.after(known.due(100 + PLAY, TODAY)))


def test_duel_in_which_a_bot_failed_has_no_winner():
    known = after(
        ladder("ABCD"), Challenged("C", "A", 0.0), Accepted(1, 0.0), Scored(1, Score("C", None, spoiled=True))
    )
    known = known.after(known.due(1.0, TODAY))

    assert ("ABCD", ()) == (order(known), known.duels)
    assert {(0, 0)} == {(rung.wins, rung.losses) for rung in known.rungs}


def test_game_counts_once_and_only_for_the_two():
    known = after(ladder("ABCD"), Challenged("C", "A", 0.0))
    assert "scored" == refused(known, Scored(1, Score("C", 1)))
    known = after(known, Accepted(1, 0.0), Scored(1, Score("C", 1)))
    assert "scored" == refused(known, Scored(1, Score("C", 2)))
    assert "scored" == refused(known, Scored(1, Score("B", 2)))
    assert "no-duel" == refused(known, Scored(2, Score("A", 2)))


def test_challenger_who_is_above_by_now_stays_there():
    known = after(ladder("ABCD"), Challenged("C", "B", 0.0), Left("B"))
    assert [] == [*known.duels]
    known = after(ladder("ABCD"), Challenged("D", "C", 0.0))
    known = attrs.evolve(known, rungs=(known.rungs[3], *known.rungs[:3]))

    assert "DABC" == order(known.after(Decided(1, "D", "score", 0.0)))


def test_challenger_takes_the_place_of_someone_who_leaves():
    assert "CBD" == order(after(ladder("ABCD"), Challenged("C", "A", 0.0), Left("A")))
    assert "ABD" == order(after(ladder("ABCD"), Challenged("C", "A", 0.0), Left("C")))


# drops and absence


def test_idle_player_drops_after_21_days_and_every_7_days_from_then_on():
    known = ladder("ABCDEF", A=-1)
    active = dict.fromkeys("BCDEF", -40)
    known = attrs.evolve(
        known, rungs=tuple(attrs.evolve(one, idle=active.get(one.key, one.idle)) for one in known.rungs)
    )
    assert "ABCDEF" == order(slept(known, 21))
    assert "BACDEF" == order(slept(known, 22))
    assert "BACDEF" == order(slept(known, 28))
    assert "BCADEF" == order(slept(known, 29))
    assert "BCDAEF" == order(slept(known, 36))


def test_game_starts_the_count_again():
    known = beaten(slept(ladder("ABCD", A=-1, B=-40, C=-40, D=-40), 21), "B", "A")
    assert "BACD" == order(slept(known, 21))


def test_last_player_cannot_drop():
    assert "AB" == order(slept(ladder("AB", A=-9, B=20), 1))


def test_absence_stops_the_count_up_to_30_days_a_year():
    known = after(ladder("ABCD", A=20, B=-99, C=-99, D=-99), WentAway("A"))
    assert "they-are-away" == refused(known, Challenged("B", "A", 0.0))
    assert "you-are-away" == refused(known, WentAway("A"))
    known = slept(known, 30)
    assert ("ABCD", True, 30) == (order(known), known.rungs[0].away, known.rungs[0].away_used)
    known = slept(known, 1)
    assert ("BACD", False) == (order(known), known.rungs[1].away)
    assert "away-used" == refused(known, WentAway("A"))


def test_new_year_gives_new_days_of_absence():
    known = after(ladder("AB"), WentAway("A"))
    known = slept(known, (date(2027, 1, 1) - TODAY).days)

    assert 0 == known.rungs[0 if known.rungs[0].key == "A" else 1].away_used


def test_nobody_goes_away_during_a_duel_and_absent_people_come_back():
    known = after(ladder("ABCD"), Challenged("C", "A", 0.0))
    assert {"in-duel"} == {refused(known, WentAway(key)) for key in "AC"}
    assert "not-away" == refused(known, CameBack("B"))
    assert not after(known, WentAway("B"), CameBack("B")).rungs[1].away


def test_each_midnight_is_applied_once():
    known = slept(ladder("AB"), 1)
    assert "midnight-done" == refused(known, Midnight(known.day))


# seasons


@pytest.mark.parametrize(
    ("day", "expected"),
    [(date(2026, 1, 1), "2026-1"), (date(2026, 3, 31), "2026-1"), (date(2026, 4, 1), "2026-2"), (TODAY, "2026-4")],
)
def test_season_has_three_months(day, expected):
    assert expected == season_of(day)


def test_season_is_shown_by_its_months():
    assert "July to September 2026" == shown_season("2026-3")


def test_season_ends_before_the_midnight_of_its_last_day_and_the_next_begins_in_its_order():
    known = beaten(ladder("ABCD"), "C", "A")
    known = slept(known, (date(2026, 12, 31) - TODAY).days)
    known = after(known, Challenged(order(known)[3], order(known)[2], 0.0))
    assert Ended() == attrs.evolve(known, duels=()).due(0.0, date(2027, 1, 1))
    ended = known.after(Ended())
    later = Ladder.opened(ended.next_season())

    assert "season-over" == refused(ended, Joined("E", "E"))
    assert ("2027-1", order(ended)) == (later.season, order(later))
    assert {(0, 0)} == {(rung.wins, rung.losses) for rung in later.rungs}
    assert ended.duels == later.duels
    assert Midnight("2027-01-01") == attrs.evolve(later, duels=()).due(0.0, date(2027, 1, 1))


def test_days_that_the_server_was_down_are_applied_one_by_one():
    known, acts = ladder("ABCD", A=19, B=-9, C=-9, D=-9), []
    while act := known.due(0.0, TODAY + timedelta(days=9)):
        known = known.after(act)
        acts.append(act)

    assert [Midnight((TODAY + timedelta(days=n)).isoformat()) for n in range(1, 10)] == acts
    assert "BCAD" == order(known)


@pytest.mark.parametrize(
    ("words", "now", "expected"),
    [
        ("last season", "2026-4", "2026-3"),
        ("last season", "2027-1", "2026-4"),
        ("season 2026-3", "2026-4", "2026-3"),
        ("2025-1", "2026-4", "2025-1"),
        ("season 3", "2026-4", "2026-3"),
        ("season 3", "2026-2", "2025-3"),
        ("season 5", "2026-4", None),
        ("season", "2026-4", None),
        ("summer", "2026-4", None),
    ],
)
def test_words_name_an_earlier_season(words, now, expected):
    assert expected == season_named(words.split(), now)
