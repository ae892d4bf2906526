"""The page's own numbers: it answers as the client in the terminal does, to an honest server and to one that cheats."""

import json
from random import Random

import pytest

from lilygames.client.commit_reveal import CommitReveal
from lilygames.client.receipts import Receipts
from lilygames.proofs import commitments
from lilygames.proofs.receipt import read_receipt
from tests.client.test_commit_reveal import (
    ADDRESS,
    CAROL,
    HONEST,
    NEXT,
    NONCE,
    SEAL,
    TABLE,
    began,
    commit_of,
    seal,
    sealing,
    voided,
)
from tests.edge.web.javascript import needs_node, run

pytestmark = needs_node
SALT = b"\x33" * 16
ID = commitments.seat_id("bob", SALT)
SCRIPT = """
import { unhex } from "./commitments.js";
import { Nonces, Receipts } from "./nonces.js";

class Storage extends Map {
  constructor(full) { super(); this.full = full; }
  get length() { return this.size; }
  key(place) { return [...this.keys()][place]; }
  getItem(key) { return this.get(key) ?? null; }
  removeItem(key) { this.delete(key); }
  setItem(key, value) {
    if (this.full) throw new Error("QuotaExceededError");
    this.set(key, value);
  }
}

async function play({ steps, storage = "free", nonces = [] }) {
  const kept = storage === "blocked" ? null : new Storage(storage === "full");
  const made = nonces.map(unhex);
  const page = () => new Nonces(new Receipts(kept, "games.example:7777"), () => made.shift());
  let now = page();
  const answers = [];
  for (const step of steps) {
    if (step === "reload") now = page();
    else if (typeof step === "string") now.typed(step);
    else {
      const answer = await now.hear(step, "bob");
      answers.push({ ...answer, kept: kept && [...kept.values()].map((one) => JSON.parse(one)) });
    }
  }
  return answers;
}

const output = [];
for (const one of input) output.push(await play(one));
"""
KINDS = {"Lily.Seal": "seal", "Lily.Sealing": "sealing", "Lily.Voided": "voided", "Lily.Table": "table"}
MADE = [NONCE.hex(), *(bytes([number]).hex() * 32 for number in range(0x40, 0x60))]


def packet(step):
    """Return a step as the page gets it: packets have their names in machine mode."""
    return {KINDS[step[0]]: step[1]} if isinstance(step, tuple) else step


@pytest.fixture
def page(tmp_path):
    """Return a function that gives the page packets, and returns its answers: lines, warnings and receipts."""

    def play(*steps, storage="free"):
        scene = {"steps": [packet(step) for step in steps], "storage": storage, "nonces": MADE}
        return run(tmp_path, SCRIPT, [scene])[0]

    return play


def lines(answers):
    return [answer["lines"] for answer in answers]


def warnings(answers):
    return [one for answer in answers for one, _ in answer["warnings"]]


COMMITS = [f"/at 12 commit {commit_of()}"]
REVEALS = [f"/at 12 reveal {NONCE.hex()}"]


def test_page_commits_reveals_and_says_nothing(page):
    answers = page(seal(), sealing(*HONEST), began(["bob", "carol"]))

    assert [COMMITS, REVEALS, []] == lines(answers)
    assert [] == warnings(answers)


def test_number_is_kept_before_the_commitment_is_sent_and_not_shown_before_the_reveal(page):
    first, second = page(seal(), sealing(*HONEST))

    assert NONCE.hex() == first["kept"][0]["nonce"]
    assert NONCE.hex() not in json.dumps([first["lines"], first["warnings"]])
    assert REVEALS == second["lines"]


def test_receipt_is_one_that_lilygames_verify_reads(page):
    (_, answer) = page(seal(), sealing(*HONEST))
    (kept,) = answer["kept"]
    receipt = read_receipt(json.dumps(kept))

    assert ("bob", 12, TABLE, NONCE.hex()) == (receipt.name, receipt.number, receipt.table, receipt.nonce)
    assert (receipt.revealed,) == receipt.shown


def test_number_survives_a_reload_of_the_page(page):
    answers = page(seal(), "reload", seal(), sealing(*HONEST), "reload", sealing(*HONEST), began(["bob", "carol"]))

    assert [COMMITS, COMMITS, REVEALS, REVEALS, []] == lines(answers)
    assert [] == warnings(answers)


@pytest.mark.parametrize("storage", ["blocked", "full"])
def test_page_that_can_keep_nothing_plays_without_a_number_and_says_so_once(page, storage):
    answers = page(seal(), sealing(CAROL), began(["carol"]), seal(number=13), began([], number=13), storage=storage)

    assert [[], [], [], [], []] == lines(answers)
    assert ["blocked"] == warnings(answers)


def test_commitment_hashes_the_id_that_is_made_of_the_name(page):
    given = {"name": "bob", "id": ID, "salt": SALT.hex()}
    listed = sealing((ID, commit_of(ID)), seats=[[ID, ""]])

    assert [[f"/at 12 commit {commit_of(ID)}"], REVEALS] == lines(page(seal(**given), listed))


def test_id_of_another_name_is_refused(page):
    other = {"name": "bob", "id": commitments.seat_id("mallory", SALT), "salt": SALT.hex()}

    assert ["falseId"] == warnings(page(seal(**other)))


