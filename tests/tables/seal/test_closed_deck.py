"""Closed seals: the private half is fixed by a Merkle root, the public half by the players' nonces."""

from collections import Counter
from itertools import product

import attrs
import pytest

from lilygames.game import HiddenDigits, HiddenShuffle
from lilygames.proofs import commitments
from lilygames.tables.seal import closed_deck
from lilygames.tables.seal.closed_deck import ClosedDeck, ClosedLuck, Leaf, place_of
from lilygames.tables.seal.merkle import leaf_hash
from lilygames_rules.kit import Event, KeyedLuck, PurposeLuck
from tests.proofs.test_commitments import BOBS, CAROLS, SEALED, SECRET, TABLE

PACK = (HiddenShuffle("deal", 52, Event), HiddenShuffle("reshuffle", 52, Event, proven=False))
SLIPS = (HiddenDigits("slip", 15, 8), HiddenDigits("pile", 15, 8))
ONE_HAND = ClosedDeck(SECRET, TABLE, 1, PACK, hands=1)
D = commitments.sealing_digest(TABLE, SEALED.as_json() | {"root": ONE_HAND.root})
CUT = commitments.cut_key(TABLE, D, [BOBS, CAROLS])
CUT_HAND = attrs.evolve(ONE_HAND, cut=CUT)
A_FEW = ClosedDeck(SECRET, TABLE, 1, SLIPS, hands=2)


def test_root_sealing_and_cut_key_match_the_vectors():
    assert "4488d44862cabaee" == ONE_HAND.root[:16]
    assert "10437c0ba93fbf6d" == D[:16]
    assert "eb576096f48557af" == CUT.hex()[:16]


def test_first_card_and_its_proof_match_the_vectors():
    public = KeyedLuck(commitments.draw_key(CUT, "deal", 1)).shuffle(range(52))
    proof = ONE_HAND.proof(("deal", 1), public[0])

    assert (43, 49, 40, 15) == public[:4]
    assert 4 == ClosedLuck(lambda _: CUT_HAND).for_("deal", 1).shuffle(range(52))[0]
    assert Leaf(("deal", 1), 43, 4) == proof.leaf
    assert "e4efe4b3e7881b4f" == proof.salt.hex()[:16]
    assert "30da1e010174254a" == proof.leaf.hashed(proof.salt).hex()[:16]
    assert "c8c90561467367eb" == proof.path[0].hex()[:16]


def test_each_card_of_a_deal_can_be_proved():
    dealt = ClosedLuck(lambda _: CUT_HAND).for_("deal", 1).shuffle(range(52))
    public = KeyedLuck(commitments.draw_key(CUT, "deal", 1)).shuffle(range(52))
    proofs = [ONE_HAND.proof(("deal", 1), place) for place in public]

    assert [*dealt] == [proof.leaf.value for proof in proofs]
    assert all(proof.holds(ONE_HAND.root, PACK, hands=1) for proof in proofs)


def test_each_digit_of_a_slip_can_be_proved():
    """`digit = (private + public) mod 10`; the letters are public."""
    purpose = ("slip", 2, 3)
    luck, public = (
        ClosedLuck(lambda _: attrs.evolve(A_FEW, cut=CUT)).for_(*purpose),
        KeyedLuck(commitments.draw_key(CUT, *purpose)),
    )
    letters = [luck.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(2)]
    lines = ["".join(luck.choice("0123456789") for _ in range(8)) for _ in range(15)]

    assert [public.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(2)] == letters
    for number, line in enumerate(lines, 1):
        proof = A_FEW.proof(purpose, number)
        added = ((int(digit) + public.below(10)) % 10 for digit in proof.leaf.value)

        assert line == "".join(map(str, added))
        assert proof.holds(A_FEW.root, SLIPS, hands=2)


def test_other_draws_are_public():
    purposes = ("dealer", "opener", "chooser")
    luck, public = ClosedLuck(lambda _: CUT_HAND), PurposeLuck(CUT, 0)

    assert [public.for_(purpose).pick(range(9)) for purpose in purposes] == [
        luck.for_(purpose).pick(range(9)) for purpose in purposes
    ]
    assert public.shuffle(range(9)) == luck.shuffle(range(9))


def test_reshuffle_is_private_too_but_cannot_be_proved():
    dead = [4, 8, 15, 16, 23, 42]
    ordered = ClosedLuck(lambda _: CUT_HAND).for_("reshuffle", 1, 1).order(range(52), dead)

    assert sorted(dead) == sorted(ordered)
    assert PurposeLuck(CUT, 0).for_("reshuffle", 1, 1).order(range(52), dead) != ordered
    assert ONE_HAND.proof(("reshuffle", 1, 1), 0) is None


