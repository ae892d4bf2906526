"""A tournament as a value: the fold of its log."""

import attrs
import pytest

from lilygames import codec
from lilygames.tournaments.pairing import pairing
from lilygames.tournaments.pairing.log import (
    Body,
    Cancelled,
    CheckedIn,
    Corrected,
    Delayed,
    Finished,
    Header,
    Joined,
    KeptApart,
    Left,
    Lengthened,
    NoShow,
    PairedTable,
    RoundPaired,
    SeatResult,
    TableAdded,
    TableFinished,
    TableOpened,
)
from lilygames.tournaments.pairing.points import lot
from lilygames.tournaments.pairing.tournament import PlayerJoined, RoundEnded, StartDelayed, TableEnded, Tournament
from lilygames_rules.kit import Refused

START = 10_000.0
SIZES = range(3, 8)


def swiss(**fields):
    fields = {"form": "swiss", "rounds": 4, "seats": 4} | fields
    return Tournament(
        Header(number=1, name="cup", game="ohell", version=1, options={}, by="ann", starts=START, seed="", **fields)
    )


def after(now_in, *acts, at=START):
    for act in acts:
        now_in, _ = now_in.after(act, at)
    return now_in


def joined(now_in, names):
    return after(now_in, *(act for name in names for act in (Joined(name, name), CheckedIn(name))))


def began(names="abcdefgh", **fields):
    now_in = joined(swiss(**fields), names)
    return after(now_in, pairing.next_round(now_in, "seed", SIZES))


def played(now_in, scores=(9, 7, 5, 3, 1), at=START + 100):
    """Let every table of the round end; earlier seats have more."""
    for number, table in enumerate(now_in.round.tables, 1):
        if not table.done:
            seats = [*table.paired.people, *[""] * table.paired.bots]
            results = tuple(
                SeatResult("" if key in table.absent else key, score) for key, score in zip(seats, scores, strict=False)
            )
            now_in = after(now_in, TableFinished(now_in.round.number, number, results), at=at)
    return now_in


def next_round(now_in, at=START + 200):
    return after(now_in, pairing.next_round(now_in, now_in.seed, SIZES), at=at)


def points(now_in, key):
    return next(row.points for row in now_in.standings if row.name == key) / 2


def refused(now_in, act):
    with pytest.raises(Refused) as no:
        now_in.after(act, START)
    return no.value.code


# joining and leaving


def test_player_joins_leaves_and_comes_back():
    now_in = after(swiss(), Joined("ann", "Ann"), Left("ann"))

    assert () == now_in.present
    assert ("ann",) == after(now_in, Joined("ann", "Ann"), CheckedIn("ann")).present


def test_nobody_joins_twice_or_leaves_without_having_joined():
    now_in = after(swiss(), Joined("ann", "Ann"))

    assert "joined" == refused(now_in, Joined("ann", "Ann"))
    assert "not-joined" == refused(now_in, Left("bob"))
    assert "not-joined" == refused(now_in, CheckedIn("bob"))


def test_player_who_doesn_t_check_in_is_not_paired():
    now_in = after(joined(swiss(), "abcd"), Joined("late", "late"))

    assert "late" not in pairing.next_round(now_in, "seed", SIZES).order


def test_late_joiner_gets_half_a_bye_once():
    """G8: joining before round 3 of 4 gives 6 points, not 12."""
    now_in = next_round(played(began()))
    now_in, events = played(now_in).after(Joined("zoe", "zoe"), START)

    assert 6 == points(now_in, "zoe")
    assert (PlayerJoined("zoe", late=True),) == events
    assert 6 == points(after(now_in, Left("zoe"), Joined("zoe", "zoe")), "zoe")
    assert "zoe" in next_round(now_in).round.order


def test_nobody_new_joins_once_more_than_half_of_the_rounds_have_begun():
    now_in = next_round(played(next_round(played(began()))))

    assert "too-late" == refused(now_in, Joined("zoe", "zoe"))


def test_player_who_left_may_come_back_even_then():
    now_in = next_round(played(next_round(played(after(began(), Left("a"))))))

    assert "a" not in now_in.round.order
    assert "a" in after(now_in, Joined("a", "a")).present


# rounds


