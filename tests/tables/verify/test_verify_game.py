"""`scripts/verify-game`, which imports none of our code, and `lilygames verify` find every forgery.

The forger is the host itself: it writes the whole export, so it also makes all links fit again.
"""

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import attrs
import pytest

from lilygames import codec
from lilygames.proofs import commitments
from lilygames.server.shell import exports
from lilygames.tables.duplicate.duplicate_set import Added, DuplicateSet, Opened, SetBody, SetHeader
from lilygames.tables.log.acts import Committed, Joined, Revealed, Sealing, Sitter, Undone
from lilygames.tables.verify.export import Unreadable, set_beside
from lilygames.tables.verify.verify import acts_of
from lilygames_rules.kit import PurposeLuck
from tests.tables.sealed_games import NEXT, NONCES, SECRET, Host, played, remade
from tests.toys import ALL, installed

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "verify-game"
HELP = SCRIPT.parents[1] / "help"
OHELL = pytest.mark.skipif("ohell" not in ALL, reason="not here: ohell")


def run(rows, folder):
    """Return the exit code and output of the script."""
    file = folder / "game.jsonl"
    file.write_text("\n".join(rows), "utf-8")
    done = subprocess.run([sys.executable, "-I", SCRIPT, file], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@cache
def ohell():
    """Return a whole game of three, whose rows the tests forge."""
    return tuple(played(ALL["ohell"], options(max=4)).export)


def options(**changes):
    return ALL["ohell"].rules.Options(**changes)


def acts(rows, kind):
    return [row for row in rows if row.get("act", {}).get("is") == kind]


def inserted(rows, after, act):
    """Insert an act after the first one of a kind, as if it had happened then."""
    place = rows.index(acts(rows, after)[0]) + 1
    rows.insert(place, {**rows[place], "act": act})
    for row in rows:
        if "key" in row and row["seq"] > place:
            row["seq"] += 1


def removed(rows, kind, place=0):
    gone = acts(rows, kind)[place]
    rows.remove(gone)
    for row in rows:
        if "key" in row and row["seq"] > gone["seq"]:
            row["seq"] -= 1


def another_secret(rows):
    acts(rows, "Closed")[0]["act"]["secret"] = NEXT.hex()


def another_seal(rows):
    rows[0]["header"]["seal"] = commitments.seal_of(NEXT)
    acts(rows, "Sealing")[0]["act"]["sealing"]["seal"] = commitments.seal_of(NEXT)
    another_secret(rows)


def another_word(rows):
    acts(rows, "Cut")[0]["act"]["word"] = "spades"


def another_word_in_both_places(rows):
    another_word(rows)
    acts(rows, "Sealing")[0]["act"]["sealing"]["words"] = [["bob", "spades"]]


def word_after_the_sealing(rows):
    inserted(rows, "Sealing", {"is": "Cut", "seat": 2, "word": "trumps"})


def commitment_after_the_sealing(rows):
    inserted(rows, "Sealing", {"is": "Committed", "name": "dave", "commit": "00" * 32})


def second_sealing(rows):
    sealing = acts(rows, "Sealing")[0]["act"]
    inserted(rows, "Revealed", sealing)


def reveal_before_the_sealing(rows):
    one = next(place for place, row in enumerate(rows) if row.get("act", {}).get("is") == "Sealing")
    rows[one], rows[one + 1] = rows[one + 1], rows[one]


def number_shown_before_the_sealing_too(rows):
    """The host could seal seats or options that give it better cards."""
    inserted(rows, "Cut", acts(rows, "Revealed")[0]["act"])


def another_number(rows):
    acts(rows, "Revealed")[0]["act"]["nonce"] = "ab" * 32


def reveal_left_out(rows):
    removed(rows, "Revealed")


def sealing_left_out(rows):
    removed(rows, "Sealing")


def list_without_bob(rows):
    acts(rows, "Sealing")[0]["act"]["sealing"]["commits"].pop(0)


def list_and_reveals_without_bob(rows):
    list_without_bob(rows)
    removed(rows, "Revealed")


def another_commitment(rows):
    acts(rows, "Committed")[0]["act"]["commit"] = "00" * 32


def other_seats(rows):
    acts(rows, "Sealing")[0]["act"]["sealing"]["seats"].reverse()


def other_options(rows):
    rows[0]["header"]["options"]["hook"] = False


def other_options_in_both_places(rows):
    other_options(rows)
    acts(rows, "Sealing")[0]["act"]["sealing"]["options"]["hook"] = False


def another_table(rows):
    rows[0]["header"]["number"] = 13


def another_round(rows):
    acts(rows, "Sealing")[0]["act"]["sealing"]["round"] = 2


def deals(rows):
    return [row for row in rows if row.get("key", ())[1:2] == ["deal"]]


def two_cards_swapped(rows):
    cards = deals(rows)[1]["draws"][0][-1]
    cards[0], cards[1] = cards[1], cards[0]


def another_pack(rows):
    """The shuffle is right, but the unshuffled pack was not."""
    _, pack, cards = deals(rows)[1]["draws"][0]
    pack[0], pack[1] = pack[1], pack[0]
    first, second = cards.index(pack[0]), cards.index(pack[1])
    cards[first], cards[second] = cards[second], cards[first]


def another_purpose(rows):
    deals(rows)[1]["key"] = ["luck", "deal", 99]


def deal_left_out(rows):
    rows.remove(deals(rows)[1])


def card_of_another_hand(rows):
    """Two players swap the cards they play."""
    plays = [row["act"]["move"] for row in acts(rows, "Moved") if row["act"]["move"]["is"] == "Play"]
    plays[0]["card"], plays[1]["card"] = plays[1]["card"], plays[0]["card"]


def move_left_out(rows):
    plays = [place for place, row in enumerate(acts(rows, "Moved")) if row["act"]["move"]["is"] == "Play"]
    removed(rows, "Moved", plays[0])


def end_left_out(rows):
    removed(rows, "Closed")


FORGERIES = [
    *(another_secret, another_seal, another_word, another_word_in_both_places, word_after_the_sealing),
    *(commitment_after_the_sealing, second_sealing, reveal_before_the_sealing, number_shown_before_the_sealing_too),
    *(another_number, reveal_left_out, sealing_left_out, list_without_bob, list_and_reveals_without_bob),
    *(another_commitment, other_seats, other_options, other_options_in_both_places, another_table, another_round),
    *(two_cards_swapped, another_pack, another_purpose, deal_left_out, card_of_another_hand, move_left_out),
    end_left_out,
]


def test_script_has_short_functions_and_imports_only_the_standard_library():
    found = [*ast.walk(ast.parse(SCRIPT.read_text("utf-8")))]
    functions = {one.name: one.end_lineno - one.lineno + 1 for one in found if isinstance(one, ast.FunctionDef)}
    imported = {name.name for one in found if isinstance(one, ast.Import) for name in one.names}

    assert {} == {name: lines for name, lines in functions.items() if lines > 40}
    assert imported | {one.module for one in found if isinstance(one, ast.ImportFrom)} <= sys.stdlib_module_names


def test_each_promise_of_the_script_quotes_a_line_of_the_help_pages():
    """A docstring begins with the label of a line of `/help seal-bytes`, `seal-closed` or `seal-rows`."""
    pages = {"seal-bytes": 13, "seal-closed": 13, "seal-rows": 11}
    rows = [
        (row, width) for page, width in pages.items() for row in (HELP / f"{page}.txt").read_text("utf-8").split("\n")
    ]
    labels = {row[:width].strip().casefold() for row, width in rows} - {""}
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    promises = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("promise_")]
    quoted = {one.name: (ast.get_docstring(one) or "").casefold().partition(":")[0] for one in promises}

    assert len(promises) > 10
    assert {} == {name: label for name, label in quoted.items() if label not in labels}


