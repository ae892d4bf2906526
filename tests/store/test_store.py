"""Tests that every engine must pass."""

import asyncio
import random
import time

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames.store import Conflict, Effect, Page, StoreUnavailable, TooEarly

LOG = "table/12"


async def test_entries_are_numbered_from_one_without_gaps(store, drafts):
    """Regardless of the writers and the drafts per call."""
    await store.append(LOG, 0, drafts("a"), cmd="1")
    await store.append(LOG, 1, drafts("b", "c"), cmd="2")
    await store.append(LOG, None, drafts("d"), cmd="3")

    page = await store.read(LOG)

    assert [(entry.seq, entry.body) for entry in page.entries] == [(1, "a"), (2, "b"), (3, "c"), (4, "d")]


async def test_append_returns_the_entries_that_are_read(store, drafts):
    before = time.time()

    entries = await store.append(LOG, 0, drafts("a", "b"), cmd="1")

    assert Page(entries, 2) == await store.read(LOG)
    assert [(entry.by, entry.cmd) for entry in entries] == [("whammy", "1")] * 2
    assert all(before <= entry.at <= time.time() for entry in entries)


async def test_entries_at_some_positions_are_returned_in_order_and_missing_ones_left_out(store, drafts):
    await store.append(LOG, 0, drafts("a", "b", "c"), cmd="1")

    found = await store.entries_at(LOG, [3, 1, 9, 0, -1, 2**40])

    assert [(1, "a"), (3, "c")] == [(entry.seq, entry.body) for entry in found]
    assert () == await store.entries_at(LOG, [])


async def test_records_of_several_kinds_are_returned_by_kind_and_key(store):
    for kind, key in (("names/1", "b"), ("names/1", "a"), ("names/2", "a"), ("names/3", "a")):
        await store.keep(kind, key, f"{kind} {key}")

    found = await store.every_of(["names/1", "names/2", "names/9"])

    expected = {"names/1": {"a": "names/1 a", "b": "names/1 b"}, "names/2": {"a": "names/2 a"}, "names/9": {}}
    assert expected == found
    assert ["a", "b"] == [*found["names/1"]]


async def test_records_with_some_keys_are_returned_and_missing_ones_left_out(store):
    for key in "abcß\0":
        await store.keep("kind", key, f"body {key}")
    await store.keep("other", "d", "body")

    assert {key: f"body {key}" for key in "acß\0"} == await store.find_each("kind", [*"cßad\0"])
    assert {} == await store.find_each("kind", []) == await store.find_each("nothing", ["a"])
    assert {"a": "body a"} == await store.find_each("kind", [f"{n}" for n in range(2000)] + ["a"])


async def test_pages_of_a_kind_have_each_of_its_records_once(store):
    records = {f"{n}": f"body {n}" for n in range(10)}
    records |= {"": "no key", "5\0": "body", "5\1": "body", "5ß": "body"}
    for key, body in records.items():
        await store.keep("kind", key, body)
    await store.keep("kinder", "5", "another")

    pages, first = [], ""
    while page := await store.every("kind", first, 4):
        pages.append(page)
        first = f"{[*page][-1]}\0"
    assert [4, 4, 4, 2] == [*map(len, pages)]
    assert sorted(records.items()) == [record for page in pages for record in page.items()]
    assert {} == await store.every("nothing") == await store.every("kind", "", 0)


async def test_swap_replaces_the_expected_record(store):
    """None means no record, before or afterwards."""
    swapped = [await store.swap("a", "b", old, new) for old, new in ((None, "1"), ("1", "2"), ("2", None), (None, "3"))]

    assert [True] * 4 == swapped
    assert "3" == await store.find("a", "b")


@pytest.mark.parametrize("old", [None, "", "0", "1"])
async def test_swap_changes_nothing_if_the_record_differs(store, old):
    await store.keep("a", "b", "2")

    assert [False, False] == [await store.swap("a", "b", old, new) for new in ("3", None)]
    assert "2" == await store.find("a", "b")


