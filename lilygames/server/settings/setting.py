"""The description of a setting: a sentence, its valid values, and whether it is a secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from lilygames.text import listing

T = TypeVar("T")
_KEY = "about"
PREFIX = "LILYGAMES_"
"""Prefix of the settings' environment variables."""


@attrs.frozen
class About:
    """A setting's description, and its valid values: a range of numbers, some words, or text that `fits`."""

    sentence: str
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    fits: Callable[[str], object] | None = None
    secret: bool = False
    """Whether it can contain a password. It is never printed, and `NAME_file` can name a file that contains it."""
    option: bool = True
    """Whether it can be given on the command line, where other users of the machine can read it."""

    @property
    def bounds(self) -> str:
        """The valid values in words; empty if any is valid."""
        return listing(self.words, "or") if self.words else "" if self.least is None else f"{self.least} to {self.most}"

    def allows(self, value: Any) -> bool:
        """Return whether a value is valid."""
        if self.least is not None and self.most is not None:
            return bool(self.least <= value <= self.most)
        return bool(self.fits(value)) if self.fits else not self.words or value in self.words


def setting(
    default: T,
    sentence: str,
    *,
    least: float | None = None,
    most: float | None = None,
    words: tuple[str, ...] = (),
    fits: Callable[[str], object] | None = None,
    secret: bool = False,
    option: bool = True,
) -> T:
    """Declare a setting with its default and its `About`, as a field of an attrs class."""
    about = About(sentence, least, most, words, fits, secret, option)
    return attrs.field(default=default, repr=not secret, metadata={_KEY: about})


@attrs.frozen
class Field:
    """A setting as the command line, the environment and a file know it."""

    name: str
    kind: type
    about: About
    default: Any

    @classmethod
    def of(cls, attribute: attrs.Attribute[Any], kind: type) -> Field:
        """Return the setting that an attribute declares."""
        return cls(attribute.name, kind, attribute.metadata[_KEY], attribute.default)

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return f"{PREFIX}{self.name.upper()}"