@pytest.mark.parametrize("name", ["ohell", "wizard", "liarsdice", "liedie", "liarspoker", "lilypoker", "liarslair"])
def test_game_written_by_our_code_is_verified_by_the_script(name, tmp_path):
    """With an open seal, whatever the game."""
    game = installed(name)[name]
    host = Host(game, quick(name, game)).seat("bob", "carol", "dave").cut("bob", "pips")
    rows = host.commit("bob", "carol").seal().reveal("bob", "carol").start().play(most=300).close().export
    code, said = run(rows, tmp_path)

    assert (0, "Match: links, seals, commitments, keys and draws fit.") == (code, said.splitlines()[-1])
    assert f"round 1: sealed by bob, carol, code {host.table.rounds.code[:10]}" in said
    assert exports.verify("\n".join(rows), ALL).match


def quick(name, game):
    return game.quick_options if name != "ohell" else options(max=4)


def test_script_prints_deals_and_rolls_and_counts_the_cards_of_each_hand(tmp_path):
    rows = map(json.loads, installed("ohell") and ohell())
    deal = next(row for row in rows if row.get("key") == ["luck", "deal", 1])
    said = run(ohell(), tmp_path)[1]

    assert f"entry {deal['seq']}, deal 1: {' '.join(deal['draws'][0][-1])}" in said
    assert "deal 4: all 12 cards were in their hands" in said


