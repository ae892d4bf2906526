"""Commands, lines, prompts and refusals of Lie Die."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Annotated, Any, get_args

from lilygames.commands import Reads, command, declared
from lilygames.game import Parts, Reader
from lilygames.games.families.dice import screens
from lilygames.games.families.dice import words as dicewords
from lilygames.games.families.dice.chances import best_rolls
from lilygames.games.families.dice.merging import Passes
from lilygames.games.liedie import spoken
from lilygames.spoken import told
from lilygames.text import count
from lilygames_rules.dice import cup as dicecup
from lilygames_rules.dice import throws
from lilygames_rules.dice.cup import Accept, Accepted, Challenge, Glimpse, Looked, Roll, Rolled
from lilygames_rules.dice.throws import Thirteen, Throw
from lilygames_rules.kit import Event
from lilygames_rules.liedie import Challenged, Claim, ClaimMade, GameBegun, GameWon, Match, MatchEnded, View

_ROWS, _FEWER, _MANY = 12, 9, 8
"""Number of latest games on the score sheet; fewer at tables with many seats, so that it fits on a screen."""

_Five = Annotated[Throw, Reads("DICE", Throw.parse, "five dice are like 33145", rest=True)]


@command("claim")
def claim(_: View, throw: _Five) -> Claim:
    """Claim what the five dice show, true or not, and pass them on: /claim 33145.

    The order of the dice doesn't matter. Your claim must beat the last one;
    /help liedie ranking lists the throws from worst to best.
    """
    return Claim(throw)


@command("accept")
def accept(_: View) -> Accept:
    """Accept the claim: take the dice and see them."""
    return Accept()


@command("challenge", "liar")
def challenge(_: View) -> Challenge:
    """Challenge the claim: everyone sees the dice, and the game ends."""
    return Challenge()


def _faces(word: str) -> Sequence[int]:
    return [int(digit) for digit in word] if set(word) <= set("123456") else ()


_DiceWord = Annotated[
    str, Reads("DICE", dicewords.dice_word(_faces, ("all", "none")), "dice are like 33, #1 #3, all or none")
]


@command("roll")
def roll(view: View, dice: _DiceWord, *more: _DiceWord) -> Roll:
    """Throw some dice again: /roll 145, /roll all, /roll none, or by place: /roll #1 #3."""
    return Roll(_places(view, dice, *more))


@command("keep")
def keep(view: View, dice: _DiceWord, *more: _DiceWord) -> Roll:
    """Throw all dice but these: /keep 33, or by place: /keep #1 #2."""
    return Roll(dicecup.others(_places(view, dice, *more)))


def _places(view: View, *words: str) -> tuple[int, ...]:
    if view.turn is None or view.turn.seat != view.seat or not view.turn.taken:
        return ()  # the move is refused for its time, whatever the dice
    return dicewords.places(words, _faces, view.cup)


def dice_in(dice: Sequence[int | None]) -> str:
    """Return dice by place: `3 3 1 4 5`."""
    return " ".join("?" if face is None else str(face) for face in dice)


def throw_in(throw: Throw, reader: Reader, thirteen: Thirteen | None = None) -> str:
    """Return a throw in digits and words: `33541, a pair of threes`; digit by digit in reader mode.

    Tables rank 1 3 4 5 6 differently, so it gets no words unless `thirteen` says how.
    """
    if thirteen is None and throw.words("straight") != throw.words("nothing"):
        return _digits(throw, reader)
    return f"{_digits(throw, reader)}, {throw.words(thirteen or 'straight')}"


def kind(throw: Throw, thirteen: Thirteen) -> str:
    """Return the type of hand: `a short straight`."""
    height, *_ = throws.rank(throw, thirteen)
    return list(throws.Type)[height].value


def _digits(throw: Throw | None, reader: Reader) -> str:
    return (" " if reader.voice.spoken else "").join(str(throw))


def _begun(event: GameBegun, reader: Reader) -> str:
    if event.games == 1:
        return reader.says(event.thrower, "throws first.", "throw first.")
    throws = "throw" if event.thrower == reader.seat else "throws"
    return f"Game {event.number} of {event.games}: {reader.who(event.thrower)} {throws} first."


def _rolled(event: Rolled, reader: Reader) -> str:
    dice = count(event.count, "die", "dice") if event.count else "no dice"
    result = f": {dice_in(event.dice)}" if event.dice else ""
    return f"{reader.says(event.seat, f'throws {dice}', f'throw {dice}')}{result}."


def _looked(event: Looked, reader: Reader) -> str:
    if event.seat != reader.seat or event.dice is None:
        return ""  # everyone knows that accepting shows you the dice
    return f"The dice are {dice_in(event.dice)}."


def _claimed(event: ClaimMade, reader: Reader) -> str:
    said = f"{reader.who(event.to)}: {throw_in(event.throw, reader)}."
    return reader.says(event.seat, f"tells {said}", f"tell {said}")


