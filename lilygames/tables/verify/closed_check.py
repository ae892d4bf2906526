"""Check the export of a closed game: its rows, the order of its entries, and that each card shown was fixed before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from lilygames import codec
from lilygames.game import FactName, Facts, Game, HiddenShuffle
from lilygames.proofs import commitments
from lilygames.proofs.commitments import draw_key
from lilygames.tables.log.acts import (
    Act,
    Checked,
    Closed,
    Committed,
    Cut,
    Header,
    Joined,
    Left,
    Revealed,
    Rooted,
    Sealing,
    Seated,
    Start,
    Voided,
)
from lilygames.tables.log.names_beside import with_names
from lilygames.tables.seal import seal
from lilygames.tables.seal.closed_deck import Hidden, Proof
from lilygames.tables.seal.fixed_facts import holds
from lilygames.tables.seal.rounds import Dealt, digest_of, unproven
from lilygames.tables.state.table import Diverged, Table, arranged
from lilygames.tables.verify.bot_moves import told_by_host
from lilygames.tables.verify.closed_log import proof_of
from lilygames.tables.verify.due_proofs import Shown
from lilygames.tables.verify.export import FORMAT, Row, disorder, linked, wrong_end
from lilygames.tables.verify.verify import ALONE, WRONG_NAME, Verdict, different
from lilygames.text import count, listing
from lilygames_rules.kit import Purpose, Refused

_Numbered = tuple[int, Proof]
"""A proof, and the number of the round whose root it climbs to."""


@attrs.frozen
class _Log:
    """Summary of the acts of a closed export.

    `dealt` has the complete rounds by number, and `begun` the one from which each hand was dealt that a move began.
    `fixed` is the root of the facts of the deal, for that many `seats`. `checked` is the host's check of the bots.
    `keys` are those of the public half of the luck, by round.
    """

    dealt: dict[int, Dealt]
    begun: dict[int, Dealt]
    fixed: str
    seats: int
    checked: Checked | None
    keys: dict[int, bytes]


def verify_closed(header: Header, game: Game, rows: Sequence[Row]) -> Verdict:
    """Return whether the rows of an exported closed game fit: their links, the order of entries, and all proofs."""
    name = f"table #{header.number} ({header.game})"
    if why := disorder(rows) or _wrong_link(name, rows) or wrong_end(rows):
        return Verdict(match=False, sentence=f"No match: {why}.")
    if not header.people.fit:
        return Verdict(match=False, sentence=WRONG_NAME.format(name))
    try:
        log = _read(header, game, [row for row in rows[1:] if "link" in row])
    except Diverged as difference:
        return Verdict(match=False, sentence=different(header, difference))
    claims = _Claims.of(rows)
    wrong = next(_wrong(header, game, log, claims), "")
    if wrong:
        return Verdict(match=False, sentence=f"No match: {wrong} of {name}.")
    return Verdict(match=True, sentence=" ".join(_fit(name, header, log, len(claims.proofs), claims.marks)))


def _wrong_link(name: str, rows: Sequence[Row]) -> str:
    """Return which row has a wrong link or number; empty if all fit."""
    first, entries = rows[0], [row for row in rows[1:] if "link" in row]
    for number, (row, wanted) in enumerate(zip([first, *entries], linked(first, entries), strict=True)):
        if row != wanted or row.get("seq", 0) != number:
            return f"row {number + 1} of {name} has a wrong link"
    return ""


@attrs.frozen
class Marks:
    """Marks of what is unproven: runs of hands, whose last one is 0 up to now, and lines that were drawn twice."""

    runs: tuple[tuple[int, int], ...]
    equal: tuple[str, ...]

    @classmethod
    def of(cls, marks: Sequence[codec.Json]) -> Marks:
        """Return the marks of the rows of an export; raises `ValueError`."""
        equal = tuple(mark for mark in marks if isinstance(mark, str))
        return cls(tuple(codec.load(mark, tuple[int, int]) for mark in marks if not isinstance(mark, str)), equal)

    def has(self, hand: int) -> bool:
        """Return whether a hand is marked."""
        return any(first <= hand <= (last or math.inf) for first, last in self.runs)


@attrs.frozen
class _Claims:
    """Claims of an export about hidden draws: its entries, proofs and marks.

    It is `whole` from format 4 on: then its entries show all that the reader saw.
    """

    entries: Sequence[Row]
    proofs: Sequence[_Numbered]
    marks: Marks
    whole: bool

    @classmethod
    def of(cls, rows: Sequence[Row]) -> _Claims:
        """Return the claims of the rows of an export; raises as `proof_of` does."""
        marks = Marks.of([row["unproven"] for row in rows if "unproven" in row])
        entries = [row for row in rows[1:] if "link" in row]
        proofs = [proof_of(row) for row in rows if "proof" in row]
        return cls(entries, proofs, marks, whole=rows[0]["lilygames"] >= FORMAT)


def _wrong(header: Header, game: Game, log: _Log, claims: _Claims) -> Iterator[str]:
    """Yield what is wrong with the proofs of an export: one doesn't hold, isn't there, or is one too many."""
    options = codec.load(header.options, game.rules.Options)
    if log.fixed and game.facts:
        told = [*_told(game, game.facts, claims.entries)]
        names = game.facts.names(options, log.seats)
        yield from _wrong_facts(log.fixed, names, [proof for _, proof in claims.proofs], told, whole=claims.whole)
        return
    hidden, marks = game.hidden(options), claims.marks
    yield from _wrong_proofs(log.dealt, hidden, claims.proofs, header.hands)
    yield from _wrong_marks(log, header.hands, claims.proofs, marks)
    if header.root:
        keyed = [(proof, draw_key(log.keys[round_], *proof.leaf.purpose)) for round_, proof in claims.proofs]
        shown = Shown(hidden, claims.entries, claims.whole)
        yield from shown.wrong_cards(keyed, marks.has)
        yield from shown.wrong_lines(keyed, marks.equal, unproven=bool(marks.runs))


def _fit(name: str, header: Header, log: _Log, proofs: int, marks: Marks) -> Iterator[str]:
    """Yield the sentences about an export that fits."""
    proved = f"commitments and {count(proofs, 'proof')}" if header.root or log.fixed else "commitments"
    yield f"Match: {proved} of {name} fit."
    if log.fixed:
        yield f"So nothing has changed since the deal, which was fixed as {seal.shown(log.fixed)}."
    yield "Its seal is closed: nothing else can be checked." if not log.checked else told_by_host(log.checked)
    yield from [f"Deck sealed by {listing(one.names)}." for one in [*log.dealt.values()][-1:] if one.names] or [ALONE]
    if marks.runs:
        yield unproven(marks.runs)
    if marks.equal:
        yield f"Drawn more than once, so without a proof: {listing(marks.equal)}."


def _told(game: Game, facts: Facts, entries: Iterable[Row]) -> Iterator[tuple[FactName, str | int]]:
    """Yield each fact that the events of an export tell, with the value they tell."""
    events: Any = tuple[game.rules.Event, ...]  # type: ignore[name-defined]
    for row in entries:
        for event in codec.load(row.get("seen", []), events):
            yield from facts.told(event)


def _wrong_facts(
    root: str,
    names: Sequence[FactName],
    proofs: Iterable[Proof],
    told: Sequence[tuple[FactName, str | int]],
    *,
    whole: bool,
) -> Iterator[str]:
    """Yield what is wrong with the proofs of facts: one doesn't fit the root, or the players were told otherwise."""
    proved = [((*proof.leaf.purpose, proof.leaf.item), proof) for proof in proofs]
    for name, proof in proved:
        if not holds(proof, root, names):
            yield f"the proof for {_named(name)} doesn't fit the root"
    values = {name: proof.leaf.value for name, proof in proved}
    for name, value in told:
        if codec.encode(values.get(name)) != codec.encode(value):
            yield f"the proofs don't show what was told about {_named(name)}"
    if whole and [name for name, _ in proved] != [*dict.fromkeys(name for name, _ in told)]:
        yield "the proofs aren't those of the facts that were told"


