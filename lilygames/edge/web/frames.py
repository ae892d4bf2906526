"""Websocket frames to the browser (RFC 6455, section 5.2), written without a task for each.

A library would write them in a task of its own, which has to be woken for each. To remove this, let `write` queue text
for a task that awaits `WebSocketResponse.send_str`.
"""

from __future__ import annotations

import asyncio

TEXT, CLOSE = 0x81, 0x88
"""The first byte of a whole text frame, and of a close frame."""
_SHORT, _LONG, _HUGE = 126, 1 << 16, 127
GOODBYE = 3.0
"""Seconds that a browser has to confirm a close."""
NORMAL, GOING_AWAY, RESTART = 1000, 1001, 1012
"""Close codes (RFC 6455, section 7.4; 1012 from its registry): service restart."""


def frame(first: int, payload: bytes) -> bytes:
    """Return a frame: servers don't mask."""
    size = len(payload)
    if size < _SHORT:
        return bytes((first, size)) + payload
    if size < _LONG:
        return bytes((first, _SHORT)) + size.to_bytes(2, "big") + payload
    return bytes((first, _HUGE)) + size.to_bytes(8, "big") + payload


class FrameTransport(asyncio.Transport):
    """A websocket as an outbox sees it: each write is one text frame of whole lines."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        self._closing = False
        self._code = NORMAL

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send a text frame."""
        self._transport.write(frame(TEXT, bytes(data)))

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Set when the connection counts as slow."""
        self._transport.set_write_buffer_limits(high, low)

    def get_write_buffer_size(self) -> int:
        """Return the bytes that wait."""
        return self._transport.get_write_buffer_size()

    def is_closing(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._closing or self._transport.is_closing()

    def close_as(self, code: int) -> None:
        """Set the code that the close frame will have."""
        self._code = code

    def close(self) -> None:
        """Send a close frame; the connection ends when the browser confirms it, or soon."""
        if not self.is_closing():
            self._closing = True
            self._transport.write(frame(CLOSE, self._code.to_bytes(2, "big")))
            asyncio.get_running_loop().call_later(GOODBYE, self._transport.close)

    def abort(self) -> None:
        """End the connection now."""
        self._closing = True
        self._transport.abort()