async def test_swaps_at_once_change_only_the_records_that_are_as_expected(store):
    for key in "abc":
        await store.keep("kind", key, "old")
    await store.keep("kind", "b", "another")
    asked = [("a", "old"), ("b", "old"), ("c", "old"), ("d", "old")]
    done = await asyncio.gather(
        *(store.swap("kind", key, old, f"new {key}") for key, old in asked), store.swap("other", "a", None, "\0")
    )

    assert [True, False, True, False, True] == done
    assert {"a": "new a", "b": "another", "c": "new c"} == await store.every("kind")
    assert "\0" == await store.find("other", "a")


async def test_swap_whose_caller_has_gone_is_not_in_the_way_of_others(store):
    await store.keep("kind", "a", "1"), await store.keep("kind", "b", "1")
    gone, stays = (asyncio.ensure_future(store.swap("kind", key, "1", "2")) for key in "ab")
    await asyncio.sleep(0)
    gone.cancel()

    assert await stays
    assert "2" == await store.find("kind", "b")


async def test_repeated_swap_returns_the_same(store):
    """After a lost answer a caller asks again."""
    await store.keep("a", "b", "1")

    assert [True, True] == [await store.swap("a", "b", "1", "2") for _ in range(2)]
    assert [True, True] == [await store.swap("a", "b", "2", None) for _ in range(2)]


async def test_one_of_several_swaps_at_once_wins(store):
    """Whether the record was there before or not."""
    for old in (None, "0"):
        if old:
            await store.keep("a", "b", old)
        else:
            await store.forget("a", "b")
        won = await asyncio.gather(*(store.swap("a", "b", old, f"by {n}") for n in range(20)))

        assert 1 == sum(won)
        assert f"by {won.index(True)}" == await store.find("a", "b")


async def test_each_log_has_its_own_numbers(store, drafts):
    await store.append("a", 0, drafts("x"), cmd="1")
    await store.append("b", 0, drafts("y"), cmd="1")

    assert await store.heads(["a", "b", "c"]) == {"a": 1, "b": 1, "c": 0}


@pytest.mark.parametrize("expected", [-1, 0, 2, 5])
async def test_conflict_tells_the_last_position(store, drafts, expected):
    """With an expected position the drafts are appended right there, or not at all."""
    await store.append(LOG, 0, drafts("first"), cmd="1")

    with pytest.raises(Conflict) as conflict:
        await store.append(LOG, expected, drafts("late", "later"), cmd="2")

    assert conflict.value.head == 1
    assert (await store.read(LOG)).head == 1


async def test_same_command_can_be_tried_again_after_a_conflict(store, drafts):
    await store.append(LOG, 0, drafts("first"), cmd="1")
    with pytest.raises(Conflict):
        await store.append(LOG, 0, drafts("second"), cmd="2")

    entries = await store.append(LOG, 1, drafts("second"), cmd="2")

    assert [entry.seq for entry in entries] == [2]


async def test_repeated_command_is_written_once(store, drafts):
    """After a lost answer the caller asks again and gets the first result, even if the log has grown."""
    first = await store.append(LOG, 0, drafts("a", "b"), cmd="1")
    await store.append(LOG, 2, drafts("c"), cmd="2")

    again = await store.append(LOG, 0, drafts("a", "b"), cmd="1")

    assert first == again
    assert (await store.read(LOG)).head == 3


async def test_command_is_written_once_if_repeated_at_the_same_time(store, drafts):
    answers = await asyncio.gather(*(store.append(LOG, None, drafts("hi"), cmd="1") for _ in range(5)))

    assert 1 == len(set(answers)) == (await store.read(LOG)).head


async def test_same_command_in_another_log_is_a_different_one(store, drafts):
    await store.append("a", 0, drafts("x"), cmd="1")
    await store.append("b", 0, drafts("y"), cmd="1")

    assert (await store.read("b")).entries[0].body == "y"


