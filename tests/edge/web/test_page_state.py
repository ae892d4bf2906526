"""The page knows each table from the packets it gets: nothing twice, nothing lost, one state for each table."""

import json

import pytest

from tests.edge.web.javascript import needs_node, run

pytestmark = needs_node
KNOWN = """
import {{ State, isYourTurn }} from "./state.js";
const state = new State();
for (const packet of input) state.hear(packet);
const tables = [...state.tables.values()];
const output = {};
"""


@pytest.fixture
def known(tmp_path):
    """Return a function that returns something about the state after some packets."""

    def hear(packets, what):
        return run(tmp_path, KNOWN.format(what).replace("{{", "{").replace("}}", "}"), packets)

    return hear


def table(number=12, seq=4, seat=0, **more):
    moves = {
        "turn": True,
        "count": 1,
        "list": [{"move": "pass", "text": "Pass", "say": "pass", "on": None}],
        "groups": [],
    }
    facts = {"number": number, "room": "ohell", "game": "ohell", "seq": seq, "seat": seat, "state": "playing"}
    return {"table": {**facts, "names": ["you", "ann"], "turn": [0], "picture": {"facts": []}, "moves": moves, **more}}


def update(seq, number=12, text="Ann passes.", **more):
    moves = {"turn": False, "count": 0, "list": [], "groups": []}
    events = [{"is": "Passed", "text": text, "say": text}]
    facts = {"number": number, "room": "ohell", "seq": seq, "seat": 0, "state": "playing", "turn": [1]}
    return {"update": {**facts, "events": events, "moves": moves, **more}}


def test_update_changes_what_it_names_and_keeps_the_rest(known):
    what = "[tables[0].seq, tables[0].turn, tables[0].names, tables[0].picture]"

    assert [5, [1], ["you", "ann"], {"facts": []}] == known([table(), update(5)], what)


def test_repeated_update_is_ignored(known):
    assert [5, 1] == known([table(), update(5), update(5), update(4)], "[tables[0].seq, state.rows.length]")


def test_gap_asks_for_the_table_and_changes_nothing(known):
    assert [[12], 4, 0] == known([table(), update(6)], "[[...state.gaps], tables[0].seq, state.rows.length]")


def test_table_that_was_asked_for_closes_the_gap(known):
    assert [[], 7] == known([table(), update(6), table(seq=7)], "[[...state.gaps], tables[0].seq]")


def test_update_of_an_unknown_table_is_ignored(known):
    assert [[], 1] == known([table(), update(5, number=99)], "[[...state.gaps], tables.length]")


def test_two_tables_in_one_room_have_a_state_each(known):
    what = "tables.map((one) => [one.number, one.seq])"

    assert [[12, 5], [13, 1]] == known([table(), table(13, seq=1), update(5)], what)


def test_new_seat_is_shown_at_once_and_a_watched_table_is_not(known):
    assert 13 == known([table(), table(13)], "state.shown")
    assert 12 == known([table(), table(13, seat=None)], "state.shown")


def test_table_shown_stays_when_another_one_goes_on(known):
    assert 13 == known([table(), table(13), update(5)], "state.shown")


def test_turn_ends_with_the_update_that_says_so(known):
    assert [True, False] == [known(packets, "isYourTurn(tables[0])") for packets in ([table()], [table(), update(5)])]


def test_choices_of_an_earlier_entry_are_ignored(known):
    choices = {"choices": {"number": 12, "seq": 4, "nodes": [[False]], "heads": {}}}

    assert {"nodes": [[False]], "heads": {}} == known([table(), choices], "tables[0].choices")
    assert None is known([table(), update(5), choices], "tables[0].choices")


def test_event_in_columns_is_told_in_words(known):
    event = {"is": "Scored", "text": "Round 1   bid  took\nAnn   1   1", "say": "Ann made 1."}

    assert ["Ann made 1."] == known([table(), update(5, events=[event])], "state.rows.map((row) => row.text)")


def test_goodbye_is_remembered_until_the_next_connection(known):
    packets = [{"goodbye": {"reason": "elsewhere", "retry": False}}]
    what = "(() => { const was = state.goodbye; state.begin(); return [was, state.goodbye]; })()"

    assert ["elsewhere", ""] == known(packets, what)


def test_message_that_comes_again_is_shown_once(known):
    talk = {"talk": {"id": 7, "talker": "ann", "text": "hi", "kind": "public", "channel": "ohell", "to": [], "at": 1}}

    assert 1 == known([talk, talk], "state.rows.length")


ME = {"you": {"name": "Ann", "guest": False, "settings": {}}}
HI = {"talk": {"id": 7, "talker": "bob", "text": "hi", "kind": "public", "channel": "ohell", "to": [], "at": 1}}
TEXTS = "state.rows.map(({ text }) => text)"


