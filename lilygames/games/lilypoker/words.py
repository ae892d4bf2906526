"""Commands, lines, prompts and refusals of lily-poker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from lilygames import spoken
from lilygames.commands import Reads, command, declared
from lilygames.game import Reader
from lilygames.games.lilypoker import spoken as poker
from lilygames.games.lilypoker import told as pokerwords
from lilygames.games.lilypoker.told import by_seat, cards_in, sorted_in
from lilygames.games.lilypoker.views.draw import advised
from lilygames.spoken import unless_typed
from lilygames.text import count, signed
from lilygames_rules.cards import Card
from lilygames_rules.kit import Event, Seat
from lilygames_rules.lilypoker import Choose, HandBegun, View
from lilygames_rules.poker import betting, session
from lilygames_rules.poker import deal as pokerdeal
from lilygames_rules.poker import hands as pokerhands
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal, Discard, Muck, Show
from lilygames_rules.poker.session import Match, Row
from lilygames_rules.poker.table import VARIANTS, Options, Variant

FIRST_WAGER = 2
"""Place of the lowest bet or raise among the betting moves, after a check or call, and a fold."""


def _card(text: str) -> Card:
    """Parse a standard card; raises `ValueError`."""
    card = Card.parse(text)
    if card.suit is None:
        raise ValueError(text)
    return card


def _variant(text: str) -> Variant:
    for variant in VARIANTS:
        if text and variant.startswith(text.casefold()):
            return variant
    raise ValueError(text)


_CardText = Annotated[Card, Reads("CARD", _card, "cards are like 7C 10D; /stand keeps all")]
_GameText = Annotated[str, Reads("GAME", _variant, "a game is draw, stud7 or holdem")]


@command("check")
def check(_: View) -> Check:
    """Check: stay in without betting."""
    return Check()


@command("call", whole=True)
def call(_: View) -> Call:
    """Call the highest bet, or go all-in for less."""
    return Call()


@command("bet", whole=True)
def bet(view: View, chips: int = 0) -> Bet:
    """Bet first: /bet 2, or just /bet for the minimum.

    In stud the lowest card has to bring it in: /bet pays the bring-in, and
    /bet with a full bet completes it at once.
    """
    return Bet(chips or _least(view))


@command("raise", whole=True)
def raise_(view: View, chips: int = 0) -> Raise:
    """Raise to a total on this street: /raise 4, or just /raise for the minimum."""
    return Raise(chips or _least(view))


@command("allin", whole=True)
def all_in(view: View) -> Bet | Raise | Call:
    """Bet or raise the maximum (all your chips at no limit), or else call."""
    deal = view.deal
    amounts = betting.wagers(deal.betting) if deal and deal.turn == view.seat and deal.phase == "bet" else range(0)
    if not deal or not amounts:
        return Call()
    return Raise(amounts[-1]) if deal.betting.top else Bet(amounts[-1])


def _least(view: View) -> int:
    """Return the minimum bet or raise; 0, which the rules refuse, if the seat can't bet."""
    deal = view.deal
    if deal is None or deal.phase != "bet" or view.seat is None or deal.turn != view.seat:
        return 0
    moves = pokerdeal.choices(view.match.options, deal, view.seat)
    return next((move.to for move in moves if isinstance(move, Bet | Raise)), 0)


@command("fold", whole=True)
def fold(_: View) -> Fold:
    """Fold: give up the hand and the chips you've put in."""
    return Fold()


@command("discard", "draw")
def discard(_: View, *cards: _CardText) -> Discard:
    """Discard cards and draw as many: /discard 7C 10D.

    You can type just the cards: 7C 10D. /discard alone, or /stand, keeps all five.
    """
    return Discard(pokerhands.by_rank(cards))


@command("stand", "pat")
def stand(_: View) -> Discard:
    """Stand pat: keep all your cards."""
    return Discard()


@command("variant")
def variant(_: View, variant: _GameText) -> Choose:
    """Choose the game you deal: /variant draw, stud7 or holdem."""
    return Choose(variant)  # type: ignore[arg-type]  # as `_variant` has read it


@command("show")
def show_hand(_: View) -> Show:
    """Show your hand although you don't have to."""
    return Show()


@command("muck")
def muck(_: View) -> Muck:
    """Muck your hand: nobody sees it."""
    return Muck()


