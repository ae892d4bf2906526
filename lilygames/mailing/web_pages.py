"""Web pages about messages: one ends the mails, and one has the key for messages to browsers."""

from __future__ import annotations

import html
from importlib.resources import files

from lilygames.edge.web.pages import HTML, PageAnswer, PageRequest, Pages
from lilygames.errors import UserError
from lilygames.mailing.mailing import Mailing
from lilygames.store import StoreUnavailable

_PAGE = files(__package__).joinpath("notice.html").read_text("utf-8")
_BUTTON = '<form method="post"><button type="submit">Stop the mails</button></form>'
_LATER = "That doesn't work at the moment. Please try again in a few minutes."


class WebPages:
    """The pages of the mailing."""

    def __init__(self, mailing: Mailing) -> None:
        self._mailing = mailing

    @property
    def pages(self) -> Pages:
        """The pages by path."""
        return {"/unsubscribe": self.unsubscribe, "/push-key": self.push_key}

    async def unsubscribe(self, request: PageRequest) -> PageAnswer:
        """Show a page with a button; end the mails when it's pressed, or when a mail program posts (RFC 8058).

        Looking at the page changes nothing, because programs follow links in mails before people do.
        """
        token, name = request.query.get("token", ""), self._mailing.options.name
        try:
            if not request.posts:
                await self._mailing.check_stop(token)
                return _page(
                    200, f"Stop the mails from {name}?", "You can turn them on again there with /mail on.", _BUTTON
                )
            await self._mailing.stop(token)
        except UserError:
            return _page(
                400, "This link has ended", "It was used, or mail was turned on again. The newest mail has one."
            )
        except StoreUnavailable:
            return _page(503, "Please try again", _LATER)
        return _page(200, "The mails have ended", f"{name} sends nothing more to this address.")

    async def push_key(self, request: PageRequest) -> PageAnswer:
        """Return the key for which the page subscribes to messages."""
        if self._mailing.browsers is None or request.posts:
            return PageAnswer(404, "This server doesn't send messages to browsers.\n")
        try:
            return PageAnswer(200, await self._mailing.browsers.public_key())
        except StoreUnavailable:
            return PageAnswer(503, f"{_LATER}\n")


def _page(status: int, title: str, text: str, button: str = "") -> PageAnswer:
    """Return a page; the texts are escaped."""
    page = _PAGE.format(title=html.escape(title), text=html.escape(text), button=button)
    return PageAnswer(status, page, HTML)
