"""The page checks an export as `scripts/verify-game` does, and finds the same forgeries."""

import json

import pytest

from lilygames.proofs import commitments
from lilygames.tables.log.acts import Closed
from tests.edge.web.javascript import needs_node, run
from tests.tables.sealed_games import NAMES, NONCES, Host, played, remade
from tests.tables.verify import test_closed_log as closed
from tests.tables.verify import test_tampering as tampering
from tests.tables.verify import test_verify_game as games
from tests.tables.verify.tampering import kind_of, tamperings
from tests.tables.verify.test_verify_game import FORGERIES, OHELL, options, quick
from tests.toys import ALL, installed

pytestmark = needs_node
SCRIPT = """
import { verify } from "./verify.js";
const output = [];
for (const [lines, receipts] of input) output.push(await verify(lines, receipts));
"""


@pytest.fixture
def check(tmp_path):
    """Return a function that returns what the page finds in exports."""

    def verify(*exports, receipts=()):
        return run(tmp_path, SCRIPT, [[[*rows], [*receipts]] for rows in exports])

    return verify


def states(found):
    return {one["what"]: one["state"] for one in found["checks"]}


def differences(found):
    return [(one["what"], one["why"]) for one in found["checks"] if one["state"] == "differs"]


WHOLE = ["export", "links", "names", "rounds", "secret", "draws", "receipts"]


@pytest.mark.parametrize("name", ["ohell", "wizard", "liarsdice", "liedie", "liarspoker", "lilypoker", "liarslair"])
def test_every_game_with_an_open_seal_is_checked(name, check):
    game = installed(name)[name]
    host = Host(game, quick(name, game)).seat("bob", "carol", "dave").cut("bob", "pips")
    rows = host.commit("bob", "carol").seal().reveal("bob", "carol").start().play(most=300).close().export
    (found,) = check(rows)

    expected = [*WHOLE[:-1], *(["hands"] if name in ("ohell", "wizard") else []), "receipts"]
    assert dict.fromkeys(expected, "fits") == states(found)
    assert (["bob", "carol"], host.table.rounds.code) == (found["sealedBy"], found["code"])


@OHELL
def test_every_forgery_that_the_script_finds_is_found(check):
    forged = []
    for forge in FORGERIES:
        rows = [json.loads(row) for row in games.ohell()]
        forge(rows)
        forged.append(remade(rows))

    for forge, found in zip(FORGERIES, check(*forged), strict=True):
        assert 1 <= len(differences(found)), forge.__name__


