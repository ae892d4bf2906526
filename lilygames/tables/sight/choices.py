"""The legal moves as a graph of their parts, for screens on which people put a move together part by part.

A part is a word of the move (`pair`, `Q`, `+ K`). A node is a list: whether a move can end there, then a pair for each
part that can come next, with the number of the node behind it. Equal nodes are the same one, so that thousands of
claims need a few kilobytes. The first node is where all moves begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lilygames import codec
from lilygames.game import Game
from lilygames.tables.state.table import Table
from lilygames.text import Packet
from lilygames_rules.kit import Seat

Node = tuple[bool, tuple[tuple[str, int], ...]]


Tree = dict[str, "Tree"]
"""Moves by their parts; the part "" is the end of a move."""


def graph(moves: Iterable[Sequence[str]]) -> list[Node]:
    """Return the nodes for moves in parts; the first one is where they begin."""
    first: Tree = {}
    for parts in moves:
        tree = first
        for part in (*parts, ""):
            tree = tree.setdefault(part, {})
    numbers: dict[Node, int] = {}
    last = _number(first, numbers)
    return [(ends, tuple((part, last - at) for part, at in parts)) for ends, parts in reversed(numbers)]


def _number(tree: Tree, numbers: dict[Node, int]) -> int:
    """Return the number of a node, after those behind it."""
    node = ("" in tree, tuple((part, _number(behind, numbers)) for part, behind in tree.items() if part))
    return numbers.setdefault(node, len(numbers))


def in_parts(game: Game, moves: Iterable[object]) -> Iterable[Sequence[str]]:
    """Yield the moves that can be put together, in parts; the words of a move if the game doesn't say."""
    of = game.parts.of if game.parts else lambda move: game.spell(move).split()
    return filter(None, map(of, moves))


def packet(table: Table, seat: Seat) -> Packet:
    """Return the graph of a seat's legal moves, and what the parts behind each verb are called."""
    heads: Mapping[str, Sequence[str]] = table.game.parts.heads if table.game.parts else {}
    nodes: list[codec.Json] = [
        [ends, *map(list, parts)] for ends, parts in graph(in_parts(table.game, table.moves(seat)))
    ]
    about = {"number": table.header.number, "seq": table.seq}
    return Packet("choices", {**about, "nodes": nodes, "heads": {verb: [*names] for verb, names in heads.items()}})
