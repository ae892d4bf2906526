"""A bot's move follows from its view and its own luck, so anyone can recompute it after the game."""

import attrs
import pytest

from lilygames import codec
from lilygames.game import Budget, Thinker
from lilygames.server.shell import exports
from lilygames.store import Entry
from lilygames.tables.log.acts import Checked, Closed, Header, Moved, Seated, Sitter, Start
from lilygames.tables.seal import seal
from lilygames.tables.state.table import Table
from lilygames.tables.verify.bot_moves import told_by_host
from lilygames.tables.verify.export import export
from tests.tables.sealed_games import SECRET, Host
from tests.toys import TALLY, installed

TOY = TALLY["tally"]
OPTIONS = TOY.rules.Options(max=3, first_dealer="host")


FOLLOW = " moves of bots follow from what their seats could see."


def told(text, game=None):
    """Return what is said about the bots in an export."""
    return exports.verify_bots(text, {game.name: game} if game else TALLY).sentence


def with_bot(host, level="novice", choose=None, *, version="", moves_with="", default=False):
    """Play a whole game of bob and the bot Ada; `choose` returns her moves instead of her strategy.

    `version` is what her seat names, `moves_with` what each of her moves names, and `default` whether the log calls
    them default moves.
    """
    host.seat("bob").then(Seated(1, Sitter("Ada", level, strategy=version)))
    host.commit("bob").seal().reveal("bob").start()
    while host.table.outcome is None:
        table = host.table
        seat = next(seat for seat in range(2) if table.moves(seat))
        moves = table.moves(seat)
        strategy = choose or table.game.players[level]
        move = strategy(table.view(seat), moves, table.luck.of_bot(seat)) if seat else moves[0]
        host.then(Moved(seat, codec.dump(move), moves_with if seat else "", default=default and bool(seat)))
        if seat:
            host.entries[-1] = attrs.evolve(host.entries[-1], by="Ada (house)")
    return "\n".join(host.close().export)


@pytest.mark.parametrize("level", ["novice", "club"])
def test_moves_of_a_bot_are_recomputed_from_its_own_luck(level):
    text = with_bot(Host(TOY, OPTIONS), level)

    assert exports.verify(text, TALLY).match
    assert told(text).startswith("All ")
    assert told(text).endswith(FOLLOW)


def test_move_that_the_strategy_does_not_choose_is_told():
    """The host has moved for its bot."""
    text = with_bot(Host(TOY, OPTIONS), choose=lambda view, moves, luck: moves[-1])
    sentence = told(text)

    assert " of " in sentence
    assert "*Ada (novice) wouldn't have made the move of entry " in sentence


def test_default_move_of_a_bot_that_fails_is_its_own():
    def fail(view, moves, luck):
        raise RuntimeError

    broken = attrs.evolve(TOY, players={"novice": fail})
    host = Host(broken, OPTIONS)
    text = with_bot(host, choose=lambda view, moves, luck: broken.rules.default(host.table.state, 1))

    assert told(text, broken).endswith(" default moves, because the bot failed.")


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

    assert told("\n".join(export(header, entries))).startswith("All ")


def test_bots_of_a_closed_game_cannot_be_recomputed():
    game = installed("lilypoker")["lilypoker"]
    host = Host(game, game.quick_options, sealed=True).seat("bob", "carol").seal().start().play(most=20)
    text = "\n".join(host.then(Closed("")).export)

    assert "" == told(text, game)


def test_nothing_is_said_about_bots_in_a_game_without_them():
    text = "\n".join(Host(TOY, OPTIONS).seat("bob", "carol").seal().start().play().close().export)

    assert "" == told(text)


VERSION_2 = attrs.evolve(TOY, strategy_versions={"novice": "2"})


def checked_by_version_2(**log):
    """Return what version 2 of the toy's novice finds in the log of a game; it plays as version 1 did."""
    return told(with_bot(Host(TOY, OPTIONS), **log), VERSION_2)


