"""Answers that aren't files: a sentence with a status, and the headers that every answer has."""

from __future__ import annotations

import gzip
import re
from http import HTTPStatus

from aiohttp import web

from lilygames.edge.web.pages import PageAnswer

HEADERS = {
    "Server": "lilygames",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
"""The words of a browser that reads gzip (RFC 9110, section 12.5.3)."""


def reads_gzip(request: web.BaseRequest) -> bool:
    """Return whether the browser reads compressed answers."""
    return bool(_GZIP.search(request.headers.get("Accept-Encoding", "")))


def has_tag(request: web.BaseRequest, tag: str) -> bool:
    """Return whether the browser has the text with this tag already."""
    asked = request.headers.get("If-None-Match", "")
    return bool(tag) and (tag in asked or asked.strip() == "*")


def page_answer(answer: PageAnswer, request: web.BaseRequest) -> web.Response:
    """Return a page's answer, compressed if it is and the browser can read that; nothing if it has it already."""
    keep = f"public, max-age={answer.keep:.0f}" if answer.keep else "no-store"
    headers = {**HEADERS, "Content-Type": answer.kind, "Cache-Control": keep, **answer.headers}
    if not answer.packed:
        return web.Response(status=answer.status, body=answer.text.encode(), headers=headers)
    headers |= {"Vary": "Accept-Encoding", **({"ETag": answer.tag} if answer.tag else {})}
    if answer.status == HTTPStatus.OK and has_tag(request, answer.tag):
        return web.Response(status=304, headers=headers)
    if reads_gzip(request):
        return web.Response(status=answer.status, body=answer.packed, headers=headers | {"Content-Encoding": "gzip"})
    return web.Response(status=answer.status, body=gzip.decompress(answer.packed), headers=headers)


def sentence(status: int, text: str, *, closes: bool = False, **headers: str) -> web.Response:
    """Return an answer for people; `closes` ends the connection after it."""
    answer = web.Response(status=status, text=f"{text}\n", headers={**HEADERS, "Cache-Control": "no-store", **headers})
    if closes:
        answer.force_close()
    return answer


def refusal(status: HTTPStatus, text: str) -> bytes:
    """Return an answer for a browser whose request hasn't been read, or isn't waited for. It ends the connection."""
    body = f"{text}\n".encode()
    rows = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in HEADERS.items()),
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
        "",
        "",
    )
    return "\r\n".join(rows).encode() + body
