"""The second world of Liar's Lair: what a seat cannot know is changed, by the rules and not by the code."""

from __future__ import annotations

from typing import Any

import attrs

from lilygames_rules.kit import Luck, Seat

WATCHER = -1


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state that agrees with everything that `seat` may know.

    A seat knows which of its dealt cards are true, and so which opposites are; of other pairs only what was said in
    play. It knows the text of cards that it held, that were open, or that a player showed it. It knows where such a
    card is until the card changes hands unseen. Nobody can tell what others know; a secret character knows itself.
    """
    who = WATCHER if seat is None else seat
    deck = words_nobody_read(truths(state.deck, who, luck), who)
    deck = attrs.evolve(deck, cards=unseen(deck.cards, who, luck))
    return attrs.evolve(state, deck=others_learned(deck, who, luck), characters=characters(state, seat, luck))


def truths(deck: Any, who: int, luck: Luck) -> Any:
    """If it was dealt no card of a pair and told nothing of it, the other statement may be the true one."""
    known = {card.pair for card in deck.cards if card.dealt == who}
    known |= {number for number, pair in enumerate(deck.pairs) if who in pair.told}
    flipped = {number for number in range(len(deck.pairs)) if number not in known and luck.coin()}
    pairs = tuple(
        attrs.evolve(pair, true=pair.false, false=pair.true) if number in flipped else pair
        for number, pair in enumerate(deck.pairs)
    )
    cards = tuple(attrs.evolve(card, true=not card.true) if card.pair in flipped else card for card in deck.cards)
    return attrs.evolve(deck, pairs=pairs, cards=cards)


def words_nobody_read(deck: Any, who: int) -> Any:
    """The text of a statement that it has not read may differ."""
    read = {(card.pair, card.true) for card in deck.cards if who in card.read}
    pairs = tuple(
        attrs.evolve(
            pair,
            true=pair.true if (number, True) in read else f"Another {number}.",
            false=pair.false if (number, False) in read else f"No other {number}.",
        )
        for number, pair in enumerate(deck.pairs)
    )
    return attrs.evolve(deck, pairs=pairs)


def unseen(cards: Any, who: int, luck: Luck) -> Any:
    """Cards that it has not read may have other numbers, and their holders may have swapped cards out of its sight."""
    unread = [place for place, card in enumerate(cards) if who not in card.read]
    now = list(cards)
    for place, card in zip(unread, luck.shuffle([cards[place] for place in unread]), strict=True):
        now[place] = card
    lost = [place for place, card in enumerate(now) if who not in card.found]
    for place, holder in zip(lost, luck.shuffle([now[place].place for place in lost]), strict=True):
        knows = {holder} if holder >= 0 else set()
        now[place] = attrs.evolve(now[place], place=holder, read=now[place].read | knows, found=frozenset(knows))
    return tuple(now)


def others_learned(deck: Any, who: int, luck: Luck) -> Any:
    """Another seat may have read one more card, or learned which statement of one more pair is true."""
    seats = [seat for seat in range(3) if seat != who]
    cards = tuple(
        attrs.evolve(card, read=card.read | {luck.choice(seats)}) if luck.coin() else card for card in deck.cards
    )
    pairs = tuple(
        attrs.evolve(pair, told=pair.told | {luck.choice(seats)}) if luck.coin() else pair for pair in deck.pairs
    )
    return attrs.evolve(deck, pairs=pairs, cards=cards)


def characters(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Secret characters that are neither its own nor revealed may be swapped."""
    if state.match.options.characters != "secret":
        return state.characters
    known = {seat, *state.match.revealed}
    names = iter(luck.shuffle([name for other, name in enumerate(state.characters) if other not in known]))
    return tuple(name if other in known else next(names) for other, name in enumerate(state.characters))
