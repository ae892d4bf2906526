"""The screens of Liar's Lair: a turn, the picture of the table, and the sheet at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.liarslair import spoken as lair
from lilygames.games.liarslair.words import LEGEND, MARKS, spell, who_is_who
from lilygames.layout import listed, sheet, short
from lilygames.picture import NOTHING, Column, Mark, Picture, PictureSeat, Piece, Zone
from lilygames.scene import BREAK, Choice, Fact, Held, Listing, Turn, numbered, with_parts
from lilygames.text import columns, listing
from lilygames_rules import liarslair
from lilygames_rules.kit import Seat
from lilygames_rules.lair.hands import GONE, TABLE, Deck, Seen
from lilygames_rules.lair.moves import Declare, Discard, Expose, Gift, Pass, Play, Reclaim, Take, Volunteer, Way
from lilygames_rules.lair.table import Declaring, Over, Proving, Spoils, State, View

_NAME, _SLIM_NAME = 8, 6
"""Columns of a name, by how much room there is."""
_ORDER = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_MARKS: Mapping[bool | None, Mark] = {True: "true", False: "false", None: "unknown"}
_ASIDE: Mapping[Mark, int] = {"true": 0, "false": 2}
"""The order of two cards that contradict each other, by what the reader knows of them."""
_MOST = 57
"""Columns of a reason that names cards."""


_TEXTS = "(texts: /hand)"
"""How to read the seat's own cards, which would fill a narrow screen."""


# a turn


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the cards that matter for it, what is asked in this phase, and each move by its number."""
    phase, ear = view.match.phase, reader.voice.spoken
    asked = Turn(
        "",
        held=Held("Your cards") if view.seat is not None and view.at(view.seat) else None,
        lists=() if ear else tuple(_lists(view, moves[-1], reader)),
        groups=tuple(lair.MARKS.values()),
        rooms=(_MANY, _MANY),
        under=True,
    )
    match moves[-1], phase:
        case Volunteer(), _:
            return _volunteering(asked, moves)
        case Declare(), Declaring(declared=declared):
            return with_parts(
                asked,
                question="Declare, or pass?",
                facts=(_marked(view), *_who_declared([seat for seat, _ in declared], reader)),
                choices=tuple(numbered(_ways(moves, ear=ear))),
            )
        case ((Pass() | Expose()), Proving(declared=((declarer, _), *_))):
            return _proving(asked, view, moves, reader.who(declarer), reader)
    lead, brief = _asks(view, moves[0], reader.names)
    return with_parts(
        asked,
        question=f"{lead[:1].upper()}{lead[1:]}",
        choices=tuple(_card(view, move, reader) for move in moves),
        others=_texts_elsewhere(view, moves[-1], reader),
        leads=(brief if reader.voice.narrow or (ear and isinstance(moves[0], Play)) else f"{lead}:",),
    )


_MANY = 99
"""Rows of a turn: statements are never shortened."""


def _volunteering(asked: Turn, moves: Sequence[Any]) -> Turn:
    ways = (
        Choice(moves[0], "pass", note="leave it to the volunteers"),
        Choice(
            moves[1],
            "volunteer: start the first round if drawn",
            brief="volunteer to start",
            note="whoever starts plays the first card",
        ),
    )
    return with_parts(asked, question="Who starts the first round?", choices=tuple(numbered(ways)))


_MEANS: Mapping[Way, str] = {
    "honest": "nobody can prove you a liar",
    "absolution": "all your cards are provable lies",
    "identity": "nobody else holds a truth about you",
}
"""The meaning of each way to declare."""


def _ways(moves: Sequence[Any], *, ear: bool) -> Iterator[Choice]:
    """Yield the choices of someone who may declare; read aloud they are brief."""
    yield Choice(moves[0], "pass", note="play on")
    for move in moves[1:]:
        brief, link = ("declare", "declare that") if move.way == "honest" else (move.way, f"declare {move.way}:")
        yield Choice(move, brief if ear else f"{link} {_MEANS[move.way]}", brief=brief)


def _proving(asked: Turn, view: View, moves: Sequence[Any], declarer: str, reader: Reader) -> Turn:
    """Return the turn of someone who may prove that a declarer lied."""
    by_voice = ("0. pass, or prove a lie:", "0. pass, or expose")[reader.voice.narrow]
    lead = f"0 pass, or expose against {declarer}:" if reader.voice.spoken else by_voice
    nothing = lead.partition(",")[0]
    shown = [_card(view, move, reader) for move in moves[1:]]
    return with_parts(
        asked,
        question=f"Can you prove that {declarer} lied?",
        choices=(Choice(moves[0], "pass", plain="" if shown else nothing, note="show nothing"), *shown),
        others=_texts_elsewhere(view, moves[-1], reader),
        leads=(lead if shown else "",),
    )


def _card(view: View, move: Any, reader: Reader) -> Choice:
    """Return a move with a card; a prompt has its number and its mark."""
    card = next(card for card in view.cards if card.number == move.card)
    if reader.voice.spoken:
        return Choice(move, spell(move), move.card, plain=str(move.card), group=lair.MARKS[view.mark(card)])
    return Choice(move, spell(move), move.card, plain=f"{move.card} {_mark(view, card)}".rstrip())


def _texts_elsewhere(view: View, move: Any, reader: Reader) -> tuple[str, ...]:
    return (_TEXTS,) if reader.voice.narrow and _lists_own(view, move) else ()


def _marked(view: View) -> Fact:
    """Return the numbers and marks of the seat's cards."""
    marks = BREAK.join(f"{card.number} {_mark(view, card)}" for card in view.at(view.seat))
    return Fact((f"Round {view.match.round.number}: you hold {marks or 'no cards'}",), held=True, line=True)


