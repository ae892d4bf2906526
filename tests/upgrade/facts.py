"""Facts about the tables of a place, as its people see them: hands, scores, winners and moves, never sentences."""

from __future__ import annotations

import re
from typing import Any

from tests.upgrade.caller import Caller, cards, state
from tests.upgrade.making import Making

LISTED = 64
"""The most moves listed by a packet."""


async def open_tables(make: Making) -> list[dict[str, Any]]:
    """Return what each person finds at each open table."""
    tables: dict[int, dict[str, Any]] = {}
    for name in make.people:
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
        exported = [row for row in await teller.ask(f"/export {table}") if row.startswith("{")]
        tables.append(
            {
                "number": table,
                "game": re.sub(r"\W.*", "", rows[0].strip("[")),
                **result(re.sub(r"\byou\b", "ann", ending)),
                "shown": [held for row in rows if len("".join(held := shown(row.partition("] ")[2]))) > 3],
                "export": "\n".join(exported) + "\n" if exported else "",
            }
        )
    return tables


def result(ending: str) -> dict[str, Any]:
    """Return the winners of a game, and the scores that its last line says: of everyone, or only of the winner."""
    winners, _, said = re.sub(r" (?:share the win|wins?)(?: with)?\b", "|", ending.rstrip(".")).partition("|")
    names = re.split(r", | and ", winners)
    if said.startswith("; "):
        scores = {name: int(score) for name, score in (one.rsplit(" ", 1) for one in said[2:].split(", "))}
    else:
        scores = {names[0]: int(best[0])} if (best := re.search(r"[+-]?\d+", said)) else {}
    return {"winners": names, "scores": scores}


def shown(row: str) -> list[str]:
    """Return the cards, dice, numbers or statements that a row of a log shows."""
    if sentences := re.findall(r"(?:^| )\d+(?: [TF])?:? ([A-Z][^./]+\.)", row):
        return sentences
    if dice := re.search(r"[:] ((?:[0-9TJQKA] ){4}[0-9TJQKA])\b", row):
        return [dice[1].replace(" ", "")]
    return re.findall(r"\b(?:\d{8}|(?:10|[2-9TJQKA])[SHDC])\b", row)
