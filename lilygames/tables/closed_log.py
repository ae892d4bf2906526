"""A finished game whose seal stays closed, as one person may see it: the acts, events of moves, and proofs of cards.

The rows are linked like those of other exports. But a move has the events that the person saw instead of the act.
It has no digest of the story either, because that would let anyone test a guess. Proofs come last, one for each card
or line of digits that the person saw. A mucked card is never proved. Nor is a card that came after a reshuffle, because
its place in the pack would reveal who had discarded it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import attrs

from lilygames import codec, commitments
from lilygames.chat.names import fold
from lilygames.game import FactName, Facts, Game, HiddenDigits, HiddenShuffle
from lilygames.store import Entry
from lilygames.tables import seal, visible
from lilygames.tables.bot_moves import told_by_host
from lilygames.tables.closed_deck import ClosedDeck, Hidden, Leaf, Proof
from lilygames.tables.draws import Record, RecordedLuck
from lilygames.tables.export import Row, first_row, line, linked
from lilygames.tables.fixed_facts import holds
from lilygames.tables.log import (
    Act,
    Body,
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
    Undone,
    UndoneUncounted,
    Voided,
)
from lilygames.tables.names_beside import with_names
from lilygames.tables.rounds import Dealt, unproven
from lilygames.tables.seat_ids import SeatIds
from lilygames.tables.table import Diverged, Table, arranged, fixed_facts
from lilygames.tables.verify import ALONE, WRONG_NAME, Verdict, different
from lilygames.text import count, listing
from rules.kit import Event, KeyedLuck, Purpose, Refused, Seat


@attrs.frozen
class Replayed:
    """One entry of the log with its events, its draws, and the tables before and after it."""

    entry: Entry
    act: Act
    events: tuple[Event, ...]
    draws: Mapping[Purpose, Sequence[codec.Json]]
    before: Table
    after: Table


def closed_export(
    header: Header,
    game: Game,
    secret: bytes,
    entries: Iterable[Entry],
    *,
    name: str,
    key: Callable[[str], str] = fold,
) -> list[str]:
    """Return the log as JSON lines, as the person may see it; raises `Diverged`. Slow: run it in a thread."""
    steps, table = _replayed(Table(header, game, secret), entries)
    people = header.people
    seat = next((n for n, who in enumerate(table.seats) if not who.house and key(who.name) == key(name)), None)
    rows = linked(first_row(header), (_row(step, seat, people) for step in steps))
    marks = ({"unproven": [*run]} for run in table.rounds.unproven)
    return [line(row) for row in chain(rows, map(_proof_row, proofs(steps, table, seat)), marks)]


def _replayed(table: Table, entries: Iterable[Entry]) -> tuple[list[Replayed], Table]:
    record: Record = {}
    table = attrs.evolve(table, lucky=partial(RecordedLuck, record=record))
    steps = []
    for entry in entries:
        record.clear()
        after, events = table.read(entry)
        draws = {key[1:]: made for key, made in record.items() if key[:1] == ("luck",)}
        steps.append(Replayed(entry, codec.from_text(entry.body, Body).act, events, draws, table, after))
        table = after
    return steps, table


def _row(step: Replayed, seat: Seat | None, people: SeatIds) -> Row:
    act, entry = visible.act_of_closed_log(step.act), step.entry
    if act is None:
        said = {"seen": codec.dump(visible.all_seen(step.events, seat))}
    else:
        said = {"act": codec.dump(with_names(act, people.id_of))}
    return {"seq": entry.seq, "at": entry.at, "by": people.id_of(entry.by), **said}


def _proof_row(numbered: tuple[int, Proof]) -> Row:
    round_, proof = numbered
    leaf = proof.leaf
    return {
        "proof": [*leaf.purpose],
        "item": leaf.item,
        "value": leaf.value,
        "salt": proof.salt.hex(),
        "path": [one.hex() for one in proof.path],
        "round": round_,
    }


def proof_of(row: Row) -> tuple[int, Proof]:
    """Return the round and the proof of a row; raises `ValueError`, `KeyError` or `TypeError`."""
    leaf = Leaf(
        codec.load(row["proof"], tuple[str | int, ...]),
        codec.load(row["item"], int | str),
        codec.load(row["value"], bool | int | str),
    )
    path = tuple(bytes.fromhex(one) for one in codec.load(row["path"], tuple[str, ...]))
    return codec.load(row["round"], int), Proof(leaf, bytes.fromhex(row["salt"]), path)


# which cards a person saw


def proofs(steps: Sequence[Replayed], table: Table, seat: Seat | None) -> Iterator[tuple[int, Proof]]:
    """Yield the proof of each card and line that a seat, or a spectator, saw, with the round of its root."""
    yield from _fact_proofs(steps, table.game, seat)
    hidden = table.game.hidden(table.options)
    decks, told, lines = dict[int, ClosedDeck](), set[tuple[Purpose, int]](), _all_lines(steps, hidden)
    for place, step in enumerate(steps):
        for purpose, made in step.draws.items():
            draw = next((one for one in hidden if one.purpose == purpose[0]), None)
            if draw is None or step.before.luck.deck is None:
                continue
            deck = step.before.luck.deck(purpose)
            deck = decks.setdefault(deck.sealed, deck)  # one tree for all its proofs
            match draw:
                case HiddenShuffle(proven=True):
                    items = _cards_seen(draw, deck, purpose, made, _of_the_hand(steps, place, hidden, seat))
                case HiddenDigits():
                    texts = _texts(event for later in steps[place:] for event in _seen(later, seat))
                    items = [one for one, text in _lines(draw, made) if text in texts and lines[text] == 1]
                case _:
                    continue
            for item in items:
                proof = None if (purpose, item) in told else deck.proof(purpose, item)
                told.add((purpose, item))
                if proof:
                    yield deck.sealed, proof


def _fact_proofs(steps: Sequence[Replayed], game: Game, seat: Seat | None) -> Iterator[tuple[int, Proof]]:
    """Yield the proof of each fact of the deal that a seat, or a spectator, was told, in the order of the log."""
    begun = next((step.after for step in steps if isinstance(step.act, Start) and step.act.root), None)
    fixed = fixed_facts(begun, begun.state, begun.rounds) if begun else None
    if game.facts and fixed:
        events = chain.from_iterable(_seen(step, seat) for step in steps)
        names = dict.fromkeys(name for event in events for name, _ in game.facts.told(event))
        yield from ((fixed.round, fixed.proof(name)) for name in names)


def _seen(step: Replayed, seat: Seat | None) -> tuple[Event, ...]:
    return visible.all_seen(step.events, seat)


def _of_the_hand(steps: Sequence[Replayed], place: int, hidden: Sequence[Any], seat: Seat | None) -> set[str]:
    """Return the texts that a seat saw in the hand dealt at `place`, up to the next deal, reshuffle or undo.

    The entry that deals the next hand ends this one; the event that begins a hand separates them. After an undo, it
    isn't clear which hand a card is from.
    """
    kinds = {one.purpose: one for one in hidden if isinstance(one, HiddenShuffle)}
    begins = next(one.begins for one in kinds.values() if one.proven)
    seen = [*_split(_seen(steps[place], seat), begins)[1]]
    for step in steps[place + 1 :]:
        drawn = [kinds[str(purpose[0])] for purpose in step.draws if purpose[0] in kinds]
        if any(not one.proven for one in drawn) or isinstance(step.act, Undone | UndoneUncounted):
            break
        seen += _split(_seen(step, seat), begins)[0] if drawn else _seen(step, seat)
        if drawn:
            break
    return _texts(seen)


def _split(events: Sequence[Event], begins: type[Event]) -> tuple[Sequence[Event], Sequence[Event]]:
    """Return the events before the last one that begins a hand, and the rest; without one, all are the rest."""
    place = max((place for place, event in enumerate(events) if isinstance(event, begins)), default=0)
    return events[:place], events[place:]


def _cards_seen(
    draw: HiddenShuffle, deck: ClosedDeck, purpose: Purpose, made: Sequence[codec.Json], texts: set[str]
) -> list[int]:
    """Return the leaves of the cards of a shuffle that are among the texts, in the order of the deal."""
    public = KeyedLuck(commitments.draw_key(deck.cut, *purpose)).shuffle(range(draw.cards))
    (_, _, cards), *_ = made
    return [leaf for leaf, card in zip(public, cards, strict=True) if card in texts]


def _lines(draw: HiddenDigits, made: Sequence[codec.Json]) -> Iterable[tuple[int, str]]:
    """Return the lines of digits of a draw, each with its number."""
    digits = "".join(result for _, items, result in made if len(items) == len("0123456789"))
    return enumerate((digits[start : start + draw.digits] for start in range(0, len(digits), draw.digits)), 1)


def _all_lines(steps: Iterable[Replayed], hidden: Iterable[HiddenShuffle | HiddenDigits]) -> Counter[str]:
    """Return how often each line was drawn. Equal ones aren't proved: perhaps only one of them was seen."""
    kinds = {one.purpose: one for one in hidden if isinstance(one, HiddenDigits)}
    draws = (drawn for step in steps for drawn in step.draws.items() if drawn[0][0] in kinds)
    return Counter(text for purpose, made in draws for _, text in _lines(kinds[str(purpose[0])], made))


