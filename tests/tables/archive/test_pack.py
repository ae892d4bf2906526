"""Packs: a finished game in a few kilobytes, unchanged after unpacking."""

from hashlib import sha256
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.store import Entry
from lilygames.tables.archive import pack as packing
from lilygames.tables.archive.pack import BadPack, Packed, pack, unpack

texts = st.text(st.characters(), max_size=40)
entries = st.builds(
    Entry,
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    texts,
    texts | st.from_regex(r'\{"act":1,"is":"Body","told":"[0-9a-f]{16}"\}', fullmatch=True),
    texts,
)
HEADER = Entry(12, 1.5, "bob", "{}", "open 1")
GAME = (HEADER, [Entry(1, 2.5, "bob", '{"act":{},"is":"Body","told":"0123456789abcdef"}', "a.1")])


@given(entries, st.lists(entries, max_size=12))
def test_unpacking_gives_back_any_entries(header, some):
    assert Packed(header, tuple(some)) == unpack(pack(header, some))


@given(st.integers(0, 2**64 - 1))
def test_unpacking_gives_back_the_bits_of_any_time(bits):
    at = packing._TIME.unpack(bits.to_bytes(8, "big"))[0]
    assert packing._TIME.pack(at) == packing._TIME.pack(unpack(pack(attrs.evolve(HEADER, at=at), ())).header.at)


def test_142_entries_of_an_ohell_take_at_most_5_kb_as_bytes_and_as_text(ohell):
    packed = pack(*ohell)
    assert 142 == len(unpack(packed).entries)
    assert len(packed) * 4 / 3 < 5000, len(packed)


def test_dictionary_of_a_version_never_changes():
    kept = Path(packing.__file__).with_name("pack-1.dictionary").read_bytes()
    assert "cbea2afb2bc1c7a7da944bce6386353e9dae24d66ee3ee1a31aa2712b11f9d1b" == sha256(kept).hexdigest()


def test_pack_of_an_earlier_release_can_be_unpacked():
    kept = bytes.fromhex(
        "4c500118cd5bce6392106d80801ff550060f2373527e120303031b685045c190813951cf90819151d935bd73f5d9f74cd5b59c306b6b01"
    )
    assert Packed(GAME[0], tuple(GAME[1])) == unpack(kept)


@given(st.data())
def test_damaged_pack_is_refused(data):
    packed = bytearray(pack(*GAME))
    place = data.draw(st.integers(0, len(packed) - 1))
    packed[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(BadPack):
        unpack(bytes(packed))


@given(st.integers(0, len(pack(*GAME)) - 1))
def test_pack_that_is_cut_off_is_refused(length):
    with pytest.raises(BadPack):
        unpack(pack(*GAME)[:length])


@given(st.binary(max_size=200))
def test_other_bytes_are_refused(data):
    with pytest.raises(BadPack):
        unpack(data)


def test_pack_with_something_behind_it_is_refused():
    with pytest.raises(BadPack):
        unpack(pack(*GAME) + b"x")


def test_pack_of_a_newer_release_says_so():
    packed = bytearray(pack(*GAME))
    packed[2] = 200
    with pytest.raises(BadPack, match="newer"):
        unpack(bytes(packed))
