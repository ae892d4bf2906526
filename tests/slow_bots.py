"""Bots that think only when a test lets them."""

import asyncio


class SlowBots:
    """A place where strategies run once `let` is set."""

    def __init__(self):
        self.let = asyncio.Event()

    async def __call__(self, strategy, view, moves, luck):
        await self.let.wait()
        return strategy(view, moves, luck)
