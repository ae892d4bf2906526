"""The phases of each game, with people who type there: players, a player at two tables, a spectator, and the lobby."""

from collections import Counter
from collections.abc import AsyncIterator

from lilygames.games import games
from lilygames.gametest.stage import Stage
from tests.toys import TALLY

SHORT = {
    "lilypoker": "hands=7",
    "liarslair": "max-rounds=4",
    "liarsdice": "max-rounds=2",
    "liarspoker": "hands=2",
    "liedie": "games=2",
    "ohell": "max=3",
    "wizard": "rounds=2",
}
"""Options that let a game end soon."""
PLAYERS, TWICE, SPECTATOR, LOBBY = ("Ann", "Bob", "Cat"), "Cat", "Eve", "Fay"
"""Cat has a second seat, at another table."""
MOVES = 400
"""Maximum moves of a game."""


async def phases(name: str) -> AsyncIterator[tuple[str, Stage]]:
    """Yield the phases of a game, each with the stage as it is then.

    A phase is another set of verbs that someone is asked for. Before them comes the table that waits, and after them
    the game that is over and its replay.
    """
    stage = await Stage.open({name: games()[name], **TALLY})
    for person in (*PLAYERS, SPECTATOR, LOBBY):
        stage.enter(person)
    yield "arrived", stage
    await stage.type("Ann", f"/new {name} {SHORT.get(name, '')} Bob Cat")
    await stage.type("Eve", f"/watch {name}")
    yield "invited", stage
    await stage.type("Bob", "/sit 1")
    await stage.type("Fay", "/new tally Cat")
    await stage.type("Cat", "/sit 2")
    await stage.type("Cat", "/sit 1")
    await stage.type("Fay", "/join lobby")
    seen, made = set[tuple[str, ...]](), Counter[str]()
    for _ in range(MOVES):
        table = stage.open_tables.get(1)
        if table is None or table.table.closed:
            break
        asked = {who: table.words(stage.people[who]) for who in PLAYERS if table.question(stage.people[who])}
        if not asked:
            break
        for words in asked.values():
            verbs = tuple(sorted({word.partition(" ")[0] for word in words}))
            if verbs not in seen:
                seen.add(verbs)
                yield " ".join(verbs), stage
        who, words = next(iter(asked.items()))
        made["fold"] = MOVES
        rarest = min(words, key=lambda word: made[word.partition(" ")[0]])
        made[rarest.partition(" ")[0]] += 1
        await stage.type(who, f"/at 1 {rarest}")
    yield "over", stage
    await stage.type("Ann", "/replay 1")
    yield "replay", stage
