"""Settings: accounts, passwords and absence."""

from __future__ import annotations

import attrs

from lilygames.server.settings.setting import setting


@attrs.frozen(slots=False, kw_only=True)
class People:
    """Accounts, passwords and absence."""

    sysops: str = setting(
        "",
        "Sysops' names, separated by commas. They are reserved: run `lilygames claim NAME` so that their owner"
        " can register one.",
    )
    hash_memory: int = setting(65536, "Memory in KiB to hash a password.", least=8192, most=1048576)
    hash_time: int = setting(3, "Number of rounds to hash a password.", least=1, most=100)
    login_seconds: float = setting(60, "Seconds to log in before the connection is closed.", least=1, most=3600)
    wrong_passwords: int = setting(
        6, "Wrong passwords from one address before it has to wait, longer each time.", least=1, most=1000
    )
    names_per_day: int = setting(
        20, "New accounts per address and day. More people from there can only play as guests.", least=1, most=1000000
    )
    new_account_days: float = setting(
        7,
        "Days until an account can create tournaments, plan events and be in the lists of daily deals. 0 lets every"
        " account. Moderators and sysops don't wait.",
        least=0,
        most=3650,
    )
    lobby_people: int = setting(
        500, "People in the lobby after whom newcomers enter lobby-2, and so on. 0 means never.", least=0, most=1000000
    )
    patience: float = setting(
        10, "Seconds a disconnected player has to reconnect before the others are told.", least=0, most=600
    )
    idle_minutes: float = setting(
        60, "Minutes without typing after which someone counts as away. 0 means never.", least=0, most=100000
    )

    @property
    def sysop_names(self) -> tuple[str, ...]:
        """The names of the sysops."""
        return tuple(self.sysops.replace(",", " ").split())
