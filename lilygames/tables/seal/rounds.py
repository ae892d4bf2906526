"""Commit-reveal rounds of a table, as the fold of their acts. Pure.

Each client commits to a random number, the nonce. `Sealing` fixes everything that the luck depends on, and only then do
the clients reveal. A deal uses all committed nonces or none: if one is missing, the round is void, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import attrs

from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames.tables.log.acts import (
    HANDS,
    Act,
    Committed,
    Cut,
    Header,
    Joined,
    Noted,
    Revealed,
    Rooted,
    RoundAct,
    Sealing,
    Seated,
    Sitter,
    Start,
    Voided,
)
from lilygames.tables.log.names_beside import sealed_with
from lilygames.tables.log.seat_ids import SeatIds
from lilygames.tables.seal.closed_deck import ClosedDeck, Hidden
from lilygames.text import listing
from lilygames_rules.kit import Purpose, Refused

FAIRNESS = 2
"""The version of the seal that has commitments."""
BEGIN_HANDS = frozenset({"deal", "slip", "pile"})
"""Purposes with which a hand begins, in the games that people may join while they are running."""
_SPARE = 16
"""A new root is shown when a sixteenth of the hands of the old one are left, and at least one."""
_DIGITS = re.compile(f"[0-9a-f]{{{2 * commitments.SIZE}}}")


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
    rooted: int = 1
    """The round with which its root was shown."""
    first: int = 1
    """The first hand that its root covers."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players whose clients took part."""
        return tuple(name for name, _ in self.sealed.commits)

    def covers(self, hand: int, hands: int) -> bool:
        """Return whether its root, one for that many hands, covers a hand."""
        return self.first <= hand < self.first + hands


def hidden_sealing(rounds: Rounds, sealed: Sealed) -> Sealed:
    """Return what a round seals with ids in the place of people's names, as it is hashed and stored."""
    return sealed_with(sealed, rounds.people.id_of)