def _texts(events: Iterable[Event]) -> set[str]:
    """Return all texts in the events, such as the notation of a card."""
    return {*chain.from_iterable(_strings(codec.dump(event)) for event in events)}


def _strings(data: codec.Json) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            yield from chain.from_iterable(map(_strings, data.values()))
        case list():
            yield from chain.from_iterable(map(_strings, data))


# checking


@attrs.frozen
class _Log:
    """Summary of the acts of a closed export.

    `dealt` has the complete rounds by number, and `begun` the one from which each hand was dealt that a move began.
    `fixed` is the root of the facts of the deal, for that many `seats`. `checked` is the host's check of the bots.
    """

    dealt: dict[int, Dealt]
    begun: dict[int, Dealt]
    fixed: str
    seats: int
    checked: Checked | None


def verify_closed(header: Header, game: Game, rows: Sequence[Row]) -> Verdict:
    """Return whether the rows of an exported closed game fit: their links, the order of entries, and all proofs."""
    name = f"table #{header.number} ({header.game})"
    entries = [row for row in rows[1:] if "link" in row]
    first, shown = rows[0], [row for row in rows[1:] if "proof" in row]
    for number, (row, wanted) in enumerate(zip([first, *entries], linked(first, entries), strict=True)):
        if row != wanted or row.get("seq", 0) != number:
            return Verdict(match=False, sentence=f"No match: row {number + 1} of {name} has a wrong link.")
    if not header.people.fit:
        return Verdict(match=False, sentence=WRONG_NAME.format(name))
    try:
        log = _read(header, game, entries)
    except Diverged as difference:
        return Verdict(match=False, sentence=different(header, difference))
    options = codec.load(header.options, game.rules.Options)
    runs = [codec.load(row["unproven"], tuple[int, int]) for row in rows[1:] if "unproven" in row]
    if log.fixed and game.facts:
        names = game.facts.names(options, log.seats)
        wrong = next(_wrong_facts(log.fixed, names, shown, _told(game, game.facts, entries)), "")
    else:
        uncovered = [hand for hand, used in log.begun.items() if not used.covers(hand, header.hands)]
        wrong_proofs = _wrong_proofs(log.dealt, game.hidden(options), shown, header.hands)
        wrong = next(chain(wrong_proofs, _wrong_marks(runs, shown, uncovered)), "")
    if wrong:
        return Verdict(match=False, sentence=f"No match: {wrong} of {name}.")
    return Verdict(match=True, sentence=" ".join(_fit(name, header, log, len(shown), runs)))


