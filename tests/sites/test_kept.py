"""Pages are made once, one at a time, and not for strangers who ask for many."""

import asyncio

import pytest

from lilygames.chat.accounts.identity import Identity
from lilygames.edge.web.pages import PageAnswer
from lilygames.limits.quota import Quotas, Who
from lilygames.scheduling.foreground import Foreground
from lilygames.sites.kept import WAITING, KeptPages
from lilygames.store import StoreUnavailable


class Maker:
    """Makes pages, and counts them. Each waits until `go` is set."""

    def __init__(self, keep=60.0, text="x"):
        self.made, self.at_once, self.most = [], 0, 0
        self.go = asyncio.Event()
        self.go.set()
        self.keep, self.text = keep, text

    def of(self, name):
        async def make():
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            await self.go.wait()
            self.made.append(name)
            self.at_once -= 1
            return PageAnswer(200, f"{name} {self.text}", keep=self.keep)

        return make


@pytest.fixture
def maker():
    return Maker()


@pytest.fixture
def pages(clock):
    return KeptPages(Foreground(), Quotas(), now=clock, since_start=clock, most=10_000)


def someone(number=1):
    """Return someone at an address and in a network of their own."""
    return Who(address=f"198.{number}.100.7")


async def test_four_who_ask_at_once_get_the_same_page_that_is_made_once(pages, maker):
    answers = await asyncio.gather(*(pages.answer("/u/ann", someone(n), maker.of("ann")) for n in range(4)))
    assert ["ann"] == maker.made
    assert 1 == len({answer.packed for answer in answers})


async def test_one_page_is_made_at_a_time(pages, maker):
    await asyncio.gather(*(pages.answer(f"/g/{n}", someone(n), maker.of(f"{n}")) for n in range(5)))
    assert 1 == maker.most


async def test_page_is_made_again_when_its_time_is_over(pages, maker, clock):
    await pages.answer("/u/ann", someone(), maker.of("ann"))
    clock.now += 59
    await pages.answer("/u/ann", someone(), maker.of("ann"))
    assert ["ann"] == maker.made
    clock.now += 2
    await pages.answer("/u/ann", someone(), maker.of("ann"))
    assert ["ann", "ann"] == maker.made


async def test_third_page_in_a_second_is_refused_until_half_a_second_later(pages, maker, clock):
    answers = [await pages.answer(f"/g/{n}", someone(), maker.of("g")) for n in range(3)]
    assert [(200, None), (200, None), (429, "1")] == [(one.status, one.headers.get("Retry-After")) for one in answers]
    clock.now += 0.5
    assert 200 == (await pages.answer("/g/2", someone(), maker.of("g"))).status


async def test_kept_pages_cost_an_address_nothing(pages, maker):
    assert {200} == {(await pages.answer("/u/ann", someone(), maker.of("ann"))).status for _ in range(10)}


async def test_page_that_is_missing_is_not_kept_but_costs_as_much(pages, clock):
    maker = Maker(keep=0.0)
    assert [200, 200, 429] == [(await pages.answer("/g/9", someone(), maker.of("g"))).status for _ in range(3)]
    assert [] == [*pages.addresses]


async def test_page_for_which_too_many_wait_is_refused_and_its_asker_keeps_their_quota(pages, maker):
    maker.go.clear()
    waiting = [asyncio.create_task(pages.answer(f"/g/{n}", someone(n), maker.of("g"))) for n in range(WAITING + 1)]
    await asyncio.sleep(0)
    for _ in range(5):
        refused = await pages.answer("/g/999", someone(200), maker.of("g"))
        assert (503, "2") == (refused.status, refused.headers["Retry-After"])
    maker.go.set()
    assert {200} == {one.status for one in await asyncio.gather(*waiting)}
    assert 200 == (await pages.answer("/g/999", someone(200), maker.of("g"))).status


async def test_page_is_finished_for_others_when_the_one_who_asked_first_leaves(pages, maker):
    maker.go.clear()
    first, second = (asyncio.create_task(pages.answer("/u/ann", someone(n), maker.of("ann"))) for n in (1, 2))
    await asyncio.sleep(0)
    first.cancel()
    maker.go.set()
    assert 200 == (await second).status
    assert ["ann"] == maker.made


async def test_page_that_fails_is_tried_again(pages, maker):
    async def away():
        raise StoreUnavailable("away")

    with pytest.raises(StoreUnavailable):
        await pages.answer("/u/ann", someone(), away)
    assert 200 == (await pages.answer("/u/ann", someone(), maker.of("ann"))).status


async def test_pages_that_were_asked_for_longest_ago_go_when_memory_is_full(clock):
    pages, noise = KeptPages(Foreground(), Quotas(), now=clock, since_start=clock, most=60), Maker()
    for name in "abc":
        await pages.answer(name, someone(ord(name)), noise.of(name))
        await pages.answer("a", someone(1), noise.of("a"))
    assert "a" in pages.addresses
    assert "b" not in pages.addresses
    assert 60 >= pages.bytes


async def test_pages_are_forgotten_with_someone_who_is_deleted_also_those_that_are_being_made(pages, maker):
    await pages.answer("/u/ann", someone(), maker.of("ann"))
    maker.go.clear()
    other = asyncio.create_task(pages.answer("/g/1", someone(), maker.of("g")))
    await asyncio.sleep(0.01)
    pages.forget_person(Identity("ann", frozenset({"ann"})))
    maker.go.set()
    await other
    assert ([], 0) == ([*pages.addresses], pages.bytes)


async def test_page_waits_while_someone_waits_for_a_move(clock, maker):
    foreground = Foreground()
    pages = KeptPages(foreground, Quotas(), now=clock, since_start=clock)
    foreground.line_came()
    page = asyncio.create_task(pages.answer("/u/ann", someone(), maker.of("ann")))
    for _ in range(20):
        await asyncio.sleep(0)
    assert [] == maker.made
    foreground.line_answered()
    await page
    assert ["ann"] == maker.made