def _challenged(event: Challenged, reader: Reader) -> str:
    whose = "your" if event.claimant == reader.seat else f"{reader.names[event.claimant]}'s"
    verdict = "A lie!" if event.lied else "True!"
    kinds = {kind(event.dice, thirteen) for thirteen in get_args(Thirteen)}
    dice = f"{event.dice} ({kinds.pop()})" if len(kinds) == 1 else f"{event.dice}"
    claimed = f"{whose} {event.throw}: the dice are {dice}. {verdict}"
    return reader.says(event.seat, f"challenges {claimed}", f"challenge {claimed}")


def _won(event: GameWon, reader: Reader) -> str:
    return screens.score_rows(f"Game {event.number}", event.winner, event.loser, event.scores, reader)


TOLD: Mapping[type, Callable[[Any, Reader], str]] = {
    GameBegun: _begun,
    Rolled: _rolled,
    Looked: _looked,
    ClaimMade: _claimed,
    Accepted: dicewords.accepted,
    Challenged: _challenged,
    GameWon: _won,
    MatchEnded: lambda *_: "",
}
"""The line for each kind of event."""


PASSES = Passes(
    claims=ClaimMade,
    rolled="threw",
    claim=lambda event: str(event.throw),
    to=lambda event: event.to,
    unrolled=lambda _: "threw none",
    faces=lambda dice, _: dice_in(dice),
)
"""The words for bots' passes in sequence."""


def tell(event: Event, reader: Reader) -> str:
    """Return the line for what has happened."""
    return told(event, reader, TOLD, spoken.TOLD)


def show(view: View, reader: Reader) -> Sequence[str]:
    """Return the table: the game, the claim, the visible dice and the points."""
    points = f"Points: {dicewords.points(view.match.scores, reader)}."
    last = _sheet(view.match, reader)[-1:]
    if view.turn is None:
        return ["The game is over.", *last, points]
    rows = [f"Game {view.match.number} of {view.match.options.games}.", _stands(view, reader)]
    return [*rows, *(hand(view, reader) if view.seat is not None else ()), *last, points]


def _stands(view: View, reader: Reader) -> str:
    now = view.turn
    if now is None or now.claim is None:
        return reader.says(now.seat if now else 0, "has thrown and hasn't claimed yet.", "have thrown: claim.")
    claimed = throw_in(now.claim, reader, view.match.options.thirteen)
    if not now.taken:
        claimant = (now.seat - 1) % len(view.match.scores)
        return f"{reader.says(claimant, 'claims', 'claim')} {claimed} to {reader.who(now.seat)}."
    thrown = "and thrown" if now.thrown else "but not thrown yet"
    return f"{reader.says(now.seat, 'has', 'have')} accepted {claimed}, {thrown}."


def hand(view: View, reader: Reader) -> Sequence[str]:
    """Return the dice as the seat knows them or last saw them."""
    if view.cup is None:
        return ["The game is over."]
    throw, since = _known(view.cup), view.cup.since[view.seat] if view.seat is not None else None
    if throw:
        return [f"The dice: {dice_in(view.cup.dice)} ({throw.words(view.match.options.thirteen)})."]
    if view.cup.last is None or since is None:
        return ["You haven't seen the dice in this game."]
    was = "die was" if since == 1 else "dice were"
    return [f"You last saw {dice_in(view.cup.last)}, before {since} {was} thrown."]


def _known(cup: Glimpse) -> Throw | None:
    return Throw.of(cup.seen) if cup.known else None


def score(view: View, reader: Reader) -> Sequence[str]:
    """Return the points and the results of the latest games."""
    rows = _ROWS if len(view.match.scores) <= _MANY else _FEWER
    return [f"Points: {dicewords.points(view.match.scores, reader)}.", *_sheet(view.match, reader)[-rows:]]


def _sheet(match: Match, reader: Reader) -> list[str]:
    return [f"Game {number}: {_ended(event, reader)}" for number, event in enumerate(match.sheet, 1)]


def _ended(event: Challenged, reader: Reader) -> str:
    claimed = f"claimed {_digits(event.throw, reader)} with {_digits(event.dice, reader)}"
    called = f"{reader.who(event.seat)} called it a lie, {'and it was' if event.lied else 'it was not'}"
    return f"{reader.says(event.claimant, claimed, claimed)}; {called}."


def offers(view: View, moves: Sequence[Any]) -> Sequence[Any]:
    """Return the moves a prompt numbers: the answers, or the best rolls and claims; after the throw one claim more."""
    now, throw = view.turn, _known(view.cup) if view.cup else None
    if now is None or view.cup is None or not now.taken or throw is None:
        return moves
    thirteen = view.match.options.thirteen
    own, least = throws.rungs(thirteen)[throw], 0 if now.claim is None else throws.rungs(thirteen)[now.claim] + 1
    enough = own >= least
    least_claim, *bolder = map(Claim, _worth_saying(own if enough else least, thirteen))
    said = [least_claim, *(bolder if now.thrown else bolder[-1:])]
    rolled = () if now.thrown else _rolls(throw.dice, thirteen, own + 1 if enough else least)
    rolls = [Roll(dicecup.found(dicecup.Named((), faces), view.cup.dice)) for faces in rolled]
    return [*said, *rolls] if enough else [*rolls, *said]


