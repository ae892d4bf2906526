"""Each check of `check_game` catches a game that fails it, and a correct game passes them all."""

from __future__ import annotations

import itertools
from time import process_time
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from lilygames import command, declared
from lilygames.game import Parts, Shown
from lilygames.gametest.bots import BOTS, SECONDS
from lilygames.gametest.promises import PROMISES, TOGETHER
from lilygames.gametest.turns import TURNS
from lilygames.gametest.wording import WORDS
from lilygames.layout import side_by_side
from lilygames.lesson import Lesson, Yours
from lilygames.picture import Column, Picture, PictureSeat, Piece, Zone
from lilygames.scene import Turn
from lilygames.testing import Broken, check_game, play, position
from lilygames_rules.kit import Outcome, Refused, Step
from tests.games import toy


def check(game=toy.GAME, **changes):
    check_game(game, **({"hide": toy.hide, "bound": 20, "zero_sum": True} | changes))


def ruled(**changes: Any) -> dict[str, Any]:
    """Return the toy with some of its rules changed."""
    return {"game": attrs.evolve(toy.GAME, rules=SimpleNamespace(**(vars(toy) | changes)))}


def worded(**changes: Any) -> dict[str, Any]:
    """Return the toy with some of its words changed."""
    return {"game": attrs.evolve(toy.GAME, **changes)}


def and_then(function, change):
    """Return the function with its result changed, by the result and the arguments."""
    return lambda *given: change(function(*given), *given)


def shared_by_all(merging):
    return attrs.evolve(merging, as_spectators=lambda *_, **__: True)


def scored(change):
    return and_then(toy.outcome, lambda outcome, state: outcome and change(outcome))


def spoils_on_refusal(state, seat, move, luck):
    try:
        return toy.apply(state, seat, move, luck)
    except Refused:
        object.__setattr__(state, "again", (seat,))
        raise


def draws_first(state, seat, move, luck):
    luck.coin()
    return toy.apply(state, seat, move, luck)


def counts_calls():
    calls = itertools.count()

    def apply(state, seat, move, luck):
        step = toy.apply(state, seat, move, luck)
        return Step(attrs.evolve(step.state, again=(*step.state.again, next(calls))), step.events)

    return apply


def draws_without_saying_for_whom(state, seat, move, luck):
    return toy.apply(state, seat, move, luck.for_("again"))


def counts_its_calls():
    """Return a picture that isn't made from the view alone."""
    calls = itertools.count()
    return lambda view, reader: Picture((), zones=(Zone("Board", (Piece("card", "?", f"{next(calls)}"),)),))


def chooses_by_turns():
    calls = itertools.count()
    return lambda view, moves, luck: moves[next(calls) % len(moves)]


def thinks_for_long(view, moves, luck):
    end = process_time() + SECONDS + 0.1
    while process_time() < end:
        pass
    return moves[0]


def changes_its_view(view, moves, luck):
    object.__setattr__(view, "dice", (*view.dice, 1))
    return moves[0]


def toy_lesson(move):
    """Return a lesson in which a die of 20 is dealt, and then a move that is right if it's `keep`."""
    return Lesson(1, toy.Options(), 2, (20, 3), (Yours(move, "Keep it."),), "That's all.")


def names_a_purpose_by_its_calls():
    calls = itertools.count()
    return lambda state, seat, move, luck: toy.apply(state, seat, move, luck.for_("again", next(calls)))


def looks_at_others() -> dict[str, Any]:
    """Return rules whose moves depend on another's die, and whose sampling cheats: only two worlds show it."""
    seen = {}

    def moves(state, seat):
        legal = toy.moves(state, seat)
        return legal[:1] if state.dice[seat - 1] % 2 else legal

    def apply(state, seat, move, luck):
        if seat == state.turn and move not in moves(state, seat):
            raise Refused("keep-it", die=state.dice[seat])
        return toy.apply(state, seat, move, luck)

    def view(state, seat):
        shown = toy.view(state, seat)
        seen[shown] = state
        return shown

    game = ruled(moves=moves, apply=apply, view=view, sample=lambda shown, luck: seen[shown])["game"]
    return {"game": attrs.evolve(game, ask=lambda view, moves, reader: "keep it, or not")}


def names_the_hidden_die(state, seat, move, luck):
    try:
        return toy.apply(state, seat, move, luck)
    except Refused as refused:
        raise Refused(refused.code, **refused.facts, hidden=state.dice[seat - 1]) from None


def shows_all(state, seat):
    return attrs.evolve(toy.view(state, seat), dice=state.dice)


def shows_the_start(*given):
    step = toy.start(*given)
    return Step(step.state, (*step.events, toy.Shown(step.state.dice)))


def shows_each_step(*given):
    step = toy.apply(*given)
    return Step(step.state, (*step.events, toy.Shown(given[0].dice)))


