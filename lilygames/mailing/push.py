"""Publish push messages on servers of the ntfy kind. Only servers that the sysop lists are ever connected to.

The message is the JSON that ntfy documents (https://docs.ntfy.sh/publish/#publish-as-json). So a title can't become a
header. No redirect is followed, no proxy is used, and the whole exchange takes at most five seconds.
"""

from __future__ import annotations

import asyncio

import httpx

from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown

SECONDS = 5.0
"""Seconds for a whole message."""
ANSWER = 16_384
"""Bytes of an answer that are read; more is an error."""
_REFUSED = range(400, 500)
_TRY_LATER = (408, 425, 429)


async def publish(server: str, topic: str, title: str, message: str) -> None:
    """Publish a message on a topic. Raises `Bounced` if the server refuses the topic, `NotSent`, and `ServerDown`."""
    try:
        async with asyncio.timeout(SECONDS):
            status = await _posted(server, {"topic": topic, "title": title, "message": message})
    except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as problem:
        raise ServerDown(f"{server}: {type(problem).__name__}") from problem
    if status in _REFUSED and status not in _TRY_LATER:
        raise Bounced(f"{server}: {status}")
    if not 200 <= status < 300:  # noqa: PLR2004 - HTTP's range of success
        raise NotSent(f"{server}: {status}")


async def _posted(server: str, content: dict[str, str]) -> int:
    """Post JSON to a server and return the status of its answer. Raises `httpx.HTTPError`."""
    async with (
        httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=SECONDS) as client,
        client.stream("POST", server, json=content) as answer,
    ):
        size = 0
        async for part in answer.aiter_raw():
            size += len(part)
            if size > ANSWER:
                raise httpx.RemoteProtocolError("the answer is too long")
        return answer.status_code
