"""The seal fixes all luck before the first card."""

from lilygames.tables import seal

SECRET = bytes(range(32))


def test_seal_is_the_sha_256_of_the_secret():
    """`SHA-256(secret)` is shown before the first card."""
    assert "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd" == seal.seal_of(SECRET)


def test_beginning_of_the_seal_is_read_aloud_in_groups():
    assert "630d cd29 66" == seal.shown(seal.seal_of(SECRET))


def test_key_depends_on_the_cuts_in_their_order():
    """`key = HMAC(secret, the cuts in log order)`: another word, seat or order gives another key."""
    keys = {
        seal.key_of(SECRET, cuts)
        for cuts in ((), ((0, "a"),), ((1, "a"),), ((0, "b"),), ((0, "a"), (1, "b")), ((1, "b"), (0, "a")))
    }

    assert 6 == len(keys)


def test_first_draws_never_change():
    """Luck is the same on every machine and every Python for ever; these numbers were recorded once."""
    key = seal.key_of(SECRET, ((1, "seven"),))
    dealt, thought = seal.luck_of(key, 4), seal.house_luck(key, 0, 4)

    assert [1, 4, 5, 1, 3, 2, 6, 1] == [dealt.roll(6) for _ in range(8)]
    assert [2, 5, 4, 1, 1, 5, 2, 3] == [thought.roll(6) for _ in range(8)]


def test_each_entry_and_each_bot_has_its_own_luck():
    key = seal.key_of(SECRET, ())
    lucks = [seal.luck_of(key, 1), seal.luck_of(key, 2), seal.house_luck(key, 0, 1), seal.house_luck(key, 1, 1)]

    assert 4 == len({luck.shuffle(range(52)) for luck in lucks})
