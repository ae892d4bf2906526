"""Commands, lines, prompts and refusals of Liars Dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated, Any

from lilygames.commands import Reads, Rest, command, declared
from lilygames.game import Parts, Reader
from lilygames.games.families.dice import screens
from lilygames.games.families.dice import words as dicewords
from lilygames.games.families.dice.chances import best_rolls
from lilygames.games.families.dice.merging import Passes
from lilygames.games.liarsdice import spoken
from lilygames.spoken import told
from lilygames.text import count, listing, signed
from lilygames_rules.dice import claim_text as claimtext
from lilygames_rules.dice import claims
from lilygames_rules.dice import cup as dicecup
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Glimpse, Looked, Roll, Rolled
from lilygames_rules.dice.passing import Challenged, Claim, ClaimMade, Passing, Peek
from lilygames_rules.kit import Ambiguous, Event, Malformed, Refused, Seat
from lilygames_rules.liarsdice import GameEnded, Match, RoundBegun, RoundScored, View

_EXAMPLE = Hand.parse("two pair K")
_ROWS = 12
"""Number of latest rounds on the score sheet."""


@command("claim")
def claim(view: View, hand: Rest = "") -> Claim:
    """Pass the dice with a claim, true or not: /claim pair of nines.

    Say as much as you like: pair, pair + 9, pair 9 + K, two pair K, KK99A,
    straight, full T, four aces. Each claim must be higher than the last, or
    name more dice. To pass the dice to someone other than the next player,
    add "to" and their name or seat number: /claim full T to bob. If the dice
    were offered to you, this takes them and passes them on unseen.
    """
    words = hand.split()
    place = next((at for at, word in enumerate(words) if at and word.casefold() == "to"), len(words))
    to = " ".join(words[place + 1 :])
    return Claim(_hand(" ".join(words[:place])), _seat(view, to) if place < len(words) else None)


def _hand(text: str) -> Hand:
    try:
        return Hand.parse(text)
    except Ambiguous as several:
        raise Refused("several-claims", choices=several.choices) from None
    except Malformed:
        raise Refused("no-claim") from None


def _seat(view: View, to: str) -> Seat:
    """Return the seat for a number counted from 1; the table has already turned names into numbers."""
    seats = len(view.match.scores)
    if not (to.isascii() and to.isdigit()) or not 1 <= int(to[:3]) <= seats:
        raise Refused("no-seat", seats=seats)
    return int(to) - 1


@command("accept")
def accept(_: View) -> Accept:
    """Accept the claim and take the dice."""
    return Accept()


@command("challenge", "liar")
def challenge(_: View) -> Challenge:
    """Challenge the claim: everyone sees the dice."""
    return Challenge()


@command("peek", "look")
def peek(_: View) -> Peek:
    """Look at the hidden dice you've taken."""
    return Peek()


_DiceWord = Annotated[
    str, Reads("DICE", dicewords.dice_word(claimtext.faces, ("all",)), "dice are like KK, #1 #3 or all")
]


@command("roll")
def roll(view: View, dice: _DiceWord, *more: _DiceWord) -> Roll:
    """Roll dice: /roll all, /roll 9 J, or by place, seen or not: /roll #1 #3."""
    return Roll(_places(view, dice, *more))


@command("keep")
def keep(view: View, dice: _DiceWord, *more: _DiceWord) -> Roll:
    """Roll all dice but these: /keep KK, /keep kings, /keep #1 #2."""
    return Roll(dicecup.others(_places(view, dice, *more)))


def _places(view: View, *words: str) -> tuple[int, ...]:
    """Return the places of the dice named; a plural means all dice of that face that can be seen."""
    now, cup = view.passing, view.cup
    if now is None or now.holder != view.seat or not now.taken:
        return ()  # the move is refused for its time, whatever the dice

    def faces(word: str) -> Sequence[int]:
        named = claimtext.faces(word)
        shown = cup.dice.count(named[0]) if cup and word in claimtext.PLURALS else 1
        return named * max(1, shown)

    return dicewords.places(words, faces, cup)


