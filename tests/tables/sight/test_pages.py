"""A page gets a table once, and then one update for each entry of its log, in words and with a picture."""

import asyncio
import json
import random

import attrs
import pytest

from lilygames import codec
from lilygames.chat.visits.arrivals import arrive
from lilygames.chat.visits.session import visit
from lilygames.edge.screens import machine
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.game import Reader
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.tables.bots.pace import slowest
from lilygames.tables.sight.move_list import PLAINLY, SIGNS
from lilygames.text import Packet
from tests.deadline import DEADLINE
from tests.schemas import misfits
from tests.tables.sight.test_brief_machine_mode import GAMES, Wire

TURNS = 8


class Page:
    """A page at a table: what it has been sent."""

    def __init__(self, stage, name):
        self._stage = stage
        self._name = name
        self.tables = {}
        self.heard = []
        self.come()

    def come(self, **seen):
        """Connect, or with what has been seen resume the session."""
        self._wire = Wire()
        terminal = TelnetTerminal(self._wire, program=True)
        terminal._choice.for_page()
        self.person = self._stage.people[self._name] = arrive(
            self._stage.host, terminal, self._name, guest=False, **seen
        )
        return self.take()

    async def come_back(self):
        """Resume the session from the last entry of each table that was received."""
        self.come(seen={number: table["seq"] for number, table in self.tables.items()})
        await self._stage.quiet()
        self.take()

    def drop(self):
        """Lose the connection, with what is on its way."""
        self._wire.sent = b""
        self._stage.drop(self._name)

    async def types(self, line):
        """Type a line, and return the packets that it causes."""
        await self._stage.place.dispatcher.hear(self.person, line)
        await self._stage.quiet()
        return self.take()

    def take(self):
        """Return the packets sent since the last time, and apply them."""
        sent, self._wire.sent = self._wire.sent, b""
        said = [json.loads(row) for row in sent.decode().splitlines()]
        for one in said:
            assert [] == [*misfits(one)]
            self._read(one)
        self.heard += said
        return said

    def _read(self, said):
        match said:
            case {"table": table}:
                self.tables[table["number"]] = table
            case {"update": update}:
                known = self.tables[update["number"]]
                assert known["seq"] + 1 == update["seq"]
                picture = {**(known["picture"] or {}), **update["picture"]} if "picture" in update else known["picture"]
                self.tables[update["number"]] = {**known, **update, "picture": picture}


def chosen(table, luck):
    """Return one of the moves of a table at random."""
    moves = table["moves"]
    groups = [f"{group['verb']} {group['least']}" for group in moves["groups"]]
    return luck.choice([*(one["move"] for one in moves["list"]), *groups])


async def at_a_table(name, seed="1"):
    stage = await Stage.open({name: games()[name]}, seed=seed)
    page = Page(stage, "ann")
    await page.types(f"/quick {name} {GAMES[name]}".strip())
    return stage, page


@pytest.mark.parametrize("name", GAMES)
async def test_page_knows_the_table_after_each_update(name):
    """Its picture, turn and moves are those of the rules."""
    stage, page = await at_a_table(name)
    luck = random.Random(1)
    for _ in range(TURNS):
        known = page.tables[1]
        if not known["moves"]["turn"]:
            break
        await page.types(f"/at 1 {chosen(known, luck)}")
        if not stage.open_tables:
            break
        table, known = stage.table(1).table, page.tables[1]
        seen = table.game.picture(table.view(0), Reader(0, table.names, SIGNS))
        assert (table.seq, [*table.to_move]) == (known["seq"], known["turn"])
        assert codec.dump(seen) == known["picture"]
        assert (0 in table.to_move) == known["moves"]["turn"]


@pytest.mark.parametrize("name", GAMES)
async def test_lines_that_an_update_words_are_not_sent(name):
    _, page = await at_a_table(name)
    for _ in range(TURNS):
        if page.tables[1]["moves"]["turn"]:
            await page.types(f"/at 1 {chosen(page.tables[1], random.Random(2))}")
    words = {event["text"] for said in page.heard for event in said.get("update", {}).get("events", ())}
    lines = {said["line"].removeprefix(f"[{name}] ") for said in page.heard if "line" in said}

    assert words
    assert set() == lines & words
    assert not [said for said in page.heard if said.get("kind") == "turn"]


