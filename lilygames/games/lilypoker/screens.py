"""The screens of lily-poker: a turn, the end of a hand and of the session, and the picture of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Any

import attrs

from lilygames.game import Reader
from lilygames.games.families.cards.words import card_in
from lilygames.games.lilypoker import told, words
from lilygames.layout import SLIM, packed, sheet, short, width_for
from lilygames.picture import Column, Picture, PictureSeat, Piece, Zone, cards
from lilygames.scene import Amount, Choice, Fact, Held, Turn, numbered
from lilygames.text import columns, count, listing, signed, wrap
from lilygames_rules.cards import Card, Suit
from lilygames_rules.kit import Seat
from lilygames_rules.lilypoker import View
from lilygames_rules.poker import deal as pokerdeal
from lilygames_rules.poker import hands, session
from lilygames_rules.poker.bets import Bet, Call, Raise
from lilygames_rules.poker.betting import around
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal, Discard
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.session import Match
from lilygames_rules.poker.table import Options

_ROWS, _SLIM_ROWS = 2, 4
"""Rows of a turn on a wide and on a narrow screen, for six seats; cards face up may take one more."""
_NAME, _SLIM_NAME, _CUT = 8, 6, 3
"""Columns of names, by how much room there is."""
_INDENT = "  "
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
    """Return the turn: what a call costs, the hand and its worth, and the moves by number."""
    deal = view.deal
    if deal is None or view.seat is None:
        named = (Choice(move, told.GAMES[move.variant]) for move in moves)
        return Turn("Which game do you deal?", choices=tuple(numbered(named)))
    whole = pokerdeal.all_cards(deal, view.seat)
    held = Held("Your hand", hands.worth(whole).words if len(whole) >= hands.FIVE else "")
    if deal.phase == "show":
        shown = (Choice(move, words.spell(move)) for move in moves)
        return Turn("You don't have to show your hand", held=held, choices=tuple(numbered(shown)))
    if deal.phase == "draw":
        drawn = (None if move is None else _drawn(deal, view.seat, move, reader) for move in words.offers(view, moves))
        most = count(view.match.options.max_draw, "card")
        return Turn(f"Discard up to {most}, or stand pat", held=held, choices=tuple(numbered(drawn)))
    chips = Fact((f"You have {count(deal.betting.stacks[view.seat], 'chip')}.",))
    if deal.betting.bring_in:
        least = (_wager(view.seat, deal, move, words.spell(move)) for move in moves[:_BRING_IN])
        return Turn("Your card is the lowest: bring it in", (chips,), held, tuple(numbered(least)))
    menu, offered = words.menu(view, moves), words.offers(view, moves)
    most = f"up to {moves[-1].to}" if len(moves) > words.FIRST_WAGER + 1 else ""
    wagers = (
        attrs.evolve(_wager(view.seat, deal, offered[n - 1], text), number=n, note=most if n == _WAGER else "")
        for n, text in menu
    )
    owed = deal.betting.owed
    return Turn(
        f"{count(owed, 'chip')} to call" if owed else "Check or bet",
        (chips,),
        held,
        tuple(wagers),
        amounts=tuple(_amounts(deal, view.seat, moves[words.FIRST_WAGER :])),
    )


_BRING_IN = 2
"""The bets that bring in a hand of stud: the least, and a full one."""


def _drawn(deal: Deal, seat: Seat, move: Any, reader: Reader) -> Choice:
    thrown = move.cards
    if not thrown:
        return Choice(move, "stand pat")
    kept = [card for card in hands.by_rank(known(deal.layout.hands[seat])) if card not in thrown]
    return Choice(move, f"discard {_cards(thrown, reader)}", note=f"keep {_cards(kept, reader)}" if kept else "")


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


def _wager(seat: Seat, deal: Deal, move: Any, text: str) -> Choice:
    """Return a bet, a call or a fold with the chips that it costs now."""
    now = deal.betting
    match move:
        case Call():
            cost = min(now.owed, now.stacks[seat])
        case Bet(to) | Raise(to):
            cost = to - now.bets[seat]
        case _:
            cost = 0
    return Choice(move, text, cost=cost)


def turn(view: View, moves: Sequence[Any], reader: Reader) -> list[str]:
    """Return the rows that ask for a move: pot, stacks and bets, then the hand and the moves."""
    deal, width = view.deal, width_for(reader)
    if deal is None or view.seat is None:
        return wrap(f"Your turn: {words.ask(view, moves, reader)}.", width)
    most = (_SLIM_ROWS if reader.voice.narrow else _ROWS) + any(deal.layout.up)
    states, few = [*_states(deal, view.seat, reader)], _in_few_words(deal, view.seat, reader)
    prompts, verbs = [*_prompts(view, deal, moves, reader)], [*_without_amounts(view, deal, moves, reader)]
    for prompt, state in chain(product(prompts, states), product(prompts, few), product(verbs, [*states, *few])):
        rows = [*state, *prompt]
        if len(rows) <= most and all(columns(row) <= width for row in rows):
            return rows
    for prompt in prompts:
        if all(columns(row) <= width for row in prompt):
            return [*states[-1], *prompt]
    return [*states[-1], *packed([*_hands(view, deal, reader)[0], *_choices(view, moves, reader)], width, _INDENT)]


def _states(deal: Deal, own: Seat, reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of the pot, the board, and each seat still in; the fullest first."""
    if deal.phase == "show":
        yield []
        return
    others, lead = _others(deal, own), _lead(deal, own, reader)
    sizes = (_SLIM_NAME, _CUT) if reader.voice.narrow else (_NAME, _CUT)
    drawn = {deal.drew[seat] for seat in others}
    alike = len(drawn) == 1 < len(others) and None not in drawn
    same = [f"({'all' if deal.drew[own] in drawn else 'the others'} {_drew(*drawn)})"] if alike else []
    for drew, stack, size, gap in _LAYOUTS:
        each = drew and not same
        groups = [_group(deal, seat, reader, sizes[size], stack=stack, drew=each) for seat in others]
        yield packed([*lead, *groups, *(same if drew else [])], width_for(reader), _INDENT, gap)


