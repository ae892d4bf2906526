"""Commitments come before reveals, and a deal uses all committed numbers or none."""

import itertools

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames import codec
from lilygames.proofs import commitments
from lilygames.store import Entry
from lilygames.tables.log.acts import (
    Adjudicated,
    Committed,
    Cut,
    Frozen,
    Header,
    Joined,
    Moved,
    Paused,
    Revealed,
    Sealing,
    Seated,
    Sitter,
    Start,
    Unfrozen,
    Voided,
)
from lilygames.tables.seal.rounds import WrongSecret
from lilygames.tables.state.life import Life, written
from lilygames.tables.state.table import Table
from lilygames_rules.kit import Outcome, Refused
from tests.toys import TALLY

SECRET, NEXT = bytes(32), bytes(range(32))
NONCES = {name: bytes([number]) * 32 for number, name in enumerate(("ann", "bob", "cat"), 17)}


def header(**changes):
    options = codec.dump(TALLY["tally"].rules.Options(max=3, first_dealer="host"))
    fields = {"seal": commitments.seal_of(SECRET), "host": "ann", "fairness": 2, **changes}
    return Header(1, "tally", 1, "tally", options, **fields)


def opened(**changes):
    """Return a table at which ann and bob sit."""
    table = Table(header(**changes), TALLY["tally"], SECRET)
    return after(table, Seated(0, Sitter("ann")), Seated(1, Sitter("bob")))


def after(table, *acts):
    for act in acts:
        table, _ = table.after(act)
    return table


def committed(table, name, nonce=None):
    return Committed(name, commitments.commitment(table.rounds.table, table.rounds.number, name, nonce or NONCES[name]))


def sealing(table, *names):
    return Sealing(table.rounds.proposed(table.seats, table.header.options, (), names or table.names))


def revealed(name):
    return Revealed(name, NONCES[name].hex())


def sealed(table, *names):
    """Return the table after these players have committed and everything is sealed."""
    table = after(table, *(committed(table, name) for name in names))
    return after(table, sealing(table))


def voided(table, *missing):
    return Voided(table.rounds.number, missing, SECRET.hex(), commitments.seal_of(NEXT))


def refusal(table, act):
    with pytest.raises(Refused) as no:
        table.after(act)
    return no.value.code


def test_game_starts_when_every_number_is_revealed():
    table = after(sealed(opened(), "ann", "bob"), revealed("bob"))

    assert "unrevealed" == refusal(table, Start())
    assert ("ann", "bob") == after(table, revealed("ann"), Start()).rounds.sealed_by


def test_game_without_commitments_starts_once_sealed():
    assert "not-sealed" == refusal(opened(), Start())
    assert after(sealed(opened()), Start()).started


def test_key_is_that_of_the_specification():
    """K = M(S, "key", T, D, nonces by seat); D covers words, seats and commitments."""
    table = after(opened(), Cut(1, "pips"))
    table = after(sealed(table, "bob", "ann"), revealed("bob"), revealed("ann"), Start())
    identity = commitments.table_id(1, "tally", 1, commitments.seal_of(SECRET))
    commits = [[name, commitments.commitment(identity, 1, name, NONCES[name])] for name in ("ann", "bob")]
    content = {
        "round": 1,
        "seal": commitments.seal_of(SECRET),
        "root": "",
        "options": table.header.options,
        "seats": [["ann", ""], ["bob", ""]],
        "purses": [],
        "words": [["bob", "pips"]],
        "commits": commits,
    }
    digest = commitments.digest("sealing", identity, content)
    expected = commitments.keyed(SECRET, "key", identity, digest, [NONCES["ann"], NONCES["bob"]])

    assert (digest, expected) == (table.rounds.code, table.key)


def test_second_commitment_of_a_seat_replaces_the_first():
    table = opened()
    table = sealed(after(table, committed(table, "bob", bytes(32))), "bob")

    assert after(table, revealed("bob"), Start()).started


def test_no_commitment_is_taken_after_the_sealing():
    table = sealed(opened(), "bob")

    assert "sealing" == refusal(table, committed(table, "ann"))


@pytest.mark.parametrize("act", [Seated(2, Sitter("cat")), Seated(0, None), Cut(0, "late")])
def test_seats_and_words_are_fixed_while_clients_reveal(act):
    assert "sealing" == refusal(sealed(opened(), "bob"), act)


def test_reveal_before_the_sealing_is_refused():
    table = opened()

    assert "early-reveal" == refusal(after(table, committed(table, "bob")), revealed("bob"))