@pytest.mark.parametrize("name", GAMES)
async def test_moves_are_listed_once_and_few_are_buttons(name):
    _, page = await at_a_table(name)
    luck = random.Random(3)
    for _ in range(TURNS):
        moves = page.tables[1]["moves"]
        if not moves["turn"]:
            break
        listed = [one["move"] for one in moves["list"]]
        assert len(listed) == len(set(listed))
        assert PLAINLY >= sum(one["on"] is None for one in moves["list"])
        assert moves["count"] == len(listed) + sum(group["count"] for group in moves["groups"])
        known = page.tables[1]["picture"]
        parts = {*held(known), *(piece["id"] for piece in known["listed"])}
        assert {one["on"] for one in moves["list"]} - {None} <= parts
        await page.types(f"/at 1 {chosen(page.tables[1], luck)}")


def held(picture):
    """Return the ids of what a picture's reader holds."""
    return [piece.get("id", "") for piece in (picture["mine"] or {"pieces": []})["pieces"]]


async def test_card_in_the_hand_is_a_move_on_that_card():
    _, page = await at_a_table("ohell")
    await page.types("/at 1 bid 0")
    moves = page.tables[1]["moves"]["list"]

    assert {one["move"]: one["on"] for one in moves} == {
        f"play {card}": card for card in held(page.tables[1]["picture"])
    }


async def test_each_page_has_the_hand_of_its_own_seat():
    stage = await Stage.open({"ohell": games()["ohell"]})
    pages = [Page(stage, name) for name in ("Ann", "bob", "Cat")]
    for page, line in zip((*pages, pages[0]), ("/new ohell max=3", "/sit 1", "/sit 1", "/start"), strict=True):
        await page.types(line)
    for page in pages:
        page.take()
    hands = [{*map(str, stage.table(1).table.view(seat).round.hand)} for seat in range(3)]

    assert hands == [{*held(page.tables[1]["picture"])} for page in pages]
    assert 3 == len({*map(frozenset, hands)})


async def test_spectator_gets_the_whole_table_at_once():
    stage, _ = await at_a_table("ohell")
    bob = Page(stage, "bob")
    said = await bob.types("/watch 1")

    assert 1 == sum("table" in one for one in said)
    assert (None, None, False) == (
        bob.tables[1]["seat"],
        bob.tables[1]["picture"]["mine"],
        bob.tables[1]["moves"]["turn"],
    )


async def test_page_at_two_tables_in_turn_never_mixes_them():
    """The names of rooms are used again, so each packet has its table's number."""
    stage = await Stage.open({"ohell": games()["ohell"]})
    page, luck = Page(stage, "ann"), random.Random(4)
    await page.types("/quick ohell max=3")
    while page.tables[1]["state"] == "playing" and page.tables[1]["moves"]["turn"]:
        await page.types(f"/at 1 {chosen(page.tables[1], luck)}")
    first = page.tables[1]
    await page.types("/quick ohell")

    assert ("over", "playing") == (first["state"], page.tables[2]["state"])
    assert first == page.tables[1]
    assert first["room"] == page.tables[2]["room"]


async def test_move_taken_back_is_an_event_of_the_update():
    stage, page = await at_a_table("ohell")
    bid = await page.types("/at 1 bid 0")
    undone = await page.types("/undo yes")
    events = [event for said in undone for event in said.get("update", {}).get("events", ())]

    assert bid
    assert "Undone" == events[0]["is"]
    assert events[0]["text"] not in [said.get("line") for said in undone]
    assert stage.table(1).table.seq == page.tables[1]["seq"]


# coming back


def updates(page):
    """Return the updates that a page has got, without whether people are here."""
    return [
        {key: value for key, value in said["update"].items() if key not in ("roster", "names")}
        for said in page.heard
        if "update" in said
    ]


