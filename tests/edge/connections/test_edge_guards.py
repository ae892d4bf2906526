"""Limits per connection, per address and for the server: first slower, then a refusal, then a disconnect."""

import asyncio
import itertools

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from lilygames.chat.people.terminal import Gone
from lilygames.edge.connections.admission import REMEMBERED, Admission
from lilygames.edge.terminal.terminal import AT_A_TIME, LAST_WORDS, TelnetTerminal
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import AT_ONCE as LINES_AT_ONCE
from lilygames.edge.wire.limits import (
    BYTES_AT_ONCE,
    SLOWED,
    Allowance,
    Limits,
    LineRate,
    ReadThrottle,
    Share,
)
from lilygames.limits.addresses import network, networks, subnet_of
from lilygames.limits.quota import Quotas
from tests.deadline import DEADLINE

BUSY, MANY, FULL = (
    "too many connections from your address. Wait a minute, then connect once.",
    "your address already has too many connections. Close one, then connect again.",
    "the server is full. Please try again later.",
)


class Watch:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


class Street:
    """An admission and its connections: `come` returns a connection's refusal, `here` lists those that stayed."""

    def __init__(self, **limits):
        self.watch = Watch()
        self.admission = Admission(Limits(**limits), self.watch)
        self.here = {}

    def come(self, name, address="10.0.0.1", *, known=False):
        why = self.admission.refusal(address)
        if not why:
            entry = self.here[name] = self.admission.enter(address)
            entry.cut = lambda: self.here.pop(name)
            entry.logged_in = lambda: known
        self.watch.now += 0.001
        return why

    def go(self, name):
        self.admission.leave(self.here.pop(name))


# An allowance.


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 9)), max_size=50))
def test_connection_gets_no_more_than_the_burst_and_the_rate(pauses):
    """A token bucket of 7 at once and 2 per second, for a peer that never takes more than is available."""
    allowance, now, taken = Allowance(2, 7), 0.0, 0
    for pause, number in pauses:
        now += pause
        if not allowance.owed(now):
            allowance.take(now, number)
            taken += number

    assert taken <= 7 + 2 * now + 9


def test_debt_is_waited_for():
    allowance = Allowance(2, 4)
    allowance.take(0, 10)

    assert [3.0, 1.0, 0.0, 0.0] == [allowance.owed(now) for now in (0, 2, 3, 4)]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("?", "?"),
    ],
)
def test_ipv6_subscriber_is_one_address(address, counted):
    """RFC 6177: a subscriber gets at least a /64."""
    assert counted == network(address)


@pytest.mark.parametrize(
    ("address", "around"),
    [("192.0.2.7", "192.0.2.0/24"), ("2001:db8:1:2::/64", "2001:db8:1::/48"), ("::1", "::/48"), ("?", "?")],
)
def test_addresses_of_one_subnet_are_one_group(address, around):
    assert around == subnet_of(network(address))


# The admission.


def test_connections_of_an_address_share_its_limit():
    """The shared limit is a fifth of the sum of the single ones: here it is two connections' worth."""
    admission = Admission(Limits(connections_per_address=10, lines_per_second=10))
    one, other, third = (LineRate(10, admission.share("10.0.0.1").lines) for _ in range(3))
    elsewhere = LineRate(10, admission.share("10.0.0.2").lines)
    for pace in [*[one, other] * 40, third, elsewhere]:
        pace.take(0, more=False)

    assert (0.05, 0) == (third.allowance.owed(0), elsewhere.allowance.owed(0))


async def test_bytes_of_one_connection_delay_the_others_of_its_address(connect):
    """Here an address may send as much as one connection."""
    limits = Limits(connections_per_address=5, bytes_per_second=1024)
    one, other = (connect(limits, share)[0] for share in [Share(limits)] * 2)
    now = asyncio.get_running_loop().time()
    for wire in (one, one, one, one, other):
        wire.intake._flow.take(now, 1024)
    owed = other.intake._flow.owed(now)
    for wire in (one, other):
        wire.connection_lost(None)

    assert 0.5 < owed <= 1


def test_connections_per_address_are_limited():
    street = Street(connections_per_address=2)
    told = [street.come(name) for name in "abc"]
    street.go("a")

    assert (["", "", MANY], "", "") == (told, street.come("d"), street.come("e", "10.0.0.2"))


def test_connections_per_minute_from_an_address_are_limited():
    street = Street(connects_per_minute=3)
    told = []
    for name in "abcd":
        told.append(street.come(name))
        if not told[-1]:
            street.go(name)
    street.watch.now += 21

    assert (["", "", "", BUSY], "", BUSY) == (told, street.come("e"), street.come("f"))


def test_further_attempts_do_not_lengthen_the_wait():
    street = Street(connects_per_minute=3, connections_per_address=1)
    for n in range(1000):
        street.come(str(n))
    street.go("0")
    street.watch.now += 60

    assert "" == street.come("again")