def dice_in(dice: Sequence[int | None], reader: Reader) -> str:
    """Return dice by place: `K K ? 9 T`; in words in reader mode."""
    if reader.voice.spoken:
        return spoken.dice(dice)
    return " ".join("?" if face is None else claims.letters([face]) for face in dice)


def kind(dice: Sequence[int]) -> str:
    """Return the kind of hand that five dice are, without the dice that are outside it: `a pair of nines`."""
    best = claims.best(dice)
    return Hand(best.category, best.ranks).words


def said(claim: Hand) -> str:
    """Return a claim as it is typed, with a full house in full."""
    return str(claim).replace(claims.Category.FULL.value, "full house", 1)


def _begun(event: RoundBegun, reader: Reader) -> str:
    return reader.says(event.starter, f"opens round {event.number}.", f"open round {event.number}.")


def _rolled(event: Rolled, reader: Reader) -> str:
    dice = count(event.count, "die", "dice")
    rolls = reader.says(event.seat, f"rolls {dice}", f"roll {dice}")
    result = f": {dice_in(event.dice, reader)}" if event.dice else ""
    shown = [face for face in event.open if face]
    lies = f"; face up: {_faces(shown, reader)}" if shown else ""
    return f"{rolls}{result}{lies} ({count(event.left, 'roll')} left)."


def _faces(faces: Sequence[int], reader: Reader) -> str:
    """Return some dice: `K K 9`, or `king, king, nine` in reader mode."""
    if reader.voice.spoken:
        return ", ".join(claimtext.NAMES[face - 1] for face in faces)
    return " ".join(claims.letters(faces))


def _looked(event: Looked, reader: Reader) -> str:
    if event.dice is None:
        return f"{reader.names[event.seat]} looks at the dice."
    return f"{reader.says(event.seat, 'looks', 'look')}: {dice_in(event.dice, reader)}."


def _claimed(event: ClaimMade, reader: Reader) -> str:
    to, words = reader.who(event.to), event.hand.words
    if event.unseen:
        return reader.says(event.seat, f"passes on unseen to {to}: {words}.", f"pass on unseen to {to}: {words}.")
    blind = "" if event.looked else " without looking"
    return reader.says(event.seat, f"passes to {to}{blind}: {words}.", f"pass to {to}{blind}: {words}.")


def _called(event: Challenged, reader: Reader) -> str:
    """Return how a round ended, for the list of rounds."""
    if reader.voice.spoken:
        return f"{reader.says(event.seat, 'challenged', 'challenged')} {_found(event, reader)}"
    claim = f"challenged {_whose(event, reader)}: {dice_in(event.dice, reader)}. {_verdict(event)}"
    return reader.says(event.seat, claim, claim)


def _whose(event: Challenged, reader: Reader) -> str:
    whose = "your" if event.passer == reader.seat else f"{reader.names[event.passer]}'s"
    return f"{whose} {said(event.hand)}"


def _verdict(event: Challenged) -> str:
    return "True!" if event.honest else "A lie!"


def _found(event: Challenged, reader: Reader) -> str:
    verdict = ("was honest", "were honest") if event.honest else ("lied", "lied")
    return f"{event.hand.words}: {dice_in(event.dice, reader)}. {reader.says(event.passer, *verdict)}."


def _challenged(event: Challenged, reader: Reader) -> str:
    dice = f"{dice_in(event.dice, reader)} ({kind(event.dice)})"
    claim = f"{_whose(event, reader)}: the dice are {dice}. {_verdict(event)}"
    return reader.says(event.seat, f"challenges {claim}", f"challenge {claim}")


