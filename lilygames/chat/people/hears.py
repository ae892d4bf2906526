"""How someone hears an event."""

from __future__ import annotations

import attrs


@attrs.frozen
class Hears:
    """Whether an event is shown, with a timestamp, and with a bell."""

    shown: bool = True
    stamp: bool = False
    bell: bool = False


PLAINLY = Hears()
UNHEARD = Hears(shown=False)
