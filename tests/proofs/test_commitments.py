"""The bytes of seal version 2. The expected values are the published vectors: they never change."""

import math

import pytest

from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames_rules.kit import KeyedLuck

SECRET = bytes(range(32))
BOBS, CAROLS = bytes([0x11] * 32), bytes([0x22] * 32)
SEAL = commitments.seal_of(SECRET)
TABLE = commitments.table_id(12, "ohell", 1, SEAL)
COMMITS = (
    ("bob", commitments.commitment(TABLE, 1, "bob", BOBS)),
    ("carol", commitments.commitment(TABLE, 1, "carol", CAROLS)),
)
SEATS = (("bob", ""), ("carol", ""), ("Ada", "club"))
SEALED = Sealed(1, SEAL, "", {"decks": 1}, SEATS, words=(("bob", "pips"),), commits=COMMITS)
D = commitments.sealing_digest(TABLE, SEALED)
KEY = commitments.table_key(SECRET, TABLE, D, [BOBS, CAROLS])


def drawn(*purpose):
    return KeyedLuck(commitments.draw_key(KEY, *purpose))


def test_array_is_tagged_and_written_as_compact_ascii():
    assert b'["lilygames/2/seal",{"a":"00ff","b":[1,"\\u00e9"]}]' == commitments.canonical(
        "seal", {"b": [1, "é"], "a": b"\0\xff"}
    )


@pytest.mark.parametrize("part", [{1, 2}, math.nan, object()])
def test_only_json_data_and_bytes_have_canonical_bytes(part):
    with pytest.raises((TypeError, ValueError)):
        commitments.canonical("seal", part)


def test_seal_table_and_commitments_match_the_vectors():
    assert "b66eceeea0ba9e21" == SEAL[:16]
    assert "7a7294396641e77e" == TABLE[:16]
    assert ["1658ce310adacf18", "31a1928e1498ce3a"] == [commit[:16] for _, commit in COMMITS]


def test_sealing_digest_and_key_match_the_vectors():
    assert "c93bd4fea9a93994" == D[:16]
    assert "8f69b6ee6d62ec81" == KEY.hex()[:16]


def test_draws_match_the_vectors():
    assert "bc55a614caf92d48" == commitments.draw_key(KEY, "deal", 1).hex()[:16]
    assert (50, 35, 39, 37, 42, 22, 31, 11) == drawn("deal", 1).shuffle(range(52))[:8]
    assert [3, 2, 6, 5, 2] == [drawn("roll", 2, 1, 1, place).roll(6) for place in range(1, 6)]
    assert (0, 2, 1) == drawn("starter").shuffle(range(3))


def test_luck_of_a_bot_matches_the_vectors():
    key = commitments.house_key(KEY, 2, 0)

    assert "0903629935ad997d" == key.hex()[:16]
    assert 56 == KeyedLuck(key).below(100)


def test_commitment_fits_only_its_own_nonce_name_round_and_table():
    commit = COMMITS[0][1]

    assert commitments.fits(commit, TABLE, 1, "bob", BOBS)
    assert not commitments.fits(commit, TABLE, 1, "bob", CAROLS)
    assert not commitments.fits(commit, TABLE, 1, "carol", BOBS)
    assert not commitments.fits(commit, TABLE, 2, "bob", BOBS)
    assert not commitments.fits(commit, commitments.table_id(13, "ohell", 1, SEAL), 1, "bob", BOBS)


@pytest.mark.parametrize("nonce", [b"", bytes(31), bytes(33)])
def test_nonce_of_another_size_never_fits(nonce):
    assert not commitments.fits(commitments.commitment(TABLE, 1, "bob", nonce), TABLE, 1, "bob", nonce)


def test_text_that_isnt_a_hash_fits_nothing():
    assert not commitments.fits("é", TABLE, 1, "bob", BOBS)


@pytest.mark.parametrize(
    "changed",
    [
        {"round": 2},
        {"seal": "00"},
        {"root": "00"},
        {"options": {"decks": 2}},
        {"seats": (SEATS[1], SEATS[0], SEATS[2])},
        {"purses": (1, 1, 1)},
        {"words": ()},
        {"commits": COMMITS[::-1]},
    ],
)
def test_every_field_of_a_sealing_changes_its_digest(changed):
    fields = SEALED.as_json()

    assert D == commitments.sealing_digest(TABLE, Sealed(**fields))
    assert D != commitments.sealing_digest(TABLE, Sealed(**fields | changed))


def test_client_gets_the_same_digest_from_the_packet():
    packet = {
        "round": 1,
        "seal": SEAL,
        "root": "",
        "options": {"decks": 1},
        "seats": [["bob", ""], ["carol", ""], ["Ada", "club"]],
        "purses": [],
        "words": [["bob", "pips"]],
        "commits": [[name, commit] for name, commit in COMMITS],
    }

    assert D == commitments.sealing_digest(TABLE, packet)


def test_key_needs_every_nonce_in_order():
    keys = {commitments.table_key(SECRET, TABLE, D, nonces) for nonces in ([], [BOBS], [BOBS, CAROLS], [CAROLS, BOBS])}

    assert 4 == len(keys)


def test_links_chain_each_entry_to_all_before_it():
    """`link0 = H("header", header)`, `link_n = H("entry", link_(n-1), n, act, told)`."""
    first = commitments.header_link({"is": "Header", "number": 12})
    second = commitments.entry_link(first, 1, {"is": "Start"}, "00")

    assert commitments.digest("header", {"is": "Header", "number": 12}) == first
    assert commitments.digest("entry", first, 1, {"is": "Start"}, "00") == second
    assert second != commitments.entry_link(first, 2, {"is": "Start"}, "00")


def test_fresh_secret_has_its_size_and_is_new():
    assert 32 == len(commitments.fresh())
    assert commitments.fresh() != commitments.fresh()
