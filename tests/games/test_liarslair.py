"""Liar's Lair keeps the promises of every game, under every house rule, and says what it has to say."""

from __future__ import annotations

import pytest

from lilygames.games.liarslair import GAME
from lilygames.testing import check_game
from rules.lairmoves import CardDiscarded, CardExposed, CardTaken, Contradicted, HandShown, Volunteered
from rules.lairtable import Options
from tests.rules.liarslair_worlds import hide

RARE = {CardDiscarded, CardExposed, CardTaken, Contradicted, HandShown, Volunteered}


@pytest.mark.parametrize(
    ("chosen", "sizes"),
    [
        (Options(), (3, 4, 8)),
        (Options(knockout="gift", spare=4, start="right", cards="generated"), (3,)),
        (Options(knockout="discard", deal="random", volunteer=False), (4,)),
        (Options(each=2, marks="assist", absolution=True), (3,)),
        (Options(characters="related", cards="generated", spare=2), (3,)),
        (Options(characters="own-truths", spare=3), (3,)),
        (Options(characters="own-lies"), (4,)),
        (Options(characters="secret", absolution=True, marks="assist"), (3, 4)),
    ],
)
def test_liars_lair_keeps_its_promises(chosen, sizes):
    check_game(GAME, hide=hide, bound=3000, options=[chosen], sizes=sizes, deals=3, rare=RARE)
