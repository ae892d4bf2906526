"""Test that pages are found by the words people type, and that a command's page follows from its declaration."""

from pathlib import Path

import pytest

from lilygames.commands import Rest, Several, Unknown, command, declared
from lilygames.help import OTHER_WORDS, POLICIES, ROWS, Pages, about, folder, pages
from lilygames.text import WIDTH, wrap

SHELF = Pages({
    "index": ("Help", "type /quick"),
    "liedie": ("Lie Die",),
    "liesdice": ("Lies Dice",),
    "news": ("News", "Ohell is here."),
    "ohell": ("Ohell", "by Paul Stewart"),
    "ohell-scoring": ("Ohell: scoring", "ten and what you bid"),
})  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", "index"),
        ("ohell", "ohell"),
        ("OHELL", "ohell"),
        ("o hell", "ohell"),
        ("ohell scoring", "ohell-scoring"),
        ("  Ohell   Scoring ", "ohell-scoring"),
        ("ohell-sc", "ohell-scoring"),
        ("oh", "ohell"),
        ("n", "news"),
        ("/news", "news"),
    ],
)
def test_page_is_found_in_any_case_and_spacing(words, expected):
    assert expected == SHELF.find(words)


@pytest.mark.parametrize(("word", "expected"), OTHER_WORDS.items())
def test_page_is_found_by_another_word(word, expected):
    """It never hides a page of that name."""
    assert word not in pages().rows
    assert expected == pages().find(word.title())
    assert pages().has(word)


def test_ambiguous_prefix_names_both_pages():
    with pytest.raises(Several) as several:
        SHELF.find("lie")

    assert ("liedie", "liesdice") == several.value.names


def test_typo_suggests_a_page():
    with pytest.raises(Unknown) as unknown:
        SHELF.find("ohel skoring")

    assert ("ohell-scoring",) == unknown.value.near[:1]


def test_search_finds_a_word_in_all_pages():
    assert ("news", "ohell", "ohell-scoring") == SHELF.search("OHELL")


def test_first_row_is_the_title():
    assert "Ohell: scoring" == SHELF.title("ohell-scoring")


def test_plugin_adds_pages_but_replaces_none(tmp_path):
    (tmp_path / "game-of-a-guest.txt").write_text("Pig\x1b[2J\n\nRoll.\n")
    (tmp_path / "index.txt").write_text("Mine now\n")

    shelf = pages([tmp_path])

    assert ("Pig", "", "Roll.") == shelf.rows["game-of-a-guest"]
    assert pages().rows["index"] == shelf.rows["index"][:-1]


def test_hidden_page_of_a_plugin_is_named_and_can_be_read(tmp_path):
    (tmp_path / "bots.txt").write_text("BOTS   of a game")
    shelf = pages([tmp_path])

    assert (*pages().rows["bots"], "A game has a page of this name, too: /help bots-more") == shelf.rows["bots"]
    assert ("BOTS   of a game",) == shelf.rows[shelf.find("bots more")]
    assert "bots" == shelf.find("Bots")


def test_sysop_replaces_the_pages_about_policy_and_no_others(tmp_path):
    for name in (*POLICIES, "seal"):
        (tmp_path / f"{name}.txt").write_text(f"{name} of ours")
    shelf = pages(policy=tmp_path)

    assert [(f"{name} of ours",) for name in POLICIES] == [shelf.rows[name] for name in POLICIES]
    assert pages().rows["seal"] == shelf.rows["seal"]


@pytest.mark.parametrize("name", POLICIES)
def test_default_policies_promise_nothing_in_the_name_of_the_sysop(name):
    page = " ".join(pages().rows[name]).casefold()

    assert [] == [word for word in ("within 72", "police", "is sold", "we ", "leads to") if word in page]
    assert "replace this page" in page


def test_missing_folder_adds_no_pages(tmp_path):
    assert pages() == pages([tmp_path / "none"])


def test_page_of_a_command_follows_from_its_declaration():
    @command("tell", "send")
    def tell(caller: object, name: str, text: Rest = ""):
        """Say something to one person alone.

        Nobody else reads it.
        """

    expected = ("Usage: /tell NAME [TEXT]", "Say something to one person alone.", "", "Nobody else reads it.", "",
                "Also typed: /send")  # fmt: skip
    assert expected == about(*declared(tell))


@pytest.mark.parametrize("file", sorted(Path(str(folder())).rglob("*.txt")), ids=lambda file: file.stem)
def test_page_fits_the_smallest_screen(file):
    """A help page is at most 24 rows of 78 columns, plain, with a title and no row ending in a space."""
    rows = file.read_text("ascii").splitlines()

    assert len(rows) <= ROWS
    assert max(map(len, rows)) <= WIDTH
    assert rows == [row.rstrip() for row in rows]
    assert rows[0]
    assert "".join(rows).isprintable()


PHONE = Pages({
    "page": (
        "TITLE                                 what it is about",
        "A sentence that is longer than the first row of its paragraph goes on here,",
        "and ends in the next one.",
        "  /verb            does one thing, and what there is to say of it fills a row",
        "                   and another",
        "  def program(with_a_row_that_is_full=True): return the_row_that_comes_next",
        "  return nothing",
    )
})  # fmt: skip


def test_prose_is_wrapped_to_a_narrow_screen():
    """A paragraph or the text after a gap is one line each; an indented program stays as it is."""
    texts = [line.text for line in PHONE.lines("page")]

    assert texts == [
        PHONE.rows["page"][0],
        f"{PHONE.rows['page'][1]} and ends in the next one.",
        f"{PHONE.rows['page'][3]} and another",
        *PHONE.rows["page"][5:],
    ]


@pytest.mark.parametrize("name", [*pages().rows])
def test_page_as_lines_is_no_longer_than_as_rows(name):
    """On a full-width screen it takes at most as many rows as its file, with the same text."""
    rows = [row for line in pages().lines(name) for row in wrap(line.text, WIDTH, line.margin)]

    assert len(rows) <= len(pages().rows[name])
    assert " ".join(" ".join(rows).split()) == " ".join(" ".join(pages().rows[name]).split())


def test_first_page_names_the_installed_games():
    """Nobody maintains a list of them, and with seven games it still fits the smallest screen."""
    shelf = pages(games=["liarsdice", "liarslair", "liarspoker", "liedie", "lilypoker", "ohell", "wizard"])
    shown = [row for line in shelf.lines("index") for row in wrap(line.text, WIDTH, line.margin)]

    assert "pig, dicey" in "\n".join(pages(games=["pig", "dicey"]).rows["index"])
    assert "{" not in "\n".join(pages().rows["index"])
    assert len(shown) <= ROWS


def test_page_is_set_only_once():
    assert SHELF.lines("index") is SHELF.lines("index")
