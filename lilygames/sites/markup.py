"""HTML as values: text is escaped when it is put into an element, so nobody's words become markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import attrs


@attrs.frozen
class Html:
    """A piece of HTML. Only this module makes one."""

    text: str

    def __str__(self) -> str:
        return self.text


Child: TypeAlias = "Html | str | int | Iterable[Child] | None"
"""The content of an element: other elements, text to escape, a number, nothing, or several of them."""
Attributes: TypeAlias = Mapping[str, str | int | bool | None]
"""Attributes by name. True is an attribute without a value; None and False leave it out."""
_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
"""Elements without an end tag."""
_NAME = re.compile(r"[a-zA-Z][\w:-]*")
_NOTHING: Attributes = {}


def h(tag: str, attributes: Attributes = _NOTHING, *children: Child) -> Html:
    """Return an element: `h("li", {"class": "x"}, text, child)`. All text is escaped.

    Raises `ValueError` for a name that isn't one, and for `style` and handlers (`onclick`), which our policy blocks.
    """
    if not _NAME.fullmatch(tag):
        raise ValueError(tag)
    opening = f"<{tag}{''.join(_attribute(*one) for one in attributes.items())}>"
    return Html(opening if tag in _EMPTY else f"{opening}{joined(*children)}</{tag}>")


def joined(*children: Child) -> Html:
    """Return several pieces as one."""
    return Html("".join(map(_inner, children)))


def _inner(child: Child) -> str:
    match child:
        case Html(text):
            return text
        case None:
            return ""
        case str() | int():
            return html.escape(str(child), quote=False)
    return "".join(map(_inner, child))


def _attribute(name: str, value: str | int | bool | None) -> str:  # noqa: FBT001 - a value of an attribute
    if not _NAME.fullmatch(name) or name.lower() == "style" or name.lower().startswith("on"):
        raise ValueError(name)
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'


def document(*children: Child) -> str:
    """Return a whole page in English."""
    return f"<!doctype html>\n{h('html', {'lang': 'en'}, *children)}\n"
