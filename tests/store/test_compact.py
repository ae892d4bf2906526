"""Attempts to append take few bytes in a store, and come back as they were."""

from hypothesis import given
from hypothesis import strategies as st

from lilygames.store.compact import compact, expand

attempts = st.from_regex(r"[0-9a-f]{32}(\.[0-9]{1,20})?", fullmatch=True)


@given(st.text() | attempts | attempts.map(lambda text: text + "\n"))
def test_every_text_comes_back_from_its_compact_form(text):
    assert text == expand(compact(text))


@given(attempts, attempts)
def test_different_attempts_have_different_compact_forms(one, other):
    assert (one == other) == (compact(one) == compact(other))


def test_attempts_take_16_bytes_and_those_of_a_process_a_few_more():
    assert 16 == len(compact("0d" * 16))
    assert 18 == len(compact(f"{'0d' * 16}.4711"))
    assert "daily 2026-11-25" == compact("daily 2026-11-25")