@pytest.mark.parametrize("cut", [1, 4, 9])
async def test_page_that_comes_back_gets_the_updates_that_it_missed(cut):
    """Bob's connection breaks at some moment; ann's doesn't. Both have heard the same of each entry, once."""
    stage = await Stage.open({"ohell": games()["ohell"]})
    ann, bob, cat = Page(stage, "ann"), Page(stage, "bob"), Page(stage, "cat")
    await cat.types("/new ohell max=3")
    for spectator in (ann, bob):
        await spectator.types("/watch 1")
    await cat.types("/house")
    await cat.types("/start")
    luck = random.Random(7)
    for turn in range(12):
        if turn == cut:
            bob.take()
            bob.drop()
        if turn == cut + 2:
            await bob.come_back()
        if cat.tables[1]["moves"]["turn"]:
            await cat.types(f"/at 1 {chosen(cat.tables[1], luck)}")
    for page in (ann, bob):
        page.take()

    assert updates(ann)[-1]["seq"] == stage.table(1).table.seq
    assert updates(ann) == updates(bob)
    assert 1 == sum("table" in said for said in bob.heard)


async def test_player_who_comes_back_gets_the_updates_that_they_missed():
    stage, page = await at_a_table("ohell")
    for number in range(6):
        if number in (1, 3):
            await stage.place.dispatcher.hear(page.person, f"/at 1 {chosen(page.tables[1], random.Random(8))}")
            await stage.quiet()
            page.drop()  # before any of that arrived
            await page.come_back()
        elif page.tables[1]["moves"]["turn"]:
            await page.types(f"/at 1 {chosen(page.tables[1], random.Random(8))}")
    table = stage.table(1).table
    seen = table.game.picture(table.view(0), Reader(0, table.names, SIGNS))

    assert [*range(2, table.seq + 1)] == [update["seq"] for update in updates(page)]
    assert codec.dump(seen) == page.tables[1]["picture"]
    assert 1 == sum("table" in said for said in page.heard)


async def test_page_that_missed_too_much_gets_the_whole_table():
    stage, page = await at_a_table("ohell")
    page.drop()
    page.come(seen={1: 0})
    await stage.quiet()

    assert 1 == sum("table" in said for said in page.take())
    assert stage.table(1).table.seq == page.tables[1]["seq"]


async def test_page_that_logs_in_again_gets_its_tables_whole_and_no_game_lines():
    stage, page = await at_a_table("ohell")
    page.drop()
    said = page.come()
    await stage.quiet()
    said += page.take()

    assert [1] == [one["table"]["number"] for one in said if "table" in one]
    assert [] == [one for one in said if one.get("kind") == "game"]


# moves


async def test_move_for_an_earlier_question_is_refused_as_stale():
    """A bid that is sent late doesn't bid in the next round."""
    stage, page = await at_a_table("ohell")
    asked = page.tables[1]["seq"]
    await page.types(f"/at 1:{asked} bid 0")
    await page.types(f"/at 1 {chosen(page.tables[1], random.Random(5))}")
    before = stage.table(1).table
    refused = await page.types(f"/at 1:{asked} bid 0")

    assert ["stale"] == [one["error"]["code"] for one in refused if "error" in one]
    assert 1 == len(refused)
    assert before is stage.table(1).table


async def test_move_is_made_if_the_table_still_asks_the_same():
    """Another player's entry doesn't change the question."""
    stage, page = await at_a_table("ohell")
    asked = page.tables[1]["seq"]
    await page.types("/clock 60")
    said = await page.types(f"/at 1:{asked} bid 0")

    assert asked < stage.table(1).table.seq
    assert [] == [one for one in said if "error" in one]
    assert "BidMade" in [event["is"] for one in said for event in one.get("update", {}).get("events", ())]


async def test_second_press_of_a_button_is_stale():
    _, page = await at_a_table("ohell")
    asked = page.tables[1]["seq"]
    await page.types(f"/at 1:{asked} bid 0")
    refused = await page.types(f"/at 1:{asked} bid 0")

    assert ["stale"] == [one["error"]["code"] for one in refused if "error" in one]


async def test_word_after_the_colon_is_refused():
    _, page = await at_a_table("ohell")

    assert ["refused"] == [one["error"]["code"] for one in await page.types("/at 1:x bid 0")]


