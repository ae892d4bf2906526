"""Make the server data that `test_upgrade.py` opens: python -m tests.upgrade.make TREE FOLDER.

TREE is a checkout of the release to keep, run by this Python; FOLDER gets `place.tar.xz` and `expected.json`. It was
run once, for commit 58c2fe9, and need not be run again: it is kept to show where the data came from. It types at a real
server over a socket, as its people would have, and records facts (hands, scores, winners), never sentences.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from tests.upgrade.caller import Caller, Player, cards, lilygames, number, numbers, served, state

PASSWORDS = {
    "ann": "pears in a bowl 7",
    "bob": "tram to the sea 8",
    "cyd": "nine green kites",
    "wilma": "slow snow falls",
    "zoe": "who looks on, sees",
}
GUESTS = ("dot", "eli")
LISTED = 64
"""The most moves listed by a packet."""
PLAYERS = ("ann", "bob", "cyd", "dot", "eli")


class Making:
    """A server in the making: its people, and the rooms of its tables."""

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.people: dict[str, Player] = {}
        self.words: dict[str, str] = {}
        """Each guest's return word."""

    async def enter(self, name: str) -> None:
        """Log in a newcomer."""
        password = PASSWORDS.get(name, "")
        caller = await Caller.enter(self.port, name, *([password, password] if password else [""]))
        self.people[name] = Player(caller, "1")

    async def says(self, name: str, *lines: str) -> list[str]:
        """Type lines as `name`, one after the other, and return the answers."""
        shown = []
        for line in lines:
            shown += await self.people[name].caller.ask(line)
        return shown

    async def table(self, host: str, opened: str, *others: str, house: str = "novice 2", cut: str = "") -> str:
        """Open a table as `name`, seat bots and other people, start the game, and return its room."""
        caller = self.people[host].caller
        before = {number(caller, room) for room in caller.tables}
        await self.says(host, opened)
        (room,) = [room for room in caller.tables if number(caller, room) not in before]
        if cut:
            await self.says(host, f"/at {room} cut {cut}")
        if house:
            await self.says(host, f"/at {room} house {house}")
        for name in others:
            word = re.search(r"come back with: \w+ ([\w-]+)", " ".join(await self.says(name, f"/sit {room}")))
            if word:
                self.words[name] = word[1]
        await self.quiet()
        if state(caller, room) == "waiting":
            await self.says(host, f"/at {room} start")
        return room

    async def play(self, room: str, *names: str, moves: float = float("inf")) -> None:
        """Let people make at most this many moves each; without a number, finish the game."""
        players = [self.people[name] for name in names]
        for player in players:
            player.play(room, moves)
        await self.quiet()
        if moves == float("inf"):
            await players[0].caller.until(lambda: state(players[0].caller, room) == "over")
            await self.quiet()
        for player in players:
            player.left.clear()

    async def quiet(self) -> None:
        """Return when nobody has received anything for a moment."""
        heard: list[int] = []
        while heard != (heard := [one.caller.heard for one in self.people.values()]):  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(1)


async def finished_games(make: Making) -> None:
    """Finish games of all seven: with open and closed seals, at private tables, with clocks."""
    room = await make.table("ann", "/new ohell max=3 first-dealer=host bob", "bob", house="2", cut="pips")
    await make.play(room, "ann", "bob")
    room = await make.table("bob", "/wizard challenge -german -inorder ann cyd", "ann", "cyd", house="3")
    await make.play(room, "ann", "bob", "cyd")
    for opened, house in (
        ("/new liarsdice points=2 max-rounds=6 reveal=always", "novice 2"),
        ("/new liedie games=2", "novice 1"),
        ("/new liarspoker hands=2 seal=open", "shark 1"),
        ("/new liarspoker hands=3", "novice 1"),
        ("/new liarslair each=2 seal=open", "novice 2"),
        ("/new liarslair each=2", "novice 2"),
        ("/new lilypoker variant=holdem hands=3 seal=open", "novice 1"),
        ("/new lilypoker variant=stud7 hands=2", "novice 1"),
        ("/new lilypoker hands=2 showdown=all seal=open", "club 1"),
    ):
        room = await make.table("ann", opened, "bob", house=house)
        await make.play(room, "ann", "bob")
    room = await make.table("ann", "/new ohell max=3 private=on seal=closed bob", "bob", house="")
    await make.play(room, "ann", "bob")
    room = await make.table("ann", "/new ohell max=3 clock=1 late=skip", "dot", house="1")
    await make.play(room, "ann")  # dot's time runs out at every turn
    room = await make.table("ann", "/new ohell max=3 clock=1 late=substitute", "cyd", house="1")
    await make.play(room, "ann")  # and cyd is substituted
    room = await make.table("ann", "/new ohell max=3 rated=off first-dealer=host", "bob", "eli", house="")
    await make.play(room, "bob", moves=1)
    await make.says("ann", f"/at {room} undo")
    await make.says("bob", f"/at {room} undo")
    await make.says("eli", f"/at {room} undo")
    make.people["bob"].play(room, 4)
    make.people["ann"].play(room, 4)
    make.people["eli"].play(room, 3)
    await make.quiet()
    await make.says("eli", f"/at {room} leave")  # and a bot takes the seat for good
    await make.play(room, "ann", "bob")