def planted(value):
    """Yield copies of a value, each with a difference in one of its fields."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield value + 1
        case str() if value:
            other = "1" if value[0] == "0" else "0"
            yield f"{other}{value[1:]}"
        case str():
            yield "x"
        case dict():
            for key, inner in value.items():
                yield from ({**value, key: changed} for changed in planted(inner))
        case list():
            for place, inner in enumerate(value):
                yield from ([*value[:place], changed, *value[place + 1 :]] for changed in planted(inner))
        case None:
            yield "x"


UNCHECKED = ("at", "by")
"""The times and authors of entries, which no link covers."""


@OHELL
def test_difference_in_any_field_is_found(check):
    """In the header, the acts, the story and the links; in the keys and results of the draws."""
    rows = [json.loads(row) for row in games.ohell()]
    forged, said = [], []
    for place, row in enumerate(rows):
        for field in (field for field in row if field not in UNCHECKED and not (field == "seq" and "key" in row)):
            for changed in planted(row[field]):
                forged.append([json.dumps(one) for one in [*rows[:place], {**row, field: changed}, *rows[place + 1 :]]])
                said.append((place, field, changed))
    wanted = [*range(60), *range(60, len(forged), max(1, len(forged) // 100))]  # the first rows, and a sample of all

    for number, found in zip(wanted, check(*(forged[number] for number in wanted)), strict=True):
        assert 1 == len(differences(found)), said[number]


@pytest.mark.parametrize("name", tampering.GAMES)
def test_stranger_can_change_no_row(name, check):
    """Each row deleted, doubled, swapped with the next of its kind, or altered in one place; a sample of each game."""
    tampered = [*tamperings(tampering.exported(name), leaves=1)][::7]

    found = check(tampering.text(tampering.exported(name)), *(one.lines for one in tampered))
    assert [] == differences(found[0])
    assert [] == [one for one, said in zip(tampered, found[1:], strict=True) if not differences(said)]


@pytest.mark.parametrize("name", tampering.GAMES)
def test_host_can_leave_out_double_swap_or_change_no_draw_and_no_proof(name, check):
    kinds = ("key", "proof")
    rows = tampering.exported(name)
    tampered = [one for one in tamperings(rows, leaves=1) if kind_of(rows[one.row]) in kinds][::3]

    found = check(*(remade(one.rows) for one in tampered))
    unseen = {one.what for one, said in zip(tampered, found, strict=True) if not differences(said)}
    assert set() == unseen


@pytest.mark.parametrize("name", tampering.GAMES)
def test_export_of_an_earlier_release_is_still_checked(name, check):
    rows = tampering.as_before(tampering.exported(name))
    whole, without = check(remade(rows), remade([row for row in rows if not {"key", "proof"} & {*row}]))

    assert [] == differences(whole)
    assert differences(without) or name == "liarspoker"


@OHELL
def test_check_after_a_difference_is_not_claimed(check):
    rows = [json.loads(row) for row in games.ohell()]
    games.another_number(rows)
    (found,) = check(remade(rows))

    assert [("rounds", "nonce")] == differences(found)
    assert {"export", "links", "names"} == {what for what, state in states(found).items() if state == "fits"}


@pytest.mark.parametrize("rows", [["hello"], ["{}"], ["[]"], ['{"lilygames": 2}'], []])
def test_text_that_isnt_an_export_differs(check, rows):
    (found,) = check(rows)

    assert [("export", "form")] == differences(found)


@OHELL
def test_lesson_is_not_checked_and_says_so(check):
    rows = [json.loads(row) for row in games.ohell()]
    rows[0] |= {"lilygames": 3, "header": rows[0]["header"] | {"fairness": 0}}
    (found,) = check([json.dumps(row) for row in rows])

    assert ("lesson", {"export": "fits"}) == (found["unsealed"], states(found))


@OHELL
def test_void_round_is_named(check):
    host = Host(ALL["ohell"], options(max=3)).seat("bob", "carol").commit("bob", "carol").seal().reveal("carol")
    host.void("bob").commit("carol").seal().reveal("carol").start().play().close()
    (found,) = check(host.export)

    assert [] == differences(found)
    assert [{"round": 1, "missing": ["bob"]}] == found["voids"]


@OHELL
def test_duplicate_and_daily_deals_are_checked_against_their_set(check):
    exports = [*games.friday(), games.daily(), games.daily(beacon=True)]
    for found in check(*exports):
        assert [] == differences(found)
        assert "fits" == states(found)["set"]

    forged = [json.loads(row) for row in exports[1]]
    sealing = next(row["act"]["sealing"] for row in forged[0]["set"] if row.get("act", {}).get("is") == "Sealing")
    sealing["words"] = [["bob", "spades"]]
    assert 1 == len(differences(*check([json.dumps(row) for row in forged])))


# receipts


def receipt_of(host, name="bob", **changes):
    """Return what the page of a player has kept of the first round."""
    rounds = host.table.rounds
    made = {"receipt": 1, "server": "x", "name": name, "table": 12, "game": "ohell", "T": rounds.table, "round": 1}
    made |= {"seal": host.table.header.seal, "root": "", "nonce": NONCES[name].hex(), "D": [rounds.code]}
    made["commit"] = commitments.commitment(rounds.table, 1, name, NONCES[name])
    return made | {"revealed": rounds.code} | changes


@OHELL
def test_own_receipt_is_compared_with_the_log(check):
    host = played(ALL["ohell"], options(max=3))
    changes = {
        "": {},
        "receiptDamaged": {"nonce": "ab" * 32},
        "receiptTwoLists": {"D": [host.table.rounds.code, "ab" * 32]},
        "receiptNotRevealed": {"revealed": ""},
        "receiptOtherList": {"revealed": "ab" * 32},
        "receiptSeal": {"root": "ab" * 32},
    }
    for why, changed in changes.items():
        (found,) = check(host.export, receipts=[receipt_of(host, **changed)])
        assert [("receipts", why)] * bool(why) == differences(found)
    (found,) = check(host.export, receipts=[receipt_of(host, "mallory"), receipt_of(host, T="ab" * 32)])
    assert [("receipts", "receiptLeftOut")] == differences(found)


# closed seals


@pytest.mark.parametrize("name", ["lilypoker", "liarspoker", "liarslair"])
@pytest.mark.parametrize("reader", ["bob", "a spectator"])
def test_proofs_of_a_closed_game_are_checked_and_the_rest_is_not_claimed(name, reader, check):
    installed(name)
    host = lair() if name == "liarslair" else closed.session(name)
    rows = closed.exported(host, reader)
    (found,) = check(rows)

    assert found["closed"]
    assert {"export", "links", "names", "rounds", "proofs", "receipts"} == {*states(found)}
    assert [] == differences(found)
    proofs = next(one for one in found["checks"] if one["what"] == "proofs")
    assert sum("proof" in json.loads(row) for row in rows) == proofs["about"]["count"]


def lair():
    """Return a whole game of Liar's Lair whose facts stay closed."""
    game = ALL["liarslair"]
    host = Host(game, game.quick_options or game.rules.Options(), sealed=True).seat(*NAMES).commit("bob", "carol")
    return host.seal().reveal("bob", "carol").start().play(most=300).then(Closed(""))


@closed.POKER
def test_difference_in_any_field_of_a_proof_is_found(check):
    rows = [json.loads(row) for row in closed.exported(closed.session("lilypoker"))]
    proofs = [place for place, row in enumerate(rows) if "proof" in row]
    forged, said = [], []
    for place in (proofs[0], proofs[-1]):
        for changed in planted(rows[place]):
            forged.append([json.dumps(one) for one in [*rows[:place], changed, *rows[place + 1 :]]])
            said.append(changed)

    for changed, found in zip(said, check(*forged), strict=True):
        assert 1 == len(differences(found)), changed


EXPORTED = """
import { exported } from "./exported.js";
const asked = [];
const place = { look: async (request) => {
  asked.push(request);
  const from = request.from ?? 1, rows = input.slice(from - 1, from + 1);
  if (!rows.length) return { error: { text: "Refused: no such game." }, packets: [] };
  return { error: null, packets: [{ export: { from, count: input.length, rows } }] };
} };
const output = { asked, ...await exported(place, 12) };
"""


def test_log_is_asked_for_part_by_part(tmp_path):
    found = run(tmp_path, EXPORTED, ["a", "b", "c", "d", "e"])

    assert (None, ["a", "b", "c", "d", "e"]) == (found["error"], found["lines"])
    assert [{"get": "export", "table": 12, **more} for more in ({}, {"from": 3}, {"from": 5})] == found["asked"]


def test_log_that_is_refused_is_an_error(tmp_path):
    assert {"text": "Refused: no such game."} == run(tmp_path, EXPORTED, [])["error"]
