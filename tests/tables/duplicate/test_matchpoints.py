"""Results of the same seat with the same cards, compared as in duplicate bridge."""

from fractions import Fraction

from lilygames.tables.duplicate.matchpoints import Field, Result, compared, neuberg


def result(table, *deals):
    return Result(table, f"player{table}", deals)


def percent(*points):
    """Return what each result of a single deal gets of the most possible."""
    placed = {one.result.table: one.share for one in compared([result(*each) for each in enumerate(points)])}
    return [float(100 * placed[table]) for table in sorted(placed)]


def test_two_points_for_each_result_beaten_and_one_for_each_equal_one():
    """Five tables, one seat: 5, 2, 5, 8 and 0 of 8 points."""
    assert [62.5, 25, 62.5, 100, 0] == percent(45, 30, 45, 52, 18)


def test_missing_result_leaves_the_others_neubergs_share():
    """N = 5 results were expected and n = 4 played: 4, 0.25, 4 and 7.75 of 8 points."""
    assert [50, 3.125, 50, 96.875] == percent(45, 30, 45, 52, None)[:4]


def test_top_by_neuberg_is_as_published():
    """English Bridge Union: 11 expected, 10 played, a top is 1.1 times 19, less 1."""
    assert Fraction(199, 10) == neuberg(18, 11, 10)


def test_player_who_could_not_play_a_deal_gets_sixty_percent():
    assert 60 == percent(45, 30, None)[2]


def test_shares_of_a_deal_add_up_to_half_a_top_each():
    assert 5 * 50 == sum(percent(45, 30, 45, 52, 18))


def test_lone_result_gets_half():
    assert [50] == percent(45)


def test_order_is_by_the_mean_share_over_the_deals():
    """Table 1 wins a deal by far, and table 2 the other two by a point."""
    order = compared([result(1, 60, 9, 9), result(2, 0, 10, 10)])

    assert [(2, 1), (1, 2)] == [(one.result.table, one.place) for one in order]
    assert [Fraction(2, 3), Fraction(1, 3)] == [one.share for one in order]


def test_equal_shares_are_ordered_by_the_total_of_points():
    order = compared([result(1, 10, 0), result(2, 0, 11)])

    assert [(2, 11), (1, 10)] == [(one.result.table, one.result.total) for one in order]
    assert [Fraction(1, 2)] * 2 == [one.share for one in order]


def test_equal_results_share_a_place():
    assert [1, 1, 3] == [one.place for one in compared([result(1, 7), result(2, 7), result(3, 5)])]


def test_missing_deals_count_as_not_at_fault():
    (_, broken) = compared([result(1, 10, 10), result(2, 5)])

    assert (0 + Fraction(60, 100)) / 2 == broken.share


def test_no_results_give_no_order():
    assert [] == compared([])


def test_another_result_is_placed_among_those_of_a_field():
    """As if it were one of them, but they keep their order."""
    field = Field([result(1, 45), result(2, 30), result(3, 45), result(4, 52)])
    placed = field.place(result(9, 45))

    assert (Fraction(1, 2), 2, 1, 4) == (placed.share, placed.place, placed.beaten, placed.others)


def test_first_result_is_placed_in_an_empty_field():
    placed = Field([]).place(result(1, 45))

    assert (Fraction(1, 2), 1, 0, 0) == (placed.share, placed.place, placed.beaten, placed.others)
