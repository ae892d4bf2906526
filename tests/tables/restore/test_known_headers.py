"""Headers of open tables that are known from an earlier look at the store."""

import attrs
import pytest

from lilygames.tables.restore.known_headers import KnownHeaders


def people(found, number):
    return {pair.name for pair in found.headers[number].people.pairs}


@pytest.fixture
async def known(table, store):
    return await KnownHeaders.read(store, [1])


async def test_known_headers_are_not_read_again(known, store):
    store.fail_next(AssertionError("it was read"), call="every_of")

    assert known.headers == (await known.but([]).of([1], store)).headers


async def test_headers_are_those_of_the_tables_that_are_open_now(known, stage, store):
    stage.enter("cat")
    await stage.type("cat", "/new tally max=3")

    assert [[2], [1, 2], []] == [[*(await known.of(numbers, store)).headers] for numbers in ([2], [1, 2], [])]


@pytest.mark.parametrize(("shared", "expected"), [(True, {"cat", "dan"}), (False, {"cat"})])
async def test_table_at_which_another_node_has_seated_someone_is_read_again(stage, store, shared, expected):
    for name in ("cat", "dan"):
        stage.enter(name)
    await stage.type("cat", "/new tally max=3")
    found = attrs.evolve(await KnownHeaders.read(store, [1]), shared=shared)
    await stage.type("dan", "/sit 1")

    assert expected == people(await found.of([1], store), 1)
