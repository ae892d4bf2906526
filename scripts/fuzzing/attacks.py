"""Attacks of the fuzzer: each is one visit by someone malicious or with a broken client."""

from __future__ import annotations

import asyncio
import random
import ssl
from collections.abc import Awaitable, Callable, Sequence

import attrs

IAC, SB, SE, WILL, WONT, DO, DONT = (bytes([n]) for n in (255, 250, 240, 251, 252, 253, 254))
OPTIONS = [bytes([n]) for n in (0, 1, 3, 6, 18, 24, 25, 31, 34, 36, 39, 42, 69, 70, 85, 86, 87, 91, 93, 200, 201, 255)]
AGREES = IAC + WILL + b"\x18" + IAC + SB + b"\x18\0XTERM" + IAC + SE + IAC + SB + b"\x18\0XTERM" + IAC + SE
BY_KEY = IAC + DO + b"\1" + IAC + DO + b"\3"
SOUP = [
    b"\x1b[2J", b"\x1b]0;x\x07", b"\x1b[", b"\x1b[999999999C", b"\x1bP", b"\x9b2J", b"\x1b[200~", b"\x1b[201~", b"\x1b[A",
    b"\x1b[1;5D", b"\x1b\x1b", b"\t", b"\x01", b"\x05", b"\x0b", b"\x15", b"\x17", b"\x19", b"\x7f", b"\b", b"\0", b"\x03",
    b"\x04", b"\x0c", b"\r", b"\n", b"\r\n", b"\r\0", b"\xc3", b"\xc3\xa9", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xef\xbb\xbf", b"a\xcc\x81" * 20, "한字🂡".encode(), b"\xff\xff", b" ", b"x" * 300, b"/", b";",
]  # fmt: skip
VERBS = (
    "quick ohell;moves;pick 1;1;2;0;hand;score;leave;new;sit;who;what;where;tables;games;help;help words;options;log;history;"
    "away x;here;blurb x;info add x;memo set a b;create x;join x;quit x;retitle x y;destroy x;review;review lobby all;"
    "finger x;ignore x;notify x off;set width 3;set reader on;set colour on;set;group a add b;send x;also x;oops x;emote x;"
    "rename x;register;password;house 3;start;cut x;watch ohell;verify 1;export 1;at 1 moves;next;tell bob x;seek ohell;bye"
).split(";")


@attrs.frozen
class Target:
    """The ports of the server."""

    port: int
    tls_port: int = 0


@attrs.define
class Caller:
    """One visit, from its own address in 127.0.0.0/8, so that limits per address see different visitors."""

    target: Target
    luck: random.Random
    address: str
    seconds: float = 4
    _writer: asyncio.StreamWriter | None = None
    _reader: asyncio.StreamReader | None = None

    async def dial(self, *, tls: bool = False) -> None:
        """Connect."""
        port = self.target.tls_port if tls else self.target.port
        context = ssl._create_unverified_context() if tls else None  # noqa: S323, SLF001 - our own server on this machine
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=context, local_addr=(self.address, 0)
        )

    async def send(self, data: bytes) -> None:
        """Send bytes, sometimes in random pieces; returns when they have been sent."""
        if self.luck.random() < 0.2:
            for place in range(0, len(data), step := self.luck.randint(1, 40)):
                if self._writer.is_closing():
                    raise ConnectionResetError
                self._writer.write(data[place : place + step])
                await asyncio.sleep(0)
        else:
            self._writer.write(data)
        await self._writer.drain()

    async def type(self, *lines: str) -> None:
        """Send lines."""
        for line in lines:
            await self.send(line.encode("utf-8", "surrogateescape") + b"\r\n")

    async def read(self, seconds: float) -> bytes:
        """Return the input of so many seconds. Raises `EOFError` at the end."""
        got = b""
        try:
            async with asyncio.timeout(seconds):
                while data := await self._reader.read(65536):
                    got += data
                raise EOFError
        except TimeoutError:
            return got

    def finish(self) -> None:
        """Send nothing more, as after sending a file."""
        self._writer.write_eof()

    def vanish(self) -> None:
        """Disconnect, sometimes cleanly, otherwise with a reset."""
        if self._writer is not None:
            if self.luck.random() < 0.3:
                self._writer.close()
            else:
                self._writer.transport.abort()

    def name(self) -> str:
        """Return an unused name."""
        return f"z{self.luck.randrange(10**8)}"

    async def enter(self) -> None:
        """Log in as a guest."""
        await self.type(self.name(), "")
        await self.read(0.3)

    def mixed(self, pieces: Sequence[bytes], most: int) -> bytes:
        """Return so many of the pieces at random."""
        return b"".join(self.luck.choice(pieces) for _ in range(self.luck.randint(1, most)))


