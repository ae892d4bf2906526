"""Statistics of Liar's Lair for `/stats`: contradictions won, and declarations that stood."""

from lilygames.game import Attempt
from lilygames.games.liarslair import GAME
from lilygames_rules.lair.moves import Contradicted, Declared, GameEnded
from lilygames_rules.lair.table import Options

TRUTH, LIE = (9, "A walrus is happiest on a bicycle."), (12, "A walrus is happiest on land.")


def test_contradiction_is_won_by_the_truth():
    assert [Attempt(0, "contradictions won", success=True), Attempt(1, "contradictions won", success=False)] == [
        *GAME.attempts([Contradicted(TRUTH, LIE, 0, 1)], Options())
    ]


def test_declaration_stands_if_its_seat_wins():
    events = [Declared(0, "honest", (), ""), Declared(2, "honest", (), ""), GameEnded((2,), "declared")]

    assert [
        Attempt(0, "declarations that stood", success=False),
        Attempt(2, "declarations that stood", success=True),
    ] == [*GAME.attempts(events, Options())]
