"""The client's answers to the packets of an honest host, and of one that cheats."""

import json
import os
import stat

import pytest

from lilygames.client.address import Address
from lilygames.client.commit_reveal import COMMITMENTS, TABLES, CommitReveal
from lilygames.client.receipts import Receipts
from lilygames.proofs import commitments

SECRET, NEXT_SECRET, NONCE = bytes(range(32)), b"\x07" * 32, b"\x11" * 32
SEAL, NEXT = commitments.seal_of(SECRET), commitments.seal_of(NEXT_SECRET)
TABLE = commitments.table_id(12, "ohell", 1, SEAL)
CAROL = ("carol", commitments.commitment(TABLE, 1, "carol", b"\x22" * 32))
ADDRESS = Address("games.example", 7777)


def commit_of(name="bob", *, round_=1, nonce=NONCE, table=TABLE):
    return commitments.commitment(table, round_, name, nonce)


def seal(*, round_=1, seal=SEAL, root="", table=None, number=12, **more):
    first = seal if round_ == 1 else SEAL
    body = {"table": "ohell", "number": number, "game": "ohell", "round": round_, "seal": seal, "root": root}
    body |= {"version": 1, "duplicate": "", "first": first}
    return "Lily.Seal", body | {"T": table or commitments.table_id(number, "ohell", 1, first)} | more


def sealing(*commits, round_=1, seal=SEAL, root="", table=TABLE, digest=None, **more):
    names = [["bob", ""], ["carol", ""], ["Ada", "club"]]
    listed = {"round": round_, "seal": seal, "root": root, "options": {"decks": 1}, "seats": names, "purses": []}
    listed |= {"words": [["bob", "pips"]], "commits": [[*pair] for pair in commits]} | more
    shown = commitments.sealing_digest(table, listed) if digest is None else digest
    return "Lily.Sealing", {"table": "ohell", "number": 12, "T": table, "D": shown, "sealing": listed}


def voided(*missing, secret=SECRET, seal=NEXT, round_=1):
    body = {"table": "ohell", "number": 12, "round": round_, "missing": [*missing], "secret": secret.hex()}
    return "Lily.Voided", body | {"seal": seal, "T": TABLE}


def began(sealed_by, *, state="playing", seat=0, number=12):
    return "Lily.Table", {"table": "ohell", "number": number, "state": state, "seat": seat, "sealed_by": sealed_by}


HONEST = (("bob", commit_of()), CAROL)


class Client:
    """bob's client: it gives each packet to its part in sealing, and collects what that does."""

    def __init__(self, folder, fresh=lambda: NONCE):
        self.folder = folder
        self.part = CommitReveal(Receipts(folder, ADDRESS), fresh)
        self.warnings = []

    def told(self, packet):
        answer = self.part.told(*packet, "bob")
        self.warnings += answer.warnings
        return [*answer.lines]

    @property
    def receipt(self):
        (file,) = self.folder.rglob("*.json")
        return json.loads(file.read_text())


@pytest.fixture
def client(tmp_path):
    return Client(tmp_path)


COMMITS = [f"/at 12 commit {commit_of()}"]
REVEALS = [f"/at 12 reveal {NONCE.hex()}"]


# An honest host.


def test_client_commits_reveals_and_says_nothing(client):
    assert COMMITS == client.told(seal())
    assert REVEALS == client.told(sealing(*HONEST))
    assert [] == client.told(began(["bob", "carol"]))
    assert [] == client.warnings


def test_commitment_and_code_are_those_of_the_published_vectors(client):
    """The seal, T, commitment and D of the documented example, by their first 16 digits."""
    (line,) = client.told(seal())
    client.told(sealing(*HONEST))

    assert "b66eceeea0ba9e21" == SEAL[:16]
    assert "7a7294396641e77e" == TABLE[:16]
    assert line.startswith("/at 12 commit 1658ce310adacf18")
    assert "c93bd4fea9a93994" == client.receipt["revealed"][:16]


