"""Talk is told: at most one line in a thousand of what people say at a table is held back."""

from pathlib import Path

import pytest

from lilygames.chat.input import grammar
from lilygames.chat.input.grammar import Talk
from lilygames.commands import UsageError
from lilygames.errors import UserError
from lilygames.games import games
from lilygames.gametest.stage import Stage
from tests.grammar.phases import phases

FOLDER = Path(__file__).parent
TALK = [line for line in (FOLDER / "talk.txt").read_text().splitlines() if not line.startswith("# ")]
PLAYED = sorted((FOLDER.parent / "playthroughs" / "chat").glob("*.txt"))
"""Playthroughs, whose people talk, too."""


def said():
    """Return the lines of talk in the playthroughs: no commands, no sends, nothing about the connection."""
    typed = (line.partition("> ") for path in PLAYED for line in path.read_text().splitlines())
    lines = [line for who, mark, line in typed if mark and who.isalnum() and not line.startswith(("/", "(", "?"))]
    return [line for line in lines if not line.isdigit()]


def is_told(line, context):
    """Return whether a line is talk; yes and no answer an open invitation, and a replay has keys."""
    if (context.invitations and line in grammar.ANSWERS) or (context.menu and line in context.menu.keys):
        return True
    try:
        return isinstance(grammar.read(line, context), Talk)
    except (UserError, UsageError):
        return False


@pytest.mark.parametrize("name", sorted(games()))
async def test_talk_is_told_in_every_phase(name):
    lines = [*TALK, *said()]
    held = set()
    async for _, stage in phases(name):
        for who in stage.people:
            context = stage.context(who)
            held |= {line for line in lines if not is_told(line, context)}

    assert len(held) <= len(lines) / 1000, held
    assert len(lines) > 1000


async def test_question_to_a_bot_is_talk():
    """Alone with bots, people ask them things."""
    stage = await stage_with_bots()
    for line in ("what do you have?", "are you human, Ada?", "how are you", "why did you bet?", "who are you"):
        assert ["(only bots are in lilypoker to hear it)"] == await stage.type("Ann", line)


async def stage_with_bots():
    """Return a stage on which Ann plays with bots."""
    if "lilypoker" not in games():
        pytest.skip("lilypoker isn't here")
    stage = await Stage.open(games())
    stage.enter("Ann")
    await stage.type("Ann", "/quick lilypoker")
    return stage