async def open_games(make: Making) -> None:
    """Begin games of all seven and leave them in progress."""

    async def stop(room: str, *names: str, moves: int) -> None:
        await make.play(room, *names, moves=moves)

    await stop(await make.table("ann", "/new ohell max=5", "dot", house="shark 1"), "ann", "dot", moves=4)
    await stop(
        await make.table("bob", "/wizard challenge -canadian clock=3d cyd", "cyd", house="4"), "bob", "cyd", moves=5
    )
    await stop(await make.table("ann", "/new liarsdice points=3 max-rounds=8", "bob"), "ann", "bob", moves=3)
    await stop(await make.table("bob", "/new liedie games=4", "eli", house="1"), "bob", "eli", moves=2)
    await stop(await make.table("ann", "/new liarspoker hands=4", "bob", house="1"), "ann", "bob", moves=2)
    await stop(await make.table("ann", "/new liarspoker hands=3 seal=open", "dot", house="1"), "ann", "dot", moves=2)
    await stop(
        await make.table("ann", "/new liarspoker hands=3 numbers=bills private=on bob", "bob", house=""),
        "ann", "bob", moves=1,
    )  # fmt: skip
    await stop(await make.table("cyd", "/new liarslair each=2", "ann"), "ann", "cyd", moves=3)
    await stop(await make.table("bob", "/new lilypoker hands=6", "cyd", house="1"), "bob", "cyd", moves=4)
    await stop(await make.table("cyd", "/new lilypoker variant=stud7 hands=3", "ann", house="1"), "ann", "cyd", moves=2)
    await stop(await make.table("ann", "/new ohell max=4 seal=closed", "bob", house="1"), "ann", "bob", moves=3)
    await stop(
        await make.table("ann", "/new ohell max=4 clock=10m+5 late=skip", "bob", house="1"), "ann", "bob", moves=4
    )
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


async def belongings(make: Making) -> None:
    """Let people own things, talk and change settings."""
    await make.says("wilma", "/rename vonda")
    make.people["vonda"] = make.people.pop("wilma")
    await make.says("ann", "/info add I play wizard on fridays", "/memo set plan sunday at eight", "/blurb hungry")
    await make.says("ann", '/create cafe "coffee and cards"', "/create den private", "/permit den bob")
    await make.says("ann", "/appoint cafe bob moderator", "/group team add bob,cyd")
    await make.says("bob", "/join cafe", "/join den", "/ignore cyd", "/block vonda", "/notify join,quit off")
    await make.says("bob", "/formula decline guests", "/set width 60", "/vacation 3", "/signal private on")
    await make.says("cyd", "/join cafe", "/info add Cyd keeps bees")
    await make.says("ann", "-cafe;the kettle is on", "-den;only for the two of us", "bob;see you at noon")
    await make.says("bob", "-cafe;two sugars, please", "ann;noon it is", ":and not later")
    await make.says("vonda", "-lobby;greetings from the mountains", "/emote waves")


async def open_tables(make: Making) -> list[dict[str, Any]]:
    """Return what each person finds at each open table."""
    tables: dict[int, dict[str, Any]] = {}
    for name in PLAYERS:
        caller = make.people[name].caller
        for room in [room for room in caller.tables if state(caller, room) in ("waiting", "playing", "adjourned")]:
            number = caller.tables[room]["table"]["number"]
            await caller.ask(f"/at {number}")
            table = caller.tables[room]["table"]
            if name not in table["names"]:
                continue
            one = tables.setdefault(
                number,
                {"number": number, "room": room, "game": table["game"], "state": table["state"], "seats": {}}
                | {"names": table["names"], "turn": table["turn"]},
            )
            one["seats"][name] = seat(caller, room) if table["state"] != "waiting" else {}
    return [tables[number] for number in sorted(tables)]