def test_start_waits_ten_minutes_for_four_players_and_is_then_called_off():
    now_in = joined(swiss(), "abc")

    assert "nothing" == pairing.due(now_in, START - 1)
    assert "delay" == pairing.due(now_in, START)
    now_in, events = now_in.after(Delayed(START + pairing.GRACE), START)
    assert (StartDelayed(START + 600),) == events
    assert "nothing" == pairing.due(now_in, START + 599)
    assert "pair" == pairing.due(joined(now_in, "d"), START + 600)
    assert "call off" == pairing.due(now_in, START + 600)


def test_round_is_paired_by_lot_and_then_by_standing():
    now_in = began()
    order = now_in.round.order
    second = next_round(played(now_in))

    assert sorted("abcdefgh") == sorted(order)
    assert sorted("abcdefgh", key=lambda key: lot("seed", key)) == [*order]
    assert 12 == points(second, second.round.order[0])


def test_same_log_gives_the_same_pairing():
    now_in = joined(swiss(), "abcdefgh")

    assert pairing.next_round(now_in, "seed", SIZES) == pairing.next_round(now_in, "seed", SIZES)
    assert pairing.next_round(now_in, "seed", SIZES) != pairing.next_round(now_in, "other seed", SIZES)


def test_next_round_begins_after_the_pause():
    now_in = played(began(pause=30))

    assert ["nothing", "pair"] == [pairing.due(now_in, START + 100 + seconds) for seconds in (29, 30)]
    assert "tend" == pairing.due(began(), START + 1000)


def test_round_can_t_be_paired_twice():
    now_in = began()

    assert "round" == refused(now_in, RoundPaired(2, 4, "seed", (), ()))
    assert "round" == refused(played(now_in), RoundPaired(3, 4, "seed", (), ()))


def test_tournament_is_over_after_its_last_round():
    now_in = began(rounds=1)

    assert "finish" == pairing.due(played(now_in), START + 101)
    over = after(played(now_in), Finished())
    assert "over" == over.status
    assert "over" == refused(over, Joined("zoe", "zoe"))


def test_tournament_is_over_when_too_few_are_left_to_play():
    now_in = after(played(began("abcd")), Left("a"), Left("b"))

    assert "finish" == pairing.due(now_in, START + 1000)


def test_four_leaders_play_a_final_for_the_first_places():
    now_in = next_round(played(began(rounds=1, final=4)))
    leaders = now_in.round.order[:4]
    last_of_them = now_in.round.tables[0].paired.people[3]
    over = played(now_in, scores=(1, 2, 3, 4))

    assert now_in.round.final
    assert last_of_them == over.standings[0].name
    assert set(leaders) == {row.name for row in over.standings[:4]}
    assert "finish" == pairing.due(over, START + 101)


def test_two_people_stay_apart():
    for seed in "0123456789":
        now_in = after(joined(swiss(), "abcdefgh"), KeptApart("b", "a"))
        tables = pairing.next_round(now_in, seed, SIZES).tables
        assert not any({"a", "b"} <= set(table.people) for table in tables)


def test_bots_fill_up_the_tables_of_a_duplicate_round():
    now_in = began("abcdef", duplicate=True)

    assert [(3, 1), (3, 1)] == [(len(one.paired.people), one.paired.bots) for one in now_in.round.tables]


def test_player_who_is_over_in_duels_has_a_bye_or_plays_a_bot():
    now_in = began("abcde", seats=2)
    (bye,) = now_in.round.byes

    assert 12 == points(now_in, bye.key)
    assert [(2, 0), (2, 0), (1, 1)] == [
        (len(one.paired.people), one.paired.bots) for one in began("abcde", seats=2, bye="bot").round.tables
    ]


# tables


def test_table_is_opened_and_finished():
    now_in = after(began(), TableOpened(1, 1, 17))
    people = now_in.round.tables[0].paired.people
    result = TableFinished(1, 1, tuple(SeatResult(key, score) for key, score in zip(people, (4, 3, 2, 1), strict=True)))
    done, events = now_in.after(result, START + 50)

    assert 17 == now_in.table(1, 1).number
    assert [12, 8, 4, 0] == [points(done, key) for key in people]
    assert (TableEnded(1, 1),) == events
    assert "done" == refused(done, result)
    assert RoundEnded(1) in done.after(TableFinished(1, 2), START + 60)[1]


