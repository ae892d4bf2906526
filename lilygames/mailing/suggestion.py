"""Tell people about /mail where it helps them: once, when they first sit at a slow table."""

from __future__ import annotations

from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.mailing.options import MailOptions
from lilygames.mailing.subscriptions import Subscriptions
from lilygames.tables.room.bot import TableBot
from lilygames.text import Line

SUGGESTED = "mail-suggested"
"""Key kept with the settings of a person who was told about /mail; it isn't a setting."""


class Suggestion:
    """Suggests mail or push to people with an account who play a slow game without it."""

    def __init__(self, host: Host, subscriptions: Subscriptions, options: MailOptions) -> None:
        self._host = host
        self._subscriptions = subscriptions
        self._text = (
            "(This is a slow game. To get a mail when it's your turn and you aren't here, type /mail and your address.)"
            if options.has_mail
            else "(This is a slow game. To get a push message when it's your turn and you aren't here, type /push.)"
        )

    async def look(self) -> None:
        """Tell everyone on this node who should know. Raises `StoreUnavailable`."""
        for person in self._host.people.nearby():
            if person.local and not person.guest and SUGGESTED not in person.profile.settings and _plays_slowly(person):
                found = await self._subscriptions.find(self._host.accounts.key(person.name))
                if found is None and person.profile.settings.get("machine") != "on":
                    person.show(Line(self._text))
                person.update_profile(settings={**person.profile.settings, SUGGESTED: "yes"})
                self._host.keep(person)


def _plays_slowly(person: Person) -> bool:
    return any(isinstance(bot, TableBot) and bot.table.clock.slow and bot.table.started for bot in person.seats)