def seat(caller: Caller, room: str) -> dict[str, Any]:
    """Return a seat's hand, its moves and the scores, without a list of moves that is too long."""
    packets = caller.tables[room]
    view, rows = packets["view"]["view"], packets["hand"]["rows"]
    match = view["match"] if "match" in view and "scores" in view["match"] else view.get("match", {})
    scores = next((match[name] for name in ("scores", "balances", "chips") if name in match), [])
    texts = [card["text"] for card in view.get("cards", ()) if card["place"] == view["seat"]]
    numbers = (view.get("slip") or {}).get("numbers", [])
    return {
        "cards": cards(rows) if not (texts or numbers or "cup" in view) else [],
        "texts": sorted([*texts, *numbers]),
        "dice": (view.get("cup") or {}).get("dice"),
        "scores": scores,
        "moves": sorted(packets["moves"]["moves"]) if packets["moves"]["count"] <= LISTED else [],
        "count": packets["moves"]["count"],
    }


async def finished_tables(make: Making, last: int) -> list[dict[str, Any]]:
    """Return the facts of each finished game, as ann sees them."""
    teller = make.people["ann"].caller
    tables = []
    for table in range(1, last + 1):
        rows = await teller.ask(f"/log {table}")
        ending = "".join(row.split("Game over: ")[1] for row in rows if "Game over: " in row).replace(" (house)", "")
        if not ending:
            continue
        winners, _, scores = re.sub(r"\byou\b", "ann", ending.rstrip(".")).partition("; ")
        exported = await teller.ask(f"/export {table}")
        tables.append(
            {
                "number": table,
                "game": re.sub(r"\W.*", "", rows[0].strip("[")),
                "scores": {name: int(score) for name, score in (one.split(" ") for one in scores.split(", "))},
                "winners": re.split(r", | and ", re.sub(r" (?:share the win|wins?)$", "", winners)),
                "shown": [held for row in rows if len("".join(held := shown(row.partition("] ")[2]))) > 3],
                "export": "\n".join(exported) + "\n" if exported[0].startswith("{") else "",
            }
        )
    return tables


def shown(row: str) -> list[str]:
    """Return the cards, dice, numbers or statements that a row of a log shows."""
    if sentences := re.findall(r"(?:^| )\d+(?: [TF])?:? ([A-Z][^./]+\.)", row):
        return sentences
    if dice := re.search(r"[:] ((?:[0-9TJQKA] ){4}[0-9TJQKA])\b", row):
        return [dice[1].replace(" ", "")]
    return re.findall(r"\b(?:\d{8}|(?:10|[2-9TJQKA])[SHDC])\b", row)


async def made(tree: Path, folder: Path) -> None:
    """Make the server data."""
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "data"
        async with served(data, tree) as (_, port):
            make = Making(data, port)
            for name in (*PASSWORDS, *GUESTS):
                await make.enter(name)
            await belongings(make)
            await finished_games(make)
            await open_games(make)
            await make.quiet()
            opened = await open_tables(make)
            last = max(one["number"] for one in opened) + 1
            over = await finished_tables(make, last)
            purses = {name: await make.says(name, "/purse") for name in make.people}
            command, how = lilygames("backup", Path(scratch) / "backup.db", "--data", data, tree=tree)
            await asyncio.to_thread(subprocess.run, command, check=True, **how)
            for player in make.people.values():
                player.caller.leave()
        for one in over:
            if export := one.pop("export"):
                (Path(scratch) / "exports").mkdir(exist_ok=True)
                (Path(scratch) / "exports" / f"{one['number']}.jsonl").write_text(export)
        expected = {
            "passwords": {name.replace("wilma", "vonda"): word for name, word in PASSWORDS.items()},
            "words": make.words,
            "open": opened,
            "over": over,
            "purses": {name: numbers(rows) for name, rows in purses.items() if name not in GUESTS},
        }
        text = json.dumps(expected, indent=1)
        (folder / "expected.json").write_text(re.sub(r"\[[^\[\]{}]*\]", _on_one_row, text) + "\n")
        with tarfile.open(folder / "place.tar.xz", "w:xz", preset=9) as archive:
            for name in ("data", "backup.db", "exports"):
                archive.add(Path(scratch) / name, name)


def _on_one_row(row: re.Match[str]) -> str:
    return " ".join(row[0].split())


if __name__ == "__main__":
    asyncio.run(made(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