def _scored(event: RoundScored, reader: Reader) -> str:
    return screens.score_rows(f"Round {event.number}", event.winner, event.loser, event.scores, reader)


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    RoundBegun: _begun,
    Rolled: _rolled,
    Looked: _looked,
    ClaimMade: _claimed,
    Accepted: dicewords.accepted,
    Challenged: _challenged,
    RoundScored: _scored,
    GameEnded: lambda *_: "",
}
"""The line for each kind of event."""


PASSES = Passes(
    claims=ClaimMade,
    rolled="rolled",
    claim=lambda event: said(event.hand),
    to=lambda event: event.to,
    unrolled=lambda event: "passed on unseen" if event.unseen else "looked" if event.looked else "didn't look",
    faces=dice_in,
)
"""The words for bots' passes in sequence."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return told(event, reader, TOLD, spoken.TOLD)


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the round, the claim, the visible dice and the points."""
    match, seats = view.match, enumerate(view.match.scores)
    points = "Points by seat: " + ", ".join(f"{n + 1}. {reader.who(n)} {signed(score)}" for n, score in seats) + "."
    last = [f"Round {len(match.sheet)}: {_called(match.sheet[-1], reader)}"] if match.sheet else []
    if view.passing is None or view.cup is None:
        return ["The game is over.", *last, points]
    dice = f"Dice: {dice_in(view.cup.dice, reader)}."
    return [f"Round {match.number}, {_goal(match)}.", _stands(view.passing, reader), dice, *last, points]


def _goal(match: Match) -> str:
    rounds = count(match.options.max_rounds, "round")
    points = match.options.points
    return f"{rounds} in all" if points == "none" else f"to {count(points, 'point')}, {rounds} at most"


def _stands(now: Passing, reader: Reader) -> str:
    holds = reader.says(now.holder, "has the dice", "have the dice")
    if now.hand is None or now.passer is None:
        return f"{holds}, no claim yet ({count(now.left, 'roll')} left)."
    claimed = spoken.hand(now.hand) if reader.voice.spoken else f"{now.hand.words} ({now.hand})"
    if not now.taken:
        seen = "after looking" if now.vouched else "without looking"
        return f"{reader.says(now.passer, 'claims', 'claim')} {claimed} to {reader.who(now.holder)} {seen}."
    looked = "seen" if now.looked else "unseen"
    return f"{holds}, {looked}, {count(now.left, 'roll')} left; the last claim was {claimed}."


def hand(view: View, reader: Reader) -> Sequence[str]:
    """Return the dice as the seat knows them and as it last saw them."""
    if view.cup is None:
        return ["The game is over."]
    if view.cup.known:
        return [f"You know the dice: {_placed(view.cup, reader)}."]
    now = f"You see {dice_in(view.cup.dice, reader)}"
    since = view.cup.since[view.seat] if view.seat is not None else None
    if view.cup.last is None or since is None:
        return [f"{now}; you haven't looked this round."]
    seen = f"you saw {dice_in(view.cup.last, reader)}"
    return [f"{now}; {seen}, before {count(since, 'die was', 'dice were')} rolled."]


