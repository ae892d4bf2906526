"""The numbers of a question: each is one complete legal move, wherever it is shown and however it is typed."""

import pytest

from lilygames.tables.sight.menu import Menu, number_verb

CLAIMS = [f"claim pair of {n}s" for n in range(500)]


def menu(*moves, offers=()):
    """Return the menu of moves that are typed by their name."""
    return Menu(moves, offers, str)


def rows(menu, first=0):
    return [row for _, row in menu.rows(first)]


def test_short_list_is_shown_whole():
    assert ["1. play 2H", "2. play KS"] == rows(menu("play 2H", "play KS"))


def test_number_shown_is_the_move_where_every_move_is_a_number():
    assert ["0. bid 0", "1. bid 1"] == rows(menu("bid 0", "bid 1"))
    assert "bid" == number_verb(["bid 0", "bid 3"])


def test_zero_passes_where_the_moves_are_numbers():
    """A card of Liar's Lair keeps its number if you may also expose none."""
    proving = menu("pass", "expose 3", "expose 12")

    assert ["0. pass", "3. expose 3", "12. expose 12"] == rows(proving)
    assert ["pass", "expose 3", "expose 12", None] == [proving.move(number) for number in (0, 3, 12, 1)]


@pytest.mark.parametrize("spelled", [["bid 0", "pass"], ["bid 0", "max 3"], ["play 2H"], [], ["pass"]])
def test_otherwise_number_is_a_place_in_the_list(spelled):
    assert number_verb(spelled) is None


def test_suggestions_come_first_and_the_other_moves_keep_their_order():
    offered = menu("roll all", "roll 1", "claim 9", "claim T", offers=("claim T", "roll 1"))

    assert ["1. claim T", "2. roll 1", "3. roll all", "4. claim 9"] == rows(offered)
    assert {1, 2} == offered.prompted


def test_with_suggestions_a_number_is_always_a_place_in_the_list():
    """A claim of five dice isn't a place in the list."""
    assert "claim 11111" == menu("claim 11111", "claim 22222", offers=("claim 11111",)).move(1)


def test_long_list_shows_the_suggestions_the_first_of_each_kind_and_its_length():
    answers = menu("accept", "challenge", *CLAIMS, offers=("accept", "challenge", CLAIMS[7]))

    assert [
        "1. accept",
        "2. challenge",
        "3. claim pair of 7s",
        "4. claim pair of 0s",
        "5. claim pair of 1s",
        "6. claim pair of 2s",
        "7. claim pair of 3s",
        "   ... 495 more, the last is claim pair of 499s (/moves 8)",
    ] == rows(answers)


def test_rest_of_a_long_list_comes_page_by_page_with_the_same_numbers():
    page = rows(menu("accept", "challenge", *CLAIMS), 21)

    assert "21. claim pair of 18s" == page[0]
    assert ["40. claim pair of 37s", "   ... 462 more, the last is claim pair of 499s (/moves 41)"] == page[-2:]
    assert ["502. claim pair of 499s"] == rows(menu("accept", "challenge", *CLAIMS), 502)


def test_number_of_a_suggestion_spells_no_other_move():
    """There may be hundreds, and everyone else would wait while they are spelled."""
    spelled = []
    menu = Menu(CLAIMS, ("accept",), lambda move: spelled.append(move) or move)

    assert ("accept", []) == (menu.move(1), spelled)


def test_long_list_is_in_order_although_it_is_not_written_out():
    """A table whose question waits for weeks does not hold thousands of moves in memory."""
    moves = range(3000)
    offered = Menu(moves, (2999, 5, 7), str)

    assert [2999, 5, 7, *(n for n in moves if n not in (5, 7, 2999))] == [*offered.listed]
    assert [*offered.listed] == [offered.listed[place] for place in range(len(offered.listed))]
    assert (2998, [2998]) == (offered.listed[-1], offered.listed[-1:])
    with pytest.raises(IndexError):
        offered.listed[3000]
