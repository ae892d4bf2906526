"""Display settings: names, values and defaults. They are stored with the account."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import attrs

from lilygames.chat.names import zones
from lilygames.chat.people import notifications
from lilygames.chat.people.notifications import Sense
from lilygames.chat.people.profile import MEMORY, PAGE, SLOW, Profile
from lilygames.errors import UserError
from lilygames.text import listing, shortened

NARROWEST, WIDEST = 20, 500
_OTHER_SPELLINGS = {"color": "colour", "columns": "width", "timestamp": "stamp"}


@attrs.frozen
class Setting:
    """A setting: its purpose and its allowed words, the default first; `numbers` too, if any.

    `names` describes names that are allowed as well, and `find` returns the name that was typed; it raises `UserError`.
    """

    name: str
    sentence: str
    words: tuple[str, ...] = ("off", "on")
    numbers: range = range(0)
    names: str = ""
    find: Callable[[str], str] | None = None

    @property
    def choices(self) -> Sequence[str]:
        """The allowed values, as text."""
        numbers = [f"{self.numbers[0]} to {self.numbers[-1]}"] if self.numbers else []
        return [*self.words, *numbers, *([self.names] if self.names else [])]

    def read(self, value: str) -> str:
        """Return the value to store; raises `UserError`."""
        folded = value.casefold()
        if folded in self.words:
            return folded
        if folded.isascii() and folded.isdigit() and int(folded[:9]) in self.numbers:
            return str(int(folded))
        if self.find:
            return self.find(value)
        raise UserError(f"{self.name} can be {listing(self.choices, 'or')}, as in /set {self.name} {self.words[0]}.")


_AUTO = ("auto", "on", "off")
SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting("width", "columns of a line; auto asks your terminal", ("auto",), range(NARROWEST, WIDEST + 1)),
        Setting("reader", "cards and dice in words, for screen readers", _AUTO),
        Setting("editor", "your line stays whole, with Tab and history", _AUTO),
        Setting("ascii", "plain letters only", _AUTO),
        Setting("colour", "colours; auto if your terminal shows them", _AUTO),
        Setting("suits", "suits as symbols; off shows letters", _AUTO),
        Setting("deck", "colours of suits; safe for colour blindness", ("2", "4", "safe", "off")),
        Setting("bell", "ring when it is your turn"),
        Setting("nudge", "ring if you type nothing for 20 s of your turn", ("on", "off")),
        Setting(zones.SETTING, "your time zone", (zones.PLACE,), names="a name like Europe/Berlin", find=zones.find),
        Setting("stamp", "the time before messages and news"),
        Setting("tags", "the room before game lines; auto if you hear several", ("auto", "on")),
        Setting("delay", "bots' pause: 0.4 s; auto: 0.1 s with GMCP", ("auto", "on", "off", "long")),
        Setting("quiet", "bots only play, and say nothing", ("off", "on")),
        Setting(MEMORY, "bots remember your play; auto: until you leave", ("auto", "on", "off")),
        Setting(PAGE, "your page on the web; all: search engines, too", ("here", "off", "all")),
        Setting(SLOW, "twice the time where others wait for you"),
        Setting("confirm", "ask once before an odd move: all in, a hopeless lie"),
        Setting("machine", "everything as JSON, for programs", ("off", "on", "brief")),
    )
}
"""All settings by name, in the order listed."""

SUITS_ASKED = "suits-asked"
"""Key kept with the settings of a person who was asked whether they see suits; it isn't a setting."""

RULES: Mapping[str, tuple[Sense, str]] = {"bell": ("signal", "turn"), "stamp": ("timestamp", "all")}
"""Settings that are short for a rule of `/signal` or `/timestamp`, and stored only as that rule."""


def setting(name: str) -> Setting:
    """Return the setting with this name or unique abbreviation; raises `UserError`."""
    folded = name.casefold()
    folded = _OTHER_SPELLINGS.get(folded, folded)
    found = [one for one in SETTINGS.values() if one.name.startswith(folded)]
    if len(found) != 1:
        raise UserError(f"there's no setting “{shortened(name, 20)}”. The settings are {', '.join(SETTINGS)}.")
    return found[0]


def changed(settings: Mapping[str, str], name: str, value: str) -> dict[str, str]:
    """Return `settings` with one changed, leaving out defaults; raises `UserError`."""
    one = setting(name)
    kept = {key: word for key, word in settings.items() if key != one.name}
    read = one.read(value)
    return kept if read == one.words[0] else kept | {one.name: read}


def stated(own: Profile) -> dict[str, str]:
    """Return a person's settings, including those stored as rules."""
    rules = {name: "on" for name, (sense, event) in RULES.items() if own.noise.get(sense, {}).get(event)}
    return {**own.settings, **rules}


def with_setting(own: Profile, name: str, value: str) -> Profile:
    """Return a profile with one setting changed; raises `UserError`. With `memory` off, bots forget at once."""
    one = setting(name)
    if one.name not in RULES:
        after = attrs.evolve(own, settings=changed(own.settings, name, value))
        return attrs.evolve(after, reputations=None) if after.settings.get(MEMORY) == "off" else after
    sense, event = RULES[one.name]
    word = {"on": "on", "off": "clear"}[one.read(value)]
    return attrs.evolve(
        own, noise={**own.noise, sense: notifications.changed(own.noise.get(sense, {}), (event,), (), word)}
    )


def listed(settings: Mapping[str, str]) -> list[str]:
    """Return a row for each setting: its value, its allowed values and its purpose."""
    values = {one: zones.described(settings.get(one.name, one.words[0])) for one in SETTINGS.values()}
    return [f"{one.name:<7} {value:<5} {one.sentence} ({', '.join(one.choices)})" for one, value in values.items()]