@OHELL
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forgery_is_found_by_both_verifiers(forge, tmp_path):
    rows = [json.loads(row) for row in ohell()]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code, said
    assert said.splitlines()[-1].startswith("No match: ")
    assert not exports.verify("\n".join(forged), ALL).match


@OHELL
def test_game_dealt_from_another_secret_than_the_sealed_one_is_found_by_both_verifiers(tmp_path, monkeypatch):
    """A host that knows the numbers could look for a secret with better cards. Everything else fits."""
    sealed = commitments.seal_of(SECRET)
    with monkeypatch.context() as host:
        host.setattr(commitments, "seal_of", lambda _: sealed)
        rows = played(ALL["ohell"], options(max=3), secret=NEXT).export
    code, said = run(rows, tmp_path)

    assert (1, "No match: the secret doesn't match the seal.") == (code, said.splitlines()[-1])
    assert (
        "No match: the secret of table #12 (ohell) doesn't match its seal."
        == exports.verify("\n".join(rows), ALL).sentence
    )


@OHELL
def test_deal_without_a_number_that_was_committed_to_is_found_by_both_verifiers(tmp_path):
    """A host could leave out the number of a client that gives it bad cards. All draws fit the others' numbers."""
    host = Host(ALL["ohell"], options(max=3)).seat("bob", "carol").commit("bob", "carol").seal().reveal("bob", "carol")
    host.start().close()
    rounds, rows = host.table.rounds, [json.loads(row) for row in host.export]
    removed(rows, "Revealed")
    key = commitments.table_key(host.secret, rounds.table, rounds.code, [NONCES["carol"]])
    for row in rows:
        if "key" in row:
            row["draws"] = redrawn(key, row)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert (1, "No match: entry 7 deals before all numbers are revealed.") == (code, said.splitlines()[-1])
    assert not exports.verify("\n".join(forged), ALL).match


@OHELL
@pytest.mark.parametrize("place", [0, 3, 9, 40])
def test_row_that_does_not_fit_its_link_is_found_by_both_verifiers(place, tmp_path):
    rows = [json.loads(row) for row in ohell()]
    rows[place]["link"] = "00" * 32
    rows = [json.dumps(row) for row in rows]
    code, said = run(rows, tmp_path)

    assert (1, "No match: a link is wrong, so a row was changed.") == (code, said.strip())
    assert not exports.verify("\n".join(rows), ALL).match


@pytest.mark.parametrize("text", ["hello", "{}", "[]", '{"lilygames": 2}'])
def test_file_that_isnt_an_export_is_answered_with_one_sentence(text, tmp_path):
    code, said = run([text], tmp_path)

    assert (1, 1) == (code, len(said.splitlines()))
    assert said.startswith("No match: this isn't such an export (")


async def test_export_of_a_table_that_people_played_is_verified_by_the_script(stage, table, finish, tmp_path):
    await finish()
    code, said = run(await stage.type("bob", "/export 1"), tmp_path)

    assert (0, "Match: links, seals, commitments, keys and draws fit.") == (code, said.splitlines()[-1])


@OHELL
def test_void_round_is_told_by_both_verifiers(tmp_path):
    """In round 1 bob's client didn't reveal, so round 2 has another secret."""
    host = Host(ALL["ohell"], options(max=3)).seat("bob", "carol").commit("bob", "carol").seal().reveal("carol")
    host.void("bob").commit("carol").seal().reveal("carol").start().play().close()
    code, said = run(host.export, tmp_path)
    verdict = exports.verify("\n".join(host.export), ALL)

    assert 0 == code
    assert "round 1 is void: bob didn't reveal" in said
    assert "round 2: sealed by carol" in said
    assert verdict.match
    assert "Round 1 was void: bob didn't reveal. Deck sealed by carol: code " in verdict.sentence


