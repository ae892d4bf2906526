"""The settings of a server, by subject.

To add a setting, add a line to its subject's class. `lilygames serve --help`, `lilygames settings`, `check-config`, the
environment, `help/host/settings.md` and the man page follow from it. A new subject is a class in a module of its own;
add it to the bases of `Settings` and to `SUBJECTS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_type_hints

import attrs

from lilygames.mailing.options import MailOptions
from lilygames.server.settings.ages import Ages
from lilygames.server.settings.greeting import Greeting
from lilygames.server.settings.listening import Listening
from lilygames.server.settings.mail import Mail
from lilygames.server.settings.monitoring import Monitoring
from lilygames.server.settings.people import People
from lilygames.server.settings.play import Play
from lilygames.server.settings.setting import Field
from lilygames.server.settings.storage import Storage
from lilygames.server.settings.traffic import Traffic

SUBJECTS = (
    Listening,
    Storage,
    Ages,
    Greeting,
    People,
    Play,
    Traffic,
    Mail,
    Monitoring,
)
"""In the order of `lilygames settings`. The docstring of each is its heading."""


@attrs.frozen(slots=False, kw_only=True)
class Settings(
    Listening,
    Storage,
    Ages,
    Greeting,
    People,
    Play,
    Traffic,
    Mail,
    Monitoring,
):
    """All settings of a server. A part that needs only one subject can ask for that class instead."""

    @property
    def mail_options(self) -> MailOptions:
        """How to send mail and push messages."""
        return MailOptions(
            name=self.name,
            address=self.public_address,
            host=self.mail_host,
            port=self.mail_port,
            tls=self.mail_tls,
            user=self.mail_user,
            password=self.mail_password if self.mail_host else "",
            sender=self.mail_from,
            unsubscribe=self.mail_unsubscribe,
            push_servers=tuple(server.rstrip("/") for server in self.push_servers.replace(",", " ").split()),
            web_address=self.web_address.rstrip("/") if self.web_address.startswith("https://") else "",
            web_push=bool(self.web_push),
        )


def _fields(subject: type) -> dict[str, Field]:
    """Return the settings that a subject declares."""
    kinds = get_type_hints(subject)
    return {name: Field.of(attribute, kinds[name]) for name, attribute in attrs.fields_dict(subject).items()}


FIELDS: Mapping[str, Field] = {name: field for subject in SUBJECTS for name, field in _fields(subject).items()}
"""Every setting, by name."""