def _others(deal: Deal, own: Seat) -> list[Seat]:
    """Return the other seats still in, clockwise from the seat's left."""
    return [seat for seat in around(deal.betting.living, own) if seat != own]


def _lead(deal: Deal, own: Seat, reader: Reader) -> list[str]:
    """Return the board, the pot, and on a wide screen the seat's own chips."""
    pot = [f"Pot {deal.betting.total}"]
    if deal.layout.board:
        pot = [f"Board {_cards(deal.layout.board, reader)}", f"pot {deal.betting.total}"]
    return pot if reader.voice.narrow else [*pot, _group(deal, own, reader, _NAME, stack=True, drew=False)]


def _in_few_words(deal: Deal, own: Seat, reader: Reader) -> list[list[str]]:
    """Return the layout with only the last bettor by name; none if cards lie face up, which matter more."""
    if deal.phase == "show" or any(deal.layout.up):
        return []
    others = _others(deal, own)
    bettor = [
        _group(deal, seat, reader, _CUT, stack=False, drew=False) for seat in others if seat == deal.betting.aggressor
    ]
    rows = [*_lead(deal, own, reader), *bettor, count(len(others), "opponent")]
    return [packed(rows, width_for(reader), _INDENT)]


_LAYOUTS = (
    (True, True, 0, "   "),
    (True, True, 0, "  "),
    (True, True, 1, "  "),
    (False, True, 0, "  "),
    (False, True, 1, "  "),
    (False, False, 0, "  "),
    (False, False, 1, "  "),
)
"""The options of a layout: whether draws and stacks are shown, the width of names, and the gap."""


def _group(deal: Deal, seat: Seat, reader: Reader, size: int, *, stack: bool, drew: bool) -> str:
    """Return the state of a seat in a few columns: `Max 95 drew 3 bet 4`."""
    face_up = deal.layout.up[seat] if seat != reader.seat else ()
    parts = [short(reader.who(seat), size), str(deal.betting.stacks[seat]) if stack else "", _cards(face_up, reader)]
    parts += [_drew(deal.drew[seat]) if drew else "", _standing(deal, seat)]
    return " ".join(filter(None, parts))


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


