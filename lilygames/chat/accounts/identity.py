"""The identity of an account: its key and its names."""

from __future__ import annotations

import attrs


@attrs.frozen
class Identity:
    """The key of an account, all names it has or had (folded), and the text that replaces them after a deletion."""

    key: str
    names: frozenset[str]
    shown: str = "former player"

    @property
    def marks(self) -> frozenset[str]:
        """The key and the names."""
        return self.names | {self.key}

    def is_in(self, *texts: str) -> bool:
        """Return whether the key or a name is part of a text."""
        folded = [text.casefold() for text in texts]
        return any(mark in text for mark in self.marks for text in folded)

    def means(self, text: object) -> bool:
        """Return whether a text is the key or a name."""
        return isinstance(text, str) and text.casefold() in self.marks