def test_no_show_gets_nothing_and_is_not_paired_again():
    now_in = began()
    absent = now_in.round.tables[0].paired.people[0]
    done = played(after(now_in, NoShow(1, 1, absent)))

    assert 0 == points(done, absent)
    assert 8 == points(done, now_in.round.tables[0].paired.people[1])
    assert absent not in done.present
    assert absent in after(done, Joined(absent, absent)).present
    assert "no-such-player" == refused(done, NoShow(1, 1, absent))


def test_table_without_a_result_gives_everyone_six_points():
    now_in = after(began(), TableFinished(1, 1))

    assert [6, 6, 6, 6] == [points(now_in, key) for key in now_in.round.tables[0].paired.people]


def test_player_who_left_in_mid_game_is_last():
    now_in = began()
    people = now_in.round.tables[0].paired.people
    seats = tuple(
        SeatResult(key, score, left=key == people[0]) for key, score in zip(people, (9, 7, 5, 3), strict=True)
    )

    assert [0, 12, 8, 4] == [points(after(now_in, TableFinished(1, 1, seats)), key) for key in people]


def test_correction_changes_the_scores_even_after_the_end():
    now_in = after(played(began(rounds=1)), Finished())
    people = now_in.round.tables[0].paired.people
    corrected = after(now_in, Corrected(1, 1, (1, 2, 3, 4), "ann", "wrong sheet"))

    assert [0, 4, 8, 12] == [points(corrected, key) for key in people]
    assert "scores" == refused(now_in, Corrected(1, 1, (1, 2), "ann", "wrong sheet"))
    assert "no-such-table" == refused(now_in, Corrected(2, 1, (1, 2), "ann", "wrong sheet"))


def test_downtime_is_added_to_the_times_of_the_round():
    assert 90 == after(began(), Lengthened(60), Lengthened(30)).round.added


def test_cancelled_tournament_takes_nothing_more():
    now_in = after(began(), Cancelled("ann", ""))

    assert "cancelled" == now_in.status
    assert "nothing" == pairing.due(now_in, START + 1e6)
    assert "over" == refused(now_in, TableFinished(1, 1))


# other forms


def test_round_robin_of_duels_lets_everyone_meet():
    now_in = began("abcde", form="robin", seats=2, rounds=0)
    met = []
    for _ in range(5):
        met += [frozenset(table.paired.people) for table in now_in.round.tables]
        now_in = played(now_in)
        if pairing.due(now_in, START + 1e6) == "pair":
            now_in = next_round(now_in)

    assert 10 == len(met) == len(set(met))
    assert "finish" == pairing.due(now_in, START + 1e6)


def test_results_are_struck_if_someone_leaves_a_round_robin_before_half_of_their_games():
    now_in = played(next_round(played(began("abcdef", form="robin", seats=2, rounds=0))))
    winner = now_in.standings[0].name
    beaten = next(key for one in now_in.results for key in one.players if winner in one.players and key != winner)
    gone = after(now_in, Left(winner))

    assert 5 == now_in.planned
    assert 0 == points(gone, winner)
    assert points(gone, beaten) == points(now_in, beaten)
    assert not any(winner in one.players for one in gone.results)
    assert 0 in {bye.points for bye in next_round(gone).round.byes}


def test_later_leaver_of_a_round_robin_loses_the_remaining_games():
    now_in = began("abcdef", form="robin", seats=2, rounds=0)
    for _ in range(2):
        now_in = next_round(played(now_in))
    gone = next_round(after(played(now_in), Left(now_in.standings[0].name)))

    assert [24] == [bye.points for bye in gone.round.byes]
    assert 12 <= points(gone, now_in.standings[0].name)


def test_nobody_joins_a_round_robin_or_a_knockout_late():
    for form in ("robin", "knockout"):
        early = joined(after(swiss(form=form, rounds=0), Joined("yan", "yan")), "abcdef")
        begun = after(early, pairing.next_round(early, "seed", SIZES))
        assert "begun" == refused(begun, CheckedIn("yan"))
        assert "begun" == refused(begun, Joined("zoe", "zoe"))


def test_leaver_of_a_round_robin_whose_results_are_struck_stays_out():
    now_in = after(played(began("abcdef", form="robin", seats=2, rounds=0)), Left("a"))

    assert "struck" == refused(now_in, Joined("a", "a"))