def test_wrong_number_is_refused_and_may_be_corrected():
    table = sealed(opened(), "bob")

    assert "wrong-nonce" == refusal(table, Revealed("bob", NONCES["ann"].hex()))
    assert after(table, revealed("bob"), Start()).started


def test_copied_commitment_cannot_be_revealed():
    """The name is hashed in."""
    table = opened()
    bobs = committed(table, "bob")
    table = after(table, bobs, Committed("ann", bobs.commit))
    table = after(table, sealing(table), revealed("bob"))

    assert "wrong-nonce" == refusal(table, Revealed("ann", NONCES["bob"].hex()))


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (Committed("cat", "0" * 64), "no-seat"),
        (Committed("ann", "0" * 63), "bad-commitment"),
        (Committed("ann", "A" * 64), "bad-commitment"),
        (Voided(1, ("bob",), SECRET.hex(), "0" * 64), "not-sealed"),
    ],
)
def test_act_that_does_not_fit_the_round_is_refused(act, code):
    assert code == refusal(opened(), act)


def test_player_whose_client_did_not_commit_has_nothing_to_reveal():
    assert "no-commitment" == refusal(sealed(opened(), "bob"), revealed("ann"))


def test_commitment_of_someone_who_left_is_gone():
    table = opened()
    table = after(table, committed(table, "bob"), Seated(1, None), Seated(1, Sitter("cat")))

    assert () == sealing(table).sealing.commits


def test_commitment_of_a_disconnected_player_is_left_out():
    table = opened()
    table = after(table, committed(table, "ann"), committed(table, "bob"))

    assert ("bob",) == after(table, sealing(table, "ann")).rounds.left_out


def test_sealing_that_differs_from_the_table_is_refused():
    table = opened()
    fit = sealing(table).sealing
    wrong = [{"round": 2}, {"seal": "0" * 64}, {"options": {}}, {"seats": fit.seats[:1]}, {"words": (("ann", "x"),)}]
    wrong += [{"commits": (("ann", "0" * 64),)}, {"purses": (1,)}, {"root": "0" * 64}]

    assert {"bad-sealing"} == {refusal(table, Sealing(attrs.evolve(fit, **one))) for one in wrong}


def test_void_round_is_followed_by_one_with_the_next_secret():
    """The missing player's client may not commit again; everyone else does."""
    table = after(sealed(opened(), "ann", "bob"), revealed("ann"))
    table = attrs.evolve(after(table, voided(table, "bob")), secret=NEXT)

    assert (2, ["bob"], {}) == (table.rounds.number, [*table.rounds.voids[0].missing], table.rounds.commits)
    assert "missed-reveal" == refusal(table, committed(table, "bob"))
    assert ("ann",) == after(sealed(table, "ann"), revealed("ann"), Start()).rounds.sealed_by


@pytest.mark.parametrize(
    "changes",
    [{"round": 2}, {"missing": ("ann",)}, {"missing": ()}, {"secret": NEXT.hex()}, {"secret": ""}, {"next_seal": ""}],
)
def test_void_round_names_the_missing_and_opens_the_secret(changes):
    table = after(sealed(opened(), "ann", "bob"), revealed("ann"))

    assert "bad-void" == refusal(table, attrs.evolve(voided(table, "bob"), **changes))


def test_nothing_is_dealt_from_a_secret_that_does_not_belong_to_the_seal():
    table = after(sealed(opened(), "ann"))
    table = after(table, voided(table, "ann"))

    with pytest.raises(WrongSecret):
        after(sealed(table), Start())


@pytest.mark.parametrize("changes", [{"fairness": 0}, {"lesson": 1}])
def test_table_with_version_1_or_a_lesson_takes_no_commitments(changes):
    table = opened(**changes)

    assert "no-commitments" == refusal(table, Committed("bob", "0" * 64))


def test_new_fields_are_left_out_of_older_logs():
    """Otherwise the digests of older tables would change."""
    new = {"strategy", "memory", "budget", "fairness", "root", "next_root"}
    written_out = {*codec.dump(Sitter("ann")), *codec.dump(header(fairness=0)), *codec.dump(Voided(1, (), "", ""))}

    assert set() == new & written_out


def test_log_read_again_gives_the_same_table():
    table = opened()
    acts = [committed(table, "ann"), committed(table, "bob"), None, revealed("bob"), revealed("ann"), Start()]
    tables, entries = [table], []
    for act in acts:
        step = tables[-1].after(act or sealing(tables[-1]))[0]
        entries.append(Entry(step.seq, 0.0, "x", step.body, ""))
        tables.append(step)

    again = [*itertools.accumulate(entries, lambda now, entry: now.read(entry)[0], initial=table)]
    assert tables == again


