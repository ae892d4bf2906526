"""Which telnet options are talked about at all."""

from __future__ import annotations


class AllBut(set[bytes]):
    """All options but some, where the library asks for a set of those to refuse: in full it would take 16 KiB."""

    __slots__ = ("_but",)

    def __init__(self, but: frozenset[bytes]) -> None:
        super().__init__()
        self._but = but

    def __contains__(self, option: object) -> bool:
        return option not in self._but

    def add(self, option: bytes) -> None:
        """Refuse it from now on."""
        self._but -= {option}

    def discard(self, option: object) -> None:
        """Refuse it no more."""
        self._but |= {option}  # type: ignore[arg-type]  # a set may be asked to discard anything
