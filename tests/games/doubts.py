"""How often `/set confirm` would ask a bot whether it means its move."""

from lilygames.gametest.duel import player
from lilygames.gametest.plays import luck_of


def doubted(game, level, games, seats=4):
    """Return the share of a bot's moves that are asked about, when it plays some games with itself."""
    rules, asked, options = game.rules, [], game.quick_options or game.rules.Options()
    for seed in range(games):
        state, number = rules.start(seats, options, (0,) * seats, luck_of(seed, 0)).state, 0
        while rules.outcome(state) is None:
            number += 1
            seat = next(seat for seat in range(seats) if len(rules.moves(state, seat)))
            view, luck = rules.view(state, seat), luck_of(seed, number, f"seat {seat}")
            move = player(game, level)(view, rules.moves(state, seat), luck)
            asked.append(bool(game.doubt(view, move)))
            state = rules.apply(state, seat, move, luck_of(seed, number)).state
    return sum(asked) / len(asked)
