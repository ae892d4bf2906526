"""Greetings that bots answer: hello, good luck, thanks, praise and goodbye, in several forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import attrs

from lilygames.chat.names.names import fold

Occasion = Literal["hello", "luck", "thanks", "praise", "parting"]
_KIND = r"(?:nice|good|great|lovely|brilliant|excellent)"
_ALONE = r"(?= *(?:$|[,.!]|all\b|later\b|soon\b|around\b|tomorrow\b|everyone\b|everybody\b|bots\b|folks\b))"
"""Follows words that begin other sentences, too."""
_FORMS: Mapping[Occasion, str] = {
    "parting": rf"ggs?(?: wp)?|gtg|{_KIND} game|thanks for (?:the|a) game|bye|bye bye|goodbye|good ?night|farewell"
    rf"|cya|so long|see (?:you|ya){_ALONE}",
    "luck": r"good luck|gl|glhf|gl hf|hf|have fun|best of luck|may the best \w+ win",
    "thanks": r"thanks|thank you|many thanks|thx|ty|cheers",
    "praise": rf"well played|wp|{_KIND} (?:one|hand|bid|move|play|try|bluff|lie|trick|call|round)|well done|well bid"
    r"|congrats|congratulations|bravo",
    "hello": r"(?:hi|hello|hey)(?: there| again)?|hiya|heya|howdy|yo|hallo|greetings"
    rf"|good (?:morning|afternoon|evening|day)|(?:morning|evening){_ALONE}",
}
"""Forms of each greeting. The first occasion that fits counts."""
_TALK = re.compile(
    r"(?i)(?:(?:[*@]?(?P<before>\w+)[,:]|@(?P<at>\w+)) *)?(?:"
    + "|".join(f"(?P<{occasion}>{form})" for occasion, form in _FORMS.items())
    + r")(?![-\w])(?P<after>.{0,30})"
)
"""A greeting and a few words more, with the names of those it is for. Bots may be named with their star."""
_GESTURE = re.compile(
    r"(?i)(?:waves|bows|nods|smiles|grins|curtsies|raises (?:a|her|his|their) glass)(?![-\w])(?P<after>.{0,30})"
)
"""Emotes that greet someone."""
_EVERYONE = frozenset({"all", "bot", "bots", "everyone", "everybody", "folks", "guys", "robots"})
"""Words that say that a greeting is for everyone."""
_SHORTEST = 3
"""Letters of a name that may stand for it."""
_TO_ANYONE: Collection[Occasion] = ("hello", "luck", "parting")
"""Greetings that are for everyone if they name nobody. Thanks and praise are for whoever has just done something."""


@attrs.frozen
class Greeting:
    """A greeting, and the folded words in it that may be names."""

    occasion: Occasion
    words: tuple[str, ...]

    def meant_for(self, bots: Sequence[str], people: Collection[str]) -> Sequence[str]:
        """Return the folded names of those of a room's bots whom it is for.

        It names one of them, or all, or nobody at all. `people` are the folded names of the others in the room.
        """
        if named := [word for word in self.words if word in bots]:
            return named[:1]
        if not _EVERYONE.isdisjoint(self.words):
            return bots
        if any(_may_mean(word, name) for word in self.words for name in people):
            return ()
        return bots if self.occasion in _TO_ANYONE or not people else ()


def greeting(text: str) -> Greeting | None:
    """Return the greeting in a line; None if it is something else."""
    found = _TALK.fullmatch(text.strip())
    if found is None:
        return None
    occasion = next(occasion for occasion in _FORMS if found[occasion] is not None)
    return Greeting(occasion, _words(f"{found['before'] or found['at'] or ''} {found['after']}"))


def gesture(text: str) -> Greeting | None:
    """Return the greeting in an emote; None if it is something else."""
    found = _GESTURE.fullmatch(text.strip())
    return Greeting("hello", _words(found["after"])) if found else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(map(fold, re.findall(r"\w+", text)))


def _may_mean(word: str, name: str) -> bool:
    return word == name or (len(word) >= _SHORTEST and name.startswith(word))


_ANSWERS: Mapping[Occasion, Mapping[str, Sequence[str]]] = {
    "hello": {
        "": ("Hello, {name}.", "Good day, {name}.", "Hello, {name}. Nice of you to come."),
        "bold": ("Hello, {name}! Ready to lose?", "Hi, {name}! I feel lucky today.", "{name}! Just who I need."),
        "careful": ("Hello, {name}. Take your time.", "Good day, {name}. Let's see.", "Hello, {name}. Go easy on me."),
        "talkative": (
            "Hello, {name}! Good to see you.",
            "Hi, {name}! Shall we play?",
            "{name}! I was just talking about you.",
            "Hello, {name}! Sit down, I've got stories.",
        ),
        "grumpy": ("Hm. Hello, {name}.", "Hello, {name}. Let's get on with it.", "Oh. It's {name}. Hello."),
    },
    "luck": {
        "": ("Good luck to you, {name}.", "And you, {name}."),
        "bold": ("Luck? I don't need it. But you do, {name}.", "Thanks, {name}! I brought my own."),
        "careful": ("Thank you, {name}. I'll need it.", "You too, {name}. But not too much."),
        "talkative": ("Good luck, {name}! But leave me some.", "You too, {name}! May the best of us be me."),
        "grumpy": ("Never had any, {name}.", "Hm. You too, {name}."),
    },
    "thanks": {
        "": ("You're welcome, {name}.", "My pleasure, {name}."),
        "bold": ("Any time, {name}.", "Don't thank me yet, {name}."),
        "careful": ("You're welcome, {name}. I think.", "Not at all, {name}."),
        "talkative": ("You're so welcome, {name}!", "Oh, it was nothing, {name}. Well, nearly nothing."),
        "grumpy": ("It wasn't on purpose, {name}.", "Don't get used to it, {name}."),
    },
    "praise": {
        "": ("Thank you, {name}.", "Kind of you, {name}."),
        "bold": ("I know, {name}. But thank you.", "Wait until you see the next one, {name}."),
        "careful": ("Thank you, {name}. It was mostly luck.", "Oh. Thank you, {name}."),
        "talkative": ("Thank you, {name}! Say it louder.", "{name}, you're making me blush!"),
        "grumpy": ("Flattery, {name}? Hm. Go on.", "Are you making fun of me, {name}?"),
    },
    "parting": {
        "": ("Thanks for the game, {name}.", "Good game, {name}. See you!"),
        "bold": ("Good game, {name}. I'll want a rematch.", "See you, {name}. Come back richer."),
        "careful": ("Thanks for the game, {name}. Take care.", "Good game, {name}. Mind how you go."),
        "talkative": ("Good game, {name}! Come back soon!", "Leaving, {name}? And I had so much to say!"),
        "grumpy": ("Good game, {name}. I suppose.", "Finally some quiet. See you, {name}."),
    },
}
"""Answers of bots, by temper."""


def answers(occasion: Occasion, temper: str) -> Sequence[str]:
    """Return what a bot of a temper may answer, with `{name}` for the greeter."""
    return _ANSWERS[occasion][temper]
