"""Attackers, what they can do, and what stops them: a test for each one that can be played.

A coalition is the host with the seats it controls. It knows the secret and its own numbers, and it can write any log.
"""

from random import Random

import attrs
import pytest

from lilygames.proofs import commitments
from lilygames.proofs.commitments import Sealed
from lilygames.server.shell import exports
from lilygames.tables.log.acts import Committed, Cut, Noted, Paused, Resumed, Revealed, Sealing, Seated, Sitter, Start
from lilygames.tables.seal.rounds import WrongSecret
from lilygames_rules.kit import PurposeLuck, Refused
from tests.tables.sealed_games import NONCES, SECRET, Host
from tests.toys import TALLY

TOY = TALLY["tally"]
OPTIONS = TOY.rules.Options(max=3, first_dealer="host")
PAIR = ("bob", "mallory")
WORDS = [f"word{number}" for number in range(50)]
DEALS = 200


def opened(secret=SECRET):
    """Return a table of an honest player and the host's friend, who sits last."""
    return Host(TOY, OPTIONS, secret=secret).seat(*PAIR)


def refusal(host, *acts):
    with pytest.raises(Refused) as no:
        host.then(*acts)
    return no.value.code


def first_card(key):
    """Return the place of the first card of a deal by version 2."""
    return PurposeLuck(key).for_("deal", 1).shuffle(range(52))[0]


def wins(card):
    """The wish of the coalition, which comes true in one of four deals."""
    return card < 13


def sealed_key(secret, words, nonces):
    """Return the key of a table at which mallory's words and these numbers were sealed."""
    seal_2 = commitments.seal_of(secret)
    table = commitments.table_id(12, "tally", 1, seal_2)
    commits = tuple((name, commitments.commitment(table, 1, name, nonce)) for name, nonce in nonces.items())
    said = tuple(("mallory", word) for word in words)
    sealed = Sealed(1, seal_2, "", {}, tuple((name, "") for name in PAIR), words=said, commits=commits)
    return commitments.table_key(secret, table, commitments.sealing_digest(table, sealed), [*nonces.values()])


# the host with a friend who chooses last


def test_best_of_50_words_gains_nothing():
    """The coalition picks the word that is best for the number it guesses; bob's real number isn't known to it.

    One wish in four comes true, as without any choice: 50 of 200, and the test allows four standard deviations.
    """
    random, true = Random(20), 0
    for _ in range(DEALS):
        secret, bobs, mine = (random.randbytes(32) for _ in range(3))
        guessed = {"bob": random.randbytes(32), "mallory": mine}
        best = next((word for word in WORDS if wins(first_card(sealed_key(secret, [word], guessed)))), WORDS[0])
        true += wins(first_card(sealed_key(secret, [best], {"bob": bobs, "mallory": mine})))

    assert abs(true - DEALS / 4) < 4 * (DEALS * 3 / 16) ** 0.5


def test_friend_cannot_choose_anything_once_a_number_is_revealed():
    """All that the luck depends on is in the log before the first number."""
    host = opened().commit(*PAIR).seal().reveal("bob")

    assert "sealing" == refusal(host, Cut(1, "spades"))
    assert "sealing" == refusal(host, Committed("mallory", host.commitment("mallory", bytes(32))))
    assert "sealing" == refusal(host, Seated(2, Sitter("eve")))
    assert "sealing" == refusal(host, Sealing(host.table.rounds.sealed))
    assert "wrong-nonce" == refusal(host, Revealed("mallory", bytes(32).hex()))


def test_host_cannot_choose_another_secret_after_the_seal():
    host = opened().commit(*PAIR).seal().reveal(*PAIR)

    with pytest.raises(WrongSecret):
        attrs.evolve(host.table, secret=bytes(32)).after(Start())


# the friend who withholds a reveal, and the player who aborts


def test_deal_never_uses_only_the_numbers_that_arrived():
    host = opened().commit(*PAIR).seal().reveal("bob")

    assert "unrevealed" == refusal(host, Start())
    assert ("mallory",) == host.table.rounds.missing


def test_friend_who_withholds_a_number_is_named_and_cannot_do_it_again():
    """Withholding gives one more deal, in public and once; the next one has another secret and needs no mallory."""
    host = opened().commit(*PAIR).seal().reveal("bob").void("mallory")

    assert "missed-reveal" == refusal(host, Committed("mallory", host.commitment("mallory")))

    host.commit("bob").seal().reveal("bob").start().play().close()
    verdict = exports.verify("\n".join(host.export), TALLY)

    assert verdict.match
    assert "Round 1 was void: mallory didn't reveal. Deck sealed by bob: code " in verdict.sentence


def test_player_who_aborts_stalls_nobody():
    """The round is void, and the others deal in the next one."""
    host = opened().commit(*PAIR).seal().void(*PAIR)

    assert 2 == host.table.rounds.number
    assert host.seal().start().table.started


def test_host_cannot_blame_a_player_who_revealed():
    host = opened().commit(*PAIR).seal().reveal("bob")

    with pytest.raises(Refused, match="bad-void"):
        host.void("bob")
    with pytest.raises(Refused, match="bad-void"):
        host.void("bob", "mallory")


# the host that inserts entries


