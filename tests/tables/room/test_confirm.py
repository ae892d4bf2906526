"""`/set confirm on`: an odd move is asked about once, and made when it is typed again."""

import attrs
import pytest

from lilygames.games.families.tricks.doubt import doubt
from lilygames.gametest.stage import Stage
from lilygames_rules.tricks.exactbid import Bid
from tests.toys import TALLY, installed

ODD = {"tally": attrs.evolve(TALLY["tally"], doubt=lambda view, move: "That is odd." if move == Bid(1) else "")}


@pytest.fixture
async def stage(store):
    """Bob is asked for the first bid of a hand of one card, and bidding 1 counts as odd."""
    stage = await Stage.open(ODD, store=store)
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    return stage


def said(rows):
    return " ".join(rows)


@pytest.mark.parametrize("line", ["bid 1", "/bid 1", "1"])
async def test_odd_move_is_asked_about_and_made_when_typed_again(stage, line):
    await stage.type("bob", "/set confirm on")
    assert "Refused: That is odd. Type it again if you mean it." in said(await stage.type("bob", line))

    assert "You bid 1." in said(await stage.type("bob", line))


async def test_another_move_may_be_made_instead(stage):
    await stage.type("bob", "/set confirm on")
    await stage.type("bob", "bid 1")

    assert "You bid 0." in said(await stage.type("bob", "bid 0"))


async def test_player_who_has_not_turned_it_on_is_not_asked(stage):
    assert "You bid 1." in said(await stage.type("bob", "bid 1"))


async def test_illegal_move_is_refused_by_the_rules_first(stage):
    await stage.type("bob", "/set confirm on")

    assert "odd" not in said(await stage.type("bob", "bid 5"))


class Round:
    """A view of a game of tricks, with only the parts used here."""

    def __init__(self, cards):
        self.round = self
        self.deal = self
        self.cards = cards


@pytest.mark.parametrize(
    ("cards", "bid", "odd"), [(3, 3, False), (4, 4, True), (6, 4, False), (6, 5, True), (1, 1, False)]
)
def test_bid_of_more_than_two_thirds_of_many_tricks_is_odd(cards, bid, odd):
    assert odd == bool(doubt(Round(cards), Bid(bid)))


async def test_fold_with_nothing_to_call_is_asked_about(store):
    stage = await Stage.open(installed("lilypoker"), store=store)
    stage.enter("ann")
    await stage.type("ann", "/set confirm on")
    rows = await stage.type("ann", "/quick lilypoker")
    while not any("check" in row and "Your turn" in row for row in rows):
        rows = await stage.type("ann", "1")

    assert "You can check for nothing instead of folding." in said(
        row.strip() for row in await stage.type("ann", "/fold")
    )