def does_by_anothers_die(state, seat):
    return toy.moves(state, seat)[-(state.dice[seat - 1] % 2)]


def may_always_throw_again(state, seat):
    return (toy.Keep(), toy.Again()) if toy.moves(state, seat) else ()


def with_choices(turn, **changes):
    """Return a turn with each choice changed."""
    return attrs.evolve(turn, choices=tuple(attrs.evolve(choice, **changes) for choice in turn.choices))


def some_words(*but):
    return {code: words for code, words in toy.GAME.refusals.items() if code not in but}


def takes_anything(state, seat, move, luck):
    return toy.follow(state, seat, move, luck) if state.turn == seat else toy.apply(state, seat, move, luck)


@command("again")
def again_without_a_word(view):
    return toy.Again()


@command("leave")
def leaves_by_a_move(view):
    """Throw again, under the name of a command of the server's own."""
    return toy.Again()


BROKEN = {
    "options_can_be_played": {"options": (toy.Options(sides=1),)},
    "play_ends": ruled(apply=and_then(toy.apply, lambda step, state, *_: Step(state, step.events))),
    "somebody_can_move": ruled(outcome=lambda state: None),
    "turn_names_the_only_seat_that_moves": ruled(turn=lambda state: 0),
    "outcome_waits_for_the_end": ruled(outcome=lambda state: Outcome((0,) * len(state.dice), (0,), "over")),
    "outcome_is_whole": ruled(outcome=scored(lambda outcome: attrs.evolve(outcome, winners=()))),
    "scores_balance": ruled(outcome=scored(lambda outcome: attrs.evolve(outcome, scores=(1,) * len(outcome.scores)))),
    "moves_are_a_sequence": ruled(moves=and_then(toy.moves, lambda moves, *_: moves * 2)),
    "listed_moves_are_accepted": ruled(moves=may_always_throw_again),
    "other_moves_are_refused": ruled(apply=takes_anything),
    "apply_changes_no_state": ruled(apply=spoils_on_refusal),
    "refusals_cost_no_luck": ruled(apply=draws_first),
    "replay_repeats": ruled(apply=counts_calls()),
    "default_is_legal": ruled(default=lambda state, seat: toy.Again()),
    "values_survive_json": ruled(view=and_then(toy.view, lambda view, *_: attrs.evolve(view, dice=list(view.dice)))),
    "samples_fit_their_view": ruled(sample=lambda view, luck: toy.sample(attrs.evolve(view, again=()), luck)),
    "moves_follow_from_the_view": ruled(default=does_by_anothers_die),
    "hidden_things_do_not_show_in_the_view": ruled(view=shows_all),
    "hidden_things_do_not_show_in_the_moves": looks_at_others(),
    "hidden_things_do_not_show_in_refusals": ruled(apply=names_the_hidden_die),
    "hidden_things_do_not_show_in_the_events": ruled(apply=shows_each_step),
    "fresh_luck_does_not_show_in_the_events": ruled(start=shows_the_start),
    "purposes_are_used_once": ruled(apply=draws_without_saying_for_whom),
    "only_the_purpose_decides": ruled(apply=names_a_purpose_by_its_calls()),
    "every_event_happens": ruled(apply=and_then(toy.apply, lambda step, *_: Step(step.state, step.events[:1]))),
    "hiding_hides_something": {"hide": lambda state, seat, luck: state},
    "events_have_words": worded(tell=lambda event, reader: "\x1b[31mred"),
    "screens_have_words": worded(ask=lambda view, moves, reader: ""),
    "refusal_codes_have_words": worded(refusals=some_words("too-few-sides")),
    "refusals_make_sentences": worded(refusals=some_words() | {"not-your-turn": ""}),
    "moves_are_typed": worded(spell=lambda move: "keep"),
    "parts_are_typed": worded(parts=Parts(lambda move: ("keep",), {})),
    "commands_say_how_they_are_used": worded(commands=declared(toy.keep, again_without_a_word)),
    "command_names_are_free": worded(commands=declared(toy.keep, toy.again, leaves_by_a_move)),
    "numbers_are_moves": worded(ask=lambda view, moves, reader: "1. keep it, 2. throw again, 3. call it a day"),
    "doubts_have_words": worded(doubt=lambda view, move: "odd"),
    "shared_rows_fit_each_reader": worded(merging=shared_by_all(side_by_side(toy.tell, toy.Kept))),
    "turns_have_words": worded(asks=lambda view, moves, reader: Turn("")),
    "choices_are_moves": worded(asks=and_then(toy.asks, lambda turn, *_: with_choices(turn, number=7))),
    "true_claims_are_true": worded(
        asks=and_then(toy.asks, lambda turn, *_: with_choices(turn, true=True)),
        reveals=lambda events: [Shown(seat, did=True) for seat in range(4)],
    ),
    "choices_cost_what_they_take": worded(
        asks=and_then(toy.asks, lambda turn, *_: with_choices(turn, cost=2)),
        picture=lambda view, reader: Picture(
            (), (Column("chips", leads=True),), (PictureSeat(reader.seat or 0, ("9",)),)
        ),
    ),
    "rows_add_nothing": worded(
        asks=and_then(toy.asks, lambda turn, *_: attrs.evolve(turn, leads=("77 points:",))),
        picture=lambda view, reader: Picture(()),
    ),
    "hidden_things_do_not_show_on_the_page": worded(picture=counts_its_calls()),
    "pictures_fit_a_page": worded(
        picture=lambda view, reader: Picture((), seats=(PictureSeat(0, (), (Piece("coin", "1"),)),))
    ),
    "bots_choose_legal_moves": worded(players={"novice": lambda view, moves, luck: "keep"}),
    "bots_repeat_their_moves": worded(players={"novice": chooses_by_turns()}),
    "bots_choose_soon": worded(players={"novice": thinks_for_long}),
    "bots_leave_the_view_alone": worded(players={"novice": changes_its_view}),
    "lesson_can_be_played": worded(lesson=toy_lesson("again")),
    "completion_offers_legal_words": worded(spell=lambda move: f"{toy.spell(move)} "),
}
"""For each check, a way to fail it."""


