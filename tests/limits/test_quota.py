"""Quotas: a use is granted in all scopes or in none, rates come back, and amounts are counted from what exists."""

from fractions import Fraction

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.limits import quota
from lilygames.limits.quota import Limit, Quota, Quotas, Who, in_words

EACH = {"person": "Wait {wait}.", "address": "Wait {wait}.", "subnet": "Wait {wait}.", "pair": "{about}: wait {wait}."}
RATE = Quota("tries", (Limit("person", 3, 20), Limit("address", 5, 4)), EACH)
HELD = Quota("rooms", (Limit("person", 2, guests=1), Limit("address", 3)), EACH, "room")

times = st.integers(0, 400).map(float)
people = st.builds(
    Who, person=st.sampled_from(["ann", "Bob", "guest1", ""]), address=st.sampled_from(["10.0.0.1", "10.0.0.2", ""])
)


@attrs.frozen
class Rooms:
    """Rooms that exist, by who has opened each."""

    of: list[Who] = attrs.field(factory=list)

    def number(self, _, scope, key):
        return sum(who.key(scope) == key for who in self.of)


@given(st.lists(st.tuples(times, people)).map(lambda asked: sorted(asked, key=lambda one: one[0])))
def test_rate_grants_no_more_than_its_burst_and_what_has_come_back(asked):
    """In every span of time, whoever asks and however often."""
    quotas = Quotas()
    granted = [(now, who) for now, who in asked if quotas.take(RATE, who, now) is None]

    for limit in RATE.limits:
        for key in {who.key(limit.scope) for _, who in granted} - {""}:
            mine = [now for now, who in granted if who.key(limit.scope) == key]
            for first, began in enumerate(mine):
                for last, ended in enumerate(mine[first:], 1):
                    assert last <= limit.most + Fraction(ended - began) / Fraction(limit.per)


@given(st.lists(st.tuples(times, people)).map(lambda asked: sorted(asked, key=lambda one: one[0])))
def test_rate_grants_what_it_has_said_would_be_possible_and_not_a_moment_sooner(asked):
    quotas, now = Quotas(), 0.0
    for at, who in asked:
        now = at
        if refused := quotas.take(RATE, who, now):
            assert quotas.refusal(RATE, who, now + refused.wait - 0.001)
            later = quotas.refusal(RATE, who, now + refused.wait + 0.001)
            assert later is None or later.scope != refused.scope


@given(st.lists(st.tuples(times, people)), people)
def test_refused_use_takes_nothing_in_any_scope(asked, refused_one):
    """Otherwise someone who tries again and again would keep others at the same address out."""
    quotas, twin = Quotas(), Quotas()
    for now, who in sorted(asked, key=lambda one: one[0]):
        refused = quotas.take(RATE, who, now)
        if refused is None:
            twin.take(RATE, who, now)

    assert [quotas.refusal(RATE, refused_one, 400.0)] == [twin.refusal(RATE, refused_one, 400.0)]


@given(st.lists(st.tuples(people, st.booleans())))
def test_amount_never_exceeds_the_limit_of_any_scope(opened):
    rooms = Rooms()
    quotas = Quotas(rooms)
    for who, guest in opened:
        asker = attrs.evolve(who, guest=guest)
        if quotas.take(HELD, asker, 0.0) is None:
            rooms.of.append(asker)

    for limit in HELD.limits:
        for key in {who.key(limit.scope) for who in rooms.of} - {""}:
            assert rooms.number("", limit.scope, key) <= limit.most


def test_amount_is_free_again_when_something_is_closed():
    """Time alone gives nothing back."""
    rooms = Rooms([Who("ann"), Who("ann")])
    quotas = Quotas(rooms)
    before = quotas.refusal(HELD, Who("ann"), 1e9)
    rooms.of.pop()

    assert (2, "person") == (before.most, before.scope)
    assert quotas.refusal(HELD, Who("ann"), 0.0) is None


def test_guest_may_hold_less():
    quotas = Quotas(Rooms([Who("guest1")]))

    assert 1 == quotas.refusal(HELD, Who("guest1", guest=True), 0.0).most
    assert quotas.refusal(HELD, Who("guest1"), 0.0) is None


def test_trusted_address_has_no_limit_but_its_people_have():
    quotas = Quotas()
    trusted = [Who(f"player{number}", "10.0.0.1", exempt=True) for number in range(100)]
    for who in trusted:
        assert quotas.take(RATE, who, 0.0) is None
    for _ in range(2):
        quotas.take(RATE, trusted[0], 0.0)

    assert "person" == quotas.take(RATE, trusted[0], 0.0).scope


def test_addresses_of_a_subnet_count_together():
    """A site's IPv6 /48 has 65,536 subscriber networks."""
    tries = Quota("tries", (Limit("subnet", 3, 60),), EACH)
    quotas = Quotas()
    refused = [quotas.take(tries, Who(address=f"2001:db8:7:{number}::/64"), 0.0) for number in range(4)]

    assert [None, None, None, "subnet"] == [one and one.scope for one in refused]