Attack = Callable[[Caller], Awaitable[None]]


async def options(caller: Caller) -> None:
    """Telnet options, valid, invalid and cut off, with typing in between."""
    await caller.dial()
    for _ in range(caller.luck.randint(1, 40)):
        verb = caller.luck.choice([WILL, WONT, DO, DONT])
        data = caller.luck.randbytes(caller.luck.choice([0, 1, 2, 4, 30, 3000]))
        parts = [
            IAC + verb + caller.luck.choice(OPTIONS),
            IAC + SB + caller.luck.choice(OPTIONS) + data + IAC + SE,
            IAC + SB + caller.luck.choice(OPTIONS) + data,
            IAC + SB + b"\x1f" + caller.luck.randbytes(4).replace(IAC, IAC + IAC) + IAC + SE,
            IAC + SB + b"\x2a" + caller.luck.choice([b"\1;UTF-8;x", b"\2rot13", b"\2UTF-8", b"\3"]) + IAC + SE,
            IAC + SB + b"\x18\0" + data[:50] + IAC + SE,
            IAC + caller.luck.randbytes(1),
            b"hello\r\n",
        ]
        await caller.send(caller.luck.choice(parts))
        await asyncio.sleep(caller.luck.random() * 0.05)


async def option_flood(caller: Caller) -> None:
    """Endless sub-negotiations, and options without a pause."""
    await caller.dial()
    await caller.send(IAC + SB + b"\x18" if (endless := caller.luck.random() < 0.5) else b"")
    flood = b"x" * 4000 if endless else caller.luck.choice([(IAC + DO + b"\x46") * 1000, (IAC + b"\xf6") * 2000])
    while True:
        await caller.send(flood)


async def keys(caller: Caller) -> None:
    """A terminal with a cat on the keyboard, logged in or not."""
    await caller.dial()
    await caller.send(AGREES)
    await caller.read(0.05)
    await caller.send(BY_KEY)
    if caller.luck.random() < 0.5:
        await caller.enter()
    for _ in range(60):
        await caller.send(caller.mixed(SOUP, 30))
        await caller.read(0.03)


async def nonsense(caller: Caller) -> None:
    """Invalid bytes as lines, from someone who has logged in."""
    await caller.dial()
    await caller.enter()
    for _ in range(40):
        word = caller.mixed(SOUP, 12).replace(b"\r", b"").replace(b"\n", b"")
        await caller.send(caller.luck.choice([b"", b"/", b"'", b"lobby;", b"bob;", b"/who "]) + word + b"\r\n")
        await caller.read(0.05)


async def commands(caller: Caller) -> None:
    """Every command, followed by nonsense."""
    await caller.dial()
    await caller.enter()
    for _ in range(60):
        word = caller.mixed(SOUP, 2).decode("utf-8", "surrogateescape").replace("\r", "").replace("\n", "")
        await caller.type("/" + caller.luck.choice(VERBS) + caller.luck.choice(["", f" {word}"]))
        await caller.read(0.05)


