"""Arena: points, standings, and which tables open."""

from lilygames.tournaments.pairing.arena import Opening, Waiting, arena_points, arena_standings, openings
from lilygames.tournaments.pairing.points import shown

SIZES = range(3, 6)


def counted(*points):
    return " ".join(shown(one) for one in arena_points(2 * one for one in points))


def test_two_wins_in_a_row_double_what_follows_until_a_table_under_eight():
    """G14: W L W W D W W W W. On Lichess it is 20 points (lila issue 10284)."""
    points = [12, 0, 12, 12, 6, 12, 12, 12, 12]

    assert "12 0 12 12 12 12 12 24 24" == counted(*points)
    assert 2 * 6 * 20 == sum(arena_points(2 * one for one in points))


def test_fire_at_tables_of_four():
    """G15."""
    assert "8 12 8 12 12 16 0 12" == counted(8, 12, 4, 12, 12, 8, 0, 12)
    assert 2 * 80 == sum(arena_points(2 * one for one in (8, 12, 4, 12, 12, 8, 0, 12)))


def test_equal_points_go_by_the_average_and_then_by_who_was_earlier():
    rows = arena_standings(
        {
            "ann": [(1.0, 24), (2.0, 0)],
            "bob": [(9.0, 24)],
            "cat": [(5.0, 24)],
        }
    )

    assert ["cat", "bob", "ann"] == [row.name for row in rows]


def waiting(*names, since=0.0, last=()):
    return [Waiting(name, since, frozenset(last)) for name in names]


def test_table_opens_when_enough_people_wait():
    assert [Opening(("a", "b", "c", "d"))] == openings(waiting(*"abcde"), 1.0, 4, SIZES)
    assert [] == openings(waiting(*"abc"), 44.0, 4, SIZES)


def test_three_are_enough_after_45_seconds():
    assert [Opening(("a", "b", "c"))] == openings(waiting(*"abc"), 45.0, 4, SIZES)
    assert [] == openings(waiting(*"ab"), 89.0, 4, SIZES)


def test_bots_fill_up_a_table_after_90_seconds():
    assert [Opening(("a",), 3)] == openings(waiting("a"), 90.0, 4, SIZES)
    assert [Opening(("a",), 1)] == openings(waiting("a"), 90.0, 2, range(2, 3))


def test_those_who_waited_longest_play_first():
    queue = [*waiting("e", since=1.0), *waiting(*"abcd", since=2.0)]

    assert [Opening(("e", "a", "b", "c"))] == openings(queue, 3.0, 4, SIZES)


def test_the_same_people_don_t_play_twice_running_if_someone_else_waits():
    last = waiting(*"abcd", last="abcd")

    assert [Opening(("a", "b", "c", "e"))] == openings([*last, *waiting("e")], 1.0, 4, SIZES)
    assert [Opening(("a", "b", "c", "d"))] == openings(last, 1.0, 4, SIZES)
