"""The screens of lily-poker: a turn, the end of a hand and of the session, and the picture of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Reader
from lilygames.games.families.cards.words import card_in
from lilygames.games.lilypoker import spoken, told, words
from lilygames.layout import sheet, short, width_for
from lilygames.picture import Column, Picture, PictureSeat, Piece, Zone, cards
from lilygames.scene import BREAK, Amount, Choice, Fact, Held, Place, Strip, Turn, numbered, with_parts
from lilygames.text import columns, count, listing, signed
from lilygames_rules.cards import Card, Suit
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import View
from lilygames_rules.poker import deal as pokerdeal
from lilygames_rules.poker import hands, session
from lilygames_rules.poker.bets import Bet, Call, Raise
from lilygames_rules.poker.betting import around
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.session import Match
from lilygames_rules.poker.table import Options

_NAME, _SLIM_NAME = 8, 6
"""Columns of names, by how much room there is."""
_SHORT = {
    Kind.HIGH_CARD: "{0} high",
    Kind.PAIR: "pair of {0}s",
    Kind.TWO_PAIR: "two pair, {0}s and {1}s",
    Kind.TRIPS: "three {0}s",
    Kind.STRAIGHT: "straight to {0}",
    Kind.FLUSH: "flush, {0} high",
    Kind.FULL_HOUSE: "full house, {0}s over {1}s",
    Kind.QUADS: "four {0}s",
    Kind.STRAIGHT_FLUSH: "straight flush to {0}",
}


def worth_in(worth: Worth) -> str:
    """Return the value of a hand in a few columns: `pair of 5s`."""
    return _SHORT[worth.kind].format(*(Card(Suit.SPADES, rank).mark for rank in worth.ranks))


def _cards(cards: Sequence[Card], reader: Reader) -> str:
    return " ".join(card_in(card, reader) for card in cards)


# a turn


def asks(view: View, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return the turn: the pot and what the others have done, the hand and its worth, and the moves by number."""
    deal, seat, ear = view.deal, view.seat, reader.voice.spoken
    if deal is None or seat is None:
        games = spoken.GAMES if ear else told.GAMES
        named = numbered(Choice(move, games[move.variant]) for move in moves)
        return Turn("Which game do you deal?", choices=tuple(named), leads=("choose the game:", "deal"))
    whole = pokerdeal.all_cards(deal, seat)
    asked = Turn(
        "You don't have to show your hand",
        held=Held("Your hand", hands.worth(whole).words if len(whole) >= hands.FIVE else ""),
        cards=() if ear else tuple(_hands(deal, seat, reader)),
        strip=None if ear or deal.phase == "show" else _strip(deal, seat, reader),
        rooms=(3, 5) if any(deal.layout.up) else (2, 4),
        state_first=True,
    )
    if deal.phase == "show":
        lead = "" if ear else "show it?" if reader.voice.narrow else "You needn't show it:"
        shown = numbered(Choice(move, words.spell(move)) for move in moves)
        return with_parts(asked, choices=tuple(shown), leads=(lead,))
    if deal.phase == "draw":
        return _draw(asked, view, deal, moves, reader)
    chips = Fact(("",), whole=f"You have {count(deal.betting.stacks[seat], 'chip')}.")
    if deal.betting.bring_in:
        return with_parts(
            asked,
            question="Your card is the lowest: bring it in",
            facts=(chips,),
            choices=tuple(_wager(deal, seat, move, ear=ear) for move in moves[:_BRING_IN]),
            leads=("lowest card:",) if ear else ("Yours is the lowest card:", "lowest card:"),
        )
    owed = deal.betting.owed
    return with_parts(
        asked,
        question=f"{count(owed, 'chip')} to call" if owed else "Check or bet",
        facts=(chips,),
        choices=tuple(numbered(_wagers(view, deal, seat, moves, ear=ear))),
        amounts=tuple(_amounts(deal, seat, moves[words.FIRST_WAGER :])),
    )


