"""Card sets that a sysop has added as files: played by name, stored with the table, refused with the line number."""

import attrs
import pytest

from lilygames.games import games
from lilygames.gametest.stage import SETTINGS, Stage, secrets_from
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore

LAIR = {"liarslair": games()["liarslair"]}
PAIRS = "\n".join(f"Goat {n} sings. | Goat {n} is silent." for n in range(30))


@pytest.fixture
async def lair(tmp_path):
    """A stage whose sysop has added card sets for Liar's Lair."""
    folder = tmp_path / "added" / "liarslair"
    folder.mkdir(parents=True)
    (folder / "goats.txt").write_text(PAIRS)
    (folder / "torn.txt").write_text("Goats sing.")
    (tmp_path / "secret.txt").write_text(PAIRS)
    settings = attrs.evolve(SETTINGS, data=tmp_path)
    stage = Stage(await furnish(MemoryStore(), settings, LAIR, secrets_from("1"), new_salt=secrets_from("2")))
    stage.enter("ann")
    return stage


async def test_added_set_is_played_by_its_name(lair):
    await lair.type("ann", "/new liarslair cards=goats")
    await lair.type("ann", "/house 3")
    told = " ".join(await lair.type("ann", "/start"))

    assert "Goat " in told
    assert 30 == len(lair.table(1).table.options.pairs)


async def test_broken_set_is_refused_with_the_line_number(lair):
    answer = " ".join(await lair.type("ann", "/new liarslair cards=torn"))

    assert answer.startswith("Refused: the text added to Liar's Lair can't be used: ")
    assert "line 1" in answer


@pytest.mark.parametrize("name", ["none", "../../secret", "goats.txt", "/etc/passwd"])
async def test_only_text_files_are_sets(lair, name):
    assert "there's no card set" in " ".join(await lair.type("ann", f"/new liarslair cards={name}"))
