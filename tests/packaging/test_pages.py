"""Test that every help page fits the smallest screen, and that its options, claims and throws are correct."""

import re
from pathlib import Path

import attrs
import pytest

from lilygames import help as manual
from lilygames.games import games
from lilygames.tables.log import options
from lilygames.text import WIDTH, clean, columns
from lilygames_rules.dice.claims import Claim
from lilygames_rules.dice.throws import Throw, rank

FOLDER = Path(__file__).resolve().parents[2] / "help"
PAGES = sorted(FOLDER.rglob("*.txt"))
OF_GAMES = [page for page in PAGES if page.parent.name == "games"]
OPTION = re.compile(r"(?<![\w-])([a-z-]+)=([\w/+-]+)")
PLACEHOLDER = "NAME"


def test_there_are_pages():
    assert {"index", "host", "maker", "news", "words"} <= {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page_has_at_most_24_rows_of_78_columns(page):
    """And has no tabs, trailing spaces or characters that screens show differently."""
    rows = page.read_text("utf-8").splitlines()

    assert 1 <= len(rows) <= manual.ROWS
    assert [] == [row for row in rows if columns(row) > WIDTH]
    assert [] == [row for row in rows if row != clean(row).rstrip()]
    assert rows[0]
    assert rows[-1]


def test_page_names_are_unique():
    """A game's page must not hide one of the server's."""
    assert len(PAGES) == len({page.stem for page in PAGES})


def test_every_page_is_found_by_its_name():
    pages = manual.pages()

    assert {page.stem: page.stem for page in PAGES} == {page.stem: pages.find(page.stem) for page in PAGES}


LISTS = ("index", "topics", "maker")
"""Pages that list others by name alone."""


def linked(name, rows):
    """Return the pages that a page names: after `/help`, as words if it is a list of pages, or as a game's own."""
    text = " ".join(rows)
    found = set(re.findall(r"[a-z]+(?:-[a-z]+)*", text)) if name in LISTS else set()
    found |= {f"{name}-{word}" for word in re.findall("[a-z]+", text.partition("More:")[2])}
    for names in re.findall(r"/help ([a-z][a-z, -]*)", text):
        for words in re.split(r", and |, or |, | and | or ", names):
            first, second = [*words.split(), "", ""][:2]
            found |= {first, f"{first}-{second}"}
    return found


def test_every_page_is_reached_from_the_index_in_two_steps():
    pages = manual.pages(games=games()).rows
    first = linked("index", pages["index"]) & pages.keys()
    second = {other for name in first for other in linked(name, pages[name])}

    assert [] == sorted(pages.keys() - first - second - {"index"})


def test_topics_name_only_pages():
    """Behind the subject, each word of a row up to the first blank line is a page; two rows explain themselves."""
    pages = manual.pages().rows
    rows = [row[17:] for row in pages["topics"][2:] if row[17:18].strip() and row[:17].strip(" ") != "The games"]
    rows = rows[: next(number for number, row in enumerate(rows) if row.startswith("maker"))]

    assert [] == [word for row in rows for word in row.replace(",", " ").split() if word not in pages]


def named_options(page):
    """Return the game of a page, and the options it names, as (name, value)."""
    named = OPTION.findall(page.read_text("utf-8"))
    return games()[page.stem.partition("-")[0]], [(name, value) for name, value in named if value != PLACEHOLDER]


@pytest.mark.parametrize("page", OF_GAMES, ids=lambda page: page.stem)
def test_options_on_pages_exist_in_the_game(page):
    game, named = named_options(page)
    for name, value in named:
        _, words = options.frame(game, [f"{name}={value}"])

        assert [] == options.read(game, words)[1]


@pytest.mark.parametrize("page", [page for page in OF_GAMES if "-options" in page.stem], ids=lambda page: page.stem)
def test_first_value_of_an_option_is_the_default(page):
    """Every option of the game must be there; the examples of `/new` above the table don't count."""
    game, _ = named_options(page)
    table = page.read_text("utf-8").partition("\n\n  ")[2]
    first = dict(reversed(OPTION.findall(table)))
    fields = [field for field in attrs.fields(game.rules.Options) if not field.metadata.get("host")]
    plain = {options.typed(field.name): getattr(game.rules.Options(), field.name) for field in fields}

    assert {name: options.said(value) for name, value in plain.items()} == first


def test_claims_on_the_page_are_in_rising_order():
    """The first column of /help liarsdice claims, parsed as typed."""
    table = (FOLDER / "games/liarsdice-claims.txt").read_text("utf-8").split("\n\n")[1]
    typed = [claim for row in table.splitlines() for claim in row[:25].split(",") if claim.strip()]
    rungs = [Claim.parse(claim.strip()).rung for claim in typed]

    assert sorted(set(rungs)) == rungs


def test_throws_on_the_page_are_in_rising_order():
    """The examples in /help liedie ranking, from worst to best."""
    page = (FOLDER / "games/liedie-ranking.txt").read_text("utf-8")
    examples = re.findall(r"^  (\d)\. .*?((?: \d){5})", page, re.MULTILINE)
    ranks = [rank(Throw.parse(throw.replace(" ", ""))) for _, throw in examples]

    assert [str(number) for number in range(1, 10)] == [number for number, _ in examples]
    assert sorted(set(ranks)) == ranks