def _who_declared(declared: Sequence[Seat], reader: Reader) -> Iterator[Fact]:
    if declared and not reader.voice.narrow:
        yield Fact((f"Declared so far: {listing(_name(seat, reader) for seat in declared)}.",), line=True)


def _lists(view: View, move: Any, reader: Reader) -> Iterator[Listing]:
    """Yield the cards of others that the seat decides on, by one of its moves, and its own if it has to read them."""
    phase = view.match.phase
    match move, phase:
        case ((Play() | Reclaim() | Gift() | Discard()), _):
            yield from _table(view, f"Round {view.match.round.number}, table:", reader)
        case Take(), Spoils(victim=victim):
            yield _cards_of(view, victim, reader)
        case ((Pass() | Expose()), Proving(declared=((declarer, _), *_))):
            yield _cards_of(view, declarer, reader)
    if not reader.voice.narrow and _lists_own(view, move):
        yield from _own(view, reader)


def _lists_own(view: View, move: Any) -> bool:
    """Whether a turn lists the seat's own cards, once a round; in the first round they have just been dealt."""
    return isinstance(move, Gift | Discard | Expose) or (isinstance(move, Play) and view.match.round.number > 1)


def _table(view: View, head: str, reader: Reader) -> Iterator[Listing]:
    """Yield the cards on the table as they were played, and who played them; nothing if the table is empty."""
    owners = {card: _name(seat, reader) for seat, card in view.match.round.played}
    order = {card: place for place, card in enumerate(owners)}
    lying = sorted(view.at(TABLE), key=lambda card: order.get(card.number, len(order)))
    if lying:
        yield Listing(head, tuple((card.number, owners.get(card.number, "--"), card.text) for card in lying))


def _cards_of(view: View, seat: Seat, reader: Reader) -> Listing:
    """Return the cards that another seat is known to hold."""
    cards = tuple((card.number, _mark(view, card), card.text) for card in view.at(seat))
    return Listing(f"{short(reader.names[seat], _NAME)}'s cards:", cards)


def _own(view: View, reader: Reader) -> Iterator[Listing]:
    """Yield the seat's own cards; nothing if it has no cards."""
    cards = tuple((card.number, _mark(view, card), card.text) for card in view.at(view.seat))
    if cards:
        yield Listing("Your cards:" if reader.voice.narrow else f"Your cards {LEGEND}:", cards)


def _rows(lists: Iterable[Listing], reader: Reader) -> Iterator[str]:
    for one in lists:
        yield one.head
        yield from listed(one.items, reader)


def _mark(view: View, card: Seen) -> str:
    """Return a card's mark; of a card that isn't the seat's own, it goes without saying that it is unknown."""
    mark = view.mark(card)
    return "" if mark is None and card.place != view.seat else MARKS[mark]


def _asks(view: View, move: Any, names: Sequence[str]) -> tuple[str, str]:
    """Return what to do with one of the cards that follow, and the same in few words."""
    match move, view.match.phase:
        case Take(), Spoils(victim=victim):
            return f"take one of {short(names[victim], _NAME)}'s cards", "take a card:"
        case Gift(), Spoils(victor=victor):
            return f"you're out, give {short(names[victor], _NAME)} a card", "give a card:"
        case Discard(), _:
            return "you're out, leave a card on the table", "leave a card:"
        case Reclaim(), _:
            return "reclaim a card from the table", "reclaim"
    return "play a card by its number", "play"


def _name(seat: Seat, reader: Reader) -> str:
    return short(reader.who(seat), _SLIM_NAME if reader.voice.narrow else _NAME)


# the table


def picture(view: View, reader: Reader) -> Picture:
    """Return the cards in play, those shown by declarers, and the reader's own, as the view may know them."""
    match = view.match
    declared = [seat for seat, _ in _declared(view)]
    lying = {card.number: _statement(view, card) for card in view.at(TABLE)}
    placed = {seat: lying[number] for seat, number in match.round.played if number in lying}
    seats = tuple(
        PictureSeat(
            seat,
            (str(view.sizes[seat]),),
            (placed.get(seat, Piece("statement", NOTHING)),) if placed and seat not in match.out else (),
            "out" if seat in match.out else "declared" if seat in declared else "",
            to_move=seat in match.answering,
            character=view.characters[seat] if view.characters else "",
        )
        for seat in range(match.seats)
    )
    own = tuple(_statement(view, card) for card in view.at(view.seat)) if view.seat is not None else ()
    return Picture(
        tuple(_facts(view, reader)),
        (Column("cards", "card"),),
        seats,
        mine=Zone("Your cards", own) if own else None,
        texts=tuple(_texts(view, reader)),
        listed=tuple(_others(view)),
        contradictions=tuple(_contradictions(view)),
    )


