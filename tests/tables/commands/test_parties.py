"""Parties: a private table with a code, which people join by it and televisions show."""

import pytest

from lilygames.games import games
from lilygames.gametest.stage import Screen, Stage
from lilygames.limits.quota import PARTY_CODE
from lilygames.tables.play.televisions import MOST
from lilygames.tables.seeks import party_codes
from lilygames.tables.sight.positions import round_of
from lilygames.text import Voice
from tests.schemas import misfits
from tests.toys import TALLY

ADDRESS = "https://play.example.org"
HOST, BOB, CAT, DAN = "Olga", "bob", "Cat", "DAN"


def said(rows):
    return " ".join(" ".join(rows).split())


class Party:
    """Olga's party, and people who come to it; Cat is a guest."""

    def __init__(self, stage):
        self.stage = stage

    @classmethod
    async def open(cls, found, line, **details):
        stage = await Stage.open(found, **details)
        for name in (HOST, BOB, CAT, DAN):
            stage.enter(name, guest=name == CAT)
            stage.screens[name].address = stage.people[name].origin
        party = cls(stage)
        party.told = await stage.type(HOST, line)
        return party

    @property
    def table(self):
        return self.stage.table(1).table

    @property
    def code(self):
        return self.table.header.party

    @property
    def seats(self):
        return [who.name for who in self.table.seats]

    async def sits(self, name, code=""):
        return said(await self.stage.type(name, f"/sit {code or self.code}"))

    async def television(self, code=""):
        """Turn on a television, and return it; raises `UserError`."""
        screen = Screen(Voice())
        screen.page = screen.takes_packets = True
        await self.stage.host.tables.show(code or self.code, screen, self.stage.host.quotas)
        return screen

    async def until_next_round(self):
        before = round_of(self.table)
        while round_of(self.table) == before:
            await self.stage.quiet()
            await self.stage.type(HOST, f"/{self.stage.table(1).words(self.stage.people[HOST])[0]}")
            await self.stage.quiet()


@pytest.fixture
async def party(store):
    return await Party.open(TALLY, "/party tally", store=store)


def names(screen):
    return [packet.name for packet in screen.packets]


# opening and joining


async def test_party_tells_its_host_the_code_and_both_addresses(store):
    stage = await Stage.open(TALLY, store=store)
    stage.enter(HOST)
    stage.host.web_address = ADDRESS
    rows = await stage.type(HOST, "/party tally")
    code = stage.table(1).table.header.party

    assert [
        f"(party {code}: anyone with the code can join. Type /start to begin.)",
        f"Phones: {ADDRESS}/j/{code} (telnet: /sit {code})",
        f"Television: {ADDRESS}/tv/{code}",
    ] == rows[-3:]
    assert code == party_codes.read(code)
    assert rows[-3:] == (await stage.type(HOST, "/party"))[-3:]


async def test_party_is_private_and_not_rated(party):
    assert (True, False) == (party.table.header.private, party.table.header.rated)
    assert "no tables" in said(await party.stage.type(BOB, "/tables")) or party.code not in said(
        await party.stage.type(BOB, "/tables")
    )


async def test_party_without_a_page_names_the_paths(party):
    assert f"Phones: this server's page, with /j/{party.code} (telnet: /sit {party.code})" in party.told


@pytest.mark.parametrize("change", [str, str.lower, str.title])
async def test_code_seats_whoever_types_it(party, change):
    await party.sits(BOB, change(party.code))
    await party.sits(CAT, change(party.code))

    assert [HOST, BOB, CAT] == party.seats


async def test_names_are_refused_because_the_code_invites(party):
    assert "/party invites nobody by name" in said(await party.stage.type(BOB, "/party tally cat"))


async def test_party_cannot_be_rated(party):
    assert "a party can't be rated" in said(await party.stage.type(BOB, "/party tally rated=on"))


async def test_party_alone_says_how_to_open_one(party):
    assert "type /party and a game" in said(await party.stage.type(BOB, "/party"))