CHEATS = {
    "falseTable": [seal(table="ab" * 32)],
    "changedSeal": [seal(), seal(seal=NEXT, first=NEXT, table=TABLE)],
    "renamed": [seal(), sealing(*HONEST, table="ab" * 32)],
    "anotherSeal": [seal(), sealing(*HONEST, seal=NEXT)],
    "leftOut": [seal(), sealing(CAROL)],
    "falseList": [seal(), sealing(*HONEST, digest="ab" * 32)],
    "twoLists": [seal(), sealing(*HONEST), sealing(*HONEST, words=[["bob", "spades"]])],
    "otherSeal": [seal(), voided("carol"), seal(round_=2, seal="cd" * 32)],
    "falseSecret": [seal(), voided("carol", secret=b"x" * 32)],
    "calledMissing": [seal(), sealing(*HONEST), voided("bob")],
    "notAsked": [seal(), voided("bob")],
    "falsePart": [seal(), began(["bob", "carol"])],
    "noPart": [began(["carol"])],
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheating_server_is_named(page, cheat):
    assert [cheat] == warnings(page(*CHEATS[cheat]))


def test_number_is_revealed_to_one_list_only(page):
    answers = page(seal(), sealing(*HONEST), sealing(*HONEST, words=[]))

    assert [COMMITS, REVEALS, []] == lines(answers)


def test_page_that_is_called_missing_does_not_commit_there_again(page):
    answers = page(seal(), sealing(*HONEST), voided("bob"), seal(round_=2, seal=NEXT))

    assert [] == lines(answers)[-1]


def test_update_says_who_sealed_the_deck_only_if_that_has_changed(page):
    """A page gets the whole table once, and then what changes."""
    _, waiting = began(None, state="waiting")
    start = {"number": 12, "seq": 9, "seat": 0, "state": "playing"}
    sealed = {"update": start | {"sealed_by": ["bob", "carol"]}}
    later = {"update": start | {"seq": 10}}

    assert [] == warnings(page(seal(), {"table": waiting}, sealing(*HONEST), sealed, later))
    assert ["leftOut"] == warnings(page(seal(), {"table": waiting}, {"update": start}, later))
    assert ["falsePart"] == warnings(page(seal(), {"table": waiting}, sealed, later))


def test_lesson_and_daily_deal_bring_no_warning(page):
    for line in ("/learn ohell", "daily", "/new ohell duplicate=x"):
        assert [] == warnings(page(line, began(None)))
    assert ["noPart"] == warnings(page("/quick ohell", began(None)))


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        "x",
        [],
        {},
        {"number": 12},
        seal()[1] | {"round": 0},
        seal()[1] | {"T": "../.."},
        seal()[1] | {"seal": 1},
    ],
)
def test_packet_of_another_form_is_ignored(page, value):
    answers = page(*({name: value} for name in KINDS.values() if name != "table"))

    assert [[], [], []] == lines(answers)
    assert [] == warnings(answers)


def test_page_answers_as_the_client_in_the_terminal_does(tmp_path):
    """500 random scenes of honest and false packets: the same lines, as many warnings, and the same receipts."""
    random = Random(5)
    commits = [*HONEST, ("bob", commit_of(nonce=b"x" * 32)), ("mallory", commit_of("mallory")), (ID, commit_of(ID))]
    own = {"name": "bob", "id": ID, "salt": SALT.hex()}

    def step():
        round_, root = random.choice((1, 1, 2)), random.choice(("", "", "", "ab" * 32))
        now = random.choice((SEAL, NEXT)) if round_ == 2 or random.random() < 0.1 else SEAL
        match random.randrange(5):
            case 0:
                return seal(round_=round_, seal=now, root=root, **random.choice(({}, {}, own)))
            case 1:
                listed = random.choice((HONEST, HONEST, random.choices(commits, k=random.randrange(4))))
                return sealing(
                    *listed, round_=round_, seal=now, root=root, words=random.choice(([], [["bob", "pips"]]))
                )
            case 2:
                return voided(*random.choice((("carol",), ("bob",), ())), seal=random.choice((NEXT, NEXT, "")))
            case 3:
                return began(
                    random.choice((["bob", "carol"], ["carol"], None)), state=random.choice(("playing", "waiting"))
                )
            case _:
                return random.choice(("/learn ohell", "/quick ohell", "reload"))

    scenes = [[step() for _ in range(random.randrange(2, 9))] for _ in range(500)]
    found = run(tmp_path, SCRIPT, [{"steps": [*map(packet, scene)], "nonces": MADE} for scene in scenes])

    for number, (scene, answers) in enumerate(zip(scenes, found, strict=True)):
        folder = tmp_path / f"scene{number}"
        made = iter(MADE)
        client = CommitReveal(Receipts(folder, ADDRESS), lambda made=made: bytes.fromhex(next(made)))
        expected = []
        for one in scene:
            if one == "reload":
                client = CommitReveal(Receipts(folder, ADDRESS), lambda made=made: bytes.fromhex(next(made)))
            elif isinstance(one, str):
                client.typed(one)
            else:
                answer = client.told(*one, "bob")
                expected.append(([*answer.lines], len(answer.warnings)))
        receipts = sorted((json.loads(file.read_text()) for file in folder.rglob("*.json")), key=json.dumps)

        assert expected == [(one["lines"], len(one["warnings"])) for one in answers], scene
        assert receipts == (sorted(answers[-1]["kept"], key=json.dumps) if answers else []), scene
