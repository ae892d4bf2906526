"""Commit-reveal rounds of a table, as the fold of their acts. Pure.

Each client commits to a random number, the nonce. `Sealing` fixes everything that the luck depends on, and only then do
the clients reveal. A deal uses all committed nonces or none: if one is missing, the round is void, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from lilygames import commitments
from lilygames.commitments import Sealed
from lilygames.tables.closed_deck import ClosedDeck, Hidden
from lilygames.tables.log import (
    Act,
    Committed,
    Cut,
    Header,
    Joined,
    Revealed,
    RoundAct,
    Sealing,
    Seated,
    Sitter,
    Start,
    Voided,
)
from rules.kit import Purpose, Refused

FAIRNESS = 2
"""The version of the seal that has commitments."""
_TREES = 16
"""Hands after which the tree of the next newcomer's round begins later."""
_DIGITS = re.compile(f"[0-9a-f]{{{2 * commitments.SIZE}}}")


DEALS = frozenset({"deal", "slip", "pile"})
"""Purposes of luck that begin a hand: from there on a newcomer's round is in force."""


class WrongSecret(ValueError):
    """The secret doesn't belong to the seal in force, so nothing may be drawn from it."""


def is_digits(text: str) -> bool:
    """Return whether a text is 64 lower-case hexadecimal digits: a hash or a nonce."""
    return bool(_DIGITS.fullmatch(text))


def identity(header: Header) -> str:
    """Return a table's identity (T): its own, or that of the duplicate set that it seals."""
    named = (header.game, header.version, header.seal)
    if header.duplicate:
        return commitments.duplicate_id(header.duplicate, *named)
    return commitments.table_id(header.number, *named)


@attrs.frozen
class Dealt:
    """A complete round: what was sealed, and the nonces in the order of its commitments."""

    sealed: Sealed
    nonces: tuple[bytes, ...] = attrs.field(repr=False)
    first: int = 1
    """The first hand that the tree of a closed seal covers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players whose clients took part."""
        return tuple(name for name, _ in self.sealed.commits)


