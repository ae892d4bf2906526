"""Every game in a browser, by keyboard alone and by mouse alone; and each kind of turn as people see it."""

import re

import pytest

from tests.browser.looks import faults_in_each_look, misfits
from tests.browser.player import ByKeyboard, ByMouse

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GAMES = ["Ohell", "Wizard", "Liars Dice", "Lie Die", "Liar's Poker", "Liar's Lair", "lily-poker"]


@pytest.mark.parametrize("kind", [ByKeyboard, ByMouse])
@pytest.mark.parametrize("game", GAMES)
async def test_whole_game_is_played_in_the_browser_alone(place, visit, game, kind):
    player = kind(await visit(place.url), seed=7)

    assert 0 < await player.play(game)


@pytest.mark.parametrize("game", GAMES)
async def test_no_kind_of_turn_has_a_serious_fault_or_covers_a_card(place, visit, game):
    page = await visit(place.url)
    seen, found = set(), []

    async def look(stands):
        kind = (re.sub(r"\d+|Ada|Ida|Max|Otto", "", stands["title"]), *sorted({verb(one) for one in stands["choices"]}))
        if kind not in seen:
            seen.add(kind)
            found.extend(f"{kind}: {row}" for row in [*await faults_in_each_look(page), *await misfits(page)])

    await ByMouse(page, seed=3, look=look).play(game, most=60)
    await look({"title": "the end", "choices": []})
    assert seen
    assert [] == found


def verb(choice):
    """Return the first word of a move."""
    return choice["move"].split()[0]