_BRING_IN = 2
"""The bets that bring in a hand of stud: the least, and a full one."""


def _draw(asked: Turn, view: View, deal: Deal, moves: Sequence[Any], reader: Reader) -> Turn:
    """Return a turn with the cards to discard, and to stand pat."""
    most, ear = view.match.options.max_draw, reader.voice.spoken
    drawn = [None if move is None else _drawn(deal, move, reader) for move in words.offers(view, moves)]
    others = f"or discard up to {most}" if most < hands.FIVE else "or discard others" if drawn[0] else "or discard"
    return with_parts(
        asked,
        question=f"Discard up to {count(most, 'card')}, or stand pat",
        choices=tuple(numbered(drawn)),
        others=(others if ear else "(or discard)",),
    )


def _drawn(deal: Deal, move: Any, reader: Reader) -> Choice:
    """Return what a draw throws away, or if that is more, what it keeps."""
    thrown = move.cards
    if not thrown:
        return Choice(move, "stand", note="keep all your cards")
    held = known(deal.layout.hands[reader.seat or 0])
    kept = [card for card in hands.by_rank(held) if card not in thrown]
    if len(thrown) < len(kept):
        return Choice(move, f"discard {spoken.cards(thrown) if reader.voice.spoken else _cards(thrown, reader)}")
    if reader.voice.spoken:
        return Choice(move, f"keep {spoken.kept(held, kept)}, draw {len(thrown)}")
    keep = f"keep {_cards(kept, reader)}"
    return Choice(move, f"draw {len(thrown)}, {keep}", brief=keep)


def _amounts(deal: Deal, seat: Seat, wagers: Sequence[Any]) -> Iterator[Amount]:
    """Yield the smallest bet, one of the size of the pot after a call, and the largest, if more than one is allowed."""
    if len(wagers) <= 1:
        return
    now, least, most = deal.betting, wagers[0].to, wagers[-1].to
    top = max(now.bets)
    pot = top + now.total + top - now.bets[seat]
    yield Amount(f"Min {least}", least)
    if least < pot < most:
        yield Amount(f"Pot {pot}", pot)
    yield Amount(f"{'All in' if most == now.stacks[seat] + now.bets[seat] else 'Max'} {most}", most)


def _wagers(view: View, deal: Deal, seat: Seat, moves: Sequence[Any], *, ear: bool) -> Iterator[Choice | None]:
    """Yield the choices of the betting, None for a number that is left out."""
    most = moves[-1].to if len(moves) > words.FIRST_WAGER + 1 else 0
    for move in words.offers(view, moves):
        yield None if move is None else _wager(deal, seat, move, most, ear=ear)


def _wager(deal: Deal, seat: Seat, move: Any, most: int = 0, *, ear: bool) -> Choice:
    """Return a bet, a call or a fold, with the chips that it costs now: `call 8`, `raise to 12 (max 99)`, `fold`.

    Read aloud, a number would hide the amount.
    """
    owed, stack = deal.betting.owed, deal.betting.stacks[seat]
    text, number, cost = words.spell(move), 0, 0
    match move:
        case Call():
            cost = min(owed, stack)
            text = f"call {cost}{', all-in' if stack <= owed else ''}"
        case Bet(to) | Raise(to):
            number, cost = to, to - deal.betting.bets[seat]
            larger = f", up to {most}" if ear else f" (max {most})"
            text = f"{'bet' if isinstance(move, Bet) else 'raise to'} {to}{larger if most else ''}"
    verb, brief = text.partition(" ")[0], text.replace("raise to", "raise")
    return Choice(move, text, number, brief=brief, least=verb, plain=text if ear else None, cost=cost)


