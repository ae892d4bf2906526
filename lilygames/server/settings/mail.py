"""Settings: mail and push messages."""

from __future__ import annotations

import attrs

from lilygames.mailing.options import SERVER, is_address
from lilygames.server.settings.setting import setting


def _may_be_address(text: str) -> bool:
    return not text or is_address(text)


def _may_unsubscribe(text: str) -> bool:
    return _may_be_address(text) or (text.startswith("https://") and bool(SERVER.fullmatch(text)))


def _are_servers(text: str) -> bool:
    return all(map(SERVER.fullmatch, text.replace(",", " ").split()))


@attrs.frozen(slots=False, kw_only=True)
class Mail:
    """Mail and push messages."""

    mail_host: str = setting("", "SMTP server that sends mail for slow games. Empty turns mail off.")
    mail_port: int = setting(
        587, "Port of the SMTP server: usually 587 for starttls, 465 for tls.", least=1, most=65535
    )
    mail_tls: str = setting(
        "starttls",
        "Encryption to the SMTP server. Use none only on this machine or in your own network.",
        words=("starttls", "tls", "none"),
    )
    mail_user: str = setting("", "User name at the SMTP server. Empty means without logging in.")
    mail_password: str = setting("", "Password at the SMTP server.", secret=True, option=False)
    mail_from: str = setting(
        "",
        "Address that mails come from. Bounces and requests to unsubscribe go there, too.",
        words=("an address like games@example.org",),
        fits=_may_be_address,
    )
    mail_unsubscribe: str = setting(
        "",
        "Where requests to unsubscribe go: an address, or an https URL that passes its token to `lilygames"
        " unsubscribe`. Empty means mail_from.",
        words=("an address", "an https URL"),
        fits=_may_unsubscribe,
    )
    web_push: int = setting(
        0,
        "1 sends push messages to browsers that ask for them, 0 doesn't. Needs a web_address with https.",
        least=0,
        most=1,
    )
    push_servers: str = setting(
        "",
        "Servers for push messages (ntfy), separated by commas. Empty turns push off.",
        words=("URLs like https://ntfy.example",),
        fits=_are_servers,
    )
