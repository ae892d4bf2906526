"""Promises that every game keeps about play and secrets, one function each; `lilygames.testing` checks them.

Promises about words are in `wording`, those about the purposes of luck in `purposes`. Each promise checks one play and
yields half a sentence for each violation. The samples it checks are drawn from the play's seed, so a check is
repeatable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, get_args

import attrs

from lilygames.codec import from_text, to_text
from lilygames.gametest.plays import FEW, Check, Spot, attempt, luck_of, some
from lilygames.gametest.purposes import only_the_purpose_decides, purposes_are_used_once
from lilygames.lesson import Theirs, Yours
from lilygames.tables.state import visible
from lilygames_rules.kit import Refused, Seat, Step

_FRESH = 20


# Playing.


def somebody_can_move(check: Check) -> Iterator[str]:
    """Some seat has a move until the game has an outcome."""
    if check.rules.outcome(check.turns[-1].state) is None:
        yield f"after {len(check.turns) - 1} moves nobody has a move, and there is no outcome"


def turn_names_the_only_seat_that_moves(check: Check) -> Iterator[str]:
    """`turn` is the seat that has moves if it is the only one, else None."""
    for number, turn in enumerate(check.turns):
        ready = [seat for seat in range(check.seats) if len(check.rules.moves(turn.state, seat))]
        named = check.rules.turn(turn.state)
        if named != (ready[0] if len(ready) == 1 else None):
            yield f"after {number} moves `turn` is {named}, but the seats with moves are {ready}"


def outcome_waits_for_the_end(check: Check) -> Iterator[str]:
    """A game has an outcome only when nobody has a move."""
    for number, turn in enumerate(check.turns[:-1]):
        if check.rules.outcome(turn.state) is not None:
            yield f"after {number} moves there is an outcome, but someone still has a move"


def outcome_is_whole(check: Check) -> Iterator[str]:
    """An outcome has a score per seat, at least one winner (each a seat, without repeats), and a reason."""
    outcome = check.rules.outcome(check.turns[-1].state)
    if outcome is None:
        return
    if len(outcome.scores) != check.seats:
        yield f"{outcome} doesn't have {check.seats} scores"
    if not outcome.winners or len(set(outcome.winners)) < len(outcome.winners):
        yield f"{outcome} has no winners, or repeats one"
    if not set(outcome.winners) <= set(range(check.seats)) or not outcome.reason:
        yield f"{outcome} has a winner without a seat, or no reason"


def scores_balance(check: Check) -> Iterator[str]:
    """The scores of a zero-sum game add up to zero."""
    outcome = check.rules.outcome(check.turns[-1].state)
    if check.zero_sum and outcome is not None and sum(outcome.scores) != 0:
        yield f"the scores {outcome.scores} don't add up to zero"


def moves_are_a_sequence(check: Check) -> Iterator[str]:
    """A list of moves, lazy or not, contains each move once and finds its index."""
    for spot in check.spots():
        moves = check.moves(spot)
        for place in some(range(len(moves)), check.luck(spot, "places")):
            if moves[place] not in moves or moves.index(moves[place]) != place:
                yield f"{spot}: {moves[place]} is listed twice, or not at the index that the list says"


def listed_moves_are_accepted(check: Check) -> Iterator[str]:
    """`apply` accepts every move that `moves` lists."""
    for tried in check.tries:
        if tried.listed and isinstance(tried.result, Refused):
            yield f"{tried.spot}: {tried.move} is listed but refused ({tried.result.code})"


def other_moves_are_refused(check: Check) -> Iterator[str]:
    """`apply` refuses moves that `moves` doesn't list there, but for other seats or positions."""
    for tried in check.tries:
        if not tried.listed and isinstance(tried.result, Step):
            yield f"{tried.spot}: {tried.move} is not listed but accepted"


def apply_changes_no_state(check: Check) -> Iterator[str]:
    """Neither a move nor a refusal changes the old state."""
    for tried in check.tries:
        if not tried.unchanged:
            yield f"{tried.spot}: {tried.move} changed the state it was made in"


def refusals_cost_no_luck(check: Check) -> Iterator[str]:
    """A refused move draws nothing, so that nobody can change the deal by trying."""
    for tried in check.tries:
        if isinstance(tried.result, Refused) and tried.draws:
            yield f"{tried.spot}: {tried.move} was refused after {tried.draws} draws"


def replay_repeats(check: Check) -> Iterator[str]:
    """Equal options, moves and luck give equal states and events."""
    step = check.rules.start(check.seats, check.options, check.purses, luck_of(check.seed, 0))
    for number, turn in enumerate(check.turns):
        if number:
            step = check.rules.apply(step.state, turn.seat or 0, turn.move, luck_of(check.seed, number))
        if (step.state, step.events) != (turn.state, turn.events):
            yield f"after {number} moves the replay has a different state or different events"