async def test_moves_of_a_group_are_completed_with_their_words():
    stage, page = await at_a_table("liarsdice")
    while "claim" not in {group["verb"] for group in page.tables[1]["moves"]["groups"]}:
        await page.types(f"/at 1 {chosen(page.tables[1], random.Random(6))}")
    found = stage.host.tables.completed(page.person, 1, "claim AAAA")

    assert {"text": "claim AAAAA", "say": "claim five aces"} == found[-1]
    assert all(one["text"].startswith("claim AAAA") for one in found)


async def test_nobody_completes_moves_of_another_seat():
    stage, _ = await at_a_table("liarsdice")
    bob = Page(stage, "bob")
    await bob.types("/watch 1")

    assert () == tuple(stage.host.tables.completed(bob.person, 1, "claim"))


# talk, clocks, and the end


async def test_talk_comes_once_and_also_to_its_sender():
    stage, ann = await at_a_table("ohell")
    bob = Page(stage, "bob")
    await bob.types("/watch 1")
    ann.take()
    said = [await bob.types("'hello"), ann.take()]

    assert [["hello"], ["hello"]] == [[one["talk"]["text"] for one in heard if "talk" in one] for heard in said]
    assert [[], []] == [[one["line"] for one in heard if "line" in one] for heard in said]
    assert 1 == len({one["talk"]["id"] for heard in said for one in heard if "talk" in one})


async def test_sender_on_a_page_still_reads_who_did_not_get_a_message():
    stage, ann = await at_a_table("ohell")
    stage.accounts.names["bob"] = "bob"
    said = await ann.types("bob;hello")

    assert "(bob is offline and will see it later)" in [one.get("line") for one in said]
    assert ["hello"] == [one["talk"]["text"] for one in said if "talk" in one]


async def test_ids_of_messages_grow():
    _, ann = await at_a_table("ohell")
    ids = [one["talk"]["id"] for _ in range(3) for one in await ann.types("'hello") if "talk" in one]

    assert ids == sorted(set(ids))


async def test_line_of_a_table_names_it_in_fields():
    _, ann = await at_a_table("ohell")
    begins = next(one for one in ann.heard if one.get("line", "").startswith("Ohell begins"))

    assert ("ohell", 1) == (begins["room"], begins["number"])


async def test_page_is_told_the_clock_of_a_timed_table():
    stage = await Stage.open({"ohell": games()["ohell"]})
    ann = Page(stage, "ann")
    await ann.types("/new ohell clock=60")
    await ann.types("/house")
    said = await ann.types("/start")
    clocks = [one["clock"] for one in said if "clock" in one]
    asked = [clock for clock in clocks if clock["left"] is not None]

    assert asked
    assert all(0 < clock["left"] <= 60 and clock["number"] == 1 for clock in asked)
    assert asked[-1]["seq"] == ann.tables[1]["seq"]


async def test_page_at_a_quick_table_is_told_of_time_only_while_someone_waits():
    """And whether it may take more, which it may once a turn."""
    stage = await Stage.open({"lilypoker": games()["lilypoker"]})
    ann = Page(stage, "Ann")
    said = [*await ann.types("/quick lilypoker"), *await until_asked(stage, ann)]
    assert [] == clocks(said)

    stage.enter("Bob")
    await stage.type("Bob", "/quick lilypoker")
    said = [*ann.take(), *await until_asked(stage, ann, "Bob")]
    assert [(True, True)] == [(0 < clock["left"] <= 60, clock["more"]) for clock in clocks(said)][-1:]
    (more,) = clocks(await ann.types("/at 1 moretime"))
    assert (True, False) == (60 < more["left"] <= 120, more["more"])
    stage.drop("Bob")
    (none,) = clocks(ann.take())
    assert (None, {}) == (none["left"], none["seats"])


async def until_asked(stage, page, other=""):
    """Let the other person, and the page, check or fold until it is the page's turn and both have a seat."""
    bot, said = stage.table(1), []
    while True:
        for name in filter(None, (other, "Ann")):
            seated = bot.table.seat_of(other or "Ann") is not None
            if name == "Ann" and seated and bot.question(page.person):
                return said
            if bot.question(stage.people[name]):
                await stage.type(name, f"/{bot.words(stage.people[name])[0]}") if name == other else said.extend(
                    await page.types(f"/{bot.words(page.person)[0]}")
                )
        await stage.quiet()
        said += page.take()


