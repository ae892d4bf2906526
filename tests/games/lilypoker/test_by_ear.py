"""lily-poker for a listener, with the most cards on the table."""

from lilygames.gametest.listening import play

WORDS = 1932
"""Words that the game took, from sitting down to the end, when each event had its own row."""


async def test_stud_needs_at_most_60_words_of_100_in_reader_mode():
    """Of all poker games it has the most cards on the table, and each is said completely."""
    heard = await play("lilypoker", "1", spoken=True, options="hands=8 variant=stud7")

    assert heard.words <= 0.6 * WORDS, heard.words