def test_receipt_holds_everything_before_the_commitment_is_sent(client):
    client.told(seal(root="ab" * 32))

    assert {
        "receipt": 1,
        "server": "games.example:7777",
        "name": "bob",
        "table": 12,
        "game": "ohell",
        "T": TABLE,
        "round": 1,
        "seal": SEAL,
        "root": "ab" * 32,
        "nonce": NONCE.hex(),
        "commit": commit_of(),
        "D": [],
        "revealed": "",
    } == client.receipt


def test_only_the_owner_can_read_receipts(client):
    client.told(seal())
    (file,) = client.folder.rglob("*.json")

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 0o700 == stat.S_IMODE(file.parent.stat().st_mode)


def test_code_is_saved_when_the_nonce_is_revealed(client):
    client.told(seal())
    _, packet = sealing(*HONEST)
    client.told(sealing(*HONEST))

    assert [packet["D"]] == client.receipt["D"]
    assert packet["D"] == client.receipt["revealed"]


def test_nonces_come_from_the_clients_own_system_and_differ(tmp_path):
    """Nothing that the host sends goes into them."""
    client = Client(tmp_path, commitments.fresh)
    for number in (1, 2):
        client.told(seal(number=number, table=commitments.table_id(number, "ohell", 1, SEAL)))
    nonces = {json.loads(file.read_text())["nonce"] for file in tmp_path.rglob("*.json")}

    assert [64, 64] == [*map(len, nonces)]


def test_same_packets_after_a_reconnect_get_the_same_answers(client):
    assert COMMITS == client.told(seal())
    assert COMMITS == client.told(seal())
    assert REVEALS == client.told(sealing(*HONEST))
    assert REVEALS == client.told(sealing(*HONEST))
    assert [] == client.warnings


def test_client_that_was_closed_goes_on_from_its_receipt(client):
    client.told(seal())
    again = Client(client.folder, lambda: b"\x33" * 32)

    assert COMMITS == again.told(seal())
    assert REVEALS == again.told(sealing(*HONEST))
    assert [] == Client(client.folder).told(seal())
    assert [] == again.warnings


def test_new_round_gets_a_new_nonce(client):
    nonces = iter([NONCE, b"\x44" * 32])
    client.part = CommitReveal(Receipts(client.folder, ADDRESS), lambda: next(nonces))
    client.told(seal())
    client.told(sealing(*HONEST))
    assert [] == client.told(voided("carol"))
    second = commit_of(round_=2, nonce=b"\x44" * 32)

    assert [f"/at 12 commit {second}"] == client.told(seal(round_=2, seal=NEXT))
    assert [f"/at 12 reveal {'44' * 32}"] == client.told(sealing(("bob", second), round_=2, seal=NEXT))
    assert [] == client.told(began(["bob"]))
    assert [] == client.warnings


def test_round_of_a_running_session_keeps_the_seal(client):
    """A newcomer was missing: the old deck stays, so the packet opens no secret and shows no new seal."""
    client.told(seal())
    client.told(sealing(*HONEST))
    client.told(voided("dave", secret=b"", seal=""))
    client.told(seal(round_=2))

    assert [] == client.warnings


def test_name_in_the_packet_is_the_one_that_is_hashed(client):
    package, body = seal()

    assert [f"/at 12 commit {commit_of('seat-3')}"] == client.told((package, body | {"name": "seat-3"}))


# A host that cheats: in each case the nonce stays secret, and the person is told to leave.


def assert_warned(client, about):
    (warning,) = client.warnings
    assert about in warning
    assert warning.startswith("WARNING: at table #12, ")
    assert warning.endswith("Leave now: type /at 12 leave")


