"""A duplicate set as the fold of its log: sealed once, results by seat, secret published at the end."""

import pytest

from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames.tables.duplicate.duplicate_set import (
    Added,
    DuplicateSet,
    Ended,
    Finished,
    Opened,
    SeatResult,
    SetHeader,
    Spoiled,
    is_name,
)
from lilygames.tables.log.acts import Committed, Revealed, Sealing
from lilygames_rules.kit import Refused

SECRET, NONCE = bytes(range(32)), b"\x11" * 32
SEAL = commitments.seal_of(SECRET)
T = commitments.duplicate_id("friday", "ohell", 1, SEAL)
HEADER = SetHeader("friday", "ohell", 1, {"max": 3}, SEAL, "bob", until=1000.0, first=12)
COMMIT = commitments.commitment(T, 1, "bob", NONCE)
SEALED = Sealed(1, SEAL, "", {"max": 3}, (("bob", ""), ("Ada", "club")), (), (), (("bob", COMMIT),))
ROUND = (Committed("bob", COMMIT), Sealing(SEALED), Revealed("bob", NONCE.hex()))


def after(*acts):
    found = DuplicateSet(HEADER, seq=1)
    for act in acts:
        found = found.after(act)
    return found


def finished(table, *scores, names=("bob", "Ada"), left=False):
    levels = ("", "club")
    seats = [
        SeatResult(name, name, (score,), level, left and not level)
        for name, score, level in zip(names, scores, levels, strict=False)
    ]
    return Finished(table, 0.0, tuple(seats))


def refused(code, *acts):
    with pytest.raises(Refused) as no:
        after(*acts)
    return code == no.value.code


def test_set_has_an_identity_of_its_own():
    assert T == commitments.digest("duplicate", "friday", "ohell", 1, SEAL)
    assert T != commitments.table_id(12, "ohell", 1, SEAL)


def test_first_table_seals_the_set_with_its_players_numbers():
    found = after(Added(12, 0.0), *ROUND)
    code = commitments.sealing_digest(T, SEALED)

    assert found.sealed
    assert (("bob", ""), ("Ada", "club")) == found.seats
    assert commitments.table_key(SECRET, T, code, [NONCE]) == found.key(SECRET)


def test_set_is_not_sealed_before_every_number_is_revealed():
    assert not after(*ROUND[:2]).sealed


def test_set_is_sealed_once():
    assert refused("sealed", *ROUND, Committed("carol", COMMIT))


def test_wrong_number_is_refused():
    assert refused("wrong-nonce", *ROUND[:2], Revealed("bob", "22" * 32))


def test_secret_is_published_only_if_it_fits_the_seal_and_only_once():
    assert refused("bad-secret", *ROUND, Opened("00" * 32))
    assert refused("opened", *ROUND, Opened(SECRET.hex()), Opened(SECRET.hex()))
    assert after(*ROUND, Opened(SECRET.hex())).opened


def test_set_takes_tables_until_its_time_or_until_it_is_ended():
    assert after(*ROUND).takes_tables(999.0)
    assert not after(*ROUND).takes_tables(1000.0)
    assert not after(*ROUND, Ended("bob")).takes_tables(1.0)


def test_set_is_done_when_no_table_plays_and_none_can_follow():
    begun = (Added(12, 0.0), *ROUND)

    assert not after(*begun, finished(12, 5, 3)).done(999.0)
    assert after(*begun, finished(12, 5, 3)).done(1000.0)
    assert not after(*begun, Ended("bob")).done(1.0)
    assert after(*begun, Ended("bob"), finished(12, 5, 3)).done(1.0)


def test_table_is_finished_once():
    assert refused("not-playing", Added(12, 0.0), finished(12, 1, 2), finished(12, 3, 4))
    assert refused("not-playing", finished(12, 1, 2))


def test_daily_deal_is_begun_once_by_an_account():
    assert refused("begun", Added(12, 0.0, "bob"), Added(13, 1.0, "bob"))
    assert after(Added(12, 0.0, "bob"), Added(13, 1.0, "carol")).has_begun("carol")


def test_account_has_played_when_its_table_is_finished():
    found = after(Added(12, 0.0), finished(12, 5, 3))

    assert found.has_played("bob")
    assert not found.has_played("carol")
    assert not after(Added(12, 0.0)).has_played("bob")


def test_results_are_compared_by_seat():
    """Bots aren't compared, nor are players who left, games broken off, and games that a bug spoiled."""
    tables = [Added(number, 0.0) for number in range(12, 18)]
    found = after(
        *tables,
        *ROUND,
        finished(12, 5, 3),
        finished(13, 8, 1, names=("carol", "Ada")),
        finished(14, 9, 1, names=("dave", "Ada"), left=True),
        Spoiled(15, "a1"),
        finished(15, 7, 7, names=("eve", "Ada")),
        Finished(16, 0.0),
    )

    assert {0: [("carol", 1, 1), ("bob", 2, 0)]} == {
        seat: [(one.result.name, one.place, one.share) for one in placed] for seat, placed in found.standings().items()
    }


@pytest.mark.parametrize(
    ("name", "good"), [("friday", True), ("a-2", True), ("", False), ("-a", False), ("A", False), ("x" * 41, False)]
)
def test_name_of_a_set_is_plain(name, good):
    assert good == is_name(name)
