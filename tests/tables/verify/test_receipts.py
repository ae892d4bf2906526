"""A player's own receipts show at home whether the log is the one their client saw."""

import json

import attrs
import pytest

from lilygames.proofs import commitments
from lilygames.proofs.receipt import Receipt, read_receipt
from lilygames.server.shell import exports
from tests.tables.sealed_games import NONCES, Host, played
from tests.toys import TALLY

TOY = TALLY["tally"]
OPTIONS = TOY.rules.Options(max=3, first_dealer="host")
WHOLE = "\n".join(played(TOY, OPTIONS, names=("bob", "carol")).export)


def receipt(host, name="bob", **changes):
    """Return what a client that sees the table now keeps after it revealed."""
    rounds = host.table.rounds
    code = commitments.sealing_digest(rounds.table, rounds.sealed) if rounds.sealed else ""
    return attrs.evolve(
        Receipt(
            server="games.example:7778",
            name=name,
            number=12,
            game="tally",
            table=rounds.table,
            round=rounds.number,
            seal=rounds.seal,
            root=rounds.root,
            nonce=NONCES[name].hex(),
            commit=host.commitment(name),
            shown=(code,) if code else (),
            revealed=code,
        ),
        **changes,
    )


def sealed(*clients):
    return Host(TOY, OPTIONS).seat("bob", "carol").cut("bob", "pips").commit(*(clients or ("bob", "carol"))).seal()


def said(text, *receipts):
    return [(verdict.match, verdict.sentence) for verdict in exports.verify_receipts(text, receipts)]


def test_receipt_of_a_client_that_took_part_matches():
    assert [(True, "Your client's number of round 1 is in the deal.")] == said(WHOLE, receipt(sealed()))


def test_receipts_of_other_tables_are_left_out():
    other = receipt(sealed(), table="ab" * 32)

    assert [(True, "No receipt is for this table.")] == said(WHOLE, other)
    assert 1 == len(said(WHOLE, other, receipt(sealed())))


def test_host_that_shows_two_lists_is_found():
    """The client revealed to a list that isn't the log's, or it saw two lists for one round."""
    shown = Host(TOY, OPTIONS).seat("bob", "carol").cut("bob", "pips").commit("bob").seal()
    one, both = receipt(shown), receipt(sealed(), shown=("aa" * 32, "bb" * 32))

    assert [(False, "No match: your client revealed its number for another list in round 1 than the log's.")] == said(
        WHOLE, one
    )
    assert [(False, "No match: the host showed two different lists in round 1.")] == said(WHOLE, both)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"nonce": "cd" * 32},
            "No match: the receipt of round 1 is damaged: its number doesn't fit its commitment.",
        ),
        ({"nonce": "xy"}, "No match: the receipt of round 1 is damaged: its number doesn't fit its commitment."),
        ({"seal": "ab" * 32}, "No match: your client was shown another seal in round 1."),
        ({"root": "ab" * 32}, "No match: your client was shown another seal in round 1."),
        (
            {"revealed": ""},
            "No match: your client never revealed its number of round 1, but the cards were dealt.",
        ),
    ],
)
def test_receipt_that_differs_from_the_log_is_told(changes, sentence):
    assert [(False, sentence)] == said(WHOLE, receipt(sealed(), **changes))


def test_commitment_that_was_replaced_by_another_is_told():
    """The client committed to one number, and the log has another commitment and number in its name."""
    mine = bytes([0x77]) * 32
    rounds = sealed().table.rounds
    other = receipt(
        sealed(), nonce=mine.hex(), commit=commitments.commitment(rounds.table, 1, "bob", mine), shown=(), revealed=""
    )
    shown = attrs.evolve(other, revealed=commitments.sealing_digest(rounds.table, rounds.sealed))

    assert [(True, "Warning: your client was left out of round 1.")] == said(WHOLE, other)
    assert [(False, "No match: your client's commitment isn't in the list of round 1.")] == said(WHOLE, shown)


def test_client_that_was_left_out_is_warned():
    left_out = played(TOY, OPTIONS, names=("bob", "carol"), clients=("carol",))
    committed = receipt(Host(TOY, OPTIONS).seat("bob", "carol"))

    assert [(True, "Warning: your client was left out of round 1.")] == said("\n".join(left_out.export), committed)


def test_void_round_is_told():
    host = sealed().reveal("bob")
    mine, first = receipt(host), receipt(host, name="carol", shown=(), revealed="")
    host.void("carol").commit("bob").seal().reveal("bob")
    second = receipt(host)
    text = "\n".join(host.start().play().close().export)

    assert [
        (True, "Round 1 was void; your client took part."),
        (True, "Your client's number of round 2 is in the deal."),
    ] == said(text, second, mine)
    assert [(True, "Round 1 wasn't dealt.")] == said(text, first)


KEPT = {
    "receipt": 1,
    "server": "games.example:7778",
    "name": "bob",
    "table": 12,
    "game": "tally",
    "T": "aa",
    "round": 1,
    "seal": "bb",
    "root": "",
    "nonce": "cc",
    "commit": "dd",
    "D": ["ee"],
    "revealed": "ee",
}


def test_receipt_is_read_as_it_was_written():
    kept = Receipt("games.example:7778", "bob", 12, "tally", "aa", 1, "bb", "", "cc", "dd", ("ee",), "ee")

    assert kept == read_receipt(json.dumps(KEPT))
    assert kept == read_receipt(kept.as_text())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "1",
        json.dumps(KEPT | {"round": "1"}),
        json.dumps(KEPT | {"D": "ee"}),
        json.dumps(KEPT | {"receipt": 2}),
        "[" * 100_000,
    ],
)
def test_file_that_isnt_a_receipt_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        read_receipt(text)
