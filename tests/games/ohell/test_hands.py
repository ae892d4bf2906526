"""The shark's lead by size of the hand: how it is measured, and what is published."""

import json
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from lilygames.games.ohell import GAME
from lilygames.games.ohell.house import VERSIONS, finish
from lilygames_rules import ohell

ROOT = Path(__file__).parents[3]
PUBLISHED = json.loads((ROOT / "help/host/hands.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def script():
    loader = SourceFileLoader("hands_ohell", str(ROOT / "lab/hands-ohell"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("cards", [1, 5, 12])
def test_equal_players_are_never_ahead(script, cards):
    club = GAME.players["club"]

    assert pytest.approx(0) == script.leads(club, club, cards, 4, seed=1)


@pytest.mark.parametrize("cards", [1, 12])
def test_every_seat_is_dealt_a_hand_of_this_size(script, cards):
    hands = script.dealt(cards, 4, seed=1).round.hands

    assert [cards] * 4 == [len(hand) for hand in hands]
    assert 4 * cards == len({card for hand in hands for card in hand})


@pytest.mark.parametrize("cards", range(1, 13))
def test_single_rounds_are_played_for_points(script, cards):
    """So sharks that play for the win in the last rounds of a match make the same moves here as those before them."""
    assert finish(ohell.view(script.dealt(cards, 4, seed=1), 0)) is None


def test_published_leads_are_of_the_bots_of_today_and_of_every_size():
    assert {level: VERSIONS[level] for level in ("club", "shark")} == {
        level: PUBLISHED["versions"][level] for level in ("club", "shark")
    }
    assert [*range(1, 13)] == [hand["cards"] for hand in PUBLISHED["hands"]]


def test_page_for_sysops_has_the_published_leads():
    page = (ROOT / "help/host/bots.md").read_text("utf-8")
    rows = [f"| {hand['cards']} | {hand['ahead']:+.2f} ± {hand['sure']:.2f} |" for hand in PUBLISHED["hands"]]

    assert [] == [row for row in rows if row not in page]