def default_is_legal(check: Check) -> Iterator[str]:
    """The default move is legal."""
    for spot in check.spots():
        moves = check.moves(spot)
        if len(moves) and (move := check.rules.default(spot.state, spot.seat)) not in moves:
            yield f"{spot}: the default {move} is not legal"


def values_survive_json(check: Check) -> Iterator[str]:
    """States, moves, events, options and views survive a round trip through JSON."""
    rules: Any = check.rules
    values = [(check.options, rules.Options)]
    values += [(rules.view(spot.state, spot.seat), rules.View) for spot in check.spots(None)]
    for number in check.numbers:
        turn = check.turns[number]
        values += [(turn.state, rules.State), *((event, rules.Event) for event in turn.events)]
        values += [(turn.move, rules.Move)] if number else []
        values += [(event, rules.Event) for event in visible.all_seen(turn.events, None)]
    for value, kind in values:
        if (back := from_text(to_text(value), kind)) != value:
            yield f"{value} comes back from JSON as {back}"


# Secrets.


def samples_fit_their_view(check: Check) -> Iterator[str]:
    """The view of a sampled state equals the view it was sampled from."""
    for spot, sampled in samples(check):
        if check.rules.view(sampled.state, spot.seat) != check.rules.view(spot.state, spot.seat):
            yield f"{spot}: the view of a sampled state is not the view it was sampled from"


def moves_follow_from_the_view(check: Check) -> Iterator[str]:
    """A seat's moves and default depend only on its view."""
    for spot, sampled in samples(check):
        if may_do(check, spot) != may_do(check, sampled):
            yield f"{spot}: the moves or the default differ in a state sampled from the view"


def samples(check: Check) -> Iterator[tuple[Spot, Spot]]:
    """Yield each spot with the same spot in states sampled from its view."""
    for spot in check.spots():
        view = check.rules.view(spot.state, spot.seat)
        for number in range(FEW):
            yield spot, spot._replace(state=check.rules.sample(view, check.luck(spot, f"sample {number}")))


def may_do(check: Check, spot: Spot) -> tuple[list[Any], Any]:
    """Return the moves of a seat in order, and its default if it has a move."""
    moves = list(check.moves(spot))
    return moves, check.rules.default(spot.state, spot.seat) if moves else None


def hidden_things_do_not_show_in_the_view(check: Check) -> Iterator[str]:
    """States that differ only in what a seat can't know give it the same view and screen."""
    for spot, other in check.worlds:
        if check.screen(spot) != check.screen(other):
            yield f"{spot}: the view or the screen differs with what is hidden from it"


def hidden_things_do_not_show_in_the_moves(check: Check) -> Iterator[str]:
    """Such states give the seat the same moves and default."""
    for spot, other in check.worlds:
        if may_do(check, spot) != may_do(check, other):
            yield f"{spot}: the moves or the default differ with what is hidden from it"


def hidden_things_do_not_show_on_the_page(check: Check) -> Iterator[str]:
    """Such states give the seat the same picture and turn."""
    for spot, other in check.worlds:
        if check.drawn(spot) != check.drawn(other):
            yield f"{spot}: the picture or the turn differs with what is hidden from it"


def hidden_things_do_not_show_in_refusals(check: Check) -> Iterator[str]:
    """Such states refuse the same moves with the same code, facts and sentence."""
    for spot, other in check.worlds:
        for move in check.others(spot) if spot.seat is not None else ():
            here, there = (attempt(check.rules, world, move, check.luck(spot, "try")) for world in (spot, other))
            if check.refusal(spot, here) != check.refusal(other, there):
                yield f"{spot}: the refusal of {move} differs with what is hidden from it"


def hidden_things_do_not_show_in_the_events(check: Check) -> Iterator[str]:
    """A move with the same luck in such states shows the seat the same events if its views stay the same."""
    for spot, other in check.worlds:
        for mover in range(check.seats):
            here, there = spot._replace(seat=mover), other._replace(seat=mover)
            for move in check.some_moves(here, FEW):
                steps = [attempt(check.rules, world, move, check.luck(spot, "try")) for world in (here, there)]
                if tells_apart(check, steps, spot.seat):
                    yield (
                        f"{spot}: the events of {move} by seat {mover} tell a secret;"
                        " add it to the view after the move, or hide it with seen_by"
                    )


