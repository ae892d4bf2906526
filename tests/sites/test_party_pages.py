"""The pages of parties: the same for each code, and a QR code that leads to the phones' page."""

import gzip
import re

import pytest

from lilygames.edge.web.pages import PageAnswer, PageRequest
from lilygames.sites.party import Parties
from lilygames.sites.table import Shell

NOTHING = PageAnswer(404, "nothing")
HERE = "http://192.168.1.5:8080"


def pages(address=""):
    return Parties("lilygames", address, Shell("<p>the page</p>"), NOTHING)


def asks(rest):
    return PageRequest(posts=False, rest=rest, origin=HERE)


def html(answer):
    return gzip.decompress(answer.packed).decode()


async def test_television_names_the_address_that_it_was_opened_at():
    page = html(await pages().television(asks("pear42")))

    assert ">192.168.1.5:8080/j<" in page
    assert 'aria-label="QR code of http://192.168.1.5:8080/j/PEAR42"' in page


async def test_television_names_the_public_address_if_there_is_one():
    assert ">play.example.org/j<" in html(await pages("https://play.example.org").television(asks("PEAR42")))


async def test_page_keeps_to_the_policy():
    page = html(await pages().television(asks("PEAR42")))

    assert [] == re.findall(r" (?:style|on\w+)=", page)


async def test_origin_is_only_text():
    request = PageRequest(posts=False, rest="PEAR42", origin='http://"><script>')

    assert "<script>" not in html(await pages().television(request))


@pytest.mark.parametrize("rest", ["", "PEAR", "12", "PEAR421", "NOWORD42", "../g/1", "PEAR42/x"])
async def test_other_addresses_have_no_page(rest):
    assert [NOTHING, NOTHING] == [await pages().television(asks(rest)), await pages().phone(asks(rest))]


async def test_phone_gets_the_page_for_players():
    assert "<p>the page</p>" == html(await pages().phone(asks("pear42")))
