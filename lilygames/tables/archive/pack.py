"""A finished game in a few kilobytes: the header and all log entries of one table, unchanged after unpacking.

A pack is a mark, a version, a checksum, and a deflate stream (RFC 1951) with a preset dictionary. In the stream each
field of the entries has a column, because neighbours in a column are alike. Times grow by seconds, and attempts by some
numbers. Digests can't be compressed, so they are bytes instead of hexadecimal digits.

A version's layout and dictionary never change: packs are kept for ever. Add a version instead.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise

import attrs

from lilygames.store import Entry

VERSION = 1
"""The version that `pack` writes. `unpack` reads it and all earlier ones."""
LARGEST = 1 << 28
"""Maximum bytes of an unpacked game; more isn't a game."""
_MARK = b"LP"
_HEAD = struct.Struct(">2sBI")
_TIME = struct.Struct(">d")
_WORD = struct.Struct(">Q")
_DIGEST = 8
_TOLD = re.compile(rf',"is":"Body","told":"([0-9a-f]{{{2 * _DIGEST}}})"}}\Z')
"""How most bodies of a table's entries end: with the digest of the history."""
_DAMAGE = (zlib.error, struct.error, ValueError, IndexError, OverflowError, MemoryError)
"""Errors of reading damaged data."""


class BadPack(Exception):
    """A pack is damaged, or of a version that isn't known here. The text says which."""


@attrs.frozen
class Packed:
    """The content of a pack: the header's entry in the log of all tables, and the entries of the table's own log."""

    header: Entry
    entries: tuple[Entry, ...]


def pack(header: Entry, entries: Sequence[Entry]) -> bytes:
    """Return the header's entry and a table's entries in as few bytes as possible."""
    plain = b"".join(_columns((header, *entries)))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, _dictionary(VERSION))
    return _HEAD.pack(_MARK, VERSION, zlib.crc32(plain)) + deflate.compress(plain) + deflate.flush()


def unpack(data: bytes) -> Packed:
    """Return what was packed. Raises `BadPack`."""
    try:
        mark, version, checksum = _HEAD.unpack_from(data)
    except struct.error:
        raise BadPack("the pack is too short") from None
    if mark != _MARK:
        raise BadPack("this isn't a packed game")
    if version != VERSION:
        raise BadPack(f"the pack has version {version}, which a newer lilygames wrote")
    try:
        plain = _inflated(data[_HEAD.size :], _dictionary(version))
        if zlib.crc32(plain) != checksum:
            raise BadPack("the pack is damaged: its checksum differs")
        header, *entries = _Reader(plain).entries()
    except _DAMAGE:
        raise BadPack("the pack is damaged") from None
    return Packed(header, tuple(entries))


@cache
def _dictionary(version: int) -> bytes:
    """Return the preset dictionary of a version: pieces of common entries, the most common ones last."""
    return (files("lilygames.tables.archive") / f"pack-{version}.dictionary").read_bytes()


def _inflated(data: bytes, dictionary: bytes) -> bytes:
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, dictionary)
    plain = inflate.decompress(data, LARGEST)
    if not inflate.eof or inflate.unused_data or inflate.unconsumed_tail:
        raise BadPack("the pack is damaged: it is cut off or too long")
    return plain


# columns


def _columns(entries: Sequence[Entry]) -> Iterator[bytes]:
    """Yield the columns of entries: count, positions, times, authors, attempts, digests and bodies."""
    bodies = [(one.body, _TOLD.search(one.body)) for one in entries]
    yield _number(len(entries))
    yield _steps(one.seq for one in entries)
    yield _steps(_WORD.unpack(_TIME.pack(one.at))[0] for one in entries)
    authors = [*dict.fromkeys(one.by for one in entries)]
    places = {by: place for place, by in enumerate(authors)}
    yield _number(len(authors)) + b"".join(map(_text, authors))
    yield b"".join(_number(places[one.by]) for one in entries)
    for before, one in pairwise(("", *(one.cmd for one in entries))):
        same = _common(before, one)
        yield _number(same) + _text(one[same:])
    yield bytes(1 if told else 0 for _, told in bodies)
    yield b"".join(bytes.fromhex(told[1]) for _, told in bodies if told)
    yield b"".join(_text(body[: told.start()] if told else body) for body, told in bodies)


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _number(value: int) -> bytes:
    """Return a number that isn't negative: seven bits a byte, the lowest first, as in LEB128."""
    out = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _steps(values: Iterable[int]) -> bytes:
    """Return numbers as differences, each with its sign in the lowest bit."""
    steps = [after - before for before, after in pairwise((0, *values))]
    return b"".join(_number(2 * step if step >= 0 else -2 * step - 1) for step in steps)


def _text(text: str) -> bytes:
    raw = text.encode(errors="surrogatepass")
    return _number(len(raw)) + raw


class _Reader:
    """Reads values one after the other. Each method raises one of `_DAMAGE` at the end of the data."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    @property
    def left(self) -> int:
        """Number of bytes that haven't been read."""
        return len(self._data) - self._place

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._place]
            self._place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:  # noqa: PLR2004 - seven bits
                return value

    def steps(self, count: int) -> list[int]:
        numbers = (self.number() for _ in range(count))
        return [*accumulate(-(number + 1 >> 1) if number & 1 else number >> 1 for number in numbers)]

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise ValueError("cut off")
        self._place += count
        return self._data[self._place - count : self._place]

    def text(self) -> str:
        return self.take(self.number()).decode(errors="surrogatepass")

    def entries(self) -> Iterator[Entry]:
        """Yield the entries in columns."""
        count = self.number()
        seqs = self.steps(count)
        times = [_TIME.unpack(_WORD.pack(word))[0] for word in self.steps(count)]
        known = [self.text() for _ in range(self.number())]
        authors = [known[self.number()] for _ in range(count)]
        attempts, before = list[str](), ""
        for _ in range(count):
            before = before[: self.number()] + self.text()
            attempts.append(before)
        ends = [f',"is":"Body","told":"{self.take(_DIGEST).hex()}"}}' if told else "" for told in self.take(count)]
        bodies = [self.text() + end for end in ends]
        if self.left:
            raise BadPack("the pack is damaged: something follows its entries")
        for seq, at, by, cmd, body in zip(seqs, times, authors, attempts, bodies, strict=True):
            yield Entry(seq, at, by, body, cmd)