def _named(name: Iterable[str | int]) -> str:
    return " ".join(map(str, name))


def _wrong_marks(log: _Log, hands: int, proofs: Iterable[_Numbered], marks: Marks) -> Iterator[str]:
    """Yield each hand that is marked as unproven but has a proof or a root, or that no root covers but isn't marked."""
    for hand in sorted({int(proof.leaf.purpose[1]) for _, proof in proofs}):
        if marks.has(hand):
            yield f"hand {hand} is marked as unproven, but has a proof"
    for hand, used in log.begun.items():
        if not used.covers(hand, hands) and not marks.has(hand):
            yield f"no root covers hand {hand}"
        if used.covers(hand, hands) and marks.has(hand):
            yield f"hand {hand} is marked as unproven, but a root covers it"


def _wrong_proofs(dealt: Mapping[int, Dealt], hidden: Hidden, proofs: Iterable[_Numbered], hands: int) -> Iterator[str]:
    """Yield what is wrong with the proofs: one doesn't fit the root of its round, or a card is dealt twice."""
    seen = set[tuple[Purpose, int]]()
    for round_, proof in proofs:
        purpose, value = proof.leaf.purpose, proof.leaf.value
        used = dealt.get(round_)
        covers = used is not None and used.covers(int(purpose[1]), hands)
        if used is None or not covers or not proof.holds(used.sealed.root, hidden, hands):
            yield f"a proof for {_named(purpose)} doesn't fit the root"
        if isinstance(value, int):
            if (purpose, value) in seen:
                yield f"a card is twice in {_named(purpose)}"
            seen.add((purpose, value))