def _others(view: View) -> Iterator[Piece]:
    """Yield the cards of others that the view has read and knows the place of: in order of play, then by seat."""
    order = {number: place for place, (_, number) in enumerate(view.match.round.played)}
    for card in sorted(view.at(TABLE), key=lambda card: order.get(card.number, len(order))):
        yield _statement(view, card)
    for seat in range(view.match.seats):
        yield from (_statement(view, card) for card in view.at(seat) if seat != view.seat)


def _contradictions(view: View) -> Iterator[tuple[Piece, Piece]]:
    """Yield the pairs of which the view has read both cards, with the marks that `/hand` and `/score` show."""
    pairs: dict[int, list[Seen]] = {}
    for card in view.cards:
        pairs.setdefault(card.pair, []).append(card)
    for one, other in (cards for cards in pairs.values() if len(cards) == 2):  # noqa: PLR2004 - the cards of a pair
        sides = sorted((_statement(view, one), _statement(view, other)), key=lambda side: _ASIDE.get(side.mark, 1))
        yield sides[0], sides[1]


def _statement(view: View, card: Seen) -> Piece:
    """Return a card with its sentence: who holds it or has played it in this round, and what is known of its truth."""
    players = {number: seat for seat, number in view.match.round.played}
    holder = card.place if card.place not in (None, TABLE, GONE) else None
    known = card.true if card.place == GONE else view.mark(card)
    mark: Mark = "" if known is None and card.place not in (view.seat, GONE) else _MARKS[known]
    player = players.get(card.number) if holder is None else None
    number = str(card.number)
    owner = player if holder is None else holder
    return Piece("statement", number, number, text=card.text, mark=mark, owner=owner, played=player is not None)


def glance(view: View, reader: Reader) -> list[str]:
    """Return who declares, how many are still in, and which round it is."""
    match = view.match
    if match.round.starter is None:
        return ["about to start"]
    declares = [f"{_name(seat, reader)} declares" for seat, _ in _declared(view)]
    still = [f"{match.seats - len(match.out)} of {match.seats} still in"] if match.out else []
    return [*declares, *still, f"round {match.round.number}"]


def _facts(view: View, reader: Reader) -> Iterator[str]:
    round_, starter = view.match.round, view.match.round.starter
    if starter is None:
        yield "nobody has started yet"
        return
    yield f"round {round_.number} of {view.match.options.max_rounds}"
    yield f"started by {_name(starter, reader)}"


def _texts(view: View, reader: Reader) -> Iterator[str]:
    """Yield the cards to be read at the table, and the characters."""
    phase = view.match.phase
    yield from _rows(_table(view, "On the table:", reader), reader)
    shown = [seat for seat, way in _declared(view) if seat != view.seat and way != "identity"]
    if isinstance(phase, Spoils) and phase.victor == view.seat:
        shown = [phase.victim]
    for seat in shown:
        if view.at(seat):
            yield from _rows([_cards_of(view, seat, reader)], reader)
    yield from _rows(_own(view, reader), reader) if view.seat is not None else ()
    if any(view.characters):
        yield f"Characters: {who_is_who(view.characters, reader)}."


def _declared(view: View) -> Sequence[tuple[Seat, Way]]:
    phase = view.match.phase
    return phase.declared if isinstance(phase, Declaring | Proving) else ()


# the end


def final_sheet(view: View, reader: Reader) -> list[str]:
    """Return a row for each seat, best first: its points, and how the game ended for it."""
    result = liarslair.outcome(State(view.match, Deck((), ())))
    if result is None:
        return []
    order = sorted(range(view.match.seats), key=lambda seat: -result.scores[seat])
    rows = [("", "points", "")]
    for seat in order:
        place = 1 + sum(score > result.scores[seat] for score in result.scores)
        rows.append((f" {place} {_name(seat, reader)}", str(result.scores[seat]), _end_of(view, seat, reader)))
    return sheet(rows, 2)


def _end_of(view: View, seat: Seat, reader: Reader) -> str:
    """Return how the game ended for a seat: `out first`, `still in`, or why it won."""
    match, phase = view.match, view.match.phase
    if seat in match.out:
        return f"out {_ORDER[match.out.index(seat)]}"
    if not isinstance(phase, Over) or seat not in phase.winners:
        return "still in"
    if phase.reason in ("last", "rounds"):
        return "the last one left" if phase.reason == "last" else f"still in after round {match.round.number}"
    declared = f"declared in round {match.round.number}"
    cards = listing(str(card.number) for card in view.at(seat))
    because = {
        "honest": f"nobody disproved {cards}",
        "absolution": "all its cards were provable lies",
        "identity": "nobody else held a truth about them",
    }[phase.reason]
    together = f"{declared}: {because}"
    return together if columns(together) <= _MOST and not reader.voice.narrow else declared