@pytest.mark.parametrize(
    ("packet", "about"),
    [
        (sealing(CAROL), "left your client out"),
        (sealing(("bob", commit_of(nonce=b"\x12" * 32)), CAROL), "left your client out"),
        (sealing(("eve", commit_of()), CAROL), "left your client out"),
        (sealing(*HONEST, seal=NEXT), "seal isn't the one"),
        (sealing(*HONEST, root="cd" * 32), "seal isn't the one"),
        (sealing(*HONEST, digest="0" * 64), "code doesn't fit"),
        (sealing(*HONEST, table="ef" * 32), "changed what it calls this table"),
    ],
)
def test_nonce_is_revealed_only_to_a_list_with_ones_own_commitment_seal_and_code(client, packet, about):
    client.told(seal())

    assert [] == client.told(packet)
    assert "" == client.receipt["revealed"]
    assert_warned(client, about)


def test_list_of_another_round_gets_nothing(client):
    client.told(seal())

    assert [] == client.told(sealing(*HONEST, round_=2))


def test_second_list_of_a_round_gets_nothing_and_both_codes_are_kept(client):
    """A host that shows two lists would learn the nonce for one deal, and use the other."""
    client.told(seal())
    first, second = sealing(*HONEST), sealing(*HONEST, options={"decks": 2})

    assert REVEALS == client.told(first)
    assert [] == client.told(second)
    assert [first[1]["D"], second[1]["D"]] == client.receipt["D"]
    assert first[1]["D"] == client.receipt["revealed"]
    assert_warned(client, "two lists")


@pytest.mark.parametrize("other", [{"seal": NEXT, "table": TABLE}, {"root": "cd" * 32}])
def test_changed_seal_gets_no_commitment(client, other):
    client.told(seal())

    assert [] == client.told(seal(**other))
    assert_warned(client, "changed its seal")


def test_secret_of_a_void_round_must_fit_its_seal(client):
    client.told(seal())
    client.told(voided("carol", secret=NEXT_SECRET))

    assert_warned(client, "secret of the void round")


def test_next_round_must_use_the_seal_that_was_announced(client):
    client.told(seal())
    client.told(voided("carol"))

    assert [] == client.told(seal(round_=2, seal=commitments.seal_of(b"other")))
    assert_warned(client, "isn't the one that it announced")


def test_client_that_is_called_missing_although_it_revealed_warns(client):
    client.told(seal())
    client.told(sealing(*HONEST))
    client.told(voided("bob"))

    assert_warned(client, "missing, although it revealed its number")


def test_client_that_is_called_missing_without_having_been_asked_warns(client):
    client.told(seal())
    client.told(voided("bob"))

    assert_warned(client, "missing, but never asked")


def test_client_that_was_called_missing_does_not_commit_there_again(client):
    client.told(seal())
    client.told(voided("bob"))

    assert [] == client.told(seal(round_=2, seal=NEXT))
    assert client.told(seal(number=13))[0].startswith("/at 13 commit ")


def test_game_that_begins_without_the_nonce_warns_before_the_first_card(client):
    client.told(seal())
    client.told(began(["carol"]))

    assert_warned(client, "left your client out")


def test_game_whose_deck_only_the_host_says_the_client_sealed_warns(client):
    client.told(seal())
    client.told(began(["bob", "carol"]))

    assert_warned(client, "says that your client sealed this deck, but it didn't")


def test_nonce_of_a_void_round_does_not_protect_the_next_one(client):
    client.told(seal())
    client.told(sealing(*HONEST))
    client.told(voided("carol"))
    client.told(began(["bob"]))

    assert_warned(client, "says that your client sealed this deck, but it didn't")


def test_deck_of_a_newcomer_that_leaves_the_client_out_warns(client):
    """A host could let a friend join, and seal the next deck with the friend alone."""
    client.told(seal())
    client.told(sealing(*HONEST))
    client.told(began(["bob", "carol"]))
    client.told(began(["bob", "carol"]))
    assert [] == client.warnings
    client.told(began(["dave"]))

    assert_warned(client, "left your client out")