def tells_apart(check: Check, steps: Sequence[Step[Any] | Refused], seat: Seat | None) -> bool:
    """Tell whether the events of these steps differ for the seat although the views after them don't."""
    told: dict[str, Any] = {}
    for step in steps:
        if isinstance(step, Step):
            lines = check.told(step.events, seat)
            if told.setdefault(to_text(check.rules.view(step.state, seat)), lines) != lines:
                return True
    return False


def fresh_luck_does_not_show_in_the_events(check: Check) -> Iterator[str]:
    """The events of a start or a move reveal no more about luck than the view after them."""
    for number, steps in fresh_steps(check):
        for seat in (*range(check.seats), None):
            if tells_apart(check, steps, seat):
                yield f"{Spot(number, None, seat)}: the events reveal more about luck than the view shows"


def fresh_steps(check: Check) -> Iterator[tuple[int, list[Step[Any]]]]:
    """Yield alternative steps with other luck, for the start and for some moves that drew."""
    starts = [luck_of(check.seed, number, "fresh") for number in range(_FRESH)]
    yield 0, [check.rules.start(check.seats, check.options, check.purses, luck) for luck in starts]
    drew = [tried for tried in check.tries if tried.listed and tried.draws]
    for spot, move, *_ in some(drew, luck_of(check.seed, 0, "drew")):
        lucks = [check.luck(spot, f"fresh {number}") for number in range(_FRESH)]
        yield spot.number, [check.rules.apply(spot.state, spot.seat, move, luck) for luck in lucks]


# All plays together.


def every_event_happens(checks: Sequence[Check], rare: Collection[type]) -> Iterator[str]:
    """Every event class occurs in the plays, or is declared rare."""
    rules: Any = checks[0].rules
    happened = {type(event) for check in checks for turn in check.turns for event in turn.events}
    for kind in classes(rules.Event):
        if kind not in happened and kind not in rare:
            yield f"{kind.__name__} happened in none of the plays; add it to rare or play more"
    for kind in happened.difference(classes(rules.Event)):
        yield f"{kind.__name__} happened, but isn't part of Event"


def classes(union: Any) -> tuple[type, ...]:
    """Return the classes of a union, or the single class."""
    return get_args(union) or (union,)


def lesson_can_be_played(checks: Sequence[Check], _: Collection[type]) -> Iterator[str]:
    """The lesson's deal and moves are legal in order, and each wrong answer is another legal move."""
    game, lesson = checks[0].game, checks[0].game.lesson
    if lesson is None:
        return
    rules = game.rules
    state = rules.start(lesson.seats, lesson.options, lesson.purses, lesson.luck(0, started=False)).state
    for made, step in enumerate(lesson.steps):
        seat = step.seat if isinstance(step, Theirs) else lesson.learner
        view, moves = rules.view(state, seat), rules.moves(state, seat)
        move = step.meant(view, game.commands)
        if move not in moves:
            yield f"step {made + 1} of the lesson, {step.move!r}, isn't legal"
            return
        for typed in step.wrong if isinstance(step, Yours) else ():
            other = attrs.evolve(step, move=typed).meant(view, game.commands)
            if other == move or other not in moves:
                yield f"the wrong answer {typed!r} at step {made + 1} of the lesson isn't another legal move"
        state = rules.apply(state, seat, move, lesson.luck(made, started=True)).state


def hiding_hides_something(checks: Sequence[Check], _: Collection[type]) -> Iterator[str]:
    """`hide` sometimes returns a different state; equal states would prove nothing."""
    worlds = [pair for check in checks for pair in check.worlds]
    if worlds and all(spot.state == other.state for spot, other in worlds):
        yield "hide never returned a different state"


PROMISES: tuple[Callable[[Check], Iterator[str]], ...] = (
    somebody_can_move,
    turn_names_the_only_seat_that_moves,
    outcome_waits_for_the_end,
    outcome_is_whole,
    scores_balance,
    moves_are_a_sequence,
    listed_moves_are_accepted,
    other_moves_are_refused,
    apply_changes_no_state,
    refusals_cost_no_luck,
    replay_repeats,
    default_is_legal,
    values_survive_json,
    samples_fit_their_view,
    moves_follow_from_the_view,
    hidden_things_do_not_show_in_the_view,
    hidden_things_do_not_show_in_the_moves,
    hidden_things_do_not_show_on_the_page,
    hidden_things_do_not_show_in_refusals,
    hidden_things_do_not_show_in_the_events,
    fresh_luck_does_not_show_in_the_events,
    purposes_are_used_once,
    only_the_purpose_decides,
)
"""Promises checked for each play."""

TOGETHER: tuple[Callable[[Sequence[Check], Collection[type]], Iterator[str]], ...] = (
    every_event_happens,
    hiding_hides_something,
    lesson_can_be_played,
)
"""Promises checked for all plays together."""
