"""News of ladders for the players of a duel: at once if they are here, otherwise when they log in."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.observers import Entered, PersonEvent
from lilygames.chat.people.people import Person
from lilygames.ladders.duels import time_left
from lilygames.ladders.ladder import ANSWER, Accepted, Challenged, Decided, Duel, Ladder, Left, Scored
from lilygames.ladders.ladder_store import Ladders, News
from lilygames.text import Line


@attrs.frozen
class LadderNews:
    """Tells the players of a duel what happens in it, if they are connected to this node."""

    accounts: Accounts
    people: Everybody[Person]

    def tell(self, news: News) -> None:
        """Tell each player of the duel that an act is about."""
        for key, text in self._texts(news):
            person = self.people.get(fold(self._name(news.before, key)))
            if person and person.local and not person.guest:
                person.show(Line(f"[{news.game.title} ladder] {text}", "game"))

    def _name(self, ladder: Ladder, key: str) -> str:
        return self.accounts.now(ladder.rungs[ladder.place(key)].name) if ladder.has(key) else key

    def _texts(self, news: News) -> Iterator[tuple[str, str]]:
        """Yield each player to tell, by key, and the sentence."""
        before, after, game = news.before, news.after, news.game.name
        match news.act:
            case Challenged(challenger, defender):
                yield defender, challenge_text(self._name(before, challenger), game, ANSWER)
            case Accepted(number):
                duel = _duel(after, number)
                text = f"{self._name(before, duel.defender)} accepted your challenge. Type /ladder play {game}"
                yield duel.challenger, f"{text} within 7 days."
            case Scored(number, score):
                other = _duel(after, number).other(score.key)
                if any(duel.number == number and not duel.scored(other) for duel in news.latest.duels):
                    yield other, f"{self._name(before, score.key)} has played your duel. It's your turn."
            case Decided(number):
                duel = _duel(before, number)
                for key in duel.players:
                    yield key, self._decided(news, duel, news.act, key)
            case Left(key):
                for duel in before.duels_of(key):
                    yield duel.other(key), f"{self._name(before, key)} left the ladder, so your duel is off."

    def _decided(self, news: News, duel: Duel, act: Decided, key: str) -> str:
        """Return how a duel ended for one of its players."""
        other = self._name(news.before, duel.other(key))
        place = f" You're number {news.after.place(key) + 1}." if news.after.has(key) else ""
        if not act.winner:
            return f"Your duel with {other} has no winner.{place}"
        result = "won" if act.winner == key else "lost"
        loser = "you" if result == "lost" else other
        why = {"answer": "didn't answer", "declined": "declined", "time": "didn't play in time"}.get(act.why)
        reason = f": {loser} {why}" if why else ""
        points = {one.key: one.points for one in duel.scores}
        mine, theirs = points.get(key), points.get(duel.other(key))
        score = f", {mine} to {theirs}" if act.why == "score" and mine is not None and theirs is not None else ""
        return f"You {result} your duel with {other}{score}{reason}.{place}"


def challenge_text(name: str, game: str, seconds: float) -> str:
    """Return how someone is told of a challenge."""
    return f"{name} challenges you: /ladder accept {game}, or decline. You have {time_left(seconds)}."


def _duel(ladder: Ladder, number: int) -> Duel:
    return next(duel for duel in ladder.duels if duel.number == number)


@attrs.frozen
class LadderReminders:
    """Reminds people who log in of challenges they have to answer, and of duels they have to play."""

    ladders: Ladders

    observes = (Entered,)

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Show the reminders."""
        if isinstance(event, Entered) and not event.person.guest:
            event.person.show(*(Line(text, "game") for text in self.due(event.person)))
        return None

    def due(self, person: Person) -> Iterator[str]:
        """Yield a sentence for each challenge or duel that waits for a person."""
        key, now = self.ladders.key(person.name), self.ladders.now
        for game, ladder in self.ladders.known.items():
            title = self.ladders.games[game].title
            for duel in ladder.duels_of(key):
                if not duel.accepted and duel.defender == key and duel.until > now:
                    name = self.ladders.name(ladder, duel.challenger)
                    yield f"[{title} ladder] {challenge_text(name, game, duel.until - now)}"
                elif duel.accepted and not duel.scored(key) and duel.until > now:
                    name = self.ladders.name(ladder, duel.other(key))
                    left = time_left(duel.until - now)
                    yield f"[{title} ladder] Your duel with {name}: /ladder play {game}. You have {left}."