def _placed(cup: Glimpse, reader: Reader) -> str:
    """Return the dice with the hand they make; by place in reader mode."""
    dice = cup.seen
    if reader.voice.spoken:
        return ", ".join(f"number {place} {claimtext.NAMES[face - 1]}" for place, face in enumerate(dice, 1))
    return f"{dice_in(dice, reader)} ({claims.best(dice).words})"


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the points, the end condition, and the results of the latest rounds."""
    match = view.match
    sheet = list(enumerate(match.sheet, 1))[-_ROWS:]
    rows = [f"Round {number}: {_called(event, reader)}" for number, event in sheet]
    return [f"Points: {dicewords.points(match.scores, reader)}; {_goal(match)}.", *rows]


def offers(view: View, moves: Sequence[Any]) -> Sequence[Any]:
    """Return the moves a prompt numbers: the answers, or the best rolls and claims."""
    now, cup = view.passing, view.cup
    if now is None or cup is None:
        return ()
    unseen = [Claim(now.least)] if now.least else []
    if not now.taken:
        return [*moves[: 2 if now.least else 1], *unseen]
    if not cup.known:
        peek = [move for move in moves[:1] if isinstance(move, Peek)]
        return [*peek, *([Roll(tuple(dicecup.PLACES))] if now.left else ()), *unseen]
    dice = cup.seen
    enough = now.hand is None or claims.best(dice).beats(now.hand)
    said = map(Claim, _worth_saying(dice, now))
    least = worth(tuple(sorted(dice))) + 1 if now.hand is None or enough else now.hand.rung + 1
    rolled = _rolls(tuple(sorted(dice)), least) if now.left else ()
    rolls = [Roll(dicecup.found(dicecup.Named((), faces), dice)) for faces in rolled]
    return [*said, *rolls] if enough else [*rolls, *said]


def _worth_saying(dice: tuple[int, ...], now: Passing) -> Sequence[Hand]:
    """Return two claims: the whole truth and a vaguer one, or the lowest sufficient lie and a bolder one."""
    truth = claims.best(dice)
    above = claims.ladder()[now.least.rung :] if now.least else ()
    if now.hand is None or truth.beats(now.hand):
        vague = Hand(truth.category)
        return [*dict.fromkeys((truth, vague if vague in above else above[0]))]
    plain = [hand for hand in above[1:] if not hand.kickers]
    return [*above[:1], *plain[:1]]


@lru_cache(4096)
def _rolls(dice: tuple[int, ...], least: int) -> Sequence[tuple[int, ...]]:
    return best_rolls(dice, worth, least)


@cache
def worth(dice: tuple[int, ...]) -> int:
    """Return the rung of the highest true claim about five dice."""
    return claims.best(dice).rung


def ask(view: View, moves: Sequence[Any], reader: Reader) -> str:
    """Return the prompt: the numbered moves, other claims, your dice and the rolls left."""
    shown = offers(view, moves)
    if reader.voice.spoken:
        return spoken.ask(view, shown)
    now, cup = view.passing, view.cup
    if now is None or cup is None:
        return ""
    if now.least is None and not now.taken:
        return f"1. challenge {now.hand}, which nothing beats"
    numbered = [f"{number}. {_offered(move, cup)}" for number, move in enumerate(shown, 1)]
    if not now.taken:
        return f"{numbered[0]}, {numbered[1]}, or pass on unseen: {numbered[2]} or any higher claim"
    beat = f"beat {now.hand}: " if now.hand else ""
    return f"{beat}{', '.join(numbered)}, or any claim{_bracketed(now, cup, shown)}"


def _offered(move: Any, cup: Glimpse) -> str:
    """Return a move as the prompt shows it, in a form that can be typed; dice by face, the truth marked."""
    if isinstance(move, Peek):
        return "look"
    if rolled := dicewords.rolled(move, cup, lambda faces: " ".join(claims.letters(faces))):
        return rolled
    return f"{spell(move)} (true)" if move == _truth(cup) else spell(move)


def _truth(cup: Glimpse) -> Claim | None:
    """Return the highest true claim, None if not all dice are known."""
    return Claim(claims.best(cup.seen)) if cup.known else None


def _bracketed(now: Passing, cup: Glimpse, shown: Sequence[Any]) -> str:
    """Return a note in brackets: the true claim unless it's among the moves, and the rolls left."""
    truth = _truth(cup)
    yours = [f"yours: {truth.hand}"] if truth and truth not in shown else []
    left = [f"{count(now.left, 'roll')} left"] if now.left else []
    return f" ({'; '.join([*yours, *left])})" if yours or left else ""


@cache
def _typed(hand: Hand) -> str:
    """Return a hand as it is typed; cached because lists of moves repeat them."""
    return str(hand)


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    match move:
        case Claim(said, to):
            return f"claim {_typed(said)}" if to is None else f"claim {_typed(said)} to {to + 1}"
        case Roll():
            return dicewords.typed_roll(move)
    return {Accept: "accept", Challenge: "challenge", Peek: "peek"}[type(move)]