def _strip(deal: Deal, own: Seat, reader: Reader) -> Strip:
    """Return the board, the pot, on a wide screen its own chips, and the others still in, from its left."""
    board, up = deal.layout.board, any(deal.layout.up)
    pot = (f"Board {_cards(board, reader)}", f"pot {deal.betting.total}") if board else (f"Pot {deal.betting.total}",)
    mine = () if reader.voice.narrow else (f"{reader.who(own)} {_stands(deal, own, reader)}",)
    others = [seat for seat in around(deal.betting.living, own) if seat != own]
    drawn = {deal.drew[seat] for seat in others}
    alike = len(drawn) == 1 < len(others) and None not in drawn
    same = f"({'all' if deal.drew[own] in drawn else 'the others'} {_drew(*drawn)})" if alike else ""
    places = tuple(
        Place(
            seat,
            (
                _stands(deal, seat, reader, drew="" if alike else _drew(deal.drew[seat])),
                _stands(deal, seat, reader),
                _stands(deal, seat, reader, stack=False),
            ),
            minor=not up and seat != deal.betting.aggressor,
        )
        for seat in others
    )
    return Strip("", "", places, (*pot, *mine), (same, "", ""), count(len(others), "opponent"))


def _stands(deal: Deal, seat: Seat, reader: Reader, *, stack: bool = True, drew: str = "") -> str:
    """Return how a seat stands, in a few columns: `95 drew 3 bet 4`."""
    face_up = deal.layout.up[seat] if seat != reader.seat else ()
    chips = str(deal.betting.stacks[seat]) if stack else ""
    return " ".join(filter(None, (chips, _cards(face_up, reader), drew, _standing(deal, seat))))


def _drew(number: int | None) -> str:
    return "" if number is None else f"drew {number}" if number else "stood"


def _standing(deal: Deal, seat: Seat) -> str:
    """Return a seat's last action on this street: `bet 4`, `call`, `check`; empty if it has none."""
    now = deal.betting
    bet = now.bets[seat]
    if seat not in now.living:
        return "fold"
    if not now.stacks[seat] and not deal.over:
        return f"all in {bet}" if bet else "all in"
    if not bet:
        return "check" if not (now.top or deal.drawing or deal.over or seat in now.waiting) else ""
    if seat == now.aggressor:
        return f"{'raise' if now.count > 1 else 'bet'} {bet}"
    if now.aggressor is None and (seat in now.waiting or deal.variant == "stud7"):
        return f"{'blind' if deal.variant == 'holdem' else 'bet'} {bet}"
    return "call" if bet == now.top else f"bet {bet}"


def _hands(deal: Deal, seat: Seat, reader: Reader) -> Iterator[str]:
    """Yield the seat's cards, face-up ones last: with their value, with their kind (`full house`), and alone."""
    held, up = hands.by_rank(known(deal.layout.hands[seat])), deal.layout.up[seat]
    shown = f"{_cards(held, reader)}, up {_cards(up, reader)}" if up else _cards(held, reader)
    chips = f", {count(deal.betting.stacks[seat], 'chip')}" if reader.voice.narrow else ""
    whole = pokerdeal.all_cards(deal, seat)
    if len(whole) >= hands.FIVE:
        value = worth_in(hands.worth(whole))
        yield from (f"{shown}{BREAK}({worth}){chips}" for worth in dict.fromkeys((value, value.partition(",")[0])))
    yield f"{shown}{chips}"


# scores


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the sheet so far, or sentences for a screen reader."""
    return words.score(view, reader) if reader.voice.spoken else final_sheet(view, reader)


def final_sheet(view: View, reader: Reader) -> list[str]:
    """Return the whole session: a row for each seat, best first, with a column for each hand, chips and net."""
    match = view.match
    net = session.changes(match)
    order = sorted(range(len(net)), key=lambda seat: -net[seat])
    places = {seat: 1 + sum(other > net[seat] for other in net) for seat in order}
    size = _SLIM_NAME if reader.voice.narrow else _NAME
    played = () if reader.voice.narrow else match.sheet
    while True:
        heads = ("", *(str(row.number) for row in played), "chips", "net")
        rows = [heads]
        for seat in order:
            won = (_change(row.changes, seat) for row in played)
            name = f" {places[seat]} {short(reader.who(seat), size)}"
            rows.append((name, *won, str(match.chips[seat]), signed(net[seat])))
        found = sheet(rows, len(heads))
        if not played or max(map(columns, found)) <= width_for(reader):
            return found
        played = played[1:]


def _change(changes: Sequence[int], seat: Seat) -> str:
    """Return a seat's win or loss in a hand; a dash if it sat down later."""
    return signed(changes[seat]) if seat < len(changes) else "-"