def test_correct_game_passes_every_check():
    """So the faulty versions differ only in their one fault."""
    check()


@pytest.mark.parametrize("promise", BROKEN)
def test_failed_check_is_caught_and_named(promise):
    """A check that catches nothing would let every game through."""
    with pytest.raises(Broken) as caught:
        check(**BROKEN[promise])

    assert promise == caught.value.promise, str(caught.value)


def test_every_check_has_a_game_that_fails_it():
    """A new check comes with such a game."""
    named = {promise.__name__ for promise in (*PROMISES, *WORDS, *TURNS, *BOTS, *TOGETHER)}

    assert named | {"play_ends", "options_can_be_played"} == set(BROKEN)


def test_failed_check_can_be_replayed():
    """The message has the seed, the options and the number of seats."""
    with pytest.raises(Broken, match=r"high, 2 seats, seed 0, Options\(sides=6\)"):
        check(**worded(tell=lambda event, reader: "\n"), options=(toy.Options(6),))


def test_exception_in_a_game_names_the_check():
    """Any exception except a refusal names the current check."""
    with pytest.raises(Broken, match="events_have_words: ZeroDivisionError"):
        check(**worded(tell=lambda event, reader: str(1 // 0)))


@pytest.mark.parametrize("line", ["a\n\nb", "a\rb", "a\x07", "a\u202eb", "\u200b", "x" * 70, "全" * 35])
def test_line_that_forges_hides_or_overflows_is_caught(line):
    """It may have control, bidi or invisible characters, or a word that is too long for a row of 78 columns."""
    with pytest.raises(Broken, match="events_have_words"):
        check(**worded(tell=lambda event, reader: line))


def test_reveal_missing_from_the_view_is_reported_with_a_fix():
    """The events of a move may reveal something only if the view after it has it too."""
    with pytest.raises(Broken, match="add it to the view after the move, or hide it with seen_by"):
        check(**BROKEN["hidden_things_do_not_show_in_the_events"])


def test_clash_with_a_server_command_is_reported_by_name():
    with pytest.raises(Broken, match="the server has a command /leave"):
        check(**BROKEN["command_names_are_free"])


def test_event_named_as_rare_need_not_happen():
    """Some events happen once in a thousand plays."""
    check(**BROKEN["every_event_happens"], rare={toy.Shown})


def test_game_without_secrets_has_nothing_to_hide():
    """Everyone sees the dice on the table."""
    check(hide=None)


def test_number_of_seats_that_the_options_refuse_is_left_out():
    """Options that fit only some tables are tested at those."""

    def start(seats, options, purses, luck):
        if seats > 2:
            raise Refused("too-few-sides")
        return toy.start(seats, options, purses, luck)

    check(**ruled(start=start))


def test_play_has_each_state_with_its_move_and_events():
    """The start comes first, and no seat makes it."""
    turns = play(toy.GAME, 2, seed=5)

    assert [None, 0, 1] == [seat for _, seat, _, _ in turns]
    assert turns == play(toy.GAME, 2, seed=5)
    assert toy.outcome(turns[-1].state)


def test_strategy_may_choose_the_moves():
    """A bot can replace random moves."""
    turns = play(toy.GAME, 4, choose=lambda view, moves, luck: moves[0])

    assert [None, *[toy.Keep()] * 4] == [turn.move for turn in turns]


def test_position_is_found_by_a_condition():
    """It is the first in random plays; if there is none, that is an error."""
    assert (0, 1) == position(toy.GAME, 3, lambda state: state.again == (0, 1)).again
    with pytest.raises(LookupError, match="no such position"):
        position(toy.GAME, 3, lambda state: state.turn > 3)