def parts(move: Any) -> Sequence[str]:
    """Return a claim by its hand, ranks and other dice; a claim to a player out of turn is only typed."""
    if not isinstance(move, Claim):
        return spell(move).split()
    return ("claim", *_claimed_parts(move.hand)) if move.to is None else ()


def _claimed_parts(hand: Hand) -> Sequence[str]:
    if hand.category is claims.Category.STRAIGHT:
        return (str(hand),)
    ranks: Sequence[str] = claims.letters(hand.ranks)
    if hand.category is claims.Category.TWO_PAIR:  # else the second rank could be another die
        ranks = [*ranks[:1], *(f"over {rank}" for rank in ranks[1:])]
    return (hand.category.value, *ranks, *(f"+ {die}" for die in claims.letters(hand.kickers)))


PARTS = Parts(parts, {"claim": ("hand", "rank")})
"""Moves in parts: `claim`, `pair`, `Q`, `+ K`."""


def word(move: Any, view: View, reader: Reader) -> str:
    """Return a move in words, without its recipient."""
    aloud = reader.voice.spoken
    match move:
        case Claim(said):
            return f"claim {spoken.hand(said) if aloud else _typed(said)}"
        case Roll() if view.cup:
            faces = spoken.faces if aloud else lambda faces: " ".join(claims.letters(faces))
            return dicewords.rolled(move, view.cup, faces) or "roll all"
    return spell(move)


_PHASES = {"open": "roll or claim", "answer": "answer the claim", "hold": "roll or claim"}


def _wrong_phase(facts: Mapping[str, Any], _: Reader) -> str:
    if facts["phase"] == "answer":
        return f"the claim is {facts['hand']}: accept, challenge, or claim higher."
    if facts["phase"] == "open":
        return f"nobody has claimed yet: claim a hand like {_EXAMPLE}, or roll."
    return "you have the dice: peek, roll, or claim higher."


def _not_higher(facts: Mapping[str, Any], _: Reader) -> str:
    if facts["least"] is None:
        return f"nothing beats {facts['hand']}: challenge it."
    return f"that doesn't beat {facts['hand']}: claim {facts['least']} or higher."


def _recipients(facts: Mapping[str, Any], reader: Reader) -> str:
    seats = [f"{seat + 1} ({reader.names[seat]})" for seat in facts["seats"]]
    return f"pass the dice to {listing(seats, 'or')}."


def _no_such_die(facts: Mapping[str, Any], _: Reader) -> str:
    few = claimtext.PLURALS[facts["face"] - 1]
    return f"the dice don't show enough {few}; /hand shows them, #1 to #5 are their places."


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    **dicewords.refusals("liarsdice", _PHASES),
    "wrong-phase": _wrong_phase,
    "looked-already": "you've already looked; /hand shows the dice.",
    "no-rolls-left": "you have no rolls left: claim a hand.",
    "bad-dice": "name dice by face (KK), by place (#1 to #5), or all. To keep them all, just claim.",
    "peek-first": "you haven't seen such a die: peek first, or name places (#1 to #5).",
    "no-such-die": _no_such_die,
    "no-claim": "claims look like pair, pair + 9, two pair K, KK99A, straight, full T or four aces.",
    "several-claims": lambda facts, _: f"do you mean {listing(facts['choices'], 'or')}?",
    "not-higher": _not_higher,
    "cannot-beat": lambda facts, _: f"nothing beats {facts['hand']}: challenge it.",
    "no-seat": "no player has that name: pass to a player by name, or by seat number, 1 to {seats}.",
    "bad-recipient": _recipients,
    "bad-seats": "Liars Dice is for {low} to {high} players.",
    "bad-points": "points must be 1 to {most}, or none.",
    "bad-rounds": "max-rounds must be 1 to {most}.",
}


COMMANDS = declared(claim, accept, challenge, peek, roll, keep)
