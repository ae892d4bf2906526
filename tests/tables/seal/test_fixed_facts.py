"""Liar's Lair with a closed seal: a root at the start proves that no card changed after the deal, and tells no more."""

import itertools
import json
from functools import cache

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.proofs import commitments
from lilygames.server.shell import exports
from lilygames.tables.log.acts import Closed, Start
from lilygames.tables.seal.closed_deck import Leaf
from lilygames.tables.seal.merkle import leaf_hash
from lilygames.tables.state.table import Table, fixed_facts
from lilygames.tables.state.visible import all_seen
from lilygames.tables.verify.closed_log import closed_export
from lilygames.tables.verify.verify import acts_of
from lilygames_rules.kit import Refused
from tests.tables.sealed_games import SECRET, Host, remade
from tests.tables.verify.test_closed_log import acts, run
from tests.toys import ALL, installed

pytestmark = pytest.mark.skipif("liarslair" not in ALL, reason="not here: liarslair")
PAIRS = tuple((f"Ann has {number} cats.", f"Ann has {number} dogs.") for number in range(40))
"""Statements that people have written."""
READERS = ("bob", "carol", "dave", "a spectator")


@cache
def played(seed=1, names=("bob", "carol", "dave"), **header):
    game = installed("liarslair")["liarslair"]
    options = game.rules.Options(cards="written", pairs=PAIRS, max_rounds=8)
    host = Host(game, options, **({"sealed": True} | header)).seat(*names)
    return host.commit("bob").seal().reveal("bob").start().play(seed, most=300).close()


def exported(host, name="bob"):
    return closed_export(host.table.header, host.table.game, SECRET, host.entries, name=name)


def proved(rows):
    return {(*row["proof"], row["item"]): row["value"] for row in map(json.loads, rows) if "proof" in row}


def told(host, reader):
    """Return the facts that the events told a reader."""
    table, facts = Table(host.table.header, host.table.game, SECRET), {}
    seat = READERS.index(reader) if reader in host.table.names else None
    for entry in host.entries:
        table, events = table.read(entry)
        for event in all_seen(events, seat):
            facts |= dict(table.game.facts.told(event))
    return facts


def test_start_of_a_closed_game_fixes_its_cards():
    host = played()
    (start,) = [act for act in acts_of(host.entries) if isinstance(act, Start)]

    assert 64 == len(start.root)
    assert start.root == host.table.fixed


def test_start_of_an_open_game_has_no_root():
    host = played(sealed=False)

    assert "" == host.table.fixed
    assert '"root"' not in host.entries[-1].body


def test_root_of_other_cards_is_refused():
    game = ALL["liarslair"]
    host = Host(game, game.quick_options, sealed=True).seat("bob", "carol", "dave").commit("bob").seal().reveal("bob")

    with pytest.raises(Refused, match="bad-root"):
        host.then(Start((), "00" * 32))


def test_game_that_an_earlier_release_started_has_no_root_and_goes_on():
    game = ALL["liarslair"]
    host = Host(game, game.quick_options, sealed=True).seat("bob", "carol", "dave").commit("bob").seal().reveal("bob")
    host.then(Start()).play(most=30).then(Closed(""))
    said = exports.verify("\n".join(exported(host)), ALL).sentence

    assert said.startswith("Match: commitments of table #12 (liarslair) fit. Its seal is closed: ")


@pytest.mark.parametrize("reader", READERS)
def test_facts_that_a_reader_was_told_are_proved_and_no_others(reader, tmp_path):
    """Own cards with their marks; of other cards the text, if it was shown."""
    host = played()
    rows = exported(host, reader)
    code, said = run(rows, tmp_path)
    verdict = exports.verify("\n".join(rows), ALL)

    assert told(host, reader) == proved(rows)
    assert (0, True) == (code, verdict.match), said
    assert f"{len(proved(rows))} proofs of table #12 (liarslair) fit. So nothing has changed since" in verdict.sentence


