"""A model of the betting in poker by published rulebooks: a second oracle, which shares no code with our rules.

It follows two rulebooks: the Poker TDA's of 2022, and Robert's Rules of Poker. The TDA has the size of a raise (rule
43), when the betting is open again (47) and the pot in pot limit (54). Robert has the short big blind. The model keeps
what the seats have said on a street, and works out everything from there, slowly. `/help lilypoker-sources` says where
we differ from poker rooms, and the model follows it:

- in fixed limit, too, only a full raise opens the betting again, not half of one;
- a seat that has only checked may raise a short all-in;
- a bring-in that is all-in for less is enough;
- the big blind is the first of the bets of its street.
"""

from __future__ import annotations

import attrs


@attrs.define
class Street:
    """One street: who can put in how much, what has been posted, and what each seat has said since."""

    limit: str
    least: int
    cap: int | None
    ring: list[int]
    """Seats still in, clockwise; the first to act first."""
    chips: dict[int, int]
    """Chips behind, by seat."""
    posted: dict[int, int]
    """Blinds paid, by seat."""
    pot: int
    """Chips in the pot before the first seat acts, with blinds."""
    blinds: tuple[int, int] = (0, 0)
    """The blinds in full."""
    bring_in: int = 0
    said: list[tuple[int, str, int]] = attrs.field(factory=list)
    """Seat, what it did and the total of its bet, in order."""

    # Chips and bets.

    def put(self, seat: int) -> int:
        """Return what a seat has put in on this street."""
        return max([self.posted.get(seat, 0), *(total for one, _, total in self.said if one == seat)])

    def behind(self, seat: int) -> int:
        return self.chips[seat] - (self.put(seat) - self.posted.get(seat, 0))

    def living(self) -> list[int]:
        out = {seat for seat, what, _ in self.said if what == "fold"}
        return [seat for seat in self.ring if seat not in out]

    def level(self) -> int:
        """Return the bet to match: a big blind counts in full, whatever its seat could pay."""
        return max([self.blinds[1], *(self.put(seat) for seat in self.chips)])

    def wagers(self) -> list[tuple[int, int, int]]:
        """Return the bets and raises: seat, the bet before and the bet after; the bring-in is none."""
        level, found = self.blinds[1], []
        for seat, what, total in self.said:
            if what == "wager":
                found.append((seat, level, total))
            level = max(level, total)
        return found

    # The turn.

    def turn(self) -> int | None:
        """Return the next seat that has something to decide; None when the street is over."""
        living = self.living()
        if len(living) < 2:
            return None
        last = max([place for place, (_, what, _) in enumerate(self.said) if what == "wager"], default=-1)
        settled = {seat for seat, _, _ in self.said[max(last, 0) :]}
        after = self.ring.index(self.said[-1][0]) + 1 if self.said else 0
        for seat in self.ring[after:] + self.ring[:after]:
            if seat in living and seat not in settled and self.behind(seat) and self._has_a_choice(seat):
                return seat
        return None

    def _has_a_choice(self, seat: int) -> bool:
        """Return whether someone has bet more than the seat, or could answer more than it has bet."""
        others = [one for one in self.living() if one != seat]
        if any(self.put(one) > self.put(seat) for one in others):
            return True
        return any(self.put(one) + self.behind(one) > max(self.put(one) for one in self.chips) for one in others)

    # Moves.

    def price(self, seat: int) -> int:
        """Return the chips of a call."""
        return min(self.level() - self.put(seat), self.behind(seat))

    def full(self) -> int:
        """Return the size of a full raise: the largest full bet or raise of the street (TDA 43), at first the least."""
        size = self.least
        for _, before, after in self.wagers():
            size = max(after - before, size)
        return size

    def faced(self, seat: int) -> int | None:
        """Return by how much others have raised since the seat last bet or called; None if it hasn't.

        Short all-ins add up (TDA 47A). A bring-in isn't a bet yet: what completes it counts from zero.
        """
        faced, level = None, self.blinds[1]
        for one, what, total in self.said:
            if what == "wager" and one != seat and faced is not None:
                faced += total - level
            level = max(level, total)
            if one == seat and what in ("bring-in", "call", "wager"):
                faced = level if self.bring_in and level <= self.bring_in and what != "wager" else 0
        return faced

    def open_for(self, seat: int) -> bool:
        faced = self.faced(seat)
        return faced is None or faced >= self.full()

    def amounts(self, seat: int) -> tuple[int, int] | None:
        """Return the least and the most to which a seat may bet or raise; None if it may not."""
        level, whole = self.level(), self.put(seat) + self.behind(seat)
        rivals = [one for one in self.living() if one != seat and self.put(one) + self.behind(one) > level]
        made = len(self.wagers()) + any(self.posted.values())
        if whole <= level or not rivals or not self.open_for(seat) or (self.cap is not None and made >= self.cap):
            return None
        bare = bool(self.bring_in) and not self.wagers()
        least = min(whole, self.full() if bare else level + self.full())
        if self.limit == "fixed":
            return least, least
        if self.limit == "no":
            return least, whole
        return least, min(whole, max(least, level + self._pot_for_limit() + level - self.put(seat)))

    def _pot_for_limit(self) -> int:
        """Return the pot; blinds that are short count in full (TDA 54)."""
        bets = sum(self.put(seat) - self.posted.get(seat, 0) for seat in self.chips)
        return self.pot + bets + sum(self.blinds) - sum(self.posted.values())


def paid_out(paid: dict[int, int], living: list[int], worth: dict[int, int], ring: list[int]) -> dict[int, int]:
    """Return what each seat gets at the showdown, chip by chip: those who have paid the nth chip play for all of these.

    Chips for which the same seats play are one pot; what can't be split goes to the first winner from `ring` on.
    """
    pots: dict[tuple[int, ...], int] = {}
    won = dict.fromkeys(paid, 0)
    rivals: tuple[int, ...] = ()
    for chip in range(1, max(paid.values()) + 1):
        payers = [seat for seat in paid if paid[seat] >= chip]
        if len(payers) == 1:
            won[payers[0]] += 1
            continue
        rivals = tuple(seat for seat in ring if seat in payers and seat in living) or rivals
        pots[rivals] = pots.get(rivals, 0) + len(payers)
    for seats, amount in pots.items():
        best = [seat for seat in seats if worth[seat] == max(worth[one] for one in seats)]
        for place, seat in enumerate(best):
            won[seat] += amount // len(best) + (amount % len(best) if place == 0 else 0)
    return won
