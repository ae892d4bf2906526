"""The seal of a lesson, and how seals are shown."""

from lilygames.tables.seal import seal

SECRET = bytes(range(32))


def test_seal_is_the_sha_256_of_the_secret():
    """`SHA-256(secret)` is shown before the first card."""
    assert "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd" == seal.seal_of(SECRET)


def test_beginning_of_the_seal_is_read_aloud_in_groups():
    assert "630d cd29 66" == seal.shown(seal.seal_of(SECRET))
