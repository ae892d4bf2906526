"""What every table needs of the place it is in, in one value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import attrs

from lilygames.chat.people import Person
from lilygames.game import Think
from lilygames.store import Store
from lilygames.tables.log import Sitter
from lilygames.tables.purses import Purses
from lilygames.tables.table import Table

Effect = Callable[[Table], Awaitable[None]]
"""What the end of a game brings with it. It may be asked for more than once, and is to be done once."""


@attrs.frozen
class TableServices:
    """The parts of a place that its tables share."""

    store: Store
    people: Mapping[str, Person]
    """Those who are here or whose seats are kept, by folded name."""
    now: Callable[[], float]
    """What time it is, in seconds since 1970."""
    watch: Callable[[], float]
    """What the clocks go by: seconds that never go back."""
    is_taken: Callable[[str], bool]
    """Whether a name is, or looks like, that of somebody with an account."""
    come_back_word: Callable[[Person], Awaitable[str]]
    """Returns a new word by which a guest comes back to their seats; raises `StoreUnavailable`."""
    purses: Purses
    purse_of: Callable[[Table, Sitter], Awaitable[int]]
    """What somebody who sits down at a table brings, in units of its game; may raise `UserError`."""
    vacation_ends: Callable[[str], float]
    """When the vacation of somebody of that name ends, in seconds since 1970."""
    think: Think
    """How a house player is asked for its move."""
    pause: Callable[[], float]
    """Seconds until a house player begins to think."""
    lag: Callable[[str], float]
    """Seconds for which this node waits with what any node may do for a log, so that one before it can."""
    effects: tuple[Effect, ...]
    """What the end of a game brings with it, in this order."""
    ended: Callable[[int], None]
    """Told of the number of a table whose game has ended, when all that is done."""