async def test_open_parties_have_different_codes(party, monkeypatch):
    drawn = iter([party.code[:-2], party.code[:-2], "LILY"])
    numbers = iter([int(party.code[-2:]) - 10, int(party.code[-2:]) - 10, 1])
    monkeypatch.setattr(party_codes.secrets, "choice", lambda _: next(drawn))
    monkeypatch.setattr(party_codes.secrets, "randbelow", lambda _: next(numbers))
    await party.stage.type(BOB, "/party tally")

    assert "LILY11" == party.stage.table(2).table.header.party


def test_words_of_codes_are_short_and_different():
    assert {True} == {3 <= len(word) <= 6 and word.isalpha() for word in party_codes.WORDS}
    assert len(party_codes.WORDS) == len({*party_codes.WORDS})


@pytest.mark.parametrize("text", ["", "PEAR", "42", "PEAR4", "PEAR421", "PEAR02", "ohell22", "ohell-22", "PÉAR42"])
def test_other_texts_are_not_codes(text):
    assert "" == party_codes.read(text)


# what strangers learn


def other_than(code):
    return f"{'LILY' if 'PEAR' in code else 'PEAR'}42"


async def test_unknown_and_closed_and_full_codes_answer_the_same(store):
    party = await Party.open({"liarspoker": games()["liarspoker"]}, "/party liarspoker", store=store)
    code = party.code
    seats = party.table.game.rules.SEATS.stop - 1
    await party.stage.type(HOST, f"/house {seats - 1}")
    full = await party.sits(BOB, code)
    unknown = await party.sits(BOB, other_than(code))
    await party.stage.type(HOST, "/leave")
    closed = await party.sits(BOB, code)

    assert {
        "Refused: there is no party “X” with a free seat now. Check the code on the television, or ask the host."
    } == {
        full.replace(code, "X"),
        unknown.replace(other_than(code), "X"),
        closed.replace(code, "X"),
    }


async def test_wrong_codes_are_limited_and_then_the_right_one_is_refused(party):
    most = PARTY_CODE.limits[0].most
    for _ in range(most):
        assert "there is no party" in await party.sits(BOB, other_than(party.code))

    assert f"{most} wrong codes were typed from your address" in await party.sits(BOB)
    assert [HOST] == party.seats


async def test_right_codes_are_not_counted(party):
    for _ in range(PARTY_CODE.limits[0].most + 1):
        await party.sits(BOB)
        await party.stage.type(BOB, "/leave")
    await party.sits(BOB)

    assert [HOST, BOB] == party.seats


async def test_number_of_a_party_opens_nothing(party):
    assert "there is no table “1” now" in said(await party.stage.type(BOB, "/sit 1"))
    assert "there is no table “1” now" in said(await party.stage.type(BOB, "/watch 1"))


async def test_code_is_nowhere_in_what_others_may_get(party):
    dan = party.stage.screens[DAN]
    dan.page = dan.takes_packets = True
    for line in ("/tables", "/seeks", "/who", "/rooms", "/what tally", "/export 1", "/at 1 table"):
        await party.stage.type(DAN, line)
    party.stage.host.tables.follow(party.stage.people[DAN], lost=True)

    assert not any(party.code in f"{one}" for one in (*dan.rows, *dan.packets))


# latecomers


@pytest.fixture
async def late(store):
    party = await Party.open({"ohell": games()["ohell"]}, "/party ohell max=3", store=store)
    await party.stage.type(HOST, "/house 2")
    await party.stage.type(HOST, "/start")
    return party


async def test_latecomer_watches_and_gets_a_bots_seat_in_the_next_round(late):
    before = late.seats

    assert "You get a bot's seat when the next round begins" in await late.sits(CAT)
    assert before == late.seats
    await late.until_next_round()
    assert [HOST, CAT] == [who.name for who in late.table.seats.people]


