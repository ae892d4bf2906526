"""Bans after a no-show."""

from lilygames.tournaments.bans import Ban, after_no_show

HOUR = 3600.0


def test_ban_is_24_hours_then_48_then_96():
    """G9."""
    first = after_no_show(None, 0)
    second = after_no_show(first, first.until)
    third = after_no_show(second, second.until + 1)

    assert [24, 48, 96] == [ban.seconds / HOUR for ban in (first, second, third)]


def test_second_no_show_during_a_ban_makes_it_half_as_long_again():
    """G9."""
    assert Ban(36 * HOUR, 46 * HOUR) == after_no_show(Ban(24 * HOUR, 24 * HOUR), 10 * HOUR)


def test_ban_lasts_30_days_at_most():
    assert 30 * 24 == after_no_show(Ban(29 * 24 * HOUR, 0), 1).seconds / HOUR


def test_ban_ends_at_its_time():
    assert [True, False] == [Ban(1, 10).lasts(now) for now in (9.9, 10)]
