"""Ladders that wait for someone: challenges to answer, and duels to play."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.chat.names.names import fold
from lilygames.ladders.ladder import ANSWER, PLAY, Duel, Ladder
from lilygames.ladders.ladder_store import Ladders
from lilygames.mailing.items.items import Item, Waiting
from lilygames.tables.log.clocks import spoken


class LadderItems:
    """The open challenges and duels of the ladders. Someone who doesn't answer in time loses them."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders

    async def waiting(self, now: float) -> Waiting:
        """Return the challenges that wait for an answer, and the duels that wait for a game."""
        found: dict[str, list[Item]] = {}
        for game, ladder in self._ladders.known.items():
            for duel in ladder.duels if not ladder.ended else ():
                if duel.until > now:
                    for key, item in self._items(game, ladder, duel, now):
                        found.setdefault(fold(self._ladders.name(ladder, key)), []).append(item)
        return found

    def _items(self, game: str, ladder: Ladder, duel: Duel, now: float) -> Iterator[tuple[str, Item]]:
        """Yield the players whom a duel waits for, by key, and what they have to do."""
        title = self._ladders.games[game].title
        left, about = spoken(duel.until - now), f"ladder {game} {ladder.season} {duel.number}"
        if not duel.accepted:
            other = self._ladders.name(ladder, duel.challenger)
            text = f"{other} challenges you on the {title} ladder. You have {left} to answer."
            act = f"/ladder accept {game}"
            yield duel.defender, Item(f"{about} challenge", text, act, since=duel.until - ANSWER, by=other)
            return
        for key in duel.players:
            if not duel.scored(key):
                text = (
                    f"Your duel with {self._ladders.name(ladder, duel.other(key))} on the {title} ladder waits for you."
                )
                act = f"/ladder play {game}"
                yield key, Item(f"{about} play", f"{text} You have {left}.", act, since=duel.until - PLAY)
