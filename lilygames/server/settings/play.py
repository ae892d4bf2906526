"""Settings: bots, shuffles and seats."""

from __future__ import annotations

import re

import attrs

from lilygames.server.settings.setting import setting


@attrs.frozen(slots=False, kw_only=True)
class Play:
    """Bots, shuffles and seats."""

    house_pause_min: float = setting(0.4, "Minimum seconds that a bot pauses before a move.", least=0, most=60)
    house_pause_max: float = setting(
        0.4,
        "Maximum seconds that a bot pauses before a move. A row of bots' moves has at most five pauses.",
        least=0,
        most=60,
    )
    house_workers: int = setting(
        1, "Processes for strong bots to think in. 0 uses a thread of the server's own process.", least=0, most=64
    )
    house_talk: int = setting(1, "Remarks of bots: 1 lets them speak now and then, 0 never.", least=0, most=1)
    commit_seconds: float = setting(
        2,
        "Seconds that a start waits for a client that has just been asked to commit. 0 never waits.",
        least=0,
        most=60,
    )
    reveal_seconds: float = setting(
        10, "Seconds that a client has to reveal its number. After that the shuffle is void.", least=1, most=600
    )
    beacon_chain: str = setting(
        "",
        "Chain hash of the drand beacon whose number of the day goes into the daily deals. Empty uses none.",
        words=('""', "64 hexadecimal digits"),
        fits=re.compile(r"(?:[0-9a-f]{64})?").fullmatch,
    )
    beacon_url: str = setting(
        "https://api.drand.sh",
        "Address of the drand HTTP interface that is asked for it, shortly after midnight.",
        words=("https://HOST/", "http://HOST:PORT/"),
        fits=re.compile(r"https?://\S+").fullmatch,
    )
    no_show_seconds: float = setting(
        180, "Seconds after which a bot gets the seat of a tournament's player who isn't there.", least=0, most=3600
    )
    tournaments: str = setting(
        "hourly liedie,ohell,liarsdice arena minutes=25; daily 20:00 ohell,wizard swiss rounds=3; sun 15:00 ohell"
        " knockout",
        "Tournaments that run by themselves, separated by semicolons. Each has a time (hourly, hourly :30, daily 20:00"
        " or sun 15:00), its games, which take turns, and the words of /tournament new. Hours are hours of UTC, and"
        " other times are local. Empty or none turns them off.",
    )
    seat_minutes: float = setting(
        30,
        "Minutes until a table closes that hasn't started or has only guests, after everyone has left.",
        least=1,
        most=100000,
    )
    seat_days: float = setting(
        30, "Days until a started game closes, after all its players with an account have left.", least=1, most=100000
    )

    @property
    def house_pause(self) -> tuple[float, float]:
        """Minimum and maximum seconds that a bot pauses before a move."""
        return self.house_pause_min, max(self.house_pause_min, self.house_pause_max)
