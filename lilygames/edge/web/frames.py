"""Websocket frames (RFC 6455, section 5), read and written without a task and a queue for each connection.

A library's would take 11 KiB more for each page, and a wakeup for each frame. To remove this file, let the handler of
`/ws` await `WebSocketResponse.receive`, and let `FrameTransport.write` queue text for a task that awaits `send_str`.
"""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Iterator
from typing import Literal

import attrs

_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
_MORE = 0
"""The kinds of frames. One with `_MORE` continues a message."""
_CONTROL = 8
"""The first kind of frames that may come between those of a message."""
_FIN, _RESERVED, _KIND, _MASKED, _SIZE = 0x80, 0x70, 0x0F, 0x80, 0x7F
"""The bits of a frame's first two bytes."""
_SHORT, _LONG, _HUGE = 126, 1 << 16, 127
_SIZES = {_SHORT: 2, _HUGE: 8}
"""Bytes of a length that doesn't fit into the second byte."""
MOST = 65536
"""Bytes in a frame. A longer line than the limit is refused, but nobody waits for the end of a frame of a gigabyte."""
GOODBYE = 3.0
"""Seconds that a browser has to confirm a close."""
NORMAL, GOING_AWAY, WRONG, UNREADABLE, NOT_UTF8, TOO_BIG, RESTART = 1000, 1001, 1002, 1003, 1007, 1009, 1012
"""Close codes (RFC 6455, section 7.4; 1012 from its registry): service restart."""


class BadFrame(Exception):
    """A browser never sends this. The text says what to send instead, and `code` is for the close."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@attrs.frozen
class Text:
    """A part of a message, in UTF-8; the `last` one ends it."""

    data: bytes
    last: bool


@attrs.frozen
class Control:
    """A frame about the connection itself."""

    kind: Literal["ping", "pong", "close"]
    data: bytes


_CONTROLS: dict[int, Literal["ping", "pong", "close"]] = {_PING: "ping", _PONG: "pong", _CLOSE: "close"}


class FrameReader:
    """Reads what a browser sends. Text comes in the parts in which it arrives, so nothing long is kept here."""

    __slots__ = ("_at", "_decoder", "_held", "_is_last", "_kind", "_left", "_mask", "_open")

    def __init__(self) -> None:
        self._held = b""
        """The start of a frame's head, or a control frame that isn't complete."""
        self._kind = _MORE
        self._left = 0
        """Bytes of the frame's text that haven't come yet."""
        self._mask, self._at = b"", 0
        self._is_last = True
        self._open = False
        """Whether a message has begun and not ended."""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def feed(self, data: bytes) -> Iterator[Text | Control]:
        """Yield what these bytes complete; raises `BadFrame`."""
        data = self._held + data
        self._held = b""
        while data:
            if self._left:
                part, data = data[: self._left], data[self._left :]
                yield self._text(part)
                continue
            end = self._head(data)
            if not end:
                self._held = data
                return
            if self._kind in _CONTROLS:
                if len(data) < end + self._left:
                    self._held, self._left = data, 0
                    return
                yield Control(_CONTROLS[self._kind], self._unmasked(data[end : end + self._left]))
                end, self._left = end + self._left, 0
            elif not self._left:
                yield self._text(b"")
            data = data[end:]

    def _head(self, data: bytes) -> int:
        """Read a frame's head, and return its length; 0 if it isn't complete."""
        if len(data) < 2:  # noqa: PLR2004 - its first byte and its length
            return 0
        first, second = data[0], data[1]
        begin = 2 + _SIZES.get(second & _SIZE, 0)
        if not second & _MASKED or first & _RESERVED:
            raise BadFrame(WRONG, "frames must be masked, and not compressed")
        self._check(first & _KIND, is_last=bool(first & _FIN), size=second & _SIZE)
        size = int.from_bytes(data[2:begin], "big") if begin > 2 else second & _SIZE  # noqa: PLR2004 - as above
        if size > MOST and len(data) >= begin:
            raise BadFrame(TOO_BIG, f"a message has at most {MOST} bytes; send it in parts")
        if len(data) < begin + 4:
            return 0
        self._kind, self._left = first & _KIND, size
        self._mask, self._at = data[begin : begin + 4], 0
        if self._kind < _CONTROL:
            self._is_last = bool(first & _FIN)
            self._open = True
        return begin + 4

    def _check(self, kind: int, *, is_last: bool, size: int) -> None:
        if kind == _BINARY:
            raise BadFrame(UNREADABLE, "binary messages aren't read here; send text")
        if kind in _CONTROLS:
            if not is_last or size >= _SHORT:
                raise BadFrame(WRONG, "a control frame has at most 125 bytes, in one part")
        elif kind != (_MORE if self._open else _TEXT):
            raise BadFrame(WRONG, "send text, one message after another")

    def _text(self, part: bytes) -> Text:
        self._left -= len(part)
        last = self._is_last and not self._left
        plain = self._unmasked(part)
        try:
            self._decoder.decode(plain, final=last)
        except UnicodeDecodeError:
            raise BadFrame(NOT_UTF8, "text must be in UTF-8") from None
        self._open = not last
        return Text(plain, last)

    def _unmasked(self, part: bytes) -> bytes:
        """Return a part of the frame's data without its mask, which counts from the frame's first byte."""
        size, shift = len(part), self._at % 4
        self._at += size
        mask = (self._mask[shift:] + self._mask * (size // 4 + 1))[:size]
        return (int.from_bytes(part, "big") ^ int.from_bytes(mask, "big")).to_bytes(size, "big")


def frame(kind: int, payload: bytes) -> bytes:
    """Return a whole frame: servers don't mask."""
    size = len(payload)
    if size < _SHORT:
        return bytes((_FIN | kind, size)) + payload
    if size < _LONG:
        return bytes((_FIN | kind, _SHORT)) + size.to_bytes(2, "big") + payload
    return bytes((_FIN | kind, _HUGE)) + size.to_bytes(8, "big") + payload


class _SharedFrame:
    """The text frame written last, because the same text often goes to many pages in turn.

    It makes a frame for a room of 200 once instead of 200 times. To remove it, let `FrameTransport.write` call `frame`.
    """

    def __init__(self) -> None:
        self._text = self._frame = b""

    def of(self, text: bytes) -> bytes:
        """Return the frame of a text."""
        if text != self._text:
            self._text, self._frame = text, frame(_TEXT, text)
        return self._frame


_SHARED = _SharedFrame()


class FrameTransport(asyncio.Transport):
    """A websocket as an outbox sees it: each write is one text frame of whole lines."""

    def __init__(self, transport: asyncio.Transport, address: str) -> None:
        super().__init__({"peername": (address,)})
        self._transport = transport
        self._closing = False
        self._code = NORMAL

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send a text frame; nothing follows a close frame."""
        if not self.is_closing():
            self._transport.write(_SHARED.of(bytes(data)))

    def ping(self) -> None:
        """Ask the browser whether it is there."""
        if not self.is_closing():
            self._transport.write(frame(_PING, b""))

    def pong(self, data: bytes) -> None:
        """Answer a ping, unless the browser doesn't read the answers."""
        if not self.is_closing() and not self.get_write_buffer_size():
            self._transport.write(frame(_PONG, data))

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
            self._transport.write(frame(_CLOSE, self._code.to_bytes(2, "big")))
            asyncio.get_running_loop().call_later(GOODBYE, self._transport.close)

    def confirmed(self) -> None:
        """End the connection after the browser has closed it, or confirmed that."""
        self.close()
        self._transport.close()

    def abort(self) -> None:
        """End the connection now."""
        self._closing = True
        self._transport.abort()