def _read(header: Header, game: Game, entries: Sequence[Row]) -> _Log:
    """Return what the acts of an export say; raises `Diverged` for the first one that its rounds don't allow."""
    table, dealt, begun, checked = Table(header, game, b""), dict[int, Dealt](), dict[int, Dealt](), None
    keys, hidden, seats = dict[int, bytes](), game.hidden(table.options), 0
    begins = {one.begins.__name__ for one in hidden if isinstance(one, HiddenShuffle)} if header.root else ()
    for number, row in enumerate(entries, 1):
        try:
            if "act" in row:
                act = with_names(codec.load(row["act"], Act), header.people.name_of)
                table = _after(table, act)
                checked = act.checked if isinstance(act, Closed) else checked
        except (Refused, ValueError, LookupError, TypeError) as problem:
            raise Diverged(number) from problem
        seats = seats if table.started else len(table.seats)
        if (used := table.rounds.dealt) and used.sealed.round not in dealt:
            dealt[used.sealed.round] = used
            digest = digest_of(table.rounds, used.sealed)
            keys[used.sealed.round] = commitments.cut_key(table.rounds.table, digest, used.nonces)
        if used:
            hands = [event["number"] for event in row.get("seen", ()) if event["is"] in begins]
            begun |= dict.fromkeys(hands, used)
    return _Log(dealt, begun, table.fixed, seats, checked, keys)


def _after(table: Table, act: Act) -> Table:
    """Return a table of which only seats and rounds are known, after an act; raises `Refused`."""
    table.rounds.check(act)
    match act:
        case Start() if table.started:
            raise Refused("started")
        case Start(purses, root):
            return attrs.evolve(table, state=object(), purses=purses, rounds=table.rounds.completed(), fixed=root)
        case Joined(seat, who, purse):
            seats, purses = table.seats.joined(seat, who), (*table.purses, purse)
            return attrs.evolve(table, seats=seats, purses=purses, rounds=table.rounds.joined(who))
        case Left(seat):
            return attrs.evolve(table, seats=table.seats.left(seat))
        case Seated() | Cut() | Committed() | Sealing() | Revealed() | Voided() | Rooted():
            return attrs.evolve(table, **arranged(table, act))
    return table