def test_moves_of_an_older_strategy_are_not_checked():
    gone = " can't be checked: version 1 of tally's novice bot isn't shipped any more."

    assert checked_by_version_2(version="1").endswith(gone)
    assert not checked_by_version_2(version="1").startswith("All 14 ")


def test_moves_of_the_installed_version_are_checked():
    assert checked_by_version_2(version="2").startswith("All ")


def test_moves_made_after_an_update_are_checked_by_the_version_that_they_name():
    assert checked_by_version_2(version="1", moves_with="2").startswith("All ")
    assert checked_by_version_2(version="2", moves_with="1").endswith("shipped any more.")


def last(view, moves, luck):
    return moves[-1]


EARLIER = attrs.evolve(VERSION_2, earlier_strategies={"novice": {"1": last}})


def test_moves_of_an_older_strategy_are_checked_if_the_game_keeps_it():
    def found(choose=None):
        return told(with_bot(Host(TOY, OPTIONS), choose=choose, version="1"), EARLIER)

    assert found(last).startswith("All ")
    assert found(last).endswith(FOLLOW)
    assert "wouldn't have made the move of entry" in found()


def test_log_that_names_no_version_is_checked_by_the_installed_one():
    """Logs of earlier releases name none."""
    assert checked_by_version_2().startswith("All ")
    assert checked_by_version_2(choose=lambda view, moves, luck: moves[-1]).endswith(", or had an older strategy.")


def test_other_move_of_a_known_version_is_told_without_a_doubt():
    sentence = checked_by_version_2(choose=lambda view, moves, luck: moves[-1], version="2")

    assert "wouldn't have made the move of entry " in sentence
    assert "older" not in sentence


def drawn(view, moves, luck, budget):
    """Return the last of as many draws as the budget has."""
    return [luck.choice(moves) for _ in range(budget.iterations)][-1]


SEARCHING = attrs.evolve(TOY, players={"novice": Thinker(drawn, Budget(99))}, strategy_versions={"novice": "1"})


def searched(named, used, game=SEARCHING):
    """Return what `game` finds in a game whose log names one budget, while the bot used another."""
    host = Host(SEARCHING, OPTIONS).seat("bob").then(Seated(1, Sitter("Ada", "novice", strategy="1", budget=named)))
    host.commit("bob").seal().reveal("bob").start()
    while host.table.outcome is None:
        table = host.table
        seat = next(seat for seat in range(2) if table.moves(seat))
        moves = table.moves(seat)
        move = drawn(None, moves, table.luck.of_bot(seat), Budget(used)) if seat else moves[0]
        host.then(Moved(seat, codec.dump(move)))
    return told("\n".join(host.close().export), game)


def test_search_is_recomputed_with_the_budget_in_the_log():
    assert searched(99, 99).endswith(FOLLOW)
    assert searched(7, 7).startswith("All ")


def test_budget_other_than_that_of_the_level_is_told():
    assert searched(7, 7).endswith(" *Ada (novice) searched 7 iterations instead of 99 for 14 moves.")
    assert searched(1, 1).endswith(" *Ada (novice) searched 1 iteration instead of 99 for 14 moves.")


def test_usual_budget_of_an_older_strategy_is_that_of_its_version():
    kept = {"novice": {"1": SEARCHING.players["novice"]}}
    faster = attrs.evolve(
        SEARCHING,
        players={"novice": Thinker(drawn, Budget(5))},
        strategy_versions={"novice": "2"},
        earlier_strategies=kept,
    )

    assert searched(99, 99, faster).endswith(FOLLOW)
    assert " instead of 99 " in searched(7, 7, faster)


def test_wrong_budget_in_the_log_is_found():
    assert "wouldn't have made the move of entry" in searched(99, 7)


def test_bot_that_peeks_at_another_hand_is_found():
    """It plays its highest card if the other hand is better, which it can't see."""
    host = Host(TOY, OPTIONS)
    peeks = lambda view, moves, luck: moves[-1 if "H" in str(host.table.view(0)) else 0]  # noqa: E731

    assert "wouldn't have made the move of entry" in told(with_bot(host, choose=peeks))


