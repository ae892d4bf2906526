"""A client for the HTTP interface of drand, a public beacon of random numbers."""

from __future__ import annotations

import asyncio
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from lilygames.tables.log.beacon import BeaconDown, Chain, chain_of, name_of, value_of

TIMEOUT = 10.0
"""Seconds to wait for an answer."""
MOST = 16384
"""Maximum bytes of an answer."""


class Drand:
    """A chain of drand, as one server tells it. Each request runs in a thread, so nothing waits for the network."""

    def __init__(self, url: str, chain: str, timeout: float = TIMEOUT) -> None:
        self.name = name_of(chain)
        self._base = f"{url.rstrip('/')}/{chain}"
        self._hash = chain
        self._timeout = timeout
        self._chain: Chain | None = None
        """The chain's rounds, once its server has told them."""

    async def word(self, at: float) -> str:
        """Return the name, the first round at or after a time, and its number; raises `BeaconDown`."""
        if self._chain is None:
            self._chain = chain_of(await self._answer("info"), self._hash)
        number = self._chain.first_round(at)
        return self._chain.word(number, value_of(await self._answer(f"public/{number}"), number))

    async def _answer(self, path: str) -> bytes:
        try:
            return await asyncio.wait_for(asyncio.to_thread(self._read, f"{self._base}/{path}"), self._timeout)
        except (OSError, ValueError, TimeoutError, HTTPException) as problem:
            raise BeaconDown(f"{path}: {problem or type(problem).__name__}") from problem

    def _read(self, url: str) -> bytes:
        """Return the answer to a request; raises `OSError`, or `ValueError` for a URL that can't be asked."""
        try:
            with urlopen(Request(url), timeout=self._timeout) as answer:  # noqa: S310 - the sysop's own setting
                content: bytes = answer.read(MOST + 1)
        except HTTPError as refusal:
            refusal.close()
            raise
        if len(content) > MOST:
            raise ValueError("the answer is too long")
        return content