def clocks(said):
    return [one["clock"] for one in said if "clock" in one]


async def test_page_is_told_how_the_game_ended():
    stage = await Stage.open({"ohell": games()["ohell"]})
    page, luck = Page(stage, "ann"), random.Random(4)
    said = await page.types("/quick ohell max=3")
    while page.tables[1]["state"] == "playing" and page.tables[1]["moves"]["turn"]:
        said = await page.types(f"/at 1 {chosen(page.tables[1], luck)}")
    (over,) = [one["over"] for one in said if "over" in one]

    assert sorted(over["scores"], reverse=True) == [over["scores"][seat] for seat in over["rank"]]
    assert (1, "open", "over", None) == (over["number"], over["seal"], over["state"], over["rating"])
    (result,) = [one["line"] for one in said if one.get("room") == "ohell" and "line" in one]
    assert result.startswith("Game over: ")


async def test_page_gets_the_question_of_its_turn_and_what_each_choice_is():
    """The dice it holds have a name, and a claim is true or a bluff."""
    _, page = await at_a_table("liedie")
    ask = page.tables[1]["ask"]

    assert "Claim your throw, true or not" == ask["question"]
    assert ("Your dice", True) == (ask["held"]["label"], bool(ask["held"]["worth"]))
    assert {True: "true", False: "a bluff"} == {one["true"]: one["badge"] for one in ask["choices"]}


async def test_page_out_of_turn_is_asked_nothing():
    stage, page = await at_a_table("liedie")
    cat = Page(stage, "cat")
    await cat.types("/watch 1")

    assert page.tables[1]["ask"]
    assert cat.tables[1]["ask"] is None


@pytest.mark.parametrize("name", GAMES)
async def test_number_of_a_choice_makes_that_move(name):
    by_number, by_words = [await at_a_table(name) for _ in range(2)]
    choice = by_number[1].tables[1]["ask"]["choices"][0]
    await by_number[1].types(f"/at 1 pick {choice['number']}")
    await by_words[1].types(f"/at 1 {choice['move']}")
    views = [stage.table(1).table.view(0) for stage, _ in (by_number, by_words)]

    assert views[0] == views[1]
    assert by_number[1].tables[1]["seq"] > 1