def _prompts(view: View, deal: Deal, moves: Sequence[Any], reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of the hand and the numbered moves, the fullest first."""
    whole = _choices(view, moves, reader)
    brief = [_in_brief(choice) for choice in whole]
    bare = [choice for choice in brief if not choice.startswith("(")]
    if not reader.voice.narrow:
        worth, kind, held = _hands(view, deal, reader)
        fuller = ((worth, whole), (kind, whole), (worth, brief), (kind, brief))
        for hand, choices in (*fuller, (held, whole), (kind, bare), (held, bare)):
            yield [f"Your turn: {' '.join(hand)}. {'  '.join(choices)}"]
        yield from ([" ".join(worth), f"Your turn: {'  '.join(choices)}"] for choices in (whole, brief, bare))
        return
    for hand in _slim_hands(view, deal, reader):
        yield [*hand, f"Your turn: {'  '.join(whole)}"]
        for first, *others in (whole, bare):
            yield [*hand, *packed([f"Your turn: {first}", *others], SLIM, _INDENT)]


def _without_amounts(view: View, deal: Deal, moves: Sequence[Any], reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of the moves for a narrow screen with no room for all amounts; the bets have them, too."""
    bare = [choice for choice in map(_in_brief, _choices(view, moves, reader)) if not choice.startswith("(")]
    for amounts, hand in product((_RAISED, _AMOUNT), _slim_hands(view, deal, reader) if reader.voice.narrow else ()):
        yield [*hand, f"Your turn: {'  '.join(amounts.sub(_VERB, choice) for choice in bare)}"]


def _slim_hands(view: View, deal: Deal, reader: Reader) -> Iterator[list[str]]:
    """Yield layouts of the hand and the chips on a narrow screen, the fullest first."""
    chips = f", {count(deal.betting.stacks[view.seat or 0], 'chip')}"
    for parts in _hands(view, deal, reader):
        yield packed([*parts[:-1], f"{parts[-1]}{chips}"], SLIM, _INDENT, " ")


def _hands(view: View, deal: Deal, reader: Reader) -> tuple[list[str], list[str], list[str]]:
    """Return the seat's cards, face-up ones last: with their value, with their kind (`full house`), and alone."""
    seat = view.seat or 0
    held, up = hands.by_rank(known(deal.layout.hands[seat])), deal.layout.up[seat]
    shown = f"{_cards(held, reader)}, up {_cards(up, reader)}" if up else _cards(held, reader)
    whole = pokerdeal.all_cards(deal, seat)
    if len(whole) < hands.FIVE:
        return [shown], [shown], [shown]
    value = worth_in(hands.worth(whole))
    return [shown, f"({value})"], [shown, f"({value.partition(',')[0]})"], [shown]


def _choices(view: View, moves: Sequence[Any], reader: Reader) -> list[str]:
    """Return the numbered moves, and other commands."""
    deal = view.deal
    if deal is None:
        return []
    if deal.phase == "show":
        return ["You needn't show it: 1. muck", "2. show"]
    if deal.phase == "draw":
        return _draws(view, deal, moves, reader)
    if deal.betting.bring_in:
        return [f"{_LOWEST}: {words.bring_in(moves)}"]
    most = f" (max {moves[len(moves) - 1].to})" if len(moves) > words.FIRST_WAGER + 1 else ""
    return [f"{number}. {word}{most if number == _WAGER else ''}" for number, word in words.menu(view, moves)]


_WAGER = 2
"""The number of a bet or raise."""
_LOWEST = "Yours is the lowest card"
_DRAWING = re.compile(r"draw \d, ")
_RAISED, _AMOUNT = re.compile(r"\b(raise|bet) .*"), re.compile(r"\b(raise|bet|call) .*")
"""The parts of a choice that are left out if the amounts don't fit."""
_VERB = r"\1"


def _draws(view: View, deal: Deal, moves: Sequence[Any], reader: Reader) -> list[str]:
    thrown, stand = words.offers(view, moves)
    if not isinstance(thrown, Discard):
        return ["2. stand", "(or discard)"]
    kept = [card for card in hands.by_rank(known(deal.layout.hands[view.seat or 0])) if card not in thrown.cards]
    draw = f"draw {len(thrown.cards)}, keep {_cards(kept, reader)}"
    if len(thrown.cards) < len(kept):
        draw = f"discard {_cards(thrown.cards, reader)}"
    return [f"1. {draw}", f"2. {words.spell(stand)}", "(or discard)"]


def _in_brief(choice: str) -> str:
    """Return a choice in fewer columns."""
    return _DRAWING.sub("", choice).replace("raise to", "raise").replace(_LOWEST, "lowest card")


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