def test_bots_that_tell_each_other_their_hands_are_found():
    """Two bots in the same process share what they remember. A seat's moves are recomputed apart from the others'."""
    heard = {}

    def colludes(view, moves, luck):
        heard[view.seat] = len(heard) + len(str(view.round))
        return moves[heard.get(1 - view.seat, 0) % len(moves)]

    game = attrs.evolve(TOY, players={"novice": colludes}, strategy_versions={"novice": "1"})
    host = Host(game, OPTIONS)
    host.then(*(Seated(place, Sitter(name, "novice", strategy="1")) for place, name in enumerate(("Ada", "Max"))))
    host.seal().start()
    while host.table.outcome is None:
        host.decide()
    heard.clear()

    assert "wouldn't have made the move of entry" in told("\n".join(host.close().export), game)


def test_default_move_that_the_log_names_is_only_compared_with_the_rules():
    host = Host(TOY, OPTIONS)
    text = with_bot(host, choose=lambda view, moves, luck: TOY.rules.default(host.table.state, 1), default=True)

    assert told(text).endswith(" default moves, because the bot failed.")


def test_other_move_named_a_default_move_is_found():
    text = with_bot(Host(TOY, OPTIONS), choose=lambda view, moves, luck: moves[-1], default=True)

    assert "wouldn't have made the move of entry" in told(text)


def test_bots_that_fail_only_when_recomputed_are_not_accused():
    def fail(view, moves, luck):
        raise MemoryError

    text = with_bot(Host(TOY, OPTIONS), choose=lambda view, moves, luck: moves[-1])

    assert " couldn't be computed again here." in told(text, attrs.evolve(TOY, players={"novice": fail}))
    assert exports.verify_bots(text, {"tally": attrs.evolve(TOY, players={"novice": fail})}).match


def test_move_that_can_be_made_by_default_is_not_called_a_default_move_if_only_its_check_fails():
    """The log marks default moves, and this one isn't."""

    def fail(view, moves, luck):
        raise MemoryError

    game = attrs.evolve(TOY, strategy_versions={"novice": "1"})
    host = Host(game, OPTIONS)
    text = with_bot(host, choose=lambda view, moves, luck: TOY.rules.default(host.table.state, 1), version="1")
    said = told(text, attrs.evolve(game, players={"novice": fail}))

    assert " couldn't be computed again here." in said
    assert "default" not in said


@pytest.mark.parametrize(
    ("same", "other", "words"),
    [
        (73, 0, "all 73 moves of bots follow from what their seats could see."),
        (70, 3, "70 of 73 moves of bots follow from what their seats could see, and 3 do not."),
        (72, 0, "72 of 73 moves of bots follow from what their seats could see. 1 was left unchecked."),
        (
            70,
            1,
            "70 of 73 moves of bots follow from what their seats could see, and 1 does not. 2 were left unchecked.",
        ),
    ],
)
def test_check_by_the_host_is_told_as_one_that_cannot_be_repeated(same, other, words):
    cannot = "You can't repeat that check, because the seal stays closed."

    assert f"Checked by the host: {words} {cannot}" == told_by_host(Checked(73, same, other))


def test_moves_that_the_host_had_no_time_to_check_are_not_told_as_wrong():
    said = "The host couldn't check 12 moves of bots, and you can't, because the seal stays closed."

    assert said == told_by_host(Checked(12, 0, 0))


@pytest.mark.parametrize(
    ("checked", "words"),
    [
        (Checked(12, 0, 0, 12), "12 moves are default moves, because the bot failed."),
        (
            Checked(12, 9, 0, 1),
            f"9 of 12{FOLLOW} 1 move is the default move, because the bot failed. 2 were left unchecked.",
        ),
    ],
)
def test_default_moves_are_told_as_such_by_the_host(checked, words):
    cannot = "You can't repeat that check, because the seal stays closed."

    assert f"Checked by the host: {words} {cannot}" == told_by_host(checked)