async def test_fault_in_a_description_of_a_turn_leaves_the_numbered_moves():
    """The game goes on, and the sysop reads why."""
    broken = attrs.evolve(games()["liedie"], asks=lambda view, moves, reader: 1 // 0)
    stage = await Stage.open({"liedie": broken}, seed="1")
    page = Page(stage, "ann")
    await page.types("/quick liedie")

    assert "Your turn" == page.tables[1]["ask"]["question"]
    assert [1, 2, 3] == [one["number"] for one in page.tables[1]["ask"]["choices"]][:3]


async def test_fault_in_a_picture_leaves_the_table_in_words():
    broken = attrs.evolve(games()["liedie"], picture=lambda view, reader: 1 // 0)
    stage = await Stage.open({"liedie": broken}, seed="1")
    page = Page(stage, "ann")
    await page.types("/quick liedie")

    assert page.tables[1]["picture"]["texts"]
    assert page.tables[1]["moves"]["turn"]


async def test_turn_with_a_thousand_choices_and_endless_texts_is_cut():
    game = games()["liedie"]

    def endless(view, moves, reader):
        turn = game.asks(view, moves, reader)
        choices = tuple(attrs.evolve(turn.choices[0], text="roll \x1b[2J" * 1000) for _ in range(1000))
        return attrs.evolve(turn, question="why " * 1500, choices=choices)

    stage = await Stage.open({"liedie": attrs.evolve(game, asks=endless)}, seed="1")
    page = Page(stage, "ann")
    await page.types("/quick liedie")
    ask = page.tables[1]["ask"]

    assert 24 == len(ask["choices"])
    assert max(map(len, (ask["question"], *(one["text"] for one in ask["choices"])))) <= 301
    assert not any("\x1b" in one["text"] for one in ask["choices"])


async def test_page_hears_the_coach_with_its_turn():
    stage = await Stage.open({"ohell": games()["ohell"]}, seed="1")
    page = Page(stage, "ann")
    said = await page.types("/learn ohell")
    told = [one["line"].partition("Coach: ")[2] for one in said if "Coach: " in one.get("line", "")]

    assert told[-1] == page.tables[1]["ask"]["coach"][-1]["text"]


async def test_page_gets_the_price_of_a_hint_and_then_the_move_and_why():
    stage, page = await at_a_table("ohell")
    price = [one["hint"] for one in await page.types("/at 1 hint") if "hint" in one]
    hints = [one["hint"] for one in await page.types("/at 1 hint yes") if "hint" in one]

    assert ["this game no longer counts" in one["price"] for one in price] == [True]
    assert [(page.tables[1]["seq"], True)] == [(one["seq"], bool(one["text"])) for one in hints]
    assert hints[0]["move"] in {one["move"] for one in page.tables[1]["ask"]["choices"]}
    assert not stage.table(1).table.counted


async def test_page_offers_after_a_game_what_a_row_offers():
    stage, page = await at_a_table("liedie")
    stage.enter("bob")
    await stage.type("bob", "/watch 1")
    while stage.place.tables.open:
        await page.types(f"/at 1 {chosen(page.tables[1], random.Random(1))}")
    over = next(one["over"] for one in page.heard if "over" in one)

    assert ["rematch", "replay", "stats", "leave", "verify"] == [one["text"] for one in over["next"]]
    assert "/rematch 1" == over["next"][0]["line"]


async def test_game_without_a_picture_shows_its_table_in_words():
    """It never looks like a table that waits for players."""
    plain = attrs.evolve(games()["liedie"], picture=None)
    stage = await Stage.open({"liedie": plain}, seed="1")
    page = Page(stage, "ann")
    await page.types("/quick liedie")
    picture = page.tables[1]["picture"]

    assert ["Lie Die"] == picture["facts"]
    assert any("Game 1 of 4" in text for text in picture["texts"])
    assert [0] == [one["seat"] for one in picture["seats"] if one["to_move"]]


async def test_roster_says_who_is_away_and_who_is_gone():
    stage, ann = await at_a_table("ohell")
    bob = Page(stage, "bob")
    await bob.types("/watch 1")
    ann.drop()
    gone = [one["roster"]["roster"][0] for one in bob.take() if "roster" in one]
    ann.come()
    await ann.types("/away")
    away = [one["roster"]["roster"][0] for one in bob.take() if "roster" in one]

    assert [(False, False)] == [(one["here"], one["away"]) for one in gone][-1:]
    assert [(True, True)] == [(one["here"], one["away"]) for one in away][-1:]


async def test_second_login_tells_the_first_page_to_stay_away():
    _, page = await at_a_table("ohell")
    first = page._wire
    page.come()
    said = [json.loads(row) for row in first.sent.decode().splitlines()]

    assert [{"reason": "elsewhere", "retry": False}] == [one["goodbye"] for one in said if "goodbye" in one]


async def test_page_that_says_bye_is_told_goodbye():
    _, page = await at_a_table("ohell")

    assert {"reason": "bye", "retry": False} in [one.get("goodbye") for one in await page.types("/bye")]


async def test_fold_where_a_check_is_free_comes_with_a_doubt():
    _, page = await at_a_table("lilypoker")
    luck = random.Random(3)
    while "check" not in (verbs := {one["move"]: one for one in page.tables[1]["moves"]["list"]}):
        await page.types(f"/at 1 {chosen(page.tables[1], luck)}")

    assert "You can check for nothing instead of folding." == verbs["fold"]["doubt"]
    assert "doubt" not in verbs["check"]


async def test_text_of_people_is_clean_in_every_packet():
    """It has no control, bidi or invisible characters, wherever it comes from."""
    stage, ann = await at_a_table("ohell")
    dirt = "\u202eno\x1b[2J\u200bbody\x07"
    await ann.types(f"/blurb {dirt}")
    await ann.types(f"/create den {dirt}")
    stage.people["ann"].update_profile(blurb=dirt)
    stage.rooms["den"].retitle(dirt)
    await ann.types(f"'{dirt}")
    for what in ("people", "rooms", "place", "tables"):
        ann.person.terminal._user.get(what, None)
    said = json.dumps(ann.take() + ann.heard, ensure_ascii=False)

    assert "nobody" in said
    assert not set("\u202e\x1b\u200b\x07") & set(said)
    assert "\\u202e" not in said


async def test_spectators_share_one_update():
    """It is made once for all of them, however many there are."""
    stage = await Stage.open({"ohell": games()["ohell"]})
    screens = []
    for name in ("ann", "bob", "cat"):
        screen = stage.enter(name)
        screen.page = True
        screen.takes_packets = True
        screens.append(screen)
    await stage.type("ann", "/quick ohell")
    for name in ("bob", "cat"):
        await stage.type(name, "/watch 1")
    await stage.type("ann", "/at 1 bid 0")
    ann, bob, cat = ([packet for packet in screen.packets if packet.name == "update"][-1] for screen in screens)

    assert bob is cat
    assert (0, None) == (ann.value["seat"], bob.value["seat"])


async def test_bots_pause_for_people_at_pages_and_not_for_programs():
    _, page = await at_a_table("ohell")
    assert 1.0 == slowest([page.person])

    await page.types("/set delay off")
    assert 0.0 == slowest([page.person])


async def test_page_that_asks_before_the_login_is_told_things_in_order():
    stage, wire = await Stage.open({"ohell": games()["ohell"]}), Wire()
    terminal = TelnetTerminal(wire, program=True)
    terminal.feed(b'{"id":1,"picture":true}\n{"id":2,"line":"guest"}\n{"id":3,"line":"/quick ohell"}\n')
    terminal.gone()
    async with asyncio.timeout(DEADLINE):
        await visit(stage.host, stage.place.dispatcher, terminal)
    said = [json.loads(row) for row in wire.sent.decode().splitlines()]
    order = [next(iter(one)) for one in said]
    wanted = ("hello", "place", "you", "resume", "rooms", "tables", "people", "table")

    assert [] == [wrong for one in said for wrong in misfits(one)]
    assert [*wanted] == [kind for kind in order if kind in wanted]


async def test_terminal_of_a_page_goes_on_in_the_next_process():
    terminal = TelnetTerminal(Wire(), program=True)
    terminal._choice.for_page()
    other = TelnetTerminal(Wire(), program=True)
    other.take_up(terminal.carry(), {}, Packet("name", {}))

    assert other.takes_picture


async def test_page_that_resumes_goes_on_watching_only_what_it_may_see():
    stage = await Stage.open({"ohell": games()["ohell"]})
    ann, bob = Page(stage, "ann"), Page(stage, "bob")
    await ann.types("/new ohell private=on")
    bob.drop()
    bob.come(seen={1: 1, 7: 3})
    await stage.quiet()

    assert [] == [one for one in bob.take() if "table" in one or "update" in one]
    assert "bob" not in stage.table(1).room.people


async def test_spectator_who_resumes_is_not_announced_as_new():
    stage = await Stage.open({"ohell": games()["ohell"]})
    ann, bob = Page(stage, "ann"), Page(stage, "bob")
    await ann.types("/new ohell")
    await bob.types("/watch 1")
    said = [one["line"] for one in ann.take() if "line" in one]
    bob.take()
    bob.drop()
    await bob.come_back()

    assert "bob" in stage.table(1).room.people
    assert "ohell" == bob.person.room.name
    assert any(told := [line for line in said if "bob" in line and "ohell" in line])
    assert [] == [one["line"] for one in ann.take() if one.get("line") in told]


async def test_news_for_many_pages_is_encoded_once(monkeypatch):
    stage = await Stage.open({"ohell": games()["ohell"]})
    pages = [Page(stage, name) for name in ("ann", "bob")]
    encoded, real = [], machine.row_of
    monkeypatch.setattr(machine, "row_of", lambda line, *re, **named: encoded.append(line) or real(line, *re, **named))
    stage.enter("cat")
    heard = [[one["line"] for one in page.take() if "line" in one] for page in pages]

    assert all("*** cat has entered lily ***" in lines for lines in heard)
    assert 1 == sum(line.text == "*** cat has entered lily ***" for line in encoded)