def test_deck_of_a_newcomer_that_only_the_host_says_the_client_sealed_warns(client):
    client.told(seal())
    client.told(sealing(*HONEST))
    client.told(began(["bob", "carol"]))
    client.told(seal(round_=2))
    client.told(began(["bob", "dave"]))

    assert_warned(client, "says that your client sealed this deck, but it didn't")


def test_deck_of_a_newcomer_that_the_client_sealed_is_fine(client):
    client.told(seal())
    client.told(sealing(*HONEST))
    client.told(began(["bob", "carol"]))
    client.told(seal(round_=2))
    client.told(sealing(("bob", commit_of(round_=2)), round_=2))
    client.told(began(["bob", "dave"]))

    assert [] == client.warnings


def test_host_that_asks_for_no_commitment_cannot_hide_it(client):
    """It's no proof of cheating: an old game, or a seat taken over. But silence would be read as protection."""
    client.told(began(None))
    client.told(began(None))

    assert ["(your client had no part in sealing the deck of table #12: /help seal)"] == client.warnings


@pytest.mark.parametrize("line", ["/learn ohell", ".learn", "/daily ohell", "/new ohell duplicate=friday"])
def test_nothing_is_said_about_a_game_that_no_client_seals_if_it_was_asked_for(client, line):
    client.part.typed(line)
    client.told(began(None))

    assert [] == client.warnings


def test_nothing_is_said_to_a_spectator(client):
    client.told(began(["carol"], seat=None))

    assert [] == client.warnings


# Broken packets and broken disks.


@pytest.mark.parametrize(
    "packet",
    [
        ("Lily.Seal", None),
        ("Lily.Seal", {"number": 12}),
        seal(number=True),
        seal(number=-1),
        seal(round_=0),
        seal(round_=10**9),
        seal(seal="x" * 64),
        seal(table="../" * 20),
        seal(root="\n"),
        ("Lily.Sealing", {"number": 12, "T": TABLE, "D": "", "sealing": {}}),
        ("Lily.Sealing", sealing(*HONEST)[1] | {"sealing": sealing(*HONEST)[1]["sealing"] | {"commits": [["bob"]]}}),
        ("Lily.Voided", {"number": 12}),
        ("Lily.Table", {"number": 12, "state": "playing"}),
        ("Lily.Table", []),
        ("Lily.Moves", {}),
    ],
)
def test_packet_that_does_not_match_the_schema_gets_no_answer(client, packet):
    assert [] == client.told(packet)
    assert [] == [*client.folder.rglob("*")]


def test_client_that_cannot_save_its_receipt_does_not_commit(client):
    (client.folder / "receipts").write_text("in the way")

    assert [] == client.told(seal())
    assert_warned(client, "can't save its receipt")


def test_client_that_cannot_save_the_code_does_not_reveal(client, monkeypatch):
    client.told(seal())

    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)

    assert [] == client.told(sealing(*HONEST))
    assert_warned(client, "can't save its receipt (disk full)")


def test_unreadable_receipt_is_skipped(client):
    client.told(seal())
    (file,) = client.folder.rglob("*.json")
    (file.parent / f"{file.name[:-5]}x.json").write_text("{")

    assert REVEALS == client.told(sealing(*HONEST))


def test_host_cannot_fill_the_disk_with_receipts(client, monkeypatch):
    monkeypatch.setattr("lilygames.client.commit_reveal.COMMITMENTS", 3)
    for number in range(1, 10):
        client.told(seal(number=number, table=commitments.table_id(number, "ohell", 1, SEAL)))

    assert 3 == len([*client.folder.rglob("*.json")])
    assert COMMITMENTS > 3


def test_host_cannot_fill_the_memory_with_tables(client):
    for number in range(1, 3 * TABLES):
        client.told(("Lily.Voided", voided()[1] | {"number": number}))

    assert TABLES == len(client.part._tables)