def test_exempt_network_has_no_limit_per_address():
    admission = Admission(Limits(connects_per_minute=3, connections_per_address=1), exempt=networks("10.1.0.0/16"))
    told = []
    for _ in range(5):
        told.append(admission.refusal("10.1.0.7"))
        admission.enter("10.1.0.7")

    assert [""] * 5 == told


def test_refused_connections_are_counted_with_all_refusals():
    uses = Quotas()
    admission = Admission(Limits(connections_per_address=1), Watch(), uses)
    admission.enter("10.0.0.1")
    for _ in range(3):
        admission.refusal("10.0.0.1")

    assert {("connections_per_address", "address"): 3} == uses.refused


def test_refused_address_is_logged_once_a_minute():
    street = Street(connections_per_address=1)
    with capture_logs() as logs:
        for n in range(50):
            street.come(str(n))

    assert [("limit", "10.0.0.1", "connections_per_address")] == [(e["event"], e["address"], e["how"]) for e in logs]


def test_address_that_fills_the_login_slots_loses_its_own():
    """One address holds nearly all connections without a login: its oldest are closed, and nobody else's."""
    street = Street(logins_at_once=4)
    for n in range(3):
        street.come(f"flood{n}", "10.6.6.6")
    told = [street.come("ann", "10.0.0.1"), street.come("bob", "10.0.0.2"), street.come("cid", "10.0.0.3")]

    assert (["", "", ""], {"flood2", "ann", "bob", "cid"}) == (told, {*street.here})


def test_address_that_fills_the_login_slots_is_logged_once_a_minute():
    street = Street(logins_at_once=4)
    with capture_logs() as logs:
        for n in range(20):
            street.come(f"flood{n}", "10.6.6.6")

    assert [("limit", "10.6.6.6", "logins_at_once")] == [(e["event"], e["address"], e["how"]) for e in logs]


def test_flood_of_logins_from_a_few_networks_loses_its_own():
    """The flood has many addresses; people from other networks have the time to log in."""
    street = Street(logins_at_once=6)
    street.come("ann", "10.0.0.1")
    for n in range(90):
        street.come(f"flood{n}", f"10.6.{n % 3}.{n}")

    assert {"ann", *(f"flood{n}" for n in range(85, 90))} == {*street.here}


def test_logged_in_connection_is_never_cut():
    street = Street(logins_at_once=2)
    for n in range(5):
        street.come(f"p{n}", known=True)
    for n in range(5):
        street.come(f"q{n}", "10.6.6.6")

    assert {"p0", "p1", "p2", "p3", "p4", "q3", "q4"} == {*street.here}


def test_server_full_of_people_refuses_and_one_full_of_logins_makes_room():
    street = Street(connections=2, connections_per_address=9)
    street.come("ann", known=True)
    street.come("nobody")
    told = [street.come("bob", known=True), street.come("cid")]

    assert (["", FULL], {"ann", "bob"}) == (told, {*street.here})


def test_connection_is_counted_out_once():
    street = Street(connections=1)
    street.come("ann", known=True)
    entry = street.here["ann"]
    street.admission.leave(entry)
    street.admission.leave(entry)
    street.come("bob", "10.0.0.2", known=True)

    assert FULL == street.come("cid", "10.0.0.3")


def test_addresses_are_forgotten_eventually():
    street = Street()
    street.come("ann", "10.9.9.9")
    for n in range(REMEMBERED + 5):
        if not street.come("x", f"a{n}"):
            street.go("x")

    assert (REMEMBERED, True) == (len(street.admission._addresses), "10.9.9.9" in street.admission._addresses)


# The rate of lines.


def pressed(pace, seconds, *, more=True):
    """Send lines for this many seconds as fast as they are taken, and return what happened to each."""
    now, words = 0.0, []
    while now < seconds:
        now += pace.allowance.owed(now)
        words.append(pace.take(now, more=more))
    return words


def test_lines_over_the_burst_are_taken_slowly():
    pace = LineRate(10)
    words = pressed(pace, 5)

    assert {"heard"} == {*words}
    assert 10 * LINES_AT_ONCE + 50 <= len(words) <= 10 * LINES_AT_ONCE + 52


def test_flooding_peer_is_refused_and_then_disconnected():
    words = pressed(LineRate(10), 90)
    order = [word for n, word in enumerate(words) if n == 0 or words[n - 1] != word]

    assert ["heard", "refused", "cut"] == order
    assert abs(words.count("refused") - 10 * SLOWED) <= 1


def test_peer_that_waits_for_answers_is_never_refused():
    """A program that sends the next line after the last answer is slowed down by the answers, however long it plays."""
    assert {"heard"} == {*pressed(LineRate(10), 600, more=False)}


def test_line_that_was_only_kept_is_given_back_to_the_address_too():
    share = Share(Limits(lines_per_second=10))
    one, other = LineRate(10, share.lines), LineRate(10, share.lines)
    for _ in range(500):
        one.take(0.0, more=True)
        one.give_back(0.0)

    assert "heard" == other.take(0.0, more=True)
    assert 0 == one.allowance.owed(0.0) == other.allowance.owed(0.0)