def test_pair_is_one_person_towards_another():
    messages = Quota("messages", (Limit("pair", 1, 60),), EACH)
    quotas = Quotas()
    quotas.take(messages, Who("ann", about="bob"), 0.0)

    refused = quotas.take(messages, Who("ann", about="bob"), 0.0)
    assert "Bob: wait 60 seconds." == refused.sentence(about="Bob")
    assert quotas.take(messages, Who("ann", about="cat"), 0.0) is None
    assert quotas.take(messages, Who("bob", about="ann"), 0.0) is None


def test_several_quotas_are_used_together_or_not_at_all():
    rooms = Rooms([Who("ann"), Who("ann")])
    quotas = Quotas(rooms)
    for _ in range(10):
        quotas.take_all((RATE, HELD), Who("ann"), 0.0)
    rooms.of.clear()

    assert [None, None, None] == [quotas.take_all((RATE, HELD), Who("ann"), 0.0) for _ in range(3)]
    assert 10 == quotas.refused["rooms", "person"]


def test_rates_in_memory_are_bounded(monkeypatch):
    monkeypatch.setattr(quota, "REMEMBERED", 10)
    quotas = Quotas()
    for number in range(1000):
        quotas.take(RATE, Who(f"guest{number}"), float(number))

    assert 10 >= len(quotas.carry(0.0))


def test_rates_that_have_come_back_are_forgotten(monkeypatch):
    monkeypatch.setattr(quota, "SPARE", 10)
    quotas = Quotas()
    for number in range(1000):
        quotas.take(RATE, Who(f"guest{number}"), 100.0 * number)

    assert 10 >= len(quotas.carry(0.0))


def test_rates_in_use_are_kept_when_others_are_forgotten(monkeypatch):
    monkeypatch.setattr(quota, "SPARE", 1)
    quotas = Quotas()
    for number in range(100):
        quotas.take(RATE, Who(f"guest{number}"), 0.0)

    assert 100 == len(quotas.carry(0.0))


def test_sysop_sees_who_has_used_up_a_rate():
    quotas = Quotas()
    for _ in range(4):
        quotas.take(RATE, Who("ann", "10.0.0.1"), 5.0)

    assert [(RATE, "person", "ann", 20.0)] == quotas.at_limit(5.0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.1, "1 second"), (1.5, "2 seconds"), (119, "119 seconds"), (121, "3 minutes"), (7201, "3 hours")],
)
def test_time_to_wait_is_rounded_up(seconds, words):
    assert words == in_words(seconds)


def test_refusal_of_one_table_and_of_several_says_what_to_type():
    one = quota.Refusal(quota.TABLES_WAITING, "person", 1)
    four = quota.Refusal(quota.TABLES_WAITING, "person", 4)

    assert "you already have 1 table waiting: 7. Close it with /close 7." == one.sentence(things=[7])
    assert "you already have 4 tables waiting: 12, 15, 18, 20. Close one with /close 12." == four.sentence(
        things=[12, 15, 18, 20]
    )
    address = attrs.evolve(four, scope="address", most=24)
    assert "24 tables from your address are waiting for players. Type /tables to join one." == address.sentence()


MISTAKES = Quota("guesses", (Limit("address", 3, 100, waits=(2, 4, 8)),), EACH)


@given(st.integers(0, 20))
def test_each_further_mistake_waits_longer_up_to_the_longest(number):
    quotas, who = Quotas(), Who(address="10.0.0.1")
    for _ in range(number):
        quotas.count(MISTAKES, who, 5.0)
    refused = quotas.refusal(MISTAKES, who, 5.0)

    assert [0, 0, 0, 0, 2, 4, 8, *[8] * 20][number] == (refused.wait if refused else 0)
    assert quotas.refusal(MISTAKES, who, 13.0) is None


def test_mistakes_are_forgotten_together():
    """A hundred seconds after the last one."""
    quotas, who = Quotas(), Who(address="10.0.0.1")
    for now in (0.0, 1.0, 2.0, 90.0):
        quotas.count(MISTAKES, who, now)

    assert [4, 4, 0] == [quotas.mistakes(MISTAKES, "address", "10.0.0.1", now) for now in (91.0, 189.0, 190.0)]


def test_mistakes_go_on_in_the_next_process():
    quotas, later, who = Quotas(), Quotas(), Who(address="10.0.0.1")
    for _ in range(5):
        quotas.count(MISTAKES, who, 5.0)
    later.take_up(quotas.carry(6.0))

    assert quotas.refusal(MISTAKES, who, 6.0) == later.refusal(MISTAKES, who, 6.0)
    assert 3.0 == later.refusal(MISTAKES, who, 6.0).wait