def _fit(name: str, header: Header, log: _Log, proofs: int, runs: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the sentences about an export that fits."""
    proved = f"commitments and {count(proofs, 'proof')}" if header.root or log.fixed else "commitments"
    yield f"Match: {proved} of {name} fit."
    if log.fixed:
        yield f"So nothing has changed since the deal, which was fixed as {seal.shown(log.fixed)}."
    yield "Its seal is closed: nothing else can be checked." if not log.checked else told_by_host(log.checked)
    yield from [f"Deck sealed by {listing(one.names)}." for one in [*log.dealt.values()][-1:] if one.names] or [ALONE]
    if runs:
        yield unproven(runs)


def _told(game: Game, facts: Facts, entries: Iterable[Row]) -> Iterator[tuple[FactName, str | int]]:
    """Yield each fact that the events of an export tell, with the value they tell."""
    events: Any = tuple[game.rules.Event, ...]  # type: ignore[name-defined]
    for row in entries:
        for event in codec.load(row.get("seen", []), events):
            yield from facts.told(event)


def _wrong_facts(
    root: str, names: Sequence[FactName], rows: Iterable[Row], told: Iterable[tuple[FactName, str | int]]
) -> Iterator[str]:
    """Yield what is wrong with the proofs of facts: one doesn't fit the root, or the players were told otherwise."""
    proved = dict[FactName, codec.Json]()
    for row in rows:
        _, proof = proof_of(row)
        name = (*proof.leaf.purpose, proof.leaf.item)
        if not holds(proof, root, names):
            yield f"the proof for {' '.join(map(str, name))} doesn't fit the root"
        proved[name] = proof.leaf.value
    for name, value in told:
        if codec.encode(proved.get(name)) != codec.encode(value):
            yield f"the proofs don't show what was told about {' '.join(map(str, name))}"


def _wrong_marks(runs: Sequence[tuple[int, int]], proofs: Iterable[Row], unproved: Iterable[int]) -> Iterator[str]:
    """Yield each hand that is marked as unproven but has a proof, or that no root covers but isn't marked."""
    marked = {first: last or math.inf for first, last in runs}
    for hand in sorted({int(proof_of(row)[1].leaf.purpose[1]) for row in proofs}):
        if any(first <= hand <= last for first, last in marked.items()):
            yield f"hand {hand} is marked as unproven, but has a proof"
    for hand in unproved:
        if not any(first <= hand <= last for first, last in marked.items()):
            yield f"no root covers hand {hand}"


def _wrong_proofs(dealt: Mapping[int, Dealt], hidden: Hidden, rows: Iterable[Row], hands: int) -> Iterator[str]:
    """Yield what is wrong with the proofs: one doesn't fit the root of its round, or a card is dealt twice."""
    seen = set[tuple[Purpose, int]]()
    for row in rows:
        round_, proof = proof_of(row)
        purpose, value = proof.leaf.purpose, proof.leaf.value
        used, where = dealt.get(round_), " ".join(map(str, purpose))
        covers = used is not None and used.covers(int(purpose[1]), hands)
        if used is None or not covers or not proof.holds(used.sealed.root, hidden, hands):
            yield f"a proof for {where} doesn't fit the root"
        if isinstance(value, int):
            if (purpose, value) in seen:
                yield f"a card is twice in {where}"
            seen.add((purpose, value))


def _read(header: Header, game: Game, entries: Sequence[Row]) -> _Log:
    """Return what the acts of an export say; raises `Diverged` for the first one that its rounds don't allow."""
    table, dealt, begun, checked = Table(header, game, b""), dict[int, Dealt](), dict[int, Dealt](), None
    hidden, seats = game.hidden(table.options), 0
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
        if table.rounds.dealt:
            dealt[table.rounds.dealt.sealed.round] = table.rounds.dealt
            hands = [event["number"] for event in row.get("seen", ()) if event["is"] in begins]
            begun |= dict.fromkeys(hands, table.rounds.dealt)
    return _Log(dealt, begun, table.fixed, seats, checked)


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