@lru_cache(4096)
def _rolls(dice: tuple[int, ...], thirteen: Thirteen, least: int) -> Sequence[tuple[int, ...]]:
    return best_rolls(dice, partial(worth, thirteen), least)


@cache
def worth(thirteen: Thirteen, dice: tuple[int, ...]) -> int:
    """Return the rung of five dice, sorted from low to high."""
    return throws.rungs(thirteen)[Throw(dice)]


def _worth_saying(rung: int, thirteen: Thirteen) -> Sequence[Throw]:
    """Return three claims: the one on a rung, the next one, and one that is better by type or important part."""
    above = throws.ladder(thirteen)[rung:]
    better = (one for one in above if throws.rank(one, thirteen)[:2] != throws.rank(above[0], thirteen)[:2])
    return [*dict.fromkeys((*above[:2], *islice(better, 1)))]


def ask(view: View, moves: Sequence[Any], reader: Reader) -> str:
    """Return the prompt: the numbered moves and the true throw."""
    shown = offers(view, moves)
    if reader.voice.spoken:
        return spoken.ask(view, shown)
    now, cup = view.turn, view.cup
    if now is None or cup is None:
        return ""
    numbered = ", ".join(f"{number}. {_offered(move, cup)}" for number, move in enumerate(shown, 1))
    if not now.taken:
        return numbered if len(shown) > 1 else f"{numbered}: nothing beats {_digits(now.claim, reader)}"
    throw = _known(cup)
    yours = f" (yours: {_digits(throw, reader)})" if throw and Claim(throw) not in shown else ""
    beat = f"beat {_digits(now.claim, reader)}: " if now.claim else ""
    return f"{beat}{numbered}, or any claim{yours}"


def _offered(move: Any, cup: Glimpse) -> str:
    """Return a move as the prompt shows it, in a form that can be typed; dice by face, the truth marked."""
    if rolled := dicewords.rolled(move, cup, dice_in):
        return rolled
    throw = _known(cup)
    return f"{spell(move)} (true)" if throw and move == Claim(throw) else spell(move)


def spell(move: Any) -> str:
    """Return a move as it is typed, without the slash."""
    match move:
        case Claim(throw):
            return f"claim {throw}"
        case Roll():
            return dicewords.typed_roll(move)
    return "accept" if isinstance(move, Accept) else "challenge"


def parts(move: Any) -> Sequence[str]:
    """Return a claim die by die."""
    return ("claim", *str(move.throw)) if isinstance(move, Claim) else spell(move).split()


PARTS = Parts(parts, {"claim": ("first die", "second", "third", "fourth", "fifth")})
"""Moves in parts: `claim`, then five dice."""


def word(move: Any, view: View, reader: Reader) -> str:
    """Return a move in words."""
    aloud = reader.voice.spoken
    match move:
        case Claim(throw):
            return f"claim {spoken.digits(throw) if aloud else throw}"
        case Roll() if view.cup:
            return dicewords.rolled(move, view.cup, spoken.digits if aloud else dice_in) or "roll all"
    return spell(move)


_PHASES = {"state": "claim", "answer": "accept or challenge", "throw": "roll or claim"}


def _wrong_phase(facts: Mapping[str, Any], _: Reader) -> str:
    match facts["phase"]:
        case "state":
            return "nobody has claimed yet: claim five dice, like 33145."
        case "answer":
            return f"the claim is {facts['claim']}: accept or challenge first."
    return f"you've accepted: roll some dice or none, then claim better than {facts['claim']}."


def _not_better(facts: Mapping[str, Any], _: Reader) -> str:
    if facts["least"] is None:
        return f"nothing beats {facts['claim']}: challenge it."
    return f"that doesn't beat {facts['claim']}: claim {facts['least']} or better."


REFUSALS: Mapping[str, str | Callable[[Mapping[str, Any], Reader], str]] = {
    **dicewords.refusals("liedie", _PHASES),
    "wrong-phase": _wrong_phase,
    "no-rolls-left": "you can throw only once per turn: now claim five dice.",
    "bad-dice": "name dice by face (33), by place (#1 to #5), all or none.",
    "peek-first": "you haven't seen such a die: name places (#1 to #5).",
    "no-such-die": "not enough dice show {face}; /hand shows them, #1 to #5 are their places.",
    "not-better": _not_better,
    "cannot-beat": lambda facts, _: f"nothing beats {facts['claim']}: challenge it.",
    "bad-seats": "Lie Die is for {low} to {high} players.",
    "bad-games": "games must be 1 to {most}.",
}


COMMANDS = declared(claim, accept, challenge, roll, keep)