@attrs.frozen
class Rounds:
    """The rounds of a table up to now; `table` is its identity (T), empty for a table without commitments."""

    table: str = ""
    seal: str = ""
    root: str = ""
    number: int = 1
    """The number of the round that is open, or that opens next."""
    words: tuple[tuple[str, str], ...] = ()
    """The words of `/cut` with their players, in log order."""
    commits: Mapping[str, str] = attrs.field(factory=dict)
    """The commitments of this round, by name."""
    sealed: Sealed | None = None
    """Sealed content while the clients reveal; None before and after that."""
    nonces: Mapping[str, bytes] = attrs.field(factory=dict, repr=False)
    """The nonces revealed in this round, by name."""
    dealt: Dealt | None = None
    """The round whose key is in force; None before the start."""
    pending: Dealt | None = attrs.field(default=None)
    """The round of a newcomer to a running game: its key serves from the next deal on."""
    left_out: tuple[str, ...] = ()
    """Players whose commitments the latest sealing left out, because they were disconnected."""
    hand: int = 0
    """The hand that was dealt last; 0 in games without hands."""
    first: int = 1
    """The first hand that the tree of the latest sealing covers, if the seal stays closed."""
    voids: tuple[Voided, ...] = ()
    """The void rounds."""
    barred: frozenset[str] = frozenset()
    """Players whose clients once failed to reveal; they can't commit again here."""

    @classmethod
    def of(cls, header: Header) -> Rounds:
        """Return the rounds of a new table: none if it has a lesson, version 1 of the seal, or a set's key."""
        if header.fairness != FAIRNESS or header.lesson or header.keyed:
            return cls()
        return cls(identity(header), header.seal, header.root)

    @property
    def used(self) -> bool:
        """Whether the table has commitments."""
        return bool(self.table)

    @property
    def missing(self) -> tuple[str, ...]:
        """The players whose clients still have to reveal, by seat."""
        return tuple(name for name, _ in self.sealed.commits if name not in self.nonces) if self.sealed else ()

    @property
    def latest(self) -> Dealt | None:
        """The latest complete round: in force now, or from the next deal on."""
        return self.pending or self.dealt

    @property
    def sealed_by(self) -> tuple[str, ...]:
        """The players whose clients took part in the latest round."""
        return self.latest.names if self.latest else ()

    @property
    def code(self) -> str:
        """The digest (D) of the latest round, to compare aloud; empty before the start."""
        return commitments.sealing_digest(self.table, self.latest.sealed) if self.latest else ""

    @property
    def staked(self) -> tuple[int, ...]:
        """The purses of a sealing that isn't dealt yet."""
        return self.sealed.purses if self.sealed else ()

    def key(self, secret: bytes) -> bytes:
        """Return the key of all luck (K) of the round in force, or of the complete one that is about to be.

        Raises `WrongSecret`, or `Refused` before the first round is complete.
        """
        dealt = self._in_force(secret)
        digest = commitments.sealing_digest(self.table, dealt.sealed)
        return commitments.table_key(secret, self.table, digest, dealt.nonces)

    def deck(self, secret: bytes, hidden: Hidden) -> ClosedDeck:
        """Return the closed deck of the round in force, or of the complete one that is about to be.

        Raises `WrongSecret`, or `Refused` before the first round is complete.
        """
        dealt = self._in_force(secret)
        digest = commitments.sealing_digest(self.table, dealt.sealed)
        cut = commitments.cut_key(self.table, digest, dealt.nonces)
        return ClosedDeck(secret, self.table, dealt.sealed.round, hidden, cut, dealt.first)

    def _in_force(self, secret: bytes) -> Dealt:
        if commitments.seal_of(secret) != self.seal:
            raise WrongSecret
        dealt = self.dealt or (None if self.missing else self.completed().dealt)
        if dealt is None:
            raise Refused("not-sealed")
        return dealt

    def proposed(
        self,
        seats: Iterable[Sitter],
        options: dict[str, Any],
        purses: tuple[int, ...],
        present: Iterable[str],
        root: str = "",
    ) -> Sealed:
        """Return what to seal now: the seats, and the commitments of those players who are present.

        A newcomer's round has a root of its own if the seal stays closed.
        """
        seats, here = [*seats], {*present}
        names = [who.name for who in seats if who.person and who.name in here and who.name in self.commits]
        return Sealed(
            round=self.number,
            seal=self.seal,
            root=root or self.root,
            options=options,
            seats=tuple((who.name, who.level) for who in seats),
            purses=purses,
            words=self.words,
            commits=tuple((name, self.commits[name]) for name in names),
        )

    # acts

    def check(self, act: Act) -> None:
        """Raise `Refused` for an act of the table that the open round doesn't allow."""
        match act:
            case Start() if self.used and self.sealed is None:
                raise Refused("not-sealed")
            case _ if self.sealed is None:
                return
            case Start(purses) if purses != self.sealed.purses:
                raise Refused("bad-sealing")
            case Start() | Joined() if self.missing:
                raise Refused("unrevealed")
            case Joined(seat, who) if (who.name, who.level) != self.sealed.seats[-1] or seat != len(
                self.sealed.seats
            ) - 1:
                raise Refused("sealing")
            case Seated() if self.dealt is None:
                raise Refused("sealing")
            case Cut() | Committed():
                raise Refused("sealing")

    def after(
        self, act: RoundAct, seats: tuple[Sitter, ...], options: dict[str, Any], purses: tuple[int, ...]
    ) -> Rounds:
        """Return the rounds after an act of a round at a table with these seats; raises `Refused`."""
        if not self.used:
            raise Refused("no-commitments")
        match act:
            case Committed():
                return self._committed(act, seats)
            case Sealing(sealing):
                return self._closed(sealing, seats, options, purses)
            case Revealed(name, nonce):
                return self._revealed(name, nonce)
            case Voided():
                return self._voided(act)

    def _committed(self, act: Committed, seats: tuple[Sitter, ...]) -> Rounds:
        if self.dealt is None and not any(who.person and who.name == act.name for who in seats):
            raise Refused("no-seat")
        if act.name in self.barred:
            raise Refused("missed-reveal")
        if not is_digits(act.commit):
            raise Refused("bad-commitment")
        return attrs.evolve(self, commits={**self.commits, act.name: act.commit})

    def _closed(
        self, sealed: Sealed, seats: tuple[Sitter, ...], options: dict[str, Any], purses: tuple[int, ...]
    ) -> Rounds:
        """Return the rounds with everything closed; a running game has one more seat, the newcomer's."""
        if self.sealed:
            raise Refused("sealing")
        if self.dealt is not None and len(sealed.seats) == len(seats) + 1:
            seats = (*seats, Sitter(*sealed.seats[-1]))
        names = [name for name, _ in sealed.commits]
        root = sealed.root if self.dealt is not None and self.root and is_digits(sealed.root) else ""
        if sealed != self.proposed(seats, options, sealed.purses, names, root):
            raise Refused("bad-sealing")
        if len(sealed.purses) not in (0, len(seats)) or sealed.purses[: len(purses)] != purses:
            raise Refused("bad-sealing")
        left_out = tuple(name for name in self.commits if name not in names)
        return attrs.evolve(self, sealed=sealed, nonces={}, left_out=left_out, first=self.next_first)

    def _revealed(self, name: str, nonce: str) -> Rounds:
        if self.sealed is None:
            raise Refused("early-reveal")
        if name in self.nonces:
            raise Refused("revealed")
        commit = dict(self.sealed.commits).get(name)
        if commit is None:
            raise Refused("no-commitment")
        if not is_digits(nonce) or not commitments.fits(commit, self.table, self.number, name, bytes.fromhex(nonce)):
            raise Refused("wrong-nonce")
        return attrs.evolve(self, nonces={**self.nonces, name: bytes.fromhex(nonce)})

    def _voided(self, act: Voided) -> Rounds:
        """Return the rounds after a void one: with the next seal before the start, with the same one afterwards.

        In a running game a round is also void if a client that takes part in the key doesn't commit at all.
        """
        if self.sealed is None and self.dealt is None:
            raise Refused("not-sealed")
        expected = self.missing if self.sealed else tuple(name for name in self.sealed_by if name in act.missing)
        if act.round != self.number or not act.missing or act.missing != expected:
            raise Refused("bad-void")
        if self.dealt is not None and (act.secret or act.next_seal):
            raise Refused("bad-void")
        if self.dealt is None and not (self._opens(act.secret) and is_digits(act.next_seal)):
            raise Refused("bad-void")
        return attrs.evolve(
            self._next_round(),
            seal=act.next_seal or self.seal,
            root=act.next_root if self.dealt is None else self.root,
            voids=(*self.voids, act),
            barred=self.barred | {*self.missing},
        )

    def _opens(self, secret: str) -> bool:
        return is_digits(secret) and commitments.seal_of(bytes.fromhex(secret)) == self.seal

    def _next_round(self) -> Rounds:
        return attrs.evolve(self, number=self.number + 1, commits={}, sealed=None, nonces={})

    def completed(self) -> Rounds:
        """Return the rounds with the sealed one complete, once all nonces are there; as they are if none is open.

        Before the start it is in force at once. In a running game the hand that is being played keeps its key.
        """
        if self.sealed is None:
            return self
        complete = Dealt(self.sealed, tuple(self.nonces[name] for name, _ in self.sealed.commits), self.first)
        if self.dealt is None:
            return attrs.evolve(self._next_round(), dealt=complete)
        return attrs.evolve(self._next_round(), pending=complete)

    @property
    def next_first(self) -> int:
        """The first hand that a tree made now covers: it changes seldom, so that a round fits the hand it begins in."""
        return self.hand // _TREES * _TREES + 1

    def renewed(self, hand: int) -> Rounds:
        """Return the rounds when a hand is dealt: from now on the newcomer's round is in force, if there is one."""
        if not self.used or (hand == self.hand and self.pending is None):
            return self
        return attrs.evolve(self, dealt=self.pending or self.dealt, pending=None, hand=hand)

    def taken_back(self, dealt: Dealt | None) -> Rounds:
        """Return the rounds with an earlier round in force, because the deal that renewed it is taken back."""
        if dealt is self.dealt:
            return self
        return attrs.evolve(self, dealt=dealt, pending=self.pending or self.dealt)

    def cut(self, name: str, word: str) -> Rounds:
        """Return the rounds with one more word."""
        return attrs.evolve(self, words=(*self.words, (name, word)))

    def seated(self, seats: tuple[Sitter, ...]) -> Rounds:
        """Return the rounds without the commitments of players who have left their seats before the start."""
        if self.dealt is not None:
            return self
        here = {who.name for who in seats if who.person}
        kept = {name: commit for name, commit in self.commits.items() if name in here}
        return attrs.evolve(self, commits=kept) if len(kept) < len(self.commits) else self


class InForce:
    """Choose the round in force for each purpose of an act's luck.

    The first deal of a running game renews the key if a newcomer's round is complete.
    """

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds

    def __call__(self, purpose: Purpose) -> Rounds:
        """Return the rounds for a purpose, and for those drawn after it."""
        match purpose:
            case (str(name), int(hand), *_) if name in DEALS:
                self.rounds = self.rounds.renewed(hand)
        return self.rounds