def test_debt_is_what_it_was_after_a_line_is_given_back():
    pace = LineRate(10)
    for _ in range(10 * LINES_AT_ONCE + 5):
        pace.take(0.0, more=True)
    pace.take(0.0, more=True)
    pace.give_back(0.0)

    assert 0.5 == pace.allowance.owed(0.0)


async def read_for_ever(terminal):
    while True:
        await terminal.read()


async def test_others_have_their_turn_between_two_slow_lines(terminal_of):
    """Forty lines may arrive at once, and each may be slow: here longer than one turn allows."""
    terminal, _ = terminal_of()
    terminal._lines._pace, clock = LineRate(1e9), itertools.count(0, 2 * AT_A_TIME)
    terminal._lines._now = lambda: next(clock)
    terminal.feed(b"a line\r\n" * 40)
    heard, turns = asyncio.create_task(read_for_ever(terminal)), 0
    while terminal._lines.typed:
        turns += 1
        await asyncio.sleep(0)
    heard.cancel()

    assert turns >= 40


async def test_refusal_is_said_once_and_the_disconnect_too(terminal_of):
    terminal, wire = terminal_of()
    terminal._lines._pace, terminal._lines._now = (
        LineRate(1e4),
        lambda: 1.0,
    )  # too fast for any machine
    terminal._lines._pace._patience = 100
    wire.hang_up = lambda: None
    terminal.feed(b"x\r\n" * 50_000)
    with pytest.raises(Gone):
        await read_for_ever(terminal)

    assert 1 == wire.sent.count(b"Refused: you're sending lines too fast")
    assert 1 == wire.sent.count(b"you sent too many lines too fast")


async def test_lines_of_a_disconnected_peer_are_dropped_but_for_the_last(connect, arrive):
    """Otherwise the server would work for a long time for a peer that asks for much and disconnects."""
    wire, _ = connect()
    await arrive(wire, b"a line\r\n" * 40)
    wire.connection_lost(None)
    heard = [await wire.terminal.read() for _ in range(LAST_WORDS)]

    assert ["a line"] * LAST_WORDS == heard
    with pytest.raises(Gone):
        await wire.terminal.read()


async def test_lines_are_heard_again_after_a_pause(terminal_of):
    terminal, _ = terminal_of()
    terminal._lines._pace = pace = LineRate(1e4)
    pace._pressed = pace._patience + 1
    terminal.feed(b"one\r\n")

    assert "one" == await terminal.read()


# Bytes.


class Tap:
    """The input that an intake passes on, with a transport that counts its pauses."""

    def __init__(self, transport, rate, *, full=False, awaited=0):
        self.got = b""
        self.awaited = awaited
        self.came = asyncio.Event()
        self.full = full
        self.transport = transport
        self.intake = ReadThrottle(transport, rate, self._read, lambda: self.full)

    def _read(self, data):
        self.got += data
        if len(self.got) == self.awaited:
            self.came.set()


async def test_bytes_over_the_burst_wait_and_arrive_in_the_end(transport):
    tap = Tap(transport, 100_000, awaited=100_000 * BYTES_AT_ONCE + 20_000)
    tap.intake.take(b"x" * tap.awaited)

    assert (False, True) == (transport.reading, bool(tap.intake.held))
    await asyncio.wait_for(tap.came.wait(), DEADLINE)


async def test_nothing_is_read_while_there_is_no_room(transport):
    tap = Tap(transport, 1e9, full=True)
    tap.intake.take(b"x")
    stopped = transport.reading
    tap.full = False
    tap.intake.take()

    assert (False, b"x", True) == (stopped, tap.got, transport.reading)


async def test_timer_ends_with_the_connection(connect):
    wire, _ = connect(Limits(bytes_per_second=1))
    wire.data_received(b"x" * 5000)
    running = wire.intake._next
    wire.connection_lost(None)
    for _ in range(4):
        await asyncio.sleep(0)

    assert running.cancelled()


# The limits that reach the screens.


@pytest.mark.parametrize("peer", [Peer(), Peer(negotiates=True, names=("XTERM",), settled=True, keys=True)])
async def test_longest_line_follows_the_settings(terminal_of, peer):
    _, wire = terminal_of(peer)
    wire.limits = attrs.evolve(wire.limits, line_bytes=300)
    terminal = TelnetTerminal(wire)
    terminal.prefer({"editor": "on" if peer.terminal else "off"})
    terminal.learned(peer)
    terminal.feed(b"\x1b[200~" + b"x" * 301 + b"\x1b[201~\r" if peer.terminal else b"x" * 301 + b"\r\n")

    assert b"300 bytes" in b" ".join(wire.sent.split())


async def test_longest_option_follows_the_settings(connect, arrive):
    wire, transport = connect(Limits(option_bytes=500))
    await arrive(wire, b"\xff\xfa\x18" + b"x" * 600)
    cut = transport.aborted
    wire.connection_lost(None)

    assert cut
