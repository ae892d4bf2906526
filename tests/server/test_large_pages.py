"""Large pages: which memory of a process is moved to them, and that it stays what it is."""

import pytest

from lilygames.server.process import large_pages

HEAP = """\
{range} rw-p 00000000 00:00 0 {name}
Size:               {size} kB
KernelPageSize:        4 kB
Rss:                {used} kB
VmFlags: rd wr mr mw me ac
"""
NUMBERS = [*range(300_000)]


def places(monkeypatch, tmp_path, text):
    """Return where large pages can be if the process has this memory."""
    smaps = tmp_path / "smaps"
    smaps.write_text(text, "ascii")
    monkeypatch.setattr(large_pages, "MAPPINGS", smaps)
    return [*large_pages.places()]


@pytest.mark.parametrize("name", ["", "[heap]"])
def test_large_pages_begin_and_end_inside_a_range(monkeypatch, tmp_path, name):
    text = HEAP.format(range="00100000-00700000", size=6144, used=6000, name=name)

    assert [0x200000, 0x400000] == places(monkeypatch, tmp_path, text)


def test_memory_that_is_hardly_used_stays_as_it_is(monkeypatch, tmp_path):
    """The stack of a thread is such memory. A large page would take all of its 2 MB."""
    stack = HEAP.format(range="00200000-00a00000", size=8192, used=100, name="")
    heap = HEAP.format(range="01000000-01200000", size=2048, used=2048, name="")

    assert [0x1000000] == places(monkeypatch, tmp_path, stack + heap)


def test_memory_of_files_stays_as_it_is(monkeypatch, tmp_path):
    text = HEAP.format(range="00200000-00a00000", size=8192, used=8192, name="/usr/lib/libpython.so")

    assert [] == places(monkeypatch, tmp_path, text)


def test_memory_keeps_its_values():
    large_pages.use_large_pages()

    assert [*range(300_000)] == NUMBERS