def digest_of(rounds: Rounds, sealed: Sealed) -> str:
    """Return the digest (D) of what a round seals."""
    return commitments.sealing_digest(rounds.table, hidden_sealing(rounds, sealed))


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class Rounds:
    """The rounds of a table up to now; `table` is its identity (T), empty for a table without commitments."""

    table: str = ""
    seal: str = ""
    root: str = ""
    rooted: int = 1
    """The round with which the root was shown: in a running game it stays, as the seal does, until another is shown."""
    first: int = 1
    """The first hand that the root covers."""
    hands: int = HANDS
    """The number of hands that a root covers."""
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
    """The newest complete round; None before the start."""
    hand: Dealt | None = None
    """The round from which the hand in play was dealt. A newcomer's round serves from the next hand on."""
    drawn: int = 0
    """The number of the hand in play, where the seal stays closed; 0 before the first."""
    unproven: tuple[tuple[int, int], ...] = ()
    """The hands that no root covers: the first and the last of each run, which is 0 up to now."""
    wanted: str = ""
    """The player who wants the start, while it waits for commitments; empty if nobody does."""
    resumed: bool = False
    """Whether a restart has given the clients of the sealed round more time."""
    newcomer: Sitter | None = None
    """The player who joins the running game when the sealed round is complete; None without one."""
    left_out: tuple[str, ...] = ()
    """Players whose commitments the latest sealing left out, because they were disconnected."""
    voids: tuple[Voided, ...] = ()
    """The void rounds."""
    barred: frozenset[str] = frozenset()
    """Players whose clients once failed to reveal; they can't commit again here."""
    people: SeatIds = attrs.field(default=SeatIds(), eq=False, repr=False)
    """The ids that are hashed in the place of names; none in older logs."""

    @classmethod
    def of(cls, header: Header) -> Rounds:
        """Return the rounds of a new table: none if it has a lesson or a set's key."""
        if header.fairness != FAIRNESS or header.lesson or header.keyed:
            return cls(people=header.people)
        return cls(identity(header), header.seal, header.root, hands=header.hands, people=header.people)

    @property
    def used(self) -> bool:
        """Whether the table has commitments."""
        return bool(self.table)

    @property
    def missing(self) -> tuple[str, ...]:
        """The players whose clients still have to reveal, by seat."""
        return tuple(name for name, _ in self.sealed.commits if name not in self.nonces) if self.sealed else ()

    @property
    def sealed_by(self) -> tuple[str, ...]:
        """The players whose clients took part in the round in force."""
        return self.dealt.names if self.dealt else ()

    def is_newcomer(self, who: Sitter) -> bool:
        """Return whether the round that is open is this player's."""
        newcomer = self.newcomer
        return newcomer is not None and (newcomer.name, newcomer.level) == (who.name, who.level)

    @property
    def renewing(self) -> bool:
        """Whether a new root has been shown that no complete round has yet."""
        return self.dealt is not None and self.rooted != self.dealt.rooted

    @property
    def wants_root(self) -> bool:
        """Whether a new root should be shown, because the latest one covers only a few more hands."""
        spare = max(1, self.hands // _SPARE)
        return bool(self.root) and self.dealt is not None and self.drawn + spare >= self.first + self.hands

    def contributors(self, seats: Iterable[Sitter]) -> tuple[str, ...]:
        """Return the seated players whose clients took part in the round in force: a newcomer's round needs them all.

        A player counts as seated while a bot substitutes for them.
        """
        sealed_by = {*self.sealed_by}
        owners = (who.stands_in or who.name for who in seats if who.person or (who.stands_in and not who.gone))
        return tuple(name for name in owners if name in sealed_by)

    @property
    def code(self) -> str:
        """The digest (D) of the round in force, to compare aloud; empty before the start."""
        return digest_of(self, self.dealt.sealed) if self.dealt else ""

    @property
    def staked(self) -> tuple[int, ...]:
        """The purses of a sealing that isn't dealt yet."""
        return self.sealed.purses if self.sealed else ()

    def key(self, secret: bytes) -> bytes:
        """Return the key of all luck (K) of the hand in play, or of the complete round that is about to be in force.

        Raises `WrongSecret`, or `Refused` before the first round is complete.
        """
        if secret not in self._keys:
            dealt = self._in_force(secret)
            digest = digest_of(self, dealt.sealed)
            self._keys[secret] = commitments.table_key(secret, self.table, digest, dealt.nonces)
        return self._keys[secret]

    @cached_property
    def _keys(self) -> dict[bytes, bytes]:
        """Cache of the key by secret, because every bot's move asks for it."""
        return {}

    def deck(self, secret: bytes, hidden: Hidden) -> ClosedDeck:
        """Return the closed deck of the hand in play, or of the complete round that is about to be in force.

        Raises `WrongSecret`, or `Refused` before the first round is complete.
        """
        dealt = self._in_force(secret)
        digest = digest_of(self, dealt.sealed)
        cut = commitments.cut_key(self.table, digest, dealt.nonces)
        sealed, first = dealt.sealed.round, dealt.first
        return ClosedDeck(secret, self.table, dealt.rooted, hidden, cut, sealed, first, self.hands)

    def _in_force(self, secret: bytes) -> Dealt:
        if commitments.seal_of(secret) != self.seal:
            raise WrongSecret
        dealt = self.hand or (None if self.missing else self.completed().hand)
        if dealt is None:
            raise Refused("not-sealed")
        return dealt

    def serving(self, purpose: Purpose) -> Rounds:
        """Return the rounds after a draw for a purpose: a new hand is dealt from the newest round."""
        if self.dealt is None or not purpose or purpose[0] not in BEGIN_HANDS:
            return self
        if not self.root:
            return self if self.hand is self.dealt else attrs.evolve(self, hand=self.dealt)
        hand = int(purpose[1])
        return self if hand <= self.drawn else self._marked(hand, self.dealt)

    def _marked(self, hand: int, dealt: Dealt) -> Rounds:
        """Return the rounds as a new hand is dealt: marked as unproven if no root covers it."""
        covered, runs = dealt.covers(hand, self.hands), self.unproven
        marked = bool(runs) and not runs[-1][1]
        if covered and marked:
            runs = (*runs[:-1], (runs[-1][0], hand - 1))
        elif not (covered or marked):
            runs = (*runs, (hand, 0))
        return attrs.evolve(self, unproven=runs, hand=dealt, drawn=hand)

    def proposed(
        self, seats: Iterable[Sitter], options: dict[str, Any], purses: tuple[int, ...], present: Iterable[str]
    ) -> Sealed:
        """Return what to seal now: the seats, and the commitments of those players who are present."""
        seats, here = [*seats], {*present}
        names = [who.name for who in seats if who.person and who.name in here and who.name in self.commits]
        return Sealed(
            round=self.number,
            seal=self.seal,
            root=self.root,
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
            case Joined(_, who) if not self.is_newcomer(who):
                return
            case Joined(_, _, purse) if self.sealed.purses and purse != self.sealed.purses[-1]:
                raise Refused("bad-sealing")
            case Start() | Joined() if self.missing:
                raise Refused("unrevealed")
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
            case Rooted(root, first):
                return self._rooted(root, first)

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
        """Return the rounds with everything closed.

        A running game has one more seat, the newcomer's, unless the round is for a new root. The newcomer's client
        takes part, and so do those who did before.
        """
        if self.sealed:
            raise Refused("sealing")
        names, newcomers = [name for name, _ in sealed.commits], list[Sitter]()
        if self.dealt is not None:
            newcomers = [Sitter(*seat) for seat in sealed.seats[len(seats) :]]
            needed = [*self.contributors(seats), *(who.name for who in newcomers)]
            wrong = len(newcomers) > 1 or any(who.house for who in newcomers)
            if wrong or not (newcomers or self.renewing) or not {*needed} <= {*names}:
                raise Refused("bad-sealing")
            seats = (*seats, *newcomers)
        if sealed != self.proposed(seats, options, sealed.purses, names):
            raise Refused("bad-sealing")
        if len(sealed.purses) not in (0, len(seats)) or sealed.purses[: len(purses)] != purses:
            raise Refused("bad-sealing")
        left_out = self.left_out if self.dealt else tuple(name for name in self.commits if name not in names)
        newcomer = next(iter(newcomers), None)
        return _renewed(attrs.evolve(self, sealed=sealed, nonces={}, left_out=left_out, newcomer=newcomer, wanted=""))

    def _revealed(self, name: str, nonce: str) -> Rounds:
        if self.sealed is None:
            raise Refused("early-reveal")
        if name in self.nonces:
            raise Refused("revealed")
        commit = dict(self.sealed.commits).get(name)
        if commit is None:
            raise Refused("no-commitment")
        id_ = self.people.id_of(name)
        if not is_digits(nonce) or not commitments.fits(commit, self.table, self.number, id_, bytes.fromhex(nonce)):
            raise Refused("wrong-nonce")
        return _renewed(attrs.evolve(self, nonces={**self.nonces, name: bytes.fromhex(nonce)}))

    def _rooted(self, root: str, first: int) -> Rounds:
        """Return the rounds with a new root for the hands that follow; commitments to the old one don't count."""
        if self.sealed:
            raise Refused("sealing")
        if self.dealt is None or not (self.root and is_digits(root) and first > self.first):
            raise Refused("bad-root")
        return attrs.evolve(self._next_round(), root=root, rooted=self.number + 1, first=first)

    def _voided(self, act: Voided) -> Rounds:
        """Return the rounds after a void one: with the next seal before the start, with the same one afterwards."""
        if self.sealed is None:
            raise Refused("not-sealed")
        if act.round != self.number or not act.missing or act.missing != self.missing:
            raise Refused("bad-void")
        if self.dealt is not None and (act.secret or act.next_seal):
            raise Refused("bad-void")
        if self.dealt is None and not (self._opens(act.secret) and is_digits(act.next_seal)):
            raise Refused("bad-void")
        return attrs.evolve(
            self._next_round(),
            seal=act.next_seal or self.seal,
            root=act.next_root if self.dealt is None else self.root,
            rooted=self.number + 1 if self.dealt is None else self.rooted,
            voids=(*self.voids, act),
            barred=self.barred | {*act.missing},
        )

    def _opens(self, secret: str) -> bool:
        return is_digits(secret) and commitments.seal_of(bytes.fromhex(secret)) == self.seal

    def _next_round(self) -> Rounds:
        fresh = attrs.evolve(self, number=self.number + 1, commits={}, sealed=None, nonces={}, newcomer=None)
        return attrs.evolve(fresh, wanted="", resumed=False)

    def completed(self) -> Rounds:
        """Return the rounds with the sealed one in force, once all nonces are there; as they are if none is open."""
        if self.sealed is None or self.missing:
            return self
        nonces = tuple(self.nonces[name] for name, _ in self.sealed.commits)
        dealt = Dealt(self.sealed, nonces, self.rooted, self.first)
        return attrs.evolve(self._next_round(), dealt=dealt, hand=self.hand or dealt)

    def joined(self, who: Sitter) -> Rounds:
        """Return the rounds after someone has joined a running game: a newcomer's own round is in force then."""
        return self.completed() if self.is_newcomer(who) else self

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


def noted(rounds: Rounds, note: Noted) -> Rounds:
    """Return rounds after a note: that someone wants the start, or that the clients get more time to reveal."""
    match note:
        case Noted("starts", name) if not (rounds.dealt or rounds.sealed):
            return attrs.evolve(rounds, wanted=name)
        case Noted("again") if rounds.sealed:
            return attrs.evolve(rounds, resumed=True)
    return rounds


def _renewed(rounds: Rounds) -> Rounds:
    """Return rounds with a new root in force, if its round is complete and nobody joins the running game with it."""
    return rounds.completed() if rounds.dealt is not None and rounds.newcomer is None else rounds


def unproven(runs: Iterable[tuple[int, int]]) -> str:
    """Return a sentence about the hands that no root covers: the first and last of each run, which is 0 up to now."""
    said = [f"from hand {first}" if not last else f"in hands {first} to {last}" for first, last in runs]
    return f"Cards are unproven {listing(said)}."
