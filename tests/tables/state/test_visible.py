"""One module decides who may see what of a game."""

import ast
from pathlib import Path

import attrs

from lilygames.tables.log.acts import Header
from lilygames.tables.state import visible

SOURCE = Path(visible.__file__).parents[2]
HEADER = Header(1, "toy", 1, "toy", {}, "seal", "ann")


@attrs.frozen
class CardDrawn:
    """An event that other seats learn of without its content, and spectators not at all."""

    seat: int
    card: str | None

    def seen_by(self, seat):
        if seat is None:
            return None
        return self if seat == self.seat else attrs.evolve(self, card=None)


DRAWN = CardDrawn(0, "KH")


def modules_that_ask_who_may_see():
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "seen_by":
                yield path.relative_to(SOURCE).as_posix()


def test_only_one_module_asks_an_event_who_may_see_it():
    """A second rule about secrets would be a second place to forget one."""
    assert {"tables/state/visible.py"} == {*modules_that_ask_who_may_see()}


def test_each_seat_knows_its_own_part_during_a_game():
    assert (DRAWN,) == visible.told(HEADER, [DRAWN], 0, over=False)
    assert (CardDrawn(0, None),) == visible.told(HEADER, [DRAWN], 1, over=False)
    assert () == visible.told(HEADER, [DRAWN], None, over=False)


def test_everyone_knows_everything_when_a_game_is_over():
    assert (DRAWN,) == visible.told(HEADER, [DRAWN], 1, over=True) == visible.told(HEADER, [DRAWN], None, over=True)


def test_game_that_keeps_secrets_for_ever_shows_no_more_after_its_end():
    sealed = attrs.evolve(HEADER, sealed=True)

    assert (CardDrawn(0, None),) == visible.told(sealed, [DRAWN], 1, over=True)
    assert "its seal stays closed" == visible.why_not_whole(sealed, [])


def test_log_of_a_game_in_progress_is_shown_to_nobody():
    assert "it isn't over yet" == visible.why_not_whole(HEADER, [])


def test_views_of_all_seats_are_open_after_the_end_and_only_your_own_before():
    assert (0, 1, 2) == visible.views_open(HEADER, 3, None, over=True)
    assert (1,) == visible.views_open(HEADER, 3, 1, over=False)
    assert () == visible.views_open(HEADER, 3, None, over=False)


def test_view_of_your_own_seat_alone_is_open_where_the_seal_stays_closed():
    sealed = attrs.evolve(HEADER, sealed=True)

    assert (1,) == visible.views_open(sealed, 3, 1, over=True)
    assert () == visible.views_open(sealed, 3, None, over=True)