ACTS = st.lists(
    st.one_of(
        st.builds(committed, st.just(opened()), st.sampled_from(["ann", "bob"])),
        st.builds(committed, st.just(opened()), st.sampled_from(["ann", "bob"]), st.just(bytes(32))),
        st.builds(
            Revealed, st.sampled_from(["ann", "bob"]), st.sampled_from([*(one.hex() for one in NONCES.values())])
        ),
        st.sampled_from([Start(), Seated(1, None), Seated(1, Sitter("bob")), Cut(0, "x"), Paused(), "seal", "void"]),
    ),
    max_size=25,
)


@given(ACTS)
def test_any_order_of_acts_is_refused_or_keeps_the_rules_of_a_round(acts):
    """No deal from a subset, no commitment after a sealing, and names in all voids."""
    table, sealings = opened(), []
    for one in acts:
        act = sealing(table) if one == "seal" else voided(table, *table.rounds.missing) if one == "void" else one
        before = table
        try:
            table = after(table, act)
        except Refused:
            continue
        if isinstance(act, Sealing):
            sealings.append(act.sealing)
        if isinstance(act, Voided):
            table = attrs.evolve(table, secret=NEXT)
            assert {*act.missing} == {name for name, _ in sealings[-1].commits} - {*before.rounds.nonces}
        assert before.rounds.sealed is None or not isinstance(act, Committed | Cut | Seated)
        if isinstance(act, Start):
            assert sealings[-1] == table.rounds.dealt.sealed
            assert len(sealings[-1].commits) == len(table.rounds.dealt.nonces)
            assert all(
                commitments.fits(commit, table.rounds.table, table.rounds.dealt.sealed.round, name, nonce)
                for (name, commit), nonce in zip(sealings[-1].commits, table.rounds.dealt.nonces, strict=True)
            )


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=4, max_size=4, unique=True))
def test_key_depends_on_every_number(nonces):
    def key(anns, bobs):
        table = opened()
        table = after(table, committed(table, "ann", anns), committed(table, "bob", bobs))
        table = after(table, sealing(table), Revealed("ann", anns.hex()), Revealed("bob", bobs.hex()), Start())
        return table.key

    first, second, third, fourth = nonces
    assert 4 == len({key(first, second), key(third, second), key(first, fourth), key(second, first)})


# the sysop's acts


@pytest.fixture
def begun():
    return after(sealed(opened()), Start())


def bid(tricks=0):
    return {"is": "Bid", "tricks": tricks}


def test_frozen_table_takes_no_moves_until_it_is_unfrozen(begun):
    frozen = after(begun, Frozen("root", "someone shared a password"))

    assert (Life.FROZEN, ()) == (written(frozen), frozen.to_move)
    assert "frozen" == refusal(frozen, Moved(1, bid()))
    assert "frozen" == refusal(frozen, Frozen("root", "again"))
    assert after(frozen, Unfrozen("root"), Moved(1, bid())).to_move
    assert "not-frozen" == refusal(begun, Unfrozen("root"))


def test_adjudicated_game_has_the_stated_result(begun):
    stated = Outcome((3, 1), (0,), "adjudicated")
    ended = after(begun, Frozen("root", "x"), Adjudicated("root", "bob left", stated))

    assert (stated, True, False, False) == (ended.outcome, ended.ended, ended.going, ended.frozen)
    assert "game-over" == refusal(ended, Frozen("root", "x"))


def test_adjudicated_game_may_have_no_winner(begun):
    ended = after(begun, Adjudicated("root", "a bug", None))

    assert (None, True) == (ended.outcome, ended.ended)


@pytest.mark.parametrize("result", [Outcome((1,), (0,), ""), Outcome((1, 2), (), ""), Outcome((1, 2), (2,), "")])
def test_stated_result_must_fit_the_seats(begun, result):
    assert "bad-result" == refusal(begun, Adjudicated("root", "x", result))


def test_games_cannot_be_frozen_before_the_start():
    assert "not-started" == refusal(opened(), Frozen("root", "x"))


def test_newcomer_has_to_wait_for_a_round_to_be_complete():
    """Only games that let people join have such rounds; tally doesn't, and refuses the seat itself."""
    assert "not-started" == refusal(opened(), Joined(2, Sitter("cat")))
