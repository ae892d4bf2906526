"""The scripts that measure bots refuse a wrong argument in one sentence."""

from argparse import ArgumentTypeError

import pytest

from lilygames.games import games

if "lilypoker" not in games():
    pytest.skip("not here: lilypoker", allow_module_level=True)

from lab.solving.arguments import holdem_table, positive


@pytest.mark.parametrize("text", ["0", "-3", "many", "1.5"])
def test_number_of_deals_below_one_is_refused(text):
    with pytest.raises(ArgumentTypeError, match="give a number of 1 or more, not"):
        positive(text)


def test_number_of_deals_is_read():
    assert 400 == positive("400")


def test_table_that_is_not_there_is_refused():
    with pytest.raises(ArgumentTypeError, match="can't read '/nonexistent': No such file or directory"):
        holdem_table("/nonexistent")


@pytest.mark.parametrize("data", [b"", b"no table", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_file_without_a_table_is_refused(tmp_path, data):
    (tmp_path / "some.bin").write_bytes(data)

    with pytest.raises(ArgumentTypeError, match=r"some.bin' isn't a table of lab/solve-holdem"):
        holdem_table(str(tmp_path / "some.bin"))
