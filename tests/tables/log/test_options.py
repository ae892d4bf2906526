"""Options as people type them, for every installed game."""

from typing import Literal, get_args, get_origin, get_type_hints

import attrs
import pytest

from lilygames import codec
from lilygames.errors import UserError
from lilygames.tables.log import options
from tests.toys import ALL

GAMES = ALL


def settable(game):
    """Return the options' types without those marked `host`, which come from the sysop's files."""
    ours = {field.name for field in attrs.fields(game.rules.Options) if field.metadata.get("host")}
    return {name: kind for name, kind in get_type_hints(game.rules.Options).items() if name not in ours}


def settings():
    """Yield each game with each option and each value that people may type for it, including the default."""
    for game in GAMES.values():
        for name, kind in settable(game).items():
            default = getattr(game.rules.Options(), name)
            values = get_args(kind) if get_origin(kind) is Literal else (True, False) if kind is bool else (default,)
            for value in values:
                yield pytest.param(game, name, value, id=f"{game.name} {name}={value}")


@pytest.mark.parametrize(("game", "name", "value"), [*settings()])
def test_every_value_is_read_as_it_is_shown(game, name, value):
    """Values shown by /options can be typed back, in upper or lower case."""
    if value is None:
        pytest.skip("left out is how it is typed")
    for typed in (options.typed(name), name, name.upper()):
        chosen, names = options.read(game, [f"{typed}={options.said(value)}".upper()])

        assert value == getattr(chosen, name)
        assert [] == names


@pytest.mark.parametrize("game", [*GAMES.values()], ids=[*GAMES])
def test_options_survive_the_log(game):
    """A table's header keeps them as JSON and gives them back."""
    for word in (
        [],
        *([f"{options.typed(a.name)}={options.said(a.default)}"] for a in attrs.fields(game.rules.Options)),
    ):
        try:
            chosen, _ = options.read(game, word)
        except UserError:
            continue

        assert chosen == codec.load(codec.dump(chosen), game.rules.Options)


@pytest.mark.parametrize("game", [*GAMES.values()], ids=[*GAMES])
@pytest.mark.parametrize("word", ["=", "=3", "max=", "-", "--", "nothing=such", "-nosuch", "seal=", "seal=half"])
def test_invalid_option_is_refused_in_one_sentence(game, word):
    with pytest.raises(UserError) as sorry:
        options.read(game, options.frame(game, [word])[1])
    assert str(sorry.value).endswith((".", "?"))


@pytest.mark.parametrize("game", [*GAMES.values()], ids=[*GAMES])
def test_options_fit_a_screen(game):
    """Each option has a row that begins with the text to type."""
    rows = options.rows(game)

    assert len(settable(game)) + 5 == len(rows)
    assert all(" (" in row and "=" in row.partition(" ")[0] for row in rows)


def test_last_of_two_settings_counts():
    chosen, names = options.read(GAMES["tally"], ["max=5", "bob", "max=6", "-host", "ann"])

    assert (6, "host", ["bob", "ann"]) == (chosen.max, chosen.first_dealer, names)


async def test_table_shows_its_options(stage, table):
    rows = await stage.type("ann", "/options")

    assert "max=3" in rows
    assert "first-dealer=host" in rows


async def test_cut_is_logged_before_the_deal(stage, store):
    """A player may `/cut WORD` before the start, and all luck depends on it."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    stage.screens["ann"].take()

    assert ["You cut with “seven”."] == await stage.type("bob", "/cut seven")
    assert ["bob cuts with “seven”."] == stage.screens["ann"].take()
    assert ((1, "seven"),) == stage.table(1).table.cuts
    stage.enter("cat")
    await stage.type("cat", "/watch tally")
    assert "Refused: only players at tally can cut. Type /sit to take a seat." in await stage.type("cat", "/cut x")
    await stage.type("ann", "/start")

    assert (("bob", "seven"),) == stage.table(1).table.rounds.dealt.sealed.words


async def test_two_tables_have_two_seals(stage):
    await stage.type("ann", "/new tally")
    await stage.type("bob", "/new tally")
    one, other = (bot.table.header.seal for bot in stage.open_tables.values())

    assert one != other
    assert f"Seal {one}" in await stage.type("ann", "/table")
