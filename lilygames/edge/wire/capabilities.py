"""Client capabilities: what the client reports, and how its screen shows text. Nothing is assumed before that."""

from __future__ import annotations

import attrs

from lilygames.edge.wire.render import Look, look_of
from lilygames.text import WIDTH

_MARGIN = 2
_MTTS_ANSI = 1
_MTTS_UTF8 = 4
_MTTS_256_COLOURS = 8
_MTTS_SCREEN_READER = 64

SOME_COLOURS, MANY_COLOURS = 16, 256
_RICH_TERMINALS = (
    "KITTY",
    "ALACRITTY",
    "FOOT",
    "ITERM",
    "WEZTERM",
    "CONTOUR",
    "TMUX",
    "KONSOLE",
    "GNOME",
    "MINTTY",
    "VTE",
)
"""Prefixes of the names of terminals with 256 colours, even if the name doesn't say so."""
_TERMINALS = (
    "XTERM", "VT100", "VT102", "VT2", "VT3", "VT4", "VT5", "VTE", "LINUX", "SCREEN", "TMUX", "RXVT", "PUTTY", "KONSOLE",
    "KITTY", "ALACRITTY", "FOOT", "GNOME", "CYGWIN", "ITERM", "WEZTERM", "CONTOUR", "ST-", "ETERM", "ATERM", "MLTERM",
    "MSTERM", "MS-TERMINAL", "MINTTY", "ANSI", "SYNCTERM",
)  # fmt: skip
"""Prefixes of the names of VT100-like terminals. MUD clients report their own name first."""

_OTHER_WINDOWS = ("XTERM", "RXVT", "PUTTY", "ST-", "ETERM", "ATERM", "MLTERM", "MS-TERMINAL")
"""Prefixes of the names of other terminals that change the title of their window when they are asked to."""

_PLAIN_NAMES = ("TINYFUGUE", "ANSI", "VT100", "VT102", "DUMB")
"""Clients that mangle UTF-8 unless they report it: tf by default, Windows telnet, old terminals."""


@attrs.frozen
class Peer:
    """A client: whether it answers telnet options at all, and what it answered.

    `names` are its terminal types in order (RFC 1091); the third of a MUD client is `MTTS n`. `columns` is its width
    (RFC 1073), `charset` the one it accepted (RFC 2066). `records` says whether prompts end in EOR (RFC 885); None
    until it has answered. `settled` is set once it has reported all its names. `keys` says whether it sends each key as
    it is typed, as we asked; None until it has answered.
    """

    negotiates: bool = False
    names: tuple[str, ...] = ()
    columns: int | None = None
    charset: str | None = None
    records: bool | None = None
    settled: bool = False
    keys: bool | None = None

    @property
    def mtts(self) -> int | None:
        """The bits of the MUD Terminal Type Standard, or None if it didn't report any."""
        for name in self.names:
            word, _, bits = name.partition(" ")
            if word == "MTTS" and bits.isascii() and bits.isdigit():
                return int(bits)
        return None

    @property
    def screen_reader(self) -> bool:
        """Whether it reports a screen reader."""
        return bool((self.mtts or 0) & _MTTS_SCREEN_READER)

    @property
    def terminal(self) -> bool:
        """Whether it is a known terminal, whose lines we may edit. MUD clients and unknown ones edit their own."""
        return self.settled and self.mtts is None and self.names[:1] != () and self.names[0].startswith(_TERMINALS)

    @property
    def titles(self) -> bool:
        """Whether it is a terminal in a window with a title."""
        return self.terminal and self.names[0].startswith((*_RICH_TERMINALS, *_OTHER_WINDOWS))

    @property
    def colours(self) -> int:
        """The number of colours it reports: 256, 16, or 0 if unknown."""
        if self.mtts is not None:
            few = SOME_COLOURS if self.mtts & _MTTS_ANSI else 0
            return MANY_COLOURS if self.mtts & _MTTS_256_COLOURS else few
        if not self.terminal:
            return 0
        many = "256COLOR" in self.names[0] or self.names[0].startswith(_RICH_TERMINALS)
        return MANY_COLOURS if many else SOME_COLOURS

    @property
    def look(self) -> Look:
        """How its screen shows text, as far as it has reported."""
        width = self.columns - _MARGIN if self.columns else WIDTH
        return look_of(width, self.charset or self._likely_charset)

    @property
    def guessed(self) -> bool:
        """Whether UTF-8 is only a guess from its terminal type, because it reported no charset."""
        return self.charset is None and self.mtts is None and self._likely_charset == "utf-8"

    @property
    def _likely_charset(self) -> str:
        if self.mtts is not None:
            return "utf-8" if self.mtts & _MTTS_UTF8 else "ascii"
        if not self.names or self.names[0] in _PLAIN_NAMES:
            return "ascii"
        return "cp437" if self.names[0] == "SYNCTERM" else "utf-8"
