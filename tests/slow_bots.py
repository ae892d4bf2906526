"""Bots that think only when a test lets them."""

import asyncio

from lilygames.tables.bots.pace import Pace


class SlowBots:
    """A place where strategies run once `let` is set."""

    def __init__(self):
        self.let = asyncio.Event()

    async def __call__(self, strategy, view, moves, luck):
        await self.let.wait()
        return strategy(view, moves, luck)


def let_bots(bot, **how):
    """Let the bots of all tables of a stage do something otherwise from now on: think, rethink, pause ..."""
    for name, does in how.items():
        object.__setattr__(bot.services.bots, name, does)


def pace(bot):
    """Return how fast the bots of a table move."""
    return Pace(bot.runner, bot.publisher, bot.services.bots, bot.services.players.people)