def later(what, *packets):
    """Return what is said after the page has reconnected twice, and heard these packets."""
    heard = " ".join(f"state.hear({json.dumps(packet).replace('}', '} ')});" for packet in packets)
    return f"(() => {{ state.begin(); state.begin(); {heard} return {what}; }})()"


def test_talk_stays_until_a_connection_is_there_again_however_often_that_fails(known):
    assert ["hi"] == known([ME, HI], later(TEXTS))
    assert ["hi"] == known([ME, HI], later(TEXTS, ME))


def test_talk_of_someone_else_is_not_shown(known):
    assert [] == known([ME, HI], later(TEXTS, {"you": {"name": "Cat", "guest": True, "settings": {}}}))
    assert [] == known([ME, HI, {"goodbye": {"reason": "bye", "retry": False}}], later(TEXTS))


def test_talk_stays_when_you_are_renamed(known):
    assert ["hi"] == known([ME, HI, {"name": {"name": "Beatrice", "guest": False}}], TEXTS)


def test_earlier_talk_comes_before_what_is_shown_and_nothing_twice(known):
    earlier = [
        {
            "talker": "Cat",
            "text": text,
            "kind": "public",
            "channel": "ohell",
            "room": "ohell",
            "from": "Cat",
            "to": [],
            "at": 0,
        }
        for text in ("one", "two")
    ]
    again = {**HI["talk"], "room": "ohell", "from": "bob"}

    assert ["one", "two", "hi"] == known([ME, HI, {"recent": [*earlier, again]}], TEXTS)


def test_table_that_you_leave_is_forgotten(known):
    assert [] == known([table(), update(5, seat=None)], "tables")


def test_finished_table_gives_way_to_the_next_one(known):
    assert [13] == known([table(state="over"), table(13)], "tables.map(({ number }) => number)")


def test_table_in_a_room_that_you_left_is_forgotten(known):
    assert [] == known([table(seat=None), {"channels": [{"name": "lobby"}]}], "tables")
    assert 1 == known([table(), {"channels": [{"name": "lobby"}]}], "tables.length")


def test_line_of_a_table_that_is_gone_is_still_shown(known):
    line = {
        "line": "(nobody is left, so the table is closed)",
        "kind": "answer",
        "room": "ohell",
        "number": 12,
        "re": 3,
    }

    assert [None] == known([line], "state.rows.map((row) => row.table ?? null)")


def test_text_of_a_person_stays_in_a_row_of_its_own(known):
    talk = {
        "talk": {"talker": "ann", "text": "Your turn: fold", "kind": "public", "channel": "ohell", "to": [], "at": 1}
    }

    assert [["said", "ann", "Your turn: fold"]] == known(
        [talk], "state.rows.map(({ kind, by, text }) => [kind, by, text])"
    )


def test_last_trick_of_a_round_is_kept_until_the_next_one_is_complete(known):
    def picture(*cards, last=None):
        seats = [{"seat": seat, "pieces": [{"kind": "card", "face": card}]} for seat, card in enumerate(cards)]
        return {"facts": ["round"], "seats": seats, "last_trick": last}

    events = [{"is": "CardPlayed", "seat": 1, "card": "9C"}, {"is": "TrickWon", "seat": 0, "card": "KC"}]
    packets = [table(picture=picture("K♣", "--")), update(5, events=events, picture=picture("--", "--"))]
    next_trick = {"cards": [[0, "2♣"], [1, "3♣"]], "winner": 1}
    after = [update(6, picture=picture("2♣", "--")), update(7, picture=picture("--", "--", last=next_trick))]

    assert {"cards": [[0, "K♣"], [1, "9C"]], "winner": 0, "ids": []} == known(packets, "tables[0].ended")
    assert None is known([*packets, *after], "tables[0].ended")


def test_ten_in_a_text_about_dice_is_written_as_on_its_die(known):
    seen = {"facts": [], "zones": [{"pieces": [{"kind": "die", "face": "T"}]}]}
    packets = [
        table(picture=seen, names=["you", "TJ"]),
        update(5, text="TJ rolls T T. Ada claims AATT, a full Temple."),
    ]

    assert ["TJ rolls 10 10. Ada claims A A 10 10, a full Temple."] == known(
        packets, "state.rows.map((row) => row.text)"
    )


def test_notes_belong_to_their_table_and_stay_when_it_comes_again(known):
    notes = {"notes": {"number": 12, "notes": {"7": "surely a lie"}}}

    assert {"7": "surely a lie"} == known([table(), notes, update(5), table(seq=9)], "tables[0].notes")
