"""lily-poker for who hears it, with the most cards on the table."""

from lilygames.gametest.listening import play


async def test_stud_takes_at_most_60_words_of_100():
    """Of the games of poker it has the most cards on the table, and each is said whole."""
    plain, heard = [
        await play("lilypoker", "1", spoken=spoken, options="hands=8 variant=stud7") for spoken in (False, True)
    ]

    assert heard.words <= 0.6 * plain.words, (heard.words, plain.words)
