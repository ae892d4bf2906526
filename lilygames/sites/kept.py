"""Pages that are made once and kept for a while, compressed, for everyone who asks.

One page is made at a time, and one request makes it: others who ask for it meanwhile get the same. An address may have
two pages a second made. So strangers can't grow what the pages cost; players' answers go first.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Iterator
from hashlib import sha256
from http import HTTPStatus

import attrs

from lilygames.chat.accounts.identity import Identity
from lilygames.edge.web.pages import PageAnswer
from lilygames.limits.quota import Limit, Quota, Quotas, Who
from lilygames.scheduling.foreground import Foreground

UNKEPT = Quota(
    "pages that aren't kept",
    (Limit("address", 2, 0.5), Limit("subnet", 8, 0.125)),
    dict.fromkeys(("address", "subnet"), "too many pages. Wait a second, then reload."),
)
"""Pages that are made for someone; those that are kept cost nothing."""
WAITING = 20
"""Pages that can wait to be made; anyone else is told to come back."""
LATER = 2
"""Seconds after which to come back then."""
MOST = 32 * 1024 * 1024
"""Bytes of all kept pages. Those that were asked for longest ago go first."""
_BUSY = PageAnswer(503, "Many pages are asked for. Try again in two seconds.\n", headers={"Retry-After": f"{LATER}"})
_TOO_MANY = PageAnswer(429, "That's more than two new pages a second. Wait a second.\n", headers={"Retry-After": "1"})
Make = Callable[[], Awaitable[PageAnswer]]
"""Makes a page. Raises `StoreUnavailable`."""


@attrs.frozen
class _Kept:
    """A page with the time (monotonic seconds) until which it is kept."""

    answer: PageAnswer
    until: float


class KeptPages:
    """The pages that are kept, and those that are being made."""

    def __init__(
        self,
        foreground: Foreground,
        quotas: Quotas,
        *,
        now: Callable[[], float],
        since_start: Callable[[], float],
        most: int = MOST,
    ) -> None:
        """`now` is the time in seconds since 1970, for quotas, and `since_start` one that never jumps."""
        self._foreground = foreground
        self._quotas = quotas
        self._now = now
        self._since_start = since_start
        self._most = most
        self._kept: dict[str, _Kept] = {}
        self._making: dict[str, asyncio.Task[PageAnswer]] = {}
        self._bytes = 0
        self._one = asyncio.Lock()
        """Held while a page is made."""
        self._forgotten = 0
        """How often everything was forgotten: a page that was begun before isn't kept."""

    @property
    def bytes(self) -> int:
        """The bytes of all kept pages."""
        return self._bytes

    async def answer(self, address: str, who: Who, make: Make) -> PageAnswer:
        """Return the page with this address: kept, or made for everyone who waits for it."""
        if found := self._fresh(address):
            return found
        if address in self._making:
            return await asyncio.shield(self._making[address])
        if len(self._making) > WAITING:
            return _BUSY
        if self._quotas.take(UNKEPT, who, self._now()):
            return _TOO_MANY
        task = asyncio.get_running_loop().create_task(self._made(address, make))
        self._making[address] = task
        task.add_done_callback(lambda _: self._making.pop(address, None))
        return await asyncio.shield(task)

    async def _made(self, address: str, make: Make) -> PageAnswer:
        async with self._one:
            await self._foreground.quiet()
            begun = self._forgotten
            answer = packed(await make())
            if answer.keep and begun == self._forgotten:
                self._keep(address, answer)
            return answer

    def _fresh(self, address: str) -> PageAnswer | None:
        """Return a page that is still kept, and count it as the one asked for last."""
        found = self._kept.pop(address, None)
        if found is None:
            return None
        if found.until <= self._since_start():
            self._bytes -= len(found.answer.packed)
            return None
        self._kept[address] = found
        return found.answer

    def _keep(self, address: str, answer: PageAnswer) -> None:
        self.drop(address)
        self._kept[address] = _Kept(answer, self._since_start() + answer.keep)
        self._bytes += len(answer.packed)
        while self._bytes > self._most:
            self.drop(next(iter(self._kept)))

    def drop(self, address: str) -> None:
        """Forget a page, because what it says has changed."""
        if found := self._kept.pop(address, None):
            self._bytes -= len(found.answer.packed)

    def forget_person(self, who: Identity) -> None:  # noqa: ARG002 - nobody knows on which pages they are
        """Forget all pages: one of them may be about someone who was deleted, or name them."""
        self._forgotten += 1
        self._kept.clear()
        self._bytes = 0

    @property
    def addresses(self) -> Iterator[str]:
        """The addresses of the kept pages."""
        yield from self._kept


def packed(answer: PageAnswer) -> PageAnswer:
    """Return an answer with its text compressed."""
    if answer.packed or answer.status in (HTTPStatus.FOUND, HTTPStatus.MOVED_PERMANENTLY):
        return answer
    body = answer.text.encode()
    tag = f'W/"{sha256(body).hexdigest()[:24]}"'
    return attrs.evolve(answer, text="", packed=gzip.compress(body, 6, mtime=0), tag=tag)