def test_purpose_can_be_drawn_once():
    luck = ClosedLuck(lambda _: CUT_HAND)
    luck.for_("deal", 1)

    with pytest.raises(ValueError, match="twice"):
        luck.for_("deal", 1)


def test_either_half_alone_makes_a_deal_random():
    """Another secret gives another deal, and so does another nonce: each card can be the first."""
    firsts = Counter()
    for number in range(1, 2601):
        one, cut = ClosedDeck(number.to_bytes(32, "big"), TABLE, 1, PACK, CUT), number.to_bytes(32, "big")
        firsts["secret", ClosedLuck(lambda _, deck=one: deck).for_("deal", 1).shuffle(range(52))[0]] += 1
        firsts[
            "nonce",
            ClosedLuck(lambda _, cut=cut: attrs.evolve(ONE_HAND, cut=cut)).for_("deal", 1).shuffle(range(52))[0],
        ] += 1

    assert {*product(("secret", "nonce"), range(52))} == {*firsts}
    assert max(firsts.values()) < 100


def test_tree_begins_with_the_first_hand_and_takes_turns():
    """Hand `n` has slot `(n - 1) mod 64`, whichever hand the tree begins with."""
    later = ClosedDeck(SECRET, TABLE, 2, PACK[:1], first=40)

    assert 0 == place_of(PACK, ("deal", 1), 0)
    assert 52 * 63 == place_of(PACK, ("deal", 64), 0)
    assert 5 == place_of(PACK, ("deal", 65), 5)
    assert later.proof(("deal", 39), 0) is None
    assert later.proof(("deal", 104), 0) is None
    assert all(later.proof(("deal", hand), 51).holds(later.root, PACK) for hand in (40, 64, 65, 103))


@pytest.mark.parametrize(
    ("purpose", "item"),
    [
        (("deal",), 0),
        (("deal", 0), 0),
        (("deal", 1), 52),
        (("deal", 1), -1),
        (("deal", 1, 1), 0),
        (("roll", 1), 0),
        ((), 0),
    ],
)
def test_tree_has_no_leaf_for_anything_else(purpose, item):
    assert place_of(PACK, purpose, item) is None


def test_proof_of_another_card_place_or_hand_does_not_hold():
    one = A_FEW.proof(("slip", 1, 0), 1)
    forged = [
        Leaf(("slip", 1, 0), 1, "00000000"),
        Leaf(("slip", 1, 0), 2, one.leaf.value),
        Leaf(("slip", 1, 1), 1, one.leaf.value),
        Leaf(("slip", 2, 0), 1, one.leaf.value),
        Leaf(("pile", 1, 0), 1, one.leaf.value),
    ]

    assert one.holds(A_FEW.root, SLIPS, hands=2)
    for leaf in forged:
        assert not closed_deck.Proof(leaf, one.salt, one.path).holds(A_FEW.root, SLIPS, hands=2)


def test_attacker_who_tries_all_cards_on_every_hash_of_a_proof_learns_nothing():
    """A sibling in a path is the leaf of a hidden card: without its salt, none of the 52 cards matches it."""
    proofs = [ONE_HAND.proof(("deal", 1), place) for place in range(52)]
    hashes = {one for proof in proofs for one in proof.path}
    salts = [b"", bytes(32), *(proof.salt for proof in proofs if proof.leaf.item != 43)]
    guesses = {
        leaf_hash(salt + commitments.canonical("leaf", "deal", 1, 43, card)) for salt in salts for card in range(52)
    }
    bare = {leaf_hash(str(card).encode()) for card in range(52)}
    shown = ONE_HAND.proof(("deal", 1), 43)

    assert shown.leaf.hashed(shown.salt) in hashes
    assert not hashes & (guesses | bare)
    assert shown.leaf.hashed(shown.salt) in {
        leaf_hash(shown.salt + commitments.canonical("leaf", "deal", 1, 43, card)) for card in range(52)
    }


def test_salts_and_private_halves_differ_by_leaf_round_and_table():
    decks = [ONE_HAND, ClosedDeck(SECRET, TABLE, 2, PACK, hands=1), ClosedDeck(SECRET, "00", 1, PACK, hands=1)]
    salts = {deck.proof(("deal", 1), place).salt for deck in decks for place in range(52)}

    assert 3 * 52 == len(salts)
    assert 3 == len({deck.private_key(("deal", 1)) for deck in decks})


def test_leaves_are_hashed_alike_in_the_tree_and_in_a_proof():
    """The tree hashes thousands of leaves a faster way."""
    for deck, purpose, item in ((ONE_HAND, ("deal", 1), 17), (A_FEW, ("pile", 2, 15), 15)):
        proof, place = deck.proof(purpose, item), place_of(deck.hidden, purpose, item, deck.hands)

        assert proof.leaf.hashed(proof.salt) == deck._tree.leaves[place]
