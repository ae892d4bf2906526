"""Settings: how long things are kept."""

from __future__ import annotations

import attrs

from lilygames.server.settings.setting import setting

_LONGEST = 36500


@attrs.frozen(slots=False, kw_only=True)
class Ages:
    """How long things are kept. See the section on old data in /help operations."""

    archive_days: int = setting(
        1,
        "Days after its end that a game moves to the archive, where it can still be replayed. 0 never moves it.",
        least=0,
        most=_LONGEST,
    )
    talk_days: int = setting(
        90, "Days after which talk and private messages are deleted. 0 keeps them for ever.", least=0, most=_LONGEST
    )
    report_days: int = setting(
        180, "Days after which reports are deleted with their evidence. 0 keeps them.", least=0, most=_LONGEST
    )
    audit_days: int = setting(
        730, "Days after which the record of moderators' acts is deleted. 0 keeps it.", least=0, most=_LONGEST
    )
    address_days: int = setting(
        30, "Days after which addresses in records are deleted. 0 keeps them.", least=0, most=_LONGEST
    )