def test_player_who_missed_a_round_robin_s_table_may_come_back():
    now_in = began("abcdef", form="robin", seats=3, rounds=0)
    missed = played(after(now_in, NoShow(1, 1, now_in.round.tables[0].paired.people[0])))
    gone = now_in.round.tables[0].paired.people[0]
    back = next_round(after(missed, Joined(gone, gone)))

    assert gone in {key for table in back.round.tables for key in table.paired.people}


def test_first_round_goes_by_rating_if_the_organizer_wants_that():
    """G6: 11 people by rating at seats=4."""
    people = "kbcdefghija"
    ratings = {key: float(-place) for place, key in enumerate(people)}
    now_in = joined(swiss(seeding="rating"), sorted(people))
    paired = pairing.next_round(now_in, "seed", SIZES, ratings)

    assert [("k", "d", "g", "j"), ("b", "e", "h", "a"), ("c", "f", "i")] == [table.people for table in paired.tables]
    assert tuple(people) == paired.order


def test_equal_ratings_are_in_the_order_of_the_lot():
    now_in = joined(swiss(seeding="rating"), "abcdef")
    by_lot = pairing.next_round(now_in, "seed", SIZES).order
    first = by_lot[-1]

    assert (first, *by_lot[:-1]) == pairing.next_round(now_in, "seed", SIZES, {first: 5.0}).order


def test_void_table_of_an_arena_gives_six_points_but_not_to_the_absent():
    paired = after(began("abcd", form="arena", rounds=0, minutes=60), TableAdded(PairedTable(tuple("abcd"))))
    void = after(paired, TableOpened(1, 1, 7), NoShow(1, 1, "d"), TableFinished(1, 1))

    assert {"a": 12, "b": 12, "c": 12, "d": 0} == {row.name: row.points for row in void.arena_standings}


def test_knockout_ends_with_the_final():
    """G13."""
    now_in = began("abcdefghijk", form="knockout", rounds=0)
    sizes = []
    while True:
        sizes.append(" ".join(str(len(table.paired.people)) for table in now_in.round.tables))
        now_in = played(now_in)
        if pairing.due(now_in, START + 1e6) != "pair":
            break
        now_in = next_round(now_in)

    assert ["4 4 3", "3 3", "4"] == sizes
    assert now_in.rounds[-1].tables[0].paired.people[0] == now_in.standings[0].name


def test_arena_pairs_people_who_wait_and_counts_fire():
    now_in = began("abcd", form="arena", rounds=0, minutes=60)
    (first,) = pairing.arena_tables(now_in, START, SIZES, 300)
    now_in = after(now_in, TableAdded(first))

    assert [] == pairing.arena_tables(now_in, START + 500, SIZES, 300)
    for at in range(3):
        people = now_in.round.tables[-1].paired.people
        results = tuple(SeatResult(key, 9 if key == "a" else 1) for key in people)
        now_in = after(now_in, TableFinished(1, at + 1, results), at=START + at)
        now_in = after(now_in, *map(TableAdded, pairing.arena_tables(now_in, START + at, SIZES, 300)))
    assert ("a", 24 + 24 + 48) == (now_in.arena_standings[0].name, now_in.arena_standings[0].points)


def test_table_that_ends_before_everyone_moved_counts_nothing_in_an_arena():
    now_in = after(began("abcd", form="arena", rounds=0, minutes=60), TableAdded(PairedTable(tuple("abcd"))))
    seats = tuple(SeatResult(key, score) for score, key in enumerate("abcd"))

    assert {0} == {row.points for row in after(now_in, TableFinished(1, 1, seats, early=True)).arena_standings}


def test_no_table_of_an_arena_opens_within_the_length_of_a_game_before_its_end():
    now_in = began("abcd", form="arena", rounds=0, minutes=60)

    assert [] == pairing.arena_tables(now_in, START + 3600 - 299, SIZES, 300)
    assert ["tend", "finish"] == [pairing.due(now_in, START + seconds) for seconds in (3599, 3600)]


# the log


def test_log_gives_the_same_tournament_again():
    acts = [Joined("a", "a"), CheckedIn("a"), Left("a"), Joined("a", "a")]
    stored = [(codec.to_text(Body(act)), START) for act in acts]

    assert after(swiss(), *acts) == [*swiss().extended(stored)][-1][0]


def test_header_survives_storage():
    header = swiss(duplicate=True, final=4).header

    assert header == codec.from_text(codec.to_text(header), Header)
    assert header != attrs.evolve(header, number=2)
