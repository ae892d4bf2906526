"""What happened at the place that is kept: each scene is typed by its people.

The first day is nine days before the last, because what is new, such as an account, may do less.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tests.deadline import DEADLINE
from tests.upgrade.caller import number, state
from tests.upgrade.making import Making

REOPENED = (
    "U fold, D call, S raise 97, B fold, D call, S check, D bet 2, S fold",  # S has 3 left, and deals next
    "U call, D allin, S fold, B call",
    "U raise 5",
)
"""No limit: the button is all-in for 3, which is less than a raise, before anyone has raised."""
REOPENED_FIXED = (
    "U fold, D raise 4, S raise 6, B fold, D raise 8, S call, S check, D bet 2, S fold",
    "U call, D allin, S fold, B call",
    "U raise 5",
)
"""The same with a fixed limit, and 11 chips each."""
REOPENED_DRAW = (
    "S bet 15, B fold, U fold, D call, S stand, D stand, S check, D bet 2, S fold",
    "S check, B bet 16, U call, D fold, S fold, B stand, U stand, B check, U bet 2, B fold",
    "S bet 1, B call, U raise 2, D call",
    "B raise 4",
)
"""Draw, no limit, and 20 chips each: an all-in bet of 1, and one of 2, before anyone has bet as much as one must."""
SHORT_BLIND = (
    "U raise 99, D fold, S fold, B call, B bet 1, U fold",  # under the gun has 1 left, and is the next big blind
    "U call, D call",
)
"""No limit: the big blind is all-in for 1, and others call 1."""
SHORT_ALL_INS = (
    ("/new lilypoker variant=holdem limit=no hands=3", REOPENED),
    ("/new lilypoker variant=holdem buyin=11 hands=3", REOPENED_FIXED),
    ("/new lilypoker limit=no buyin=20 hands=4", REOPENED_DRAW),
    ("/new lilypoker variant=holdem limit=no hands=3 showdown=all", SHORT_BLIND),
)
"""Poker with an all-in that is too short for a bet or a raise: how the table is opened, and what is played."""
FOUR = ("ann", "bob", "cyd", "Mia")
TENTH = "/new liarspoker last-double=on progressive=off"
"""Ten hands use up a slip: the last one is the tenth number, too."""


async def first_day(make: Making) -> None:
    """Play games that will be in the archive, the deal of a day that is over, and with someone who will be gone."""
    room = await make.table("ann", "/new ohell max=3 first-dealer=host bob", "bob", house="2", cut="pips")
    await make.play(room, "ann", "bob")
    room = await make.table("ann", "/new wizard -german", "Gus", house="2")
    await make.play(room, "ann", "Gus")
    room = await make.table("Gus", "/new liarsdice points=1 max-rounds=4", "Mia", house="club 1")
    await make.play(room, "Gus", "Mia")
    await make.play(await make.opens("ann", "/daily ohell"), "ann")
    await make.play(await make.opens("bob", "/daily ohell"), "bob")
    await make.says("Gus", "-lobby;nobody will remember me", "ann;keep this to yourself", "/info add Gus was here")
    await make.says("ann", "/memo set Gus owes me a tea")
    await make.says("HAL", "-lobby;good evening, everyone")
    for name in ("cyd", "ann", "bob"):
        await make.says(name, "/ladder join ohell")


async def finished_games(make: Making) -> None:
    """Finish games of all seven: with open and closed seals, at private tables, with clocks."""
    room = await make.table("bob", "/wizard challenge -german -inorder ann cyd", "ann", "cyd", house="3")
    await make.play(room, "ann", "bob", "cyd")
    for opened, house in (
        ("/new liarsdice points=2 max-rounds=6 reveal=always", "novice 2"),
        ("/new liarsdice points=1 max-rounds=4", "shark 1"),
        ("/new liedie games=2", "club 1"),
        ("/new liarspoker hands=2 seal=open", "shark 1"),
        ("/new liarspoker hands=3", "novice 1"),
        ("/new liarslair each=2 seal=open", "shark 2"),
        ("/new liarslair each=2", "novice 2"),
        ("/new lilypoker variant=holdem hands=3 seal=open", "shark 1"),
        ("/new lilypoker variant=stud7 hands=2", "novice 1"),
        ("/new lilypoker hands=2 showdown=all seal=open", "club 1"),
    ):
        room = await make.table("ann", opened, "bob", house=house)
        await make.play(room, "ann", "bob")
    await make.play(await make.table("Mia", "/new liedie games=2", house="master 1"), "Mia")
    room = await make.table("ann", "/new ohell max=3 private=on seal=closed bob", "bob", house="")
    await make.play(room, "ann", "bob")
    room = await make.table("ann", "/new ohell max=3 clock=1 late=skip", "dot", house="1")
    await make.play(room, "ann")  # dot's time runs out at every turn
    room = await make.table("ann", "/new ohell max=3 clock=1 late=substitute", "cyd", house="1")
    await make.play(room, "ann")  # and cyd is substituted
    await undone_game(make)
    for opened in (f"{TENTH} seal=open", TENTH):
        await make.play(await make.table("ann", opened, "bob", house="novice 1"), "ann", "bob")


async def undone_game(make: Making) -> None:
    """Finish a game with an undo, in which a bot gets a seat for good."""
    room = await make.table("ann", "/new ohell max=3 rated=off first-dealer=host", "bob", "eli", house="")
    await make.play(room, "bob", moves=1)
    for name in ("ann", "bob", "eli"):
        await make.says(name, f"/at {room} undo")
    make.people["bob"].play(room, 4)
    make.people["ann"].play(room, 4)
    make.people["eli"].play(room, 3)
    await make.quiet()
    await make.says("eli", f"/at {room} leave")
    await make.play(room, "ann", "bob")


async def finished_hands(make: Making) -> None:
    """Finish poker in which a short all-in let someone raise, or call less than the blind."""
    for opened, hands in SHORT_ALL_INS:
        for seal in ("open", "closed"):
            room = await make.begun("ann", f"{opened} seal={seal}", *FOUR[1:], house="")
            for moves in hands:
                await make.hand(room, "ann", moves)
            await make.play(room, *FOUR)


async def open_hands(make: Making) -> None:
    """Stop such hands before somebody may raise, and after it."""
    for opened, hands in SHORT_ALL_INS:
        for played in (hands[:-1], hands):
            room = await make.begun("ann", opened, *FOUR[1:], house="")
            for moves in played:
                await make.hand(room, "ann", moves)


async def sealed_games(make: Making) -> None:
    """Finish a game whose deck the clients helped to seal, after a round that one of them made void; leave another."""
    for name in ("ann", "bob", "cyd"):
        make.people[name].commits = make.people[name].reveals = True
    make.people["cyd"].reveals = False
    for closed in ("open", "closed"):
        room = await make.table("ann", f"/new ohell max=3 seal={closed}", "bob", "cyd", house="1")
        await make.people["bob"].caller.until(
            lambda room=room: any(f"[{room}]" in line and "void" in line for line in make.people["bob"].caller.lines)
        )
        await make.quiet()
        if state(make.people["ann"].caller, room) == "waiting":
            await make.says("ann", f"/at {room} start")
        await make.play(room, "ann", "bob", "cyd")
    make.people["cyd"].reveals = True
    room = await make.begun("ann", "/new wizard -german", "bob", "cyd", house="")
    await make.play(room, "ann", "bob", "cyd", moves=3)
    for name in ("ann", "bob", "cyd"):
        make.people[name].commits = make.people[name].reveals = False


async def open_games(make: Making) -> None:
    """Begin games of all seven and leave them in progress."""

    async def stop(room: str, *names: str, moves: int) -> None:
        await make.play(room, *names, moves=moves)

    await stop(await make.table("ann", "/new ohell max=5", "dot", house="shark 1"), "ann", "dot", moves=4)
    await stop(await make.table("bob", "/new wizard -canadian clock=3d cyd", "cyd", house="4"), "bob", "cyd", moves=5)
    await stop(await make.table("ann", "/new liarsdice points=3 max-rounds=8", "bob"), "ann", "bob", moves=3)
    await stop(await make.table("bob", "/new liedie games=4", "eli", house="club 1"), "bob", "eli", moves=2)
    await stop(await make.table("Mia", "/new liedie games=4", house="master 1"), "Mia", moves=3)
    await stop(await make.table("ann", "/new liarspoker hands=4", "bob", house="1"), "ann", "bob", moves=2)
    await stop(await make.table("ann", "/new liarspoker hands=3 seal=open", "dot", house="1"), "ann", "dot", moves=2)
    await stop(
        await make.table("ann", "/new liarspoker hands=3 numbers=bills private=on bob", "bob", house=""),
        "ann", "bob", moves=1,
    )  # fmt: skip
    await stop(await make.table("cyd", "/new liarslair each=2", "ann", house="shark 1"), "ann", "cyd", moves=3)
    await stop(await make.table("bob", "/new lilypoker hands=6", "cyd", house="1"), "bob", "cyd", moves=4)
    await stop(await make.table("cyd", "/new lilypoker variant=stud7 hands=3", "ann", house="1"), "ann", "cyd", moves=2)
    await stop(await make.table("ann", "/new ohell max=4 seal=closed", "bob", house="1"), "ann", "bob", moves=3)
    await stop(
        await make.table("ann", "/new ohell max=4 clock=10m+5 late=skip", "bob", house="1"), "ann", "bob", moves=4
    )
    await undone_moves(make)
    await make.play_until(await make.table("ann", TENTH, "bob", house="1"), tenth_number, "ann", "bob")
    room = await make.table("ann", "/new ohell max=4", "bob", house="")
    await stop(room, "ann", "bob", moves=3)
    await make.says("ann", f"/at {room} adjourn")
    await make.says("bob", f"/at {room} adjourn")
    room = await make.table("ann", "/new ohell max=4 clock=3 late=substitute", "cyd", house="1")
    ann = make.people["ann"]
    ann.play(room, 2)
    await ann.caller.until(lambda: "cyd" not in ann.caller.tables[room]["table"]["names"])  # late, so a bot plays on
    ann.left.clear()
    await make.says("ann", f"/at {room} pace none")
    await make.quiet()
    await make.says("ann", "/new wizard -german bob cyd")  # this one waits for bob and cyd
    await make.says("bob", "/seek ohell 5 max=3")


async def undone_moves(make: Making) -> None:
    """Leave a game in which moves were taken back."""
    room = await make.table("ann", "/new ohell max=4 first-dealer=host", "bob", house="")
    await make.play(room, "bob", moves=1)
    for name in ("ann", "bob"):
        await make.says(name, f"/at {room} undo")
    await make.play(room, "bob", moves=1)


def tenth_number(view: Mapping[str, Any]) -> bool:
    """Return whether the tenth number of a slip is in play."""
    return len(view["match"]["sheet"]) == 9


async def belongings(make: Making) -> None:
    """Let people own things, talk and change settings."""
    await make.says("ann", "/info add I play wizard on fridays", "/memo set plan sunday at eight", "/blurb hungry")
    await make.says("ann", '/create cafe "coffee and cards"', "/create den private", "/permit den bob")
    await make.says("ann", "/appoint cafe bob moderator", "/group team add bob,cyd")
    await make.says("bob", "/join cafe", "/join den", "/ignore cyd", "/block vonda", "/notify join,quit off")
    await make.says("bob", "/formula decline guests", "/set width 60", "/vacation 3", "/signal private on")
    await make.says("cyd", "/join cafe", "/info add Cyd keeps bees")
    await make.says("ann", "-cafe;the kettle is on", "-den;only for the two of us", "bob;see you at noon")
    await make.says("bob", "-cafe;two sugars, please", "ann;noon it is", ":and not later")
    await make.says("vonda", "-lobby;greetings from the mountains", "/emote waves")


async def order(make: Making) -> None:
    """Let a sysop keep order: a warning, a mute, a ban, a frozen table; and let people report and appeal."""
    await make.says("zoe", "/motd The roof is mended.", '/event new "Ohell night" in_5d weekly')
    await make.says("Mia", "/event join 1", "/feedback the bell is loud")
    await make.says("HAL", "-lobby;I can see all your cards", "ann;open the door")
    await make.says("Mia", "/report HAL says that he sees our cards", "/block HAL")
    await make.says("zoe", "/warn HAL that was not funny", "/mute HAL 30d and again")
    await make.says("zoe", "/ban Ivo 30d sells chips\r\nyes")  # any other line would take it back
    if not any("banned Ivo" in row for row in await make.says("zoe", "/audit Ivo")):
        raise ValueError(f"Ivo isn't banned: {await make.says('zoe', '/audit Ivo')}")
    del make.people["Ivo"]
    await make.says("HAL", "/appeal it was a film")


async def frozen_game(make: Making) -> None:
    """Leave a game that a sysop has stopped."""
    room = await make.begun("ann", "/new ohell max=3", "bob", house="1")
    await make.play(room, "ann", "bob", moves=2)
    stopped = number(make.people["ann"].caller, room)
    await make.says("zoe", f"/freeze {stopped} someone saw a card")


async def same_cards(make: Making) -> None:
    """Play a duplicate set of three tables, today's deals, a duel of the ladder, and lessons; finish some."""
    await make.play(await make.table("ann", "/new ohell max=3 duplicate=friday", house="2"), "ann")
    for name, moves in (("bob", float("inf")), ("cyd", 2)):
        room = await make.opens(name, "/new ohell max=3 duplicate=friday")
        if state(make.people[name].caller, room) == "waiting":
            await make.says(name, f"/at {room} start")
        await make.play(room, name, moves=moves)
    for name, game, moves in (
        ("ann", "ohell", float("inf")),
        ("bob", "ohell", float("inf")),
        ("Fox", "ohell", float("inf")),
        ("cyd", "ohell", 2),
        ("ann", "wizard", 3),
    ):
        await make.play(await make.opens(name, f"/daily {game}"), name, moves=moves)
    await make.says("bob", "/ladder challenge cyd")
    await make.says("cyd", "/ladder accept")
    await make.play(await make.opens("bob", "/ladder play"), "bob")
    await make.play(await make.opens("cyd", "/ladder play"), "cyd", moves=3)
    await make.says("cyd", "/ladder challenge ann")
    room = await make.opens("bob", "/learn ohell")
    await make.play(room, "bob", moves=2)