def test_entries_that_the_host_inserts_change_no_card():
    """Notes, pauses and substitutes: luck ignores the position in the log."""
    plain = opened().commit(*PAIR).seal().reveal(*PAIR).start()
    full = opened().then(*(Noted("agreed", "bob", str(number)) for number in range(7))).commit(*PAIR).seal()
    full.then(Noted("passes", "mallory")).reveal(*PAIR).then(Noted("plays", "mallory")).start()

    assert plain.table.state == full.table.state

    full.then(Paused(), Resumed(), Seated(1, Sitter("Ada", "novice", stands_in="mallory")), Noted("agreed", "bob", "x"))
    full.then(Seated(1, Sitter("mallory")))
    one, two = Random(3), Random(3)
    while plain.table.outcome is None:
        full.then(Noted("agreed", "bob", "again"))
        plain.move(one)
        full.move(two)

        assert plain.table.state == full.table.state


# the host that shows two lists


def test_host_that_shows_two_lists_cannot_have_both_in_one_log():
    """Each list has its own code, and the log has one; whoever saw the other has a receipt."""
    honest, other = opened().commit(*PAIR).seal(), opened().commit("bob").seal()
    codes = {commitments.sealing_digest(one.table.rounds.table, one.table.rounds.sealed) for one in (honest, other)}

    assert 2 == len(codes)
    assert "sealing" == refusal(honest, Sealing(other.table.rounds.sealed))


def test_list_that_leaves_out_a_commitment_or_adds_one_is_told_from_the_others():
    host = opened().commit(*PAIR)
    rounds, table = host.table.rounds, host.table
    whole = rounds.proposed(table.seats, table.header.options, (), PAIR)
    forged = attrs.evolve(whole, commits=(*whole.commits[:1], ("mallory", "00" * 32)))

    assert "bad-sealing" == refusal(host, Sealing(forged))
    assert commitments.sealing_digest(rounds.table, whole) != commitments.sealing_digest(rounds.table, forged)


@pytest.mark.parametrize(
    "changes",
    [
        {"round": 2},
        {"seal": "00" * 32},
        {"options": {}},
        {"seats": (("mallory", ""), ("bob", ""))},
        {"words": (("bob", "pips"),)},
        {"commits": (("bob", "00" * 32),)},
    ],
)
def test_forged_sealing_is_refused_and_has_another_code(changes):
    host = opened().commit(*PAIR)
    table = host.table
    whole = table.rounds.proposed(table.seats, table.header.options, (), PAIR)
    forged = attrs.evolve(whole, **changes)

    assert "bad-sealing" == refusal(host, Sealing(forged))
    assert commitments.sealing_digest(table.rounds.table, forged) != commitments.sealing_digest(
        table.rounds.table, whole
    )


# the player who copies a commitment


def test_copied_commitment_cannot_be_revealed():
    """Names are hashed in: mallory waits for bob's number, but it doesn't fit in mallory's name."""
    host = opened().commit("bob").then(Committed("mallory", opened().commitment("bob"))).seal().reveal("bob")

    assert "wrong-nonce" == refusal(host, Revealed("mallory", NONCES["bob"].hex()))


def test_commitment_of_another_round_or_table_cannot_be_revealed():
    first = opened()
    again = opened().commit(*PAIR).seal().void(*PAIR)
    old = first.commitment("bob")

    assert old != commitments.commitment(again.table.rounds.table, 2, "bob", NONCES["bob"])
    assert old != Host(TOY, OPTIONS, number=13).seat(*PAIR).commitment("bob")


# the player who searches for luck by their own choices, or takes moves back


def test_same_purpose_has_the_same_luck_whatever_was_done_before():
    key = sealed_key(SECRET, (), {name: NONCES[name] for name in PAIR})
    once, later = PurposeLuck(key, 3), PurposeLuck(key, 90)
    later.for_("coin").coin()
    later.shuffle(range(9))

    assert once.for_("deal", 2).shuffle(range(52)) == later.for_("deal", 2).shuffle(range(52))


def test_volunteers_and_discards_cannot_steer_the_rest_of_a_draw():
    """`pick` and `order` shuffle everything, so each choice leaves the order of the others alone."""
    for number in range(50):
        key = number.to_bytes(32, "big")
        everyone = PurposeLuck(key).for_("reshuffle", 1, 1).order(range(20), range(20))
        fewer = PurposeLuck(key).for_("reshuffle", 1, 1).order(range(20), range(3, 17))

        assert tuple(card for card in everyone if 3 <= card < 17) == fewer


def test_player_cannot_work_out_a_deal_without_the_secret():
    """All that a player knows before the end is public: the key is none of its hashes."""
    host = opened().commit(*PAIR).seal().reveal(*PAIR).start()
    rounds = host.table.rounds
    known = [rounds.table, rounds.seal, rounds.code, *(nonce.hex() for nonce in rounds.dealt.nonces)]
    guesses = (bytes.fromhex(one) for one in known)
    keys = {commitments.table_key(guess, rounds.table, rounds.code, rounds.dealt.nonces) for guess in guesses}

    assert host.table.key not in keys
    assert commitments.table_key(SECRET, rounds.table, rounds.code, rounds.dealt.nonces) == host.table.key


# bots' luck


def test_bots_luck_depends_on_its_seat_and_its_own_moves_alone():
    key = sealed_key(SECRET, (), {name: NONCES[name] for name in PAIR})
    keys = {commitments.house_key(key, seat, moves) for seat in range(3) for moves in range(3)}

    assert 9 == len(keys)