async def test_latecomer_gets_no_hand_that_a_bot_plays_while_no_player_is_here(late):
    late.stage.drop(HOST)
    await late.sits(CAT)

    assert [] == [who.name for who in late.table.seats.people if who.name == CAT]


async def test_party_is_full_once_others_wait_for_all_bots_seats(late):
    await late.sits(BOB)
    await late.sits(CAT)

    assert "there is no party" in await late.sits(DAN)
    assert "there is no party" not in await late.sits(CAT)


async def test_latecomer_takes_the_seat_of_someone_who_left(store):
    party = await Party.open({"ohell": games()["ohell"]}, "/party ohell max=3", store=store)
    await party.sits(BOB)
    await party.stage.type(HOST, "/start")
    await party.stage.type(BOB, "/at 1 leave")
    await party.sits(CAT)

    assert [HOST, CAT] == [who.name for who in party.table.seats.people]


# restarts and rematches


async def test_code_is_valid_after_a_restart(party, store):
    code = party.code
    again = Party(await Stage.open(TALLY, store=store, at_once=False))
    again.stage.enter(BOB)
    await again.sits(BOB, code)

    assert [HOST, BOB] == again.seats


async def test_rematch_has_the_same_code_and_stays_on_the_television(store):
    party = await Party.open({"ohell": games()["ohell"]}, "/party ohell max=3", store=store)
    code = party.code
    await party.stage.type(HOST, "/house 2")
    await party.stage.type(HOST, "/start")
    screen = await party.television()
    while 1 in party.stage.open_tables:
        await party.stage.quiet()
        if 1 in party.stage.open_tables and party.stage.table(1).question(party.stage.people[HOST]):
            await party.stage.type(HOST, f"/{party.stage.table(1).words(party.stage.people[HOST])[0]}")
    assert "over" in names(screen)
    await party.stage.type(HOST, "/rematch 1")

    assert code == party.stage.table(2).table.header.party
    assert [1, 2] == sorted({one.value["number"] for one in screen.packets if one.name == "table"})


# televisions


async def test_television_gets_what_a_spectator_gets(late):
    await late.stage.type(HOST, "/invite dan")
    dan = late.stage.screens[DAN]
    dan.page = dan.takes_packets = True
    await late.stage.type(DAN, "/watch 1")
    screen = await late.television()
    dan.packets.clear()
    screen.packets.clear()
    await late.until_next_round()
    seen = [one for one in dan.packets if one.name in ("update", "roster", "clock", "over")]

    assert seen
    assert seen == [one for one in screen.packets if one.name != "party"]


async def test_television_gets_the_whole_table_and_how_many_seats_are_free(party):
    screen = await party.television()
    table, about = screen.packets

    assert (None, None) == (table.value["seat"], table.value.get("party"))
    assert {"number": 1, "code": party.code, "free": about.value["free"]} == about.value
    assert [] == [*misfits({"table": table.value}), *misfits({"party": about.value})]
    await party.sits(BOB)
    assert about.value["free"] - 1 == [one for one in screen.packets if one.name == "party"][-1].value["free"]


async def test_television_takes_no_seat_and_is_nobody(party):
    await party.television()

    assert [HOST] == party.seats
    assert 4 == party.stage.host.people.number_here


async def test_table_has_a_few_televisions_at_most(party):
    shown = [await party.television() for _ in range(MOST)]
    with pytest.raises(Exception, match="televisions show this table already"):
        await party.television()
    party.stage.host.tables.hide(shown[0])

    assert "table" in names(await party.television())


async def test_television_that_is_turned_off_gets_nothing_more(party):
    screen = await party.television()
    party.stage.host.tables.hide(screen)
    screen.packets.clear()
    await party.sits(BOB)

    assert [] == screen.packets


async def test_television_with_a_wrong_code_uses_up_the_same_quota(party):
    for _ in range(PARTY_CODE.limits[0].most):
        with pytest.raises(Exception, match="there is no party"):
            await party.television(other_than(party.code))
    with pytest.raises(Exception, match="wrong codes were typed"):
        await party.television()
