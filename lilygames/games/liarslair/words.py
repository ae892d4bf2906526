"""Commands, lines, prompts and refusals of Liar's Lair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from lilygames import spoken
from lilygames.commands import command, declared
from lilygames.game import Reader
from lilygames.games.liarslair import spoken as lair
from lilygames.layout import listed
from lilygames.text import listing
from lilygames_rules.kit import Event, Refused, Seat
from lilygames_rules.lair import moves as lairmoves
from lilygames_rules.lair.hands import GONE, TABLE
from lilygames_rules.lair.moves import Declare, Discard, Expose, Gift, Pass, Play, Reclaim, Take, Told, Volunteer, Way
from lilygames_rules.lair.table import (
    Declaring,
    Match,
    Over,
    Playing,
    Proving,
    Reclaiming,
    Spoils,
    View,
    Volunteering,
)

_ROWS = 12
"""Number of cards on the score sheet: the last ones that left the game."""
MARKS = {True: "T", False: "F", None: "?"}
"""Marks of cards: true, false, and those that the reader wasn't told about."""


@command("volunteer")
def volunteer(_: View) -> Volunteer:
    """Offer to start the first round; one volunteer is drawn."""
    return Volunteer()


@command("pass")
def pass_(_: View) -> Pass:
    """Don't volunteer, don't declare, or expose nothing."""
    return Pass()


@command("play")
def play(_: View, card: int) -> Play:
    """Play a card from your hand by its number: /play 12."""
    return Play(card)


@command("take")
def take(_: View, card: int) -> Take:
    """Take a card from the hand of the player you knocked out: /take 12."""
    return Take(card)


@command("gift")
def gift(_: View, card: int) -> Gift:
    """Give the victor a card from your hand when you're knocked out: /gift 12."""
    return Gift(card)


@command("discard")
def discard(_: View, card: int) -> Discard:
    """Put a card from your hand on the table when you're knocked out: /discard 12."""
    return Discard(card)


@command("reclaim")
def reclaim(_: View, card: int) -> Reclaim:
    """Take a card from the table into your hand: /reclaim 12."""
    return Reclaim(card)


@command("declare", whole=True)
def declare(_: View, way: str = "") -> Declare:
    """Declare yourself the winner: nobody can prove you a liar. Everyone sees your hand.

    /declare absolution: your cards are all lies, and others hold their truths.
    /declare identity: nobody else holds a truth about your secret character.
    The table's options say whether these two are allowed.
    """
    fits = [known for known in get_args(Way) if known.startswith(way.casefold() or "honest")]
    if not fits:
        raise Refused("no-such-way", ways=get_args(Way))
    return Declare(fits[0])


@command("expose")
def expose(_: View, card: int) -> Expose:
    """Show the declarer a true card that contradicts one of theirs: /expose 12.

    If your card is false, you're knocked out yourself.
    """
    return Expose(card)


# Events.


def _words(cards: Sequence[Told]) -> str:
    return " / ".join(f"{number} {text}" for number, text in cards)


def _marked(number: int, true: bool | None, text: str, reader: Reader) -> str:  # noqa: FBT001 - a mark, no switch
    """Return a card with its mark: `12 T Goats hate prunes.`."""
    if reader.voice.spoken:
        return f"Card {number}, {lair.MARKS[true]}: {text}"
    return f"{number} {MARKS[true]} {text}"


LEGEND = "(T true, F false, ? you weren't told)"


def _begun(event: lairmoves.GameBegun, reader: Reader) -> str:
    begun = f"Everyone gets {event.cards} cards."
    if not event.cast:
        return begun
    if any(event.characters):
        return f"{begun} {who_is_who(event.characters, reader)}."
    return f"{begun} Secret characters at the table: {listing(event.cast)}."


def who_is_who(characters: Sequence[str], reader: Reader) -> str:
    """Return which characters the seats are known to be."""
    known = [(seat, name) for seat, name in enumerate(characters) if name]
    return listing(f"{reader.who(seat)} {'are' if seat == reader.seat else 'is'} {name}" for seat, name in known)