async def test_drafts_for_several_logs_are_appended_at_their_ends(store, drafts):
    await store.append("a", 0, drafts("first"), cmd="1")

    written = await store.append_each({"a": drafts("second", "third"), "b": drafts("other")}, cmd="2")

    assert {"a": [2, 3], "b": [1]} == {log: [entry.seq for entry in entries] for log, entries in written.items()}
    assert (*written["a"],) == (await store.read("a", 1)).entries
    assert (*written["b"],) == (await store.read("b")).entries


async def test_repeated_command_for_several_logs_is_written_once(store, drafts):
    """One of the logs has it already, as after an answer that was lost."""
    first = await store.append("a", None, drafts("x"), cmd="1")

    again = await store.append_each({"a": drafts("x"), "b": drafts("y")}, cmd="1")

    assert first == again["a"]
    assert {"a": 1, "b": 1} == await store.heads(["a", "b"])


async def test_nothing_is_appended_to_several_logs_if_a_text_cannot_be_written(store, drafts):
    with pytest.raises(ValueError, match="surrogate"):
        await store.append_each({"a": drafts("x"), "b": drafts("\ud800")}, cmd="1")

    assert {"a": 0, "b": 0} == await store.heads(["a", "b"])


async def test_drafts_of_a_call_stay_together(store, drafts):
    """The drafts of calls that race don't mix."""
    calls = [store.append(LOG, None, drafts(*[str(n)] * 3), cmd=str(n)) for n in range(20)]

    await asyncio.gather(*calls)

    bodies = [entry.body for entry in (await store.read(LOG)).entries]
    assert [bodies[n] for n in range(0, 60, 3) for _ in range(3)] == bodies


async def test_bad_call_does_not_affect_others(store, drafts):
    """An unpaired surrogate isn't valid text; the calls queued with it are written anyway."""
    good, bad, fine = await asyncio.gather(
        store.append(LOG, None, drafts("a"), cmd="1"),
        store.append(LOG, None, drafts("b", "\ud800"), cmd="2"),
        store.append(LOG, None, drafts("c"), cmd="3"),
        return_exceptions=True,
    )

    assert isinstance(bad, ValueError)
    assert Page((*good, *fine), 2) == await store.read(LOG)


async def one_winner_each(store, drafts, rounds):
    """Let eight race for each position, and check that one gets it and seven learn that."""
    order = random.Random(8)
    for head in range(rounds):
        racers = [store.append(LOG, head, drafts(str(n)), cmd=f"{head}/{n}") for n in range(8)]
        order.shuffle(racers)
        answers = await asyncio.gather(*racers, return_exceptions=True)
        heads = [answer.head for answer in answers if isinstance(answer, Conflict)]
        assert [head + 1] * 7 == heads
    assert list(range(1, rounds + 1)) == [entry.seq for entry in (await store.read(LOG)).entries]


async def test_one_of_eight_racers_wins(store, drafts):
    await one_winner_each(store, drafts, 100)


@pytest.mark.slow
async def test_one_of_eight_racers_wins_a_thousand_times(store, drafts):
    await one_winner_each(store, drafts, 1000)


async def test_append_is_refused_before_its_time(store, drafts):
    """Only the engine's clock decides that a clock has run out, not the node's."""
    now = await store.now()

    with pytest.raises(TooEarly) as early:
        await store.append(LOG, 0, drafts("a"), cmd="1", not_before=now + 60)

    assert now + 60 == early.value.until
    assert [1] == [entry.seq for entry in await store.append(LOG, 0, drafts("a"), cmd="1", not_before=now)]


async def test_conflict_is_raised_rather_than_too_early(store, drafts):
    """A call that is both early and in conflict has lost: waiting wouldn't help."""
    await store.append(LOG, 0, drafts("a"), cmd="1")

    with pytest.raises(Conflict):
        await store.append(LOG, 0, drafts("b"), cmd="2", not_before=await store.now() + 60)