# Events.


_SAID = {**pokerwords.TOLD, **poker.TOLD}
SPOKEN = {**poker.TOLD, **{kind: unless_typed(_SAID[kind]) for kind in poker.MOVES}}
"""The line for each kind of event in reader mode."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return spoken.told(event, reader, pokerwords.TOLD, SPOKEN)


# The table.


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the hand, the board, the pot and a row per seat."""
    match, deal = view.match, view.deal
    if deal is None:
        chooses = reader.says(match.dealer, *pokerwords.CHOOSES)
        return ["The session is over." if match.ended else chooses, f"Chips: {by_seat(_listed(match), reader)}."]
    begun = HandBegun(match.played + 1, match.options.hands, deal.variant, match.dealer, 0, ())
    board = [f"Board: {cards_in(deal.layout.board, reader)}."] if deal.layout.board else []
    rows = [_seat_row(match, deal, seat, reader) for seat in sorted({*match.sitting, *deal.betting.order})]
    return [f"{pokerwords.begun(begun, reader)} {_stakes(match.options)}", *board, f"Pot: {deal.betting.total}.", *rows]


def _stakes(options: Options) -> str:
    if options.limit == "fixed":
        return f"Bets are {options.small_bet} and {options.big_bet}."
    return f"{options.limit.capitalize()} limit, from {options.small_bet} up."


def _seat_row(match: Match, deal: Deal, seat: Seat, reader: Reader) -> str:
    now, drew, up = deal.betting, "", ""
    if seat not in now.order:
        return f"{reader.who(seat)}: {count(match.chips[seat], 'chip')}, not in this hand"
    if (drawn := deal.drew[seat]) is not None:
        drew = f", drew {drawn}" if drawn else ", stood pat"
    if deal.layout.up[seat]:
        up = f", shows {cards_in(deal.layout.up[seat], reader)}"
    stands = f", bet {now.bets[seat]}" if now.bets[seat] else ""
    if seat not in now.living:
        stands = ", folded"
    elif not now.stacks[seat] and not deal.over:
        stands += ", all-in"
    return f"{reader.who(seat)}: {count(now.stacks[seat], 'chip')}{stands}{drew}{up}"


def hand(view: View, reader: Reader) -> Sequence[str]:
    """Return the seat's cards and their value, and those of the last hand."""
    whose = "Hand" if reader.voice.spoken else "Your hand"
    rows = [f"{whose}: {held}" if (held := _held(view.deal, view.seat, reader)) else "You have no cards."]
    if last := _held(view.last, view.seat, reader):
        rows.append(f"Last hand: {last}")
    return rows


def situation(view: View, reader: Reader) -> str:
    """Return the seat's cards, the pot and what a call costs."""
    deal, held = view.deal, _held(view.deal, view.seat, reader)
    if deal is None or not held:
        return "You have no cards"
    owed = f", {deal.betting.owed} to call" if deal.phase == "bet" and deal.betting.owed else ""
    return f"Your hand: {held}, pot {deal.betting.total}{owed}"