def _dealt(event: lairmoves.Dealt, reader: Reader) -> str:
    if event.seat != reader.seat:
        return ""  # only the seat itself ever sees its marks, even in a finished log
    character = [f"You are {event.character}."] if event.character else []
    cards = listed(((number, MARKS[true], text) for number, text, true in event.cards), reader)
    return "\n".join([*character, "Your cards (T true, F false):", *cards])


def _contradicted(event: lairmoves.Contradicted, reader: Reader) -> str:
    lie = "Your" if event.victim == reader.seat else f"{reader.names[event.victim]}'s"
    truth = "your" if event.victor == reader.seat else f"{reader.names[event.victor]}'s"
    out = "you are out" if event.victim == reader.seat else f"{reader.names[event.victim]} is out"
    return f"{lie} {event.lie[0]} contradicts {truth} {event.truth[0]}, which is true: {out}, and both cards leave."


_REASONS = {
    "contradiction": "",
    "both": " for declaring with both cards of a pair",
    "proven": ", proven a liar",
    "false-proof": " for exposing a lie",
    "absolution": ": not all of those cards are provable lies",
    "identity": ": someone else still holds a truth about that character",
}


def _knocked_out(event: lairmoves.KnockedOut, reader: Reader) -> str:
    if event.reason == "contradiction" and not reader.voice.spoken:
        return ""  # the contradiction has been told
    return f"{reader.says(event.seat, 'is', 'are')} knocked out{_REASONS[event.reason]}."


def _taken(event: lairmoves.CardTaken, reader: Reader) -> str:
    seen = event.card if reader.seat in (event.victor, event.victim) else None
    ends = f": {_words([seen])}" if seen else "."
    if event.gift:
        return f"{reader.says(event.victim, 'gives', 'give')} {reader.who(event.victor)} a card{ends}"
    whose = "your" if event.victim == reader.seat else f"{reader.names[event.victim]}'s"
    return f"{reader.says(event.victor, 'takes', 'take')} one of {whose} cards{ends}"


_CLAIMS = {
    "honest": " that nobody can prove a lie here",
    "absolution": " absolution: all lies, with their truths in other hands",
}


def _declared(event: lairmoves.Declared, reader: Reader) -> str:
    if event.way == "identity":
        return _identity(event.seat, event.character, reader)
    declares = f"{reader.says(event.seat, 'declares', 'declare')}{_CLAIMS[event.way]}:"
    return "\n".join([declares, *listed(((number, "", text) for number, text in event.cards), reader)])


def declared_numbers(event: lairmoves.Declared, reader: Reader) -> str:
    """Return a declaration without the texts of its cards."""
    declares = f"{reader.says(event.seat, 'declares', 'declare')}{_CLAIMS[event.way]}:"
    return f"{declares} {listing(str(number) for number, _ in event.cards)}."


def _identity(seat: Seat, character: str, reader: Reader) -> str:
    return f"{reader.says(seat, 'declares', 'declare')} to be {character}; nobody else holds a truth about them."


_EFFECTS = {"proof": "it is true and proves a lie", "lie": "it is a lie", "nothing": "it is true and proves nothing"}


def _exposed(event: lairmoves.CardExposed, reader: Reader) -> str:
    seen = event.card if reader.seat in (event.seat, event.declarer) else None
    card = f" ({seen[0]}: {seen[1]})" if seen else ""
    shown = f"{reader.who(event.declarer)} a card{card}"
    return f"{reader.says(event.seat, f'shows {shown}', f'show {shown}')}: {_EFFECTS[event.effect]}."