@OHELL
def test_secret_of_a_void_round_must_open_its_seal(tmp_path):
    host = Host(ALL["ohell"], options(max=3)).seat("bob", "carol").commit("bob", "carol").seal().reveal("carol")
    host.void("bob").commit("carol").seal().reveal("carol").start().play().close()
    rows = [json.loads(row) for row in host.export]
    acts(rows, "Voided")[0]["act"]["secret"] = NEXT.hex()
    forged = remade(rows)

    assert 1 == run(forged, tmp_path)[0]
    assert not exports.verify("\n".join(forged), ALL).match


@OHELL
def test_game_without_clients_says_that_the_host_could_choose(tmp_path):
    rows = played(ALL["ohell"], options(max=3), clients=()).export
    code, said = run(rows, tmp_path)

    assert 0 == code
    assert "round 1: sealed by no player" in said
    assert exports.verify("\n".join(rows), ALL).sentence.endswith(
        "No player's client took part, so the host could choose the deal."
    )


@OHELL
def test_moves_that_were_taken_back_are_not_counted_as_played(tmp_path):
    host = Host(ALL["ohell"], options(max=3)).seat("bob", "carol").commit("bob").seal().reveal("bob").start()
    host.play(most=1).then(Undone(host.table.past[-1].to)).play(seed=2).close()
    code, said = run(host.export, tmp_path)

    assert (0, "Match: links, seals, commitments, keys and draws fit.") == (code, said.splitlines()[-1])


@OHELL
def test_format_of_an_export_must_be_that_of_its_header():
    first = json.loads(ohell()[0])

    assert 4 == first["lilygames"]
    assert 2 == codec.load(first["header"]["fairness"], int)
    with pytest.raises(Unreadable):
        exports.verify("\n".join([json.dumps({**first, "lilygames": 1}), *ohell()[1:]]))


# duplicate sets and daily deals


@cache
def friday():
    """Return two finished tables of a duplicate set, with the set's log: the first one sealed it."""
    game = ALL["ohell"]
    first = Host(game, options(max=3), duplicate="friday").seat("bob", "carol").commit("bob").seal().reveal("bob")
    first.start().play().close()
    header = first.table.header
    opened = SetHeader("friday", "ohell", header.version, header.options, header.seal, "bob", 9.5, 12)
    sealing = [act for act in acts_of(first.entries) if isinstance(act, Committed | Sealing | Revealed)]
    told = [Added(12, 7.5), *sealing, Added(13, 8.5), Opened(first.secret.hex())]
    bodies = [codec.dump(opened), *(codec.dump(SetBody(act)) for act in told)]
    key = DuplicateSet.folded(*bodies).key(first.secret)
    second = Host(game, options(max=3), secret=key, number=13, duplicate="friday", keyed=True, wanted=2)
    second.seat("dave", "mallory").start().play(seed=2).close()
    return [host.exported(beside=set_beside(bodies)) for host in (first, second)]


@OHELL
@pytest.mark.parametrize("place", [0, 1], ids=["first", "second"])
def test_table_of_a_set_is_verified_against_the_log_of_its_set(place, tmp_path):
    rows = friday()[place]
    code, said = run(rows, tmp_path)

    assert (0, "Match: links, seals, commitments, keys and draws fit.") == (code, said.splitlines()[-1])
    assert "round 1: sealed by bob" in said
    assert exports.verify("\n".join(rows), ALL).match


BEACON = f"drand:{'ab' * 32}"


