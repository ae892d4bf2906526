"""Answers that aren't files: a sentence with a status, and the headers that every answer has."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web

HEADERS = {
    "Server": "lilygames",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


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