def _did(theirs: str, yours: str) -> Callable[[Any, Reader], str]:
    """Return the line for a move with a card that everyone sees."""
    return lambda event, reader: f"{reader.says(event.seat, theirs, yours)} {event.card[0]}: {event.card[1]}"


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    lairmoves.GameBegun: _begun,
    lairmoves.Dealt: _dealt,
    lairmoves.Volunteered: lambda event, reader: reader.says(event.seat, "volunteers.", "volunteer."),
    lairmoves.Passed: lambda event, reader: reader.says(event.seat, "passes.", "pass."),
    lairmoves.RoundBegun: lambda event, reader: (
        f"Round {event.number}. {reader.says(event.starter, 'starts.', 'start.')}"
    ),
    lairmoves.CardPlayed: _did("plays", "play"),
    lairmoves.Contradicted: _contradicted,
    lairmoves.KnockedOut: _knocked_out,
    lairmoves.HandShown: lambda *_: "",  # the victor is asked at once, and reads the cards then
    lairmoves.CardTaken: _taken,
    lairmoves.CardDiscarded: _did("leaves on the table", "leave on the table"),
    lairmoves.CardReclaimed: _did("reclaims", "reclaim"),
    lairmoves.Declared: _declared,
    lairmoves.CardExposed: _exposed,
    lairmoves.GameEnded: lambda *_: "",
}
"""The line for each kind of event."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return spoken.told(event, reader, TOLD, lair.TOLD)


# The table.


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the round, the cards in play with their players, hand sizes, and the seats to move."""
    match = view.match
    owners = {card: seat for seat, card in match.round.played}
    table = [
        f"{card.number} {card.text} ({reader.who(owners[card.number]) if card.number in owners else 'left there'})"
        for card in view.at(TABLE)
    ]
    played = ["On the table:", *table] if table else ["No card is on the table."]
    rows = [_round(match, reader), *played, *_declarers(view, reader), _sizes(view, reader)]
    if any(view.characters):
        rows.append(f"Characters: {who_is_who(view.characters, reader)}.")
    return [*rows, _waiting(match, reader)]


def _round(match: Match, reader: Reader) -> str:
    starter = match.round.starter
    if starter is None:
        return "The first round hasn't started."
    return f"Round {match.round.number} of {match.options.max_rounds}, started by {reader.who(starter)}."


def _declarers(view: View, reader: Reader) -> list[str]:
    phase = view.match.phase
    said = phase.declared if isinstance(phase, Declaring | Proving) else ()
    return [_declarer(view, seat, way, reader) for seat, way in said]


def _declarer(view: View, seat: Seat, way: Way, reader: Reader) -> str:
    if way == "identity":
        return _identity(seat, view.characters[seat], reader)
    cards = _words([(card.number, card.text) for card in view.at(seat)])
    return f"{reader.says(seat, 'declares', 'declare')}{_CLAIMS[way]}: {cards}"


def _sizes(view: View, reader: Reader) -> str:
    hands = [f"{reader.who(seat)} {'out' if seat in view.match.out else size}" for seat, size in enumerate(view.sizes)]
    return f"Cards held: {', '.join(hands)}."


_WAITS = {
    Volunteering: "Still to volunteer or pass",
    Playing: "Still to play",
    Spoils: "Still to choose a card from the knocked-out hand",
    Reclaiming: "Still to reclaim",
    Declaring: "Still to declare or pass",
    Proving: "Still to expose a card or pass",
}


def _waiting(match: Match, reader: Reader) -> str:
    if isinstance(match.phase, Over):
        return f"The game is over: {reader.everyone(match.phase.winners)} won."
    return f"{_WAITS[type(match.phase)]}: {', '.join(map(reader.who, match.phase.waiting))}."