@cache
def daily(*, beacon=False):
    """Return the export of a daily deal: nobody commits to it, and the server seals it, perhaps with a beacon."""
    game = ALL["ohell"]
    chosen, seal, words = (
        codec.dump(options(max=3)),
        commitments.seal_of(NEXT),
        (("beacon", f"{BEACON}:77:{'cd' * 32}"),),
    )
    opened = SetHeader("daily", "ohell", game.rules.VERSION, chosen, seal, "table", 9.5, beacon=BEACON * beacon)
    sealing = DuplicateSet(opened, seq=1).rounds.proposed((), opened.options, (), ())
    sealing = attrs.evolve(sealing, seats=(("", ""), ("Ada", "novice")), words=words * beacon)
    told = [Sealing(sealing), Added(13, 8.5, "bob"), Opened(NEXT.hex())]
    bodies = [codec.dump(opened), *(codec.dump(SetBody(act)) for act in told)]
    key = DuplicateSet.folded(*bodies).key(NEXT)
    host = Host(game, options(max=3), secret=key, number=13, duplicate="daily", keyed=True, wanted=2)
    host.seat("bob", bots=[("Ada", "novice")]).start().play().close()
    return host.exported(beside=set_beside(bodies))


@OHELL
@pytest.mark.parametrize("beacon", [False, True])
def test_export_of_a_daily_deal_is_verified_by_both_verifiers(beacon, tmp_path):
    rows = daily(beacon=beacon)

    assert 0 == run(rows, tmp_path)[0]
    assert exports.verify("\n".join(rows), ALL).match


@OHELL
@pytest.mark.parametrize("words", [[], [["beacon", "none"]], [["beacon", f"{BEACON}:78:{'cd' * 32}"]]])
def test_another_word_of_the_beacon_is_found_by_both_verifiers(words, tmp_path):
    rows = [json.loads(row) for row in daily(beacon=True)]
    in_set(rows, "Sealing")["sealing"]["words"] = words
    forged = remade(rows)

    assert 1 == run(forged, tmp_path)[0]
    assert is_refused("\n".join(forged))


def in_set(rows, kind):
    return next(row["act"] for row in rows[0]["set"][1:] if row["act"]["is"] == kind)


def set_left_out(rows):
    del rows[0]["set"]


def secret_of_the_set_left_out(rows):
    rows[0]["set"].pop()


def another_secret_of_the_set(rows):
    in_set(rows, "Opened")["secret"] = NEXT.hex()


def another_seal_of_the_set(rows):
    rows[0]["set"][0]["seal"] = commitments.seal_of(NEXT)
    in_set(rows, "Sealing")["sealing"]["seal"] = commitments.seal_of(NEXT)
    another_secret_of_the_set(rows)


def another_number_in_the_set(rows):
    in_set(rows, "Revealed")["nonce"] = "ab" * 32


def another_client_in_the_set(rows):
    """A set that the host sealed alone: all of it fits together, but these cards weren't dealt from it."""
    in_set(rows, "Sealing")["sealing"]["commits"] = []
    rows[0]["set"] = [row for row in rows[0]["set"] if row.get("act", {}).get("is") not in ("Committed", "Revealed")]


def another_name_of_the_set(rows):
    rows[0]["header"]["duplicate"] = "saturday"


def other_options_than_the_set(rows):
    rows[0]["header"]["options"]["hook"] = False


def table_of_no_set(rows):
    rows[0]["set"] = [row for row in rows[0]["set"] if row.get("act", {}).get("is") != "Added"]


SET_FORGERIES = [
    *(set_left_out, secret_of_the_set_left_out, another_secret_of_the_set, another_seal_of_the_set),
    *(another_number_in_the_set, another_client_in_the_set, another_name_of_the_set, other_options_than_the_set),
    *(table_of_no_set, two_cards_swapped, card_of_another_hand),
]


@OHELL
@pytest.mark.parametrize("place", [0, 1], ids=["first", "second"])
@pytest.mark.parametrize("forge", SET_FORGERIES, ids=lambda forge: forge.__name__)
def test_forgery_at_a_table_of_a_set_is_found_by_both_verifiers(forge, place, tmp_path):
    rows = [json.loads(row) for row in friday()[place]]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code, said
    assert said.splitlines()[-1].startswith("No match: ")
    assert is_refused("\n".join(forged))


def is_refused(text):
    """Return whether `lilygames verify` doesn't call an export a match."""
    try:
        return not exports.verify(text, ALL).match
    except Unreadable:
        return True


# newcomers