# A table's identity.


def test_client_computes_the_identity_of_a_table_of_a_duplicate_set(client):
    table = commitments.duplicate_id("friday", "ohell", 1, SEAL)

    assert [f"/at 12 commit {commit_of(table=table)}"] == client.told(seal(duplicate="friday", table=table))
    assert [] == client.warnings


def test_client_computes_the_identity_from_the_first_seal_in_later_rounds(client):
    assert [f"/at 12 commit {commit_of(round_=2)}"] == client.told(seal(round_=2, seal=NEXT))


@pytest.mark.parametrize(
    "lie",
    [
        {"table": commitments.table_id(13, "ohell", 1, SEAL)},
        {"version": 2},
        {"version": "1"},
        {"game": "wizard"},
        {"duplicate": "friday"},
        {"first": NEXT},
        {"first": NEXT, "table": commitments.table_id(12, "ohell", 1, NEXT)},
        {"first": 1},
        {"duplicate": None},
    ],
)
def test_identity_that_does_not_fit_gets_no_commitment_and_no_receipt(client, lie):
    """A host could otherwise use one commitment at two tables, or under other rules."""
    assert [] == client.told(seal(**lie))
    assert [WRONG] == client.warnings
    assert [] == [*client.folder.rglob("*.json")]


WRONG = (
    "WARNING: at table #12, the host's code for this table isn't made of its number, game and seal."
    " Leave now: type /at 12 leave"
)


@pytest.mark.parametrize("field", ["version", "duplicate", "first"])
def test_offer_without_what_the_identity_is_made_of_gets_no_commitment(client, field):
    package, body = seal()
    del body[field]

    assert [] == client.told((package, body))


# An id in the place of the name.

SALT = b"\x05" * 32
ID = commitments.seat_id("bob", SALT)
SEATS = [[ID, ""], ["b" * 32, ""], ["Ada", "club"]]


def seal_with_id(**changes):
    package, body = seal()
    return package, body | {"name": "bob", "id": ID, "salt": SALT.hex()} | changes


def test_client_commits_under_its_id_and_keeps_it_in_the_receipt(client):
    assert [f"/at 12 commit {commit_of(ID)}"] == client.told(seal_with_id())
    assert [f"/at 12 commit {commit_of(ID)}"] == client.told(seal_with_id())
    assert ("bob", ID, SALT.hex()) == tuple(client.receipt[key] for key in ("name", "id", "salt"))


def test_client_reveals_to_a_list_with_its_id_in_one_seat(client):
    client.told(seal_with_id())

    assert REVEALS == client.told(sealing((ID, commit_of(ID)), seats=SEATS))
    assert [] == client.warnings


@pytest.mark.parametrize(
    "changed",
    [
        {"seats": SEATS[1:]},
        {"seats": [[ID, ""], *SEATS]},
        {"seats": [[ID, "club"], *SEATS[1:]]},
        {"seats": [["bob", ""], *SEATS[1:]]},
        {"seats": None},
    ],
)
def test_client_reveals_nothing_to_a_list_without_its_seat(client, changed):
    client.told(seal_with_id())

    assert [] == client.told(sealing((ID, commit_of(ID)), **changed))
    assert "left your client out" in client.warnings[0]


def test_client_reveals_nothing_to_a_list_with_two_commitments_of_its_id(client):
    client.told(seal_with_id())

    assert [] == client.told(sealing((ID, commit_of(ID)), (ID, "0" * 64), seats=SEATS))


@pytest.mark.parametrize("changes", [{"id": "b" * 32}, {"salt": "00" * 32}, {"salt": "no hex"}, {"name": "carol"}])
def test_client_takes_no_part_under_an_id_of_another_name(client, changes):
    """The host could say later that someone else had committed."""
    assert [] == client.told(seal_with_id(**changes))
    assert "made your id of another name" in client.warnings[0]