async def player(caller: Caller) -> None:
    """Plays by numbers, and vanishes during the game."""
    await caller.dial()
    await caller.enter()
    title = caller.luck.choice("ohell wizard liarsdice liedie liarspoker liarslair lilypoker".split())
    await caller.type(f"/quick {title}")
    for _ in range(caller.luck.randint(1, 40)):
        await caller.read(0.1)
        await caller.type("/moves", caller.luck.choice(["1", "2", "3", "0", "/pick 1", "/pick 99"]))


async def line_flood(caller: Caller) -> None:
    """Lines as fast as they are read."""
    await caller.dial()
    await caller.enter()
    while True:
        await caller.type(*["spam " * caller.luck.randint(1, 20)] * 50)
        await caller.read(0.01)


async def endless(caller: Caller) -> None:
    """An endless line, in line mode or in the editor."""
    await caller.dial()
    if caller.luck.random() < 0.5:
        await caller.send(AGREES)
        await caller.read(0.05)
        await caller.send(BY_KEY)
    while True:
        await caller.send(caller.luck.choice([b"x", b"\x1b[D", b"\x0c", b"\xcc\x81"]) * 4000)


async def half_open(caller: Caller) -> None:
    """Many silent connections."""
    callers = [caller, *(Caller(caller.target, caller.luck, caller.address) for _ in range(30))]
    try:
        for one in callers:
            await one.dial(tls=False)
        await asyncio.sleep(3)
    finally:
        for one in callers[1:]:
            one.vanish()


async def half_closed(caller: Caller) -> None:
    """Says something, stops typing, and reads on or not."""
    await caller.dial()
    await caller.type(caller.name(), "", *caller.luck.choices(["/who", "hi", "/quick ohell", "1", "/help"], k=10))
    caller.finish()
    await caller.read(caller.luck.random())


async def deaf(caller: Caller) -> None:
    """Asks for much output and reads nothing."""
    await caller.dial()
    await caller.enter()
    while True:
        await caller.type(*["/help words"] * 20)
        await asyncio.sleep(0.1)


async def stranger(caller: Caller) -> None:
    """Another protocol."""
    hellos = [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\0\x01" + caller.luck.randbytes(500), b"SSH-2.0-x\r\n"]
    await caller.dial()
    await caller.send(caller.luck.choice([*hellos, b"PROXY TCP4 1 2 3 4\r\n", b"mssp-request\r\n", b"\x03\0\0\x13"]))
    await caller.read(0.2)


async def private(caller: Caller) -> None:
    """TLS, or a broken version of it."""
    if caller.luck.random() < 0.5:
        await caller.dial(tls=True)
        await caller.enter()
        await caller.send(caller.mixed(SOUP, 40) + b"\r\n")
        await caller.read(0.3)
        return
    caller.target = attrs.evolve(caller.target, port=caller.target.tls_port)
    await caller.dial()
    await caller.send(
        caller.luck.choice([b"", caller.luck.randbytes(300), b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"x" * 99])
    )
    await caller.read(caller.luck.random() * 3)


async def guesser(caller: Caller) -> None:
    """Guesses a password."""
    await caller.dial()
    for _ in range(8):
        await caller.type("calm", caller.name())
        await caller.read(0.3)


ATTACKS: Sequence[Attack] = (
    options, option_flood, keys, keys, nonsense, commands, commands, player, player, player, line_flood, endless, half_open,
    half_closed, deaf, stranger, private, guesser,
)  # fmt: skip


async def attacked(caller: Caller, attack: Attack) -> str:
    """Run one attack for as long as it may, and return how it ended: cut, gone, over or in time."""
    try:
        async with asyncio.timeout(caller.seconds):
            await attack(caller)
    except TimeoutError:
        return "in time"
    except (ConnectionError, ssl.SSLError):
        return "cut"
    except EOFError:
        return "shown out"
    except OSError:
        return "no connection"
    finally:
        caller.vanish()
    return "over"