async def tournament(make: Making) -> None:
    """Play a tournament up to its second round, which has one finished game and one in progress."""
    await make.says(
        "zoe", "/tournament new ohell swiss rounds=3 start=in_1m seats=2 clock=20m+5 pause=2 max=3 name=Cup"
    )
    players = ("ann", "bob", "cyd", "Mia")
    for name in players:
        await make.says(name, "/tournament join Cup")
    before = {name: seats(make, name) for name in players}
    for round_ in (1, 2):
        rooms = {name: await drawn(make, name, before[name]) for name in players}
        for name in players:
            before[name] |= {number(make.people[name].caller, rooms[name])}
        for room in {*rooms.values()}:
            both = [name for name in players if rooms[name] == room]
            await make.play(room, *both, moves=2 if round_ > 1 and "ann" in both else float("inf"))
    await make.quiet()


def seats(make: Making, name: str) -> set[int]:
    """Return the numbers of the tables that someone knows."""
    caller = make.people[name].caller
    return {number(caller, room) for room in caller.tables}


async def drawn(make: Making, name: str, before: set[int]) -> str:
    """Return the room of the next table of a tournament that someone is taken to, when its game has begun."""
    caller = make.people[name].caller
    async with asyncio.timeout(DEADLINE):
        while True:
            for room in caller.tables:
                if number(caller, room) not in before and state(caller, room) == "playing":
                    return room
            await asyncio.sleep(0.2)