# the table


def picture(view: View, reader: Reader) -> Picture:
    """Return the picture of the table, from a view."""
    match, deal = view.match, view.deal
    heads = (Column("chips", "chip", leads=True),)
    if deal is None:
        says = "the session is over" if match.ended else f"{reader.says(match.dealer, *told.CHOOSES)}"
        return Picture((says.rstrip("."),), heads, tuple(_between_hands(match)))
    now = deal.betting
    board = [f"board {_cards(deal.layout.board, reader)}"] if deal.layout.board else []
    of = f" of {match.options.hands}" if match.options.hands != "unlimited" else ""
    game = (f"hand {match.played + 1}{of}", told.GAMES[deal.variant], _stakes(match.options))
    seats = tuple(_seat(match, deal, seat, reader) for seat in sorted({*match.sitting, *now.order}))
    own = () if view.seat is None else deal.layout.hands[view.seat : view.seat + 1]
    held = [card for cards in own for card in hands.by_rank(known(cards))]
    mine = Zone("Your hand", cards([card_in(card, reader) for card in held], map(str, held))) if held else None
    shared = [card_in(card, reader) for card in deal.layout.board]
    open_cards = Zone("Board", cards(shared, [f"{text}@board" for text in shared]))
    pot = Zone("Pot", (Piece("chips", str(now.total)),))
    zones = (open_cards, pot) if shared else (pot,)
    return Picture((*game, f"pot {now.total}", *board), heads, seats, mine, zones)


def _between_hands(match: Match) -> Iterator[PictureSeat]:
    for seat, held in enumerate(match.chips):
        if match.ended or seat in match.sitting:
            dealer = seat == match.dealer and not match.ended
            yield PictureSeat(seat, (str(held),), to_move=dealer, dealer=dealer)


def _seat(match: Match, deal: Deal, seat: Seat, reader: Reader) -> PictureSeat:
    """Return a seat with its open cards and its last action."""
    if seat not in deal.betting.order:
        return PictureSeat(seat, (str(match.chips[seat]),), note="not in this hand")
    shown = hands.by_rank(known(deal.layout.hands[seat])) if seat in deal.shown else ()
    lying = cards([card_in(card, reader) for card in (*shown, *deal.layout.up[seat])], seat=seat)
    note = "" if shown else ", ".join(filter(None, (_drew(deal.drew[seat]), _standing(deal, seat))))
    dealer, to_move = seat == deal.dealer, seat == deal.turn
    chips, bet = str(deal.betting.stacks[seat]), deal.betting.bets[seat]
    return PictureSeat(seat, (chips,), lying, note, to_move=to_move, dealer=dealer, bet=bet)


def _stakes(options: Options) -> str:
    if options.limit == "fixed":
        return f"bets {options.small_bet} and {options.big_bet}"
    return f"{options.limit} limit from {options.small_bet}"


def glance(view: View, reader: Reader) -> list[str]:
    """Return the pot, the all-in seats, and the number of the hand."""
    deal = view.deal
    if deal is None:
        return ["session over" if view.match.ended else "between hands"]
    now = deal.betting
    all_in = [seat for seat in now.living if not now.stacks[seat] and not deal.over]
    names = listing(short(reader.who(seat), _NAME) for seat in all_in)
    risks = [f"{names} {'is' if len(all_in) == 1 else 'are'} all in"] if all_in else []
    return [f"pot {now.total}", *risks, f"hand {view.match.played + 1}"]
