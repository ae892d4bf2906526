"""A property that is worked out once: `functools.cached_property` without its lock, which Python 3.12 dropped.

On Python 3.11 it takes two fifths of the time, and each step of a table works out up to six. To remove it, use
`functools.cached_property` again.

A class of attrs with slots and such properties reads all its attributes through `__getattr__`, since slots leave no
room for the values. So those that each move reads have no slots: it takes 0.95 of the instructions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached(Generic[T]):  # noqa: N801 - it is used like `property`
    """A property of a class without slots; its value replaces it in the instance."""

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> Self | T:
        """Work out the value and keep it."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work_out(instance)
        return value