def _held(deal: Deal | None, seat: Seat | None, reader: Reader) -> str:
    if deal is None or seat is None or seat >= len(deal.layout.hands):
        return ""
    cards = known(deal.layout.hands[seat])
    up = f", face up {cards_in(deal.layout.up[seat], reader)}" if deal.layout.up[seat] else ""
    board = f", board {cards_in(deal.layout.board, reader)}" if deal.layout.board else ""
    whole = pokerdeal.all_cards(deal, seat)
    worth = f" ({pokerhands.worth(whole).words})" if len(whole) >= pokerhands.FIVE else ""
    return f"{sorted_in(cards, reader)}{up}{board}{worth}" if cards else ""


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the chips, and the wins and losses in total and in the latest hands."""
    match = view.match
    changes = session.changes(match)
    chips = (f"{reader.who(seat)} {held} ({signed(changes[seat])})" for seat, held in _listed(match))
    return [f"Chips: {', '.join(chips)}.", *(_sheet_row(row, reader) for row in match.sheet)]


def _listed(match: Match) -> Sequence[tuple[Seat, int]]:
    """Return the chips of the seats that are still in, or of all when the session is over."""
    return [(seat, held) for seat, held in enumerate(match.chips) if match.ended or seat in match.sitting]


def _sheet_row(row: Row, reader: Reader) -> str:
    changes = ", ".join(f"{reader.who(seat)} {signed(won)}" for seat, won in enumerate(row.changes) if won)
    return f"Hand {row.number}, {pokerwords.GAMES[row.variant]}: {changes or 'nobody won or lost'}"


# Prompts and refusals.


def offers(view: View, moves: Sequence[Any]) -> Sequence[Any]:
    """Return the moves a prompt numbers: 1 checks or calls, 2 bets or raises, 3 folds.

    In the draw 1 discards cards, and 2 stands pat.
    A number that can't be used now is left out (None). A fold is offered only if it saves chips.
    """
    deal = view.deal
    if deal is None or deal.phase == "show" or (deal.phase == "bet" and deal.betting.bring_in):
        return ()
    if deal.phase == "draw":
        cards = useless(view, deal)
        return [Discard(cards) if cards else None, Discard()]
    wager = moves[FIRST_WAGER] if len(moves) > FIRST_WAGER else None
    return [moves[0], wager, *([Fold()] if deal.betting.owed else [])]


def useless(view: View, deal: Deal) -> tuple[Card, ...]:
    """Return the cards that are reasonable to discard; none for a hand that is good as it is."""
    return advised(known(deal.layout.hands[view.seat or 0]), view.match.options.max_draw)


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    match move:
        case Bet(to) | Raise(to):
            return f"{'bet' if isinstance(move, Bet) else 'raise'} {to}"
        case Discard(cards):
            return f"discard {' '.join(map(str, cards))}" if cards else "stand"
        case Choose(game):
            return f"variant {game}"
    return type(move).__name__.lower()


def word(move: Any, _: View, reader: Reader) -> str:
    """Return a move in words."""
    if isinstance(move, Discard) and move.cards:
        return f"discard {poker.cards(move.cards) if reader.voice.spoken else cards_in(move.cards, reader)}"
    return spell(move)


_PHASES = {"choose": "choose the game", "bet": "bet, check or fold", "draw": "draw", "show": "show or muck"}
_INSTEAD = {
    "choose": "choose the game first: draw, stud7 or holdem.",
    "bet": "it's time to bet; /moves lists your choices.",
    "draw": "discard cards (/discard 7C 10D), or stand pat.",
    "show": "the hand is over: show or muck.",
}


def _not_in_hand(facts: Mapping[str, Any], reader: Reader) -> str:
    return f"you don't have {cards_in([facts['card']], reader)}, or not that many; /hand shows your cards."


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    "game-over": "this session is over. Type /quick lilypoker to play another.",
    "not-your-turn": lambda facts, reader: f"wait for {reader.names[facts['turn']]} to {_PHASES[facts['phase']]}.",
    "wrong-phase": lambda facts, _: _INSTEAD[facts["phase"]],
    "bring-in": "your card is the lowest: bet {amount} to bring it in, or make a full bet.",
    "owes": "someone has bet: call {amount}, raise or fold.",
    "nothing-to-call": "nobody has bet more than you: check, bet or fold.",
    "nothing-to-raise": "nobody has bet yet: check or bet.",
    "already-bet": "the bet is {top}: raise it, call or fold.",
    "bad-amount": lambda facts, _: f"the amount must be {_span(facts)}.",
    "no-raise": "you can't bet more now; /moves lists your choices.",
    "no-openers": "you need a pair of jacks or better to open: check or fold.",
    "too-many-cards": "you can discard at most {most}.",
    "not-in-hand": _not_in_hand,
    "bad-seats": "this game is for {low} to {high} players.",
    "bad-option": lambda facts, _: f"{facts['option']} must be {_span(facts)} here.",
    "openers-are-for-draw": "openers=jacks is for five-card draw: variant=draw or choice.",
    "no-chips": "two players with chips are needed; you get new chips tomorrow.",
    "bad-seat": "you can't add chips while you have some left.",
    "table-full": "all seats are taken; wait until someone leaves.",
}


def _span(facts: Mapping[str, Any]) -> str:
    low, high = facts["low"], facts["high"]
    return f"{low} to {high}" if low < high else str(low)


COMMANDS = declared(check, call, bet, raise_, all_in, fold, discard, stand, variant, show_hand, muck)