def hand(view: View, reader: Reader) -> Sequence[str]:
    """Return the seat's hand with marks."""
    cards = [_marked(card.number, view.mark(card), card.text, reader) for card in view.at(view.seat)]
    if not reader.voice.spoken:
        cards = listed(((card.number, MARKS[view.mark(card)], card.text) for card in view.at(view.seat)), reader)
    known = view.characters[view.seat] if view.characters and view.seat is not None else ""
    character = [f"You are {known}."] if known else []
    if not cards:
        return [*character, "You have no cards."]
    legend = [] if reader.voice.spoken else [f"Your cards {LEGEND}:"]
    return [*character, *legend, *cards]


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the seats knocked out, in order, and the cards known to have left."""
    out = ", ".join(map(reader.who, view.match.out))
    gone = view.at(GONE)[-_ROWS:]
    rows = [_marked(card.number, card.true, card.text, reader) for card in gone]
    if not reader.voice.spoken:
        rows = listed(((card.number, MARKS[card.true], card.text) for card in gone), reader)
    return [f"Knocked out: {out or 'nobody yet'}.", *(["Out of the game:", *rows] if rows else [])]


def situation(view: View, reader: Reader) -> str:
    """Return the numbers and marks of the seat's cards, and the numbers of those on the table."""
    marks = lair.MARKS if reader.voice.spoken else MARKS
    own = listing(f"{card.number} {marks[view.mark(card)]}" for card in view.at(view.seat))
    lying = listing(str(card.number) for card in view.at(TABLE))
    return f"Your cards: {own or 'none'}{'; on the table: ' if lying else ''}{lying}"


# Prompts and refusals.


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    verb = type(move).__name__.casefold()
    match move:
        case Declare(way):
            return verb if way == "honest" else f"{verb} {way}"
        case Volunteer() | Pass():
            return verb
    return f"{verb} {move.card}"


_PHASES = {
    "Volunteering": "volunteer or pass",
    "Playing": "play a card",
    "Spoils": "choose a card from the knocked-out hand",
    "Reclaiming": "reclaim a card",
    "Declaring": "declare or pass",
    "Proving": "expose a card or pass",
}


def _wrong_phase(facts: Mapping[str, Any], _: Reader) -> str:
    verb = {"loot": "take", "gift": "gift", "discard": "discard"}[facts["knockout"]]
    chosen = f"{verb} a card from the knocked-out hand"
    doing = chosen if facts["phase"] == "Spoils" else _PHASES[facts["phase"]]
    return f"you have to {doing} now; /moves lists your choices."


def _no_such_way(facts: Mapping[str, Any], _: Reader) -> str:
    ways = ["declare", *(f"declare {way}" for way in facts["ways"] if way != "honest")]
    return f"at this table you can only {listing(ways, 'or')}."


def _cards_of_another_kind(facts: Mapping[str, Any], _: Reader) -> str:
    name = facts["name"][:20]
    if facts["people"]:
        return f"characters need cards with WHO in them, and {name} has none: choose another set, or characters=off."
    return f"{name} is about people: add characters=related."


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    "game-over": "this game is over. Type /quick liarslair to play another.",
    "not-your-turn": lambda facts, reader: (
        f"wait for {listing(map(reader.who, facts['turn']))} to {_PHASES[facts['phase']]}."
    ),
    "wrong-phase": _wrong_phase,
    "not-there": lambda facts, _: f"you can't choose that card: choose {listing(map(str, facts['cards']), 'or')}.",
    "declared-on-the-left": lambda facts, reader: (
        f"you can't declare: {reader.names[facts['by']]}, on your left, already has."
    ),
    "no-such-way": _no_such_way,
    "bad-seats": "Liar's Lair is for {low} to {high} players.",
    "bad-each": "each must be {low} to {high}: everyone gets that many truths and that many lies.",
    "bad-spare": "spare must be 0 to {most} pairs.",
    "bad-rounds": "max-rounds must be 1 to {most}.",
    "deal-is-fixed": "characters={characters} decides the deal: leave deal=even.",
    "too-few-pairs": "these cards have {have} pairs, but {need} are needed: lower each or spare.",
    "unknown-cards": "there's no card set “{name:.20}”: choose standard, generated or an added set.",
    "cards-of-another-kind": _cards_of_another_kind,
}


COMMANDS = declared(volunteer, pass_, play, take, gift, discard, reclaim, declare, expose)