@cache
def joined(*, void=False):
    """Return a session of Liar's Poker that mallory joins in play, after a void round or at once."""
    game = installed("liarspoker")["liarspoker"]
    host = Host(game, game.rules.Options(hands=3)).seat("bob", "carol").commit("bob", "carol").seal()
    host.reveal("bob", "carol").start().play(most=2)
    if void:
        newcomer(host.commit("bob", "carol", "mallory")).reveal("bob", "mallory").void_in_play("carol").play(most=9)
        return host.play().close()
    newcomer(host.commit("bob", "carol", "mallory")).reveal("bob", "carol", "mallory")
    return host.then(Joined(2, Sitter("mallory"))).play().close()


def newcomer(host, *clients):
    table = host.table
    seats, clients = (*table.seats, Sitter("mallory")), clients or ("bob", "carol", "mallory")
    return host.then(Sealing(table.rounds.proposed(seats, table.header.options, table.purses, clients)))


@pytest.mark.parametrize("void", [False, True])
def test_round_of_a_newcomer_is_verified_by_both_verifiers(void, tmp_path):
    rows = joined(void=void).export
    code, said = run(rows, tmp_path)

    assert 0 == code, said
    assert ("round 2 is void: carol didn't reveal" in said) is void
    assert ("round 2: sealed by bob, carol, mallory" in said) is not void
    assert exports.verify("\n".join(rows), ALL).match


def newcomer_left_out(rows):
    sealing = acts(rows, "Sealing")[1]["act"]["sealing"]
    sealing["commits"].pop()
    removed(rows, "Revealed", -1)


def contributor_left_out(rows):
    sealing = acts(rows, "Sealing")[1]["act"]["sealing"]
    sealing["commits"].pop(0)
    removed(rows, "Revealed", 2)


def newcomers_seat_left_out(rows):
    acts(rows, "Sealing")[1]["act"]["sealing"]["seats"].pop()


def bot_as_newcomer(rows):
    acts(rows, "Sealing")[1]["act"]["sealing"]["seats"][-1][1] = "novice"


def joined_before_the_last_number(rows):
    removed(rows, "Revealed", -1)


@pytest.mark.parametrize(
    "forge",
    [newcomer_left_out, contributor_left_out, newcomers_seat_left_out, bot_as_newcomer, joined_before_the_last_number],
    ids=lambda forge: forge.__name__,
)
def test_forged_round_of_a_newcomer_is_found_by_both_verifiers(forge, tmp_path):
    rows = [json.loads(row) for row in joined().export]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code, said
    assert not exports.verify("\n".join(forged), ALL).match


def secret_in_a_void_round_in_play(rows):
    acts(rows, "Voided")[0]["act"]["secret"] = acts(rows, "Closed")[0]["act"]["secret"]


def next_seal_in_a_void_round_in_play(rows):
    acts(rows, "Voided")[0]["act"]["next_seal"] = commitments.seal_of(NEXT)


def another_player_called_missing(rows):
    acts(rows, "Voided")[0]["act"]["missing"] = ["bob"]


def new_key_after_the_void_round(rows):
    """The host deals the later hands with mallory's number, although her round was void."""
    host = joined(void=True)
    table, sealed = host.table.rounds.table, acts(rows, "Sealing")[1]["act"]["sealing"]
    sealed = {key: value for key, value in sealed.items() if key != "is"}
    nonces = [NONCES[name] for name, _ in sealed["commits"]]
    key = commitments.table_key(host.secret, table, commitments.sealing_digest(table, sealed), nonces)
    row = [row for row in rows if "key" in row and row["key"][1] == "slip"][-1]
    row["draws"] = redrawn(key, row)


def redrawn(key, row):
    luck = PurposeLuck(key).for_(*row["key"][1:])
    return [[call, *given, getattr(luck, call)(*given)] for call, *given, _ in row["draws"]]


@pytest.mark.parametrize(
    "forge",
    [
        *(secret_in_a_void_round_in_play, next_seal_in_a_void_round_in_play, another_player_called_missing),
        new_key_after_the_void_round,
    ],
    ids=lambda forge: forge.__name__,
)
def test_forged_void_round_of_a_newcomer_is_found_by_both_verifiers(forge, tmp_path):
    rows = [json.loads(row) for row in joined(void=True).export]
    forge(rows)
    forged = remade(rows)
    code, said = run(forged, tmp_path)

    assert 1 == code, said
    assert not exports.verify("\n".join(forged), ALL).match
