"""Make `version-1.json`: sessions that version 1 of lily-poker played, in which today's rules would do otherwise.

python -m tests.games.lilypoker.version_1 FILE. It was run once, in release 0.2 (commit e0725f34), whose rules were
version 1, and shows where the file came from. Moves are random; a session is kept if an all-in or a short blind may
matter in it. Of these, the file has some that today's rules refuse, or that end with other chips.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path

from lilygames import codec
from lilygames_rules import lilypoker
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker.bets import Bet, Call, Fold, Raise

SESSIONS = 2500
"""Sessions that are tried for each limit."""


def luck(seed, turn):
    return KeyedLuck(f"version 1: {seed} {turn}".encode())


def chosen(moves, chance):
    """Return a move: often a bet or raise, seldom a fold, so that there are many all-ins."""
    raises = [place for place, move in enumerate(moves[:3]) if isinstance(move, Bet | Raise)]
    if raises and chance.roll(2) == 1:
        return moves[chance.choice((raises[0], len(moves) - 1))]
    return moves[0] if chance.roll(8) > 1 or Fold() not in moves[:2] else Fold()


def matters(state, seat, move):
    """Return whether a seat that has bet or called raises after less than a full bet, or calls a short big blind."""
    if state.deal is None or state.deal.phase != "bet":
        return False
    now, big = state.deal.betting, state.match.options.blinds.big
    before_flop = state.deal.variant == "holdem" and not state.deal.street
    if isinstance(move, Raise):
        has_acted = now.bets[seat] > 0 and (not before_flop or now.bets[seat] > big or seat not in now.order[:2])
        return has_acted and now.owed < now.least
    return isinstance(move, Call) and before_flop and now.top < big


def played(options, purses, seed):
    """Return the moves of a session with their seats, the last state, and whether the difference mattered."""
    state, said, mattered = lilypoker.start(len(purses), options, purses, luck(seed, 0)).state, [], False
    while (seat := lilypoker.turn(state)) is not None:
        move = chosen(lilypoker.moves(state, seat), luck(seed, f"choose {len(said)}"))
        mattered |= matters(state, seat, move)
        said.append((seat, move))
        state = lilypoker.apply(state, seat, move, luck(seed, len(said))).state
    return said, state, mattered


def session(seed, limit):
    """Return a session as it is kept, and whether the difference mattered in it."""
    chance = luck(seed, "table")
    variant = chance.choice(("draw", "stud7", "holdem"))
    purses = tuple(chance.roll(chance.choice((5, 40))) for _ in range(chance.roll(3) + 2))
    options = lilypoker.Options(variant=variant, limit=limit, hands=4)
    said, state, mattered = played(options, purses, seed)
    return mattered, {
        "seed": seed,
        "options": codec.dump(options),
        "purses": purses,
        "moves": [[seat, codec.dump(move)] for seat, move in said],
        "chips": state.match.chips,
        "end": sha256(codec.to_text(state).encode()).hexdigest(),
    }


def main():
    kept = []
    for limit in ("fixed", "pot", "no"):
        sessions = (session(f"{limit} {number}", limit) for number in range(SESSIONS))
        kept += [one for mattered, one in sessions if mattered]
    Path(sys.argv[1]).write_text(json.dumps(kept, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
