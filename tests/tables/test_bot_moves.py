"""A bot's move follows from its view and its own luck, so anyone can recompute it after the game."""

import attrs
import pytest

from lilygames import codec
from lilygames.game import Budget, Thinker
from lilygames.server import exports
from lilygames.store import Entry
from lilygames.tables import seal
from lilygames.tables.export import export
from lilygames.tables.log import Closed, Header, Moved, Seated, Sitter, Start
from lilygames.tables.table import Table
from tests.tables.sealed_games import SECRET, Host
from tests.toys import TALLY, installed

TOY = TALLY["tally"]
OPTIONS = TOY.rules.Options(max=3, first_dealer="host")


def with_bot(host, level="novice", choose=None, *, version="", moves_with=""):
    """Play a whole game of bob and the bot Ada; `choose` returns her moves instead of her strategy.

    `version` is what her seat names, and `moves_with` what each of her moves names.
    """
    host.seat("bob").then(Seated(1, Sitter("Ada", level, strategy=version)))
    host.commit("bob").seal().reveal("bob").start()
    while host.table.outcome is None:
        table = host.table
        seat = next(seat for seat in range(2) if table.moves(seat))
        moves = table.moves(seat)
        strategy = choose or table.game.players[level]
        move = strategy(table.view(seat), moves, table.luck.of_bot(seat)) if seat else moves[0]
        host.then(Moved(seat, codec.dump(move), moves_with if seat else ""))
        if seat:
            host.entries[-1] = attrs.evolve(host.entries[-1], by="Ada (house)")
    return "\n".join(host.close().export)


@pytest.mark.parametrize("level", ["novice", "club"])
def test_moves_of_a_bot_are_recomputed_from_its_own_luck(level):
    text = with_bot(Host(TOY, OPTIONS), level)

    assert exports.verify(text, TALLY).match
    assert exports.verify_bots(text, TALLY).startswith("All ")
    assert exports.verify_bots(text, TALLY).endswith(" moves of bots are those that their strategies choose.")


def test_move_that_the_strategy_does_not_choose_is_told():
    """The host has moved for its bot."""
    text = with_bot(Host(TOY, OPTIONS), choose=lambda view, moves, luck: moves[-1])
    sentence = exports.verify_bots(text, TALLY)

    assert " of " in sentence
    assert "is the first other one" in sentence


def test_default_move_of_a_bot_that_fails_is_its_own():
    def fail(view, moves, luck):
        raise RuntimeError

    broken = attrs.evolve(TOY, players={"novice": fail})
    host = Host(broken, OPTIONS)
    text = with_bot(host, choose=lambda view, moves, luck: broken.rules.default(host.table.state, 1))

    assert exports.verify_bots(text, {"tally": broken}).startswith("All ")


def test_moves_of_bots_are_recomputed_with_seal_1_too():
    game = TOY
    header = Header(1, "tally", 1, "tally", codec.dump(OPTIONS), seal.seal_of(SECRET), "bob")
    table, entries = Table(header, game, SECRET), []

    def then(act, by="bob"):
        after, _ = table.after(act)
        entries.append(Entry(after.seq, 7.5, by, after.body, ""))
        return after

    for act in (Seated(0, Sitter("bob")), Seated(1, Sitter("Ada", "novice")), Start()):
        table = then(act)
    while table.outcome is None:
        seat = next(seat for seat in range(2) if table.moves(seat))
        moves = table.moves(seat)
        move = game.players["novice"](table.view(1), moves, table.luck.of_bot(1)) if seat else moves[0]
        table = then(Moved(seat, codec.dump(move)), "Ada (house)" if seat else "bob")
    then(Closed(SECRET.hex()))

    assert exports.verify_bots("\n".join(export(header, entries)), TALLY).startswith("All ")


def test_bots_of_a_closed_game_cannot_be_recomputed():
    game = installed("lilypoker")["lilypoker"]
    host = Host(game, game.quick_options, sealed=True).seat("bob", "carol").seal().start().play(most=20)
    text = "\n".join(host.then(Closed("")).export)

    assert "The moves of bots can't be checked without the secret." == exports.verify_bots(text, {"lilypoker": game})


def test_game_without_bots_says_so():
    text = "\n".join(Host(TOY, OPTIONS).seat("bob", "carol").seal().start().play().close().export)

    assert "No bot has made a move." == exports.verify_bots(text, TALLY)


VERSION_2 = attrs.evolve(TOY, strategy_versions={"novice": "2"})


def checked_by_version_2(**log):
    """Return what version 2 of the toy's novice finds in the log of a game; it plays as version 1 did."""
    return exports.verify_bots(with_bot(Host(TOY, OPTIONS), **log), {"tally": VERSION_2})


def test_moves_of_an_older_strategy_are_not_checked():
    assert checked_by_version_2(version="1").endswith(" moves of bots are not checked: older strategy.")
    assert not checked_by_version_2(version="1").startswith("All ")


def test_moves_of_the_installed_version_are_checked():
    assert checked_by_version_2(version="2").startswith("All ")


def test_moves_made_after_an_update_are_checked_by_the_version_that_they_name():
    assert checked_by_version_2(version="1", moves_with="2").startswith("All ")
    assert checked_by_version_2(version="2", moves_with="1").endswith("older strategy.")


def test_log_that_names_no_version_is_checked_by_the_installed_one():
    """Logs of earlier releases name none."""
    assert checked_by_version_2().startswith("All ")
    assert checked_by_version_2(choose=lambda view, moves, luck: moves[-1]).endswith(
        "is the first other one: not checked if the bot had an older strategy."
    )


def test_other_move_of_a_known_version_is_told_without_a_doubt():
    told = checked_by_version_2(choose=lambda view, moves, luck: moves[-1], version="2")

    assert told.endswith(" is the first other one.")


def test_search_is_recomputed_with_the_budget_in_the_log():
    asked = []

    def decide(view, moves, luck, budget):
        asked.append(budget.iterations)
        return moves[0]

    game = attrs.evolve(TOY, players={"novice": Thinker(decide, Budget(99))})
    host = Host(game, OPTIONS).seat("bob").then(Seated(1, Sitter("Ada", "novice", budget=7)))
    host.commit("bob").seal().reveal("bob").start()
    while host.table.outcome is None:
        seat = next(seat for seat in range(2) if host.table.moves(seat))
        host.then(Moved(seat, codec.dump(host.table.moves(seat)[0])))
        if seat:
            host.entries[-1] = attrs.evolve(host.entries[-1], by="Ada (house)")

    assert exports.verify_bots("\n".join(host.close().export), {"tally": game}).startswith("All ")
    assert {7} == {*asked}