async def test_effects_are_written_with_their_entries(store, drafts):
    await store.keep("open", "12", "")
    effects = [Effect("due", "12", "{}"), Effect("open", "12", None)]

    await store.append(LOG, 0, drafts("a"), cmd="1", effects=effects)

    assert ({"12": "{}"}, {}) == (await store.every("due"), await store.every("open"))


async def test_effects_are_not_written_if_the_append_fails(store, drafts):
    await store.append(LOG, 0, drafts("a"), cmd="1")
    effects = [Effect("due", "12", "{}")]
    late = store.append(LOG, 0, drafts("b"), cmd="2", effects=effects)
    early = store.append(LOG, 1, drafts("b"), cmd="3", effects=effects, not_before=await store.now() + 60)

    answers = await asyncio.gather(late, early, return_exceptions=True)

    assert [Conflict, TooEarly] == [type(answer) for answer in answers]
    assert {} == await store.every("due")


async def test_effects_are_written_once_if_the_command_is_repeated(store, drafts):
    effects = [Effect("due", "12", "{}")]
    await store.append(LOG, 0, drafts("a"), cmd="1", effects=effects)
    await store.forget("due", "12")

    await store.append(LOG, 0, drafts("a"), cmd="1", effects=effects)

    assert {} == await store.every("due")


async def test_calls_at_once_can_have_the_same_effect(store, drafts):
    """The last one counts."""
    calls = [store.append(f"table/{n}", 0, drafts("a"), cmd="1", effects=[Effect("due", "x", str(n))]) for n in "123"]

    await asyncio.gather(*calls)

    assert {"x": "3"} == await store.every("due")


@pytest.mark.parametrize(
    ("after", "limit", "expected"),
    [(0, 3, [1, 2, 3]), (3, 3, [4, 5, 6]), (8, 3, [9, 10]), (10, 3, []), (99, 3, []), (0, 0, []), (4, -1, [])],
)
async def test_long_log_is_read_in_pages(store, drafts, after, limit, expected):
    await store.append(LOG, 0, drafts(*"abcdefghij"), cmd="1")

    page = await store.read(LOG, after, limit)

    assert (expected, 10) == ([entry.seq for entry in page.entries], page.head)


async def test_unused_log_is_empty(store):
    assert Page((), 0) == await store.read("nobody")


async def test_empty_append_writes_nothing(store, drafts):
    assert await store.append(LOG, 0, [], cmd="1") == ()
    assert len(await store.append(LOG, 0, drafts("a"), cmd="1")) == 1


@given(text=st.text())
@settings(max_examples=30)
async def test_any_text_is_read_back_unchanged(store, drafts, text):
    """Zero bytes, combining marks and characters outside the BMP are allowed in all text."""
    await store.keep(text, text, text)
    landed = await store.append(text, None, drafts(text), cmd=text)

    assert text == await store.find(text, text)
    assert landed == (await store.read(text)).entries
    assert text == landed[0].body


async def test_record_is_found_by_its_kind_and_key(store):
    await store.keep("person", "whammy", "{}")
    await store.keep("secret", "whammy", "plum")

    assert await store.find("person", "whammy") == "{}"
    assert await store.find("person", "bob") is None


async def test_record_replaces_an_earlier_one(store):
    await store.keep("person", "whammy", "old")
    await store.keep("person", "whammy", "new")

    assert await store.every("person") == {"whammy": "new"}


async def test_records_are_ordered_by_key(store):
    for key in ("b", "é", "a", "𝒶", "ﬀ"):  # the last two sort the other way round in UTF-16
        await store.keep("person", key, "")

    assert list(await store.every("person")) == ["a", "b", "é", "ﬀ", "𝒶"]


async def test_forgotten_record_is_gone(store):
    await store.keep("person", "whammy", "{}")
    await store.forget("person", "whammy")
    await store.forget("person", "nobody")

    assert await store.every("person") == {}