def test_number_whose_mark_was_never_shown_has_no_proof_of_it():
    facts = proved(exported(played(), "a spectator"))
    texts = {name[1] for name in facts if name[2] == "text"}
    marks = {name[1] for name in facts if name[2] == "mark"}

    assert texts - marks
    assert not [name for name in facts if name[2] == "seat"]


def test_proofs_do_not_give_away_texts_marks_or_seats():
    """Try each value of each fact on every hash in the proofs: without its salt, none of them fits."""
    host = played()
    rows = [json.loads(row) for row in exported(host, "a spectator")]
    shown = [row for row in rows if "proof" in row]
    hashes = {digest for row in shown for digest in row["path"]}
    values = [*itertools.chain(*PAIRS), True, False, *range(3)]
    salts = [b"", *(bytes.fromhex(row["salt"]) for row in shown)]
    names = host.table.game.facts.names(host.table.options, 3)
    hidden = [name for name in names if name not in proved(map(json.dumps, rows))]
    guessed = {
        Leaf(name[:-1], name[-1], value).hashed(salt).hex() for name in hidden for value in values for salt in salts[:3]
    }
    plain = {leaf_hash(commitments.canonical("leaf", *name, value)).hex() for name in hidden for value in values}

    assert hashes
    assert not hashes & (guessed | plain)


def test_salts_differ_for_each_fact_and_depend_on_the_secret():
    host = played()
    begun = next(step for step in tables(host) if step.started)
    facts = fixed_facts(begun, begun.state, begun.rounds)
    other = attrs.evolve(facts, secret=bytes(32))

    assert len(facts.names) == len({facts.proof(name).salt for name in facts.names})
    assert facts.root != other.root


def tables(host):
    table = Table(host.table.header, host.table.game, SECRET)
    for entry in host.entries:
        table, _ = table.read(entry)
        yield table


def shown(rows, what):
    return next(row for row in rows if "proof" in row and row["item"] == what)


def another_text(rows):
    shown(rows, "text")["value"] = "Ann has no cats."


def another_mark(rows):
    row = shown(rows, "mark")
    row["value"] = not row["value"]


def another_seat(rows):
    shown(rows, "seat")["value"] += 1


def mark_of_another_card(rows):
    shown(rows, "mark")["proof"][1] += 1


def another_salt(rows):
    shown(rows, "text")["salt"] = "00" * 32


def another_root(rows):
    acts(rows, "Start")[0]["act"]["root"] = "00" * 32


def another_event(rows):
    """The host tells players another text than it dealt."""
    row = next(row for row in rows if any(event["is"] == "CardPlayed" for event in row.get("seen", ())))
    event = next(event for event in row["seen"] if event["is"] == "CardPlayed")
    event["card"][1] = "Ann has no cats."


def proof_left_out(rows):
    row = next(row for row in rows if any(event["is"] == "CardPlayed" for event in row.get("seen", ())))
    number = next(event for event in row["seen"] if event["is"] == "CardPlayed")["card"][0]
    rows.remove(next(row for row in rows if row.get("proof") == ["card", number] and row["item"] == "text"))


FORGERIES = [
    *(another_text, another_mark, another_seat, mark_of_another_card, another_salt, another_root, another_event),
    proof_left_out,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forgery_is_found_by_both_verifiers(forge, tmp_path):
    rows = [json.loads(row) for row in exported(played())]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code, said
    assert said.splitlines()[-1].startswith("No match: ")
    assert not exports.verify("\n".join(forged), ALL).match


async def test_table_shows_what_the_deal_fixed_and_verify_says_that_nothing_changed(store):
    stage = await Stage.open(installed("liarslair"), store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
        await stage.type(name, "/sit liarslair" if stage.open_tables else "/new liarslair seal=closed")
    await stage.type("ann", "/start")
    fixed = stage.table(1).table.fixed

    assert f"Cards fixed as {fixed[:4]} {fixed[4:8]} {fixed[8:10]}." in " ".join(await stage.type("ann", "/table"))