async def test_rewritten_entry_keeps_its_position_time_and_command(store, drafts):
    first, second = await store.append(LOG, 0, drafts("bob bids 2", "bob bids 3"), cmd="1")

    await store.rewrite(LOG, [attrs.evolve(first, by="former player", body="bids 2"), attrs.evolve(first, seq=9)])

    after = attrs.evolve(first, by="former player", body="bids 2")
    assert Page((after, second), 2) == await store.read(LOG)
    assert (after, second) == await store.append(LOG, 0, drafts("bob bids 2"), cmd="1")


async def test_erased_log_is_empty_and_begins_again(store, drafts):
    await store.append(LOG, 0, drafts("a", "b"), cmd="1")
    await store.append("table/8", 0, drafts("c"), cmd="1")

    await store.erase(LOG)

    assert ("table/8",) == await store.logs("")
    assert {LOG: 0} == await store.heads([LOG])
    assert 1 == (await store.append(LOG, 0, drafts("d"), cmd="1"))[0].seq


async def test_cancelled_call_does_not_affect_others(store, drafts):
    """A cancelled call leaves no gap, and its command can be sent again."""
    waiting = [asyncio.create_task(store.append(LOG, None, drafts(str(n)), cmd=str(n))) for n in range(40)]
    await asyncio.sleep(0)
    for task in waiting[::2]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await asyncio.gather(*(store.append(LOG, None, drafts(str(n)), cmd=str(n)) for n in range(40)))

    page = await store.read(LOG)

    assert list(range(1, 41)) == [entry.seq for entry in page.entries]
    assert {str(n) for n in range(40)} == {entry.body for entry in page.entries}


async def test_closed_store_refuses_calls(store, drafts):
    await store.close()
    await store.close()

    for call in (store.append(LOG, 0, drafts("a"), cmd="1"), store.read(LOG), store.keep("a", "b", "c")):
        with pytest.raises(StoreUnavailable, match="The store is closed: open it again first"):
            await call


async def test_trimmed_log_keeps_its_position_and_later_entries(store, drafts):
    await store.append("log", 0, drafts("1", "2", "3"), cmd="a")

    await store.trim("log", 2, "gone")

    assert ([3], 3) == await seqs(store)
    await store.append("log", 3, drafts("4"), cmd="b")
    assert ["3", "4"] == [entry.body for entry in (await store.read("log")).entries]


async def test_last_entry_of_a_trimmed_log_stays_without_author_and_body(store, drafts):
    await store.append("log", 0, drafts("1", "2"), cmd="a")

    await store.trim("log", 2, "gone")
    await store.trim("log", 9, "gone")

    (last,) = (await store.read("log")).entries
    assert (2, "", "gone") == (last.seq, last.by, last.body)
    assert {"log": 2} == await store.heads(["log"])
    with pytest.raises(Conflict):
        await store.append("log", 0, drafts("3"), cmd="b")


async def test_trimming_changes_no_other_log(store, drafts):
    await store.append("log", 0, drafts("1"), cmd="a")
    await store.append("log2", 0, drafts("2"), cmd="a")

    await store.trim("log", 1, "gone")

    assert ["2"] == [entry.body for entry in (await store.read("log2")).entries]


async def test_logs_are_listed_by_prefix_in_pages(store, drafts):
    for name in ("said/b", "said/a", "saie", "sai", "said/ä", "tables"):
        await store.append(name, 0, drafts("1", "2"), cmd="a")

    assert ("said/a", "said/b", "said/ä") == await store.logs("said/")
    assert ("said/a", "said/b") == await store.logs("said/", limit=2)
    assert ("said/ä",) == await store.logs("said/", "said/b")


async def test_size_grows_with_what_is_stored(store, drafts):
    before = await store.size()
    await store.append("log", 0, drafts("x" * 100_000), cmd="a")

    assert before < await store.size()


async def seqs(store):
    page = await store.read("log")
    return [entry.seq for entry in page.entries], page.head
