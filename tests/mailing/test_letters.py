"""Test the words of mails: what they say, and that nothing in them can become a header or a line of its own."""

from pathlib import Path

import pytest

from lilygames.mailing import letters
from lilygames.mailing.items.items import Item
from lilygames.mailing.options import MailOptions, is_address, mailbox

OPTIONS = MailOptions(
    name="The Cellar", address="games.example 7777", host="smtp.example", sender="games@games.example"
)
GOLDEN = Path(__file__).with_name("mail.txt")


def items(number=1):
    return [Item(f"turn {n} 1", f"It's your turn at Ohell, table {n}, with bob.", f"/at {n}", n) for n in range(number)]


def mail(letter, options=OPTIONS, **more):
    return letters.mail_of(letter, options, to="ann@example.org", mail_id="0f", now=0, **more)


def news(*some, name="ann", last=False):
    return letters.news_letter(OPTIONS, name, some, last=last, channel="mail")


def test_mail_is_as_written():
    """The file shows the whole mail: three things wait for ann, and this is the last mail before she logs in."""
    waiting = [
        Item("turn 12 7", "It's your turn at Ohell, table 12, with bob and Otto. You have 2 days left.", "/at 12", 5),
        Item("invited 15", "cat invites you to Liar's Poker, table 15.", "/sit 15", 6),
        Item("event 3", 'The event "Ohell night" begins at 20:00.', "/events", 7, starts=9),
    ]
    written = mail(news(*waiting, last=True), token="WyJhbm4iLDdd.c2lnbmF0dXJlc2lnbmF0dX")

    assert GOLDEN.read_text("utf-8") == written.as_bytes().decode().replace("\r\n", "\n")


NASTY = [
    "Ohell\r\nBcc: everyone@example.org",
    "Ohell\nBcc: everyone@example.org",
    "Ohell\r\n\r\nA body of its own",
    "Ohell\x00\x1b[2J\u2028Bcc: x@example.org",
    "Ohell\r\n.\r\nRCPT TO:<x@example.org>",
    "Öhell 🂡 " * 60,
]


@pytest.mark.parametrize("title", NASTY)
def test_title_with_line_breaks_stays_one_line(title):
    letter = news(Item("event 1", f'The event "{title}" begins.', "/events", 1, starts=2))
    written = mail(letter, token="t")
    head, _, text = written.as_bytes().partition(b"\r\n\r\n")

    assert {
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "List-Unsubscribe",
        "Content-Type", "Content-Transfer-Encoding", "MIME-Version",
    } == {*written.keys()}  # fmt: skip
    assert not any(row.startswith((b"Bcc", b"RCPT", b".")) for row in (*head.split(b"\r\n"), *text.split(b"\r\n")))
    assert "The event" in written.get_content()
    assert max(map(len, written.as_bytes().split(b"\r\n"))) < 998


@pytest.mark.parametrize("title", NASTY)
def test_name_with_line_breaks_stays_one_line(title):
    written = mail(letters.code_letter(attrs_named(title), title, "123456", "mail"), attrs_named(title))

    head, _, text = written.as_bytes().partition(b"\r\n\r\n")
    assert not any(row.startswith(b"Bcc") for row in head.split(b"\r\n"))
    assert "  /mail code 123456\r\n" in text.decode()


def attrs_named(name):
    return MailOptions(name=name, address="h 1", host="h", sender="games@games.example")


def test_long_list_is_cut_and_counted():
    text = mail(news(*items(1000))).get_content()

    assert text.count("    /at ") == letters.SHOWN
    assert "And 990 more things" in text
    assert len(text) < 2000


def test_repeated_mail_has_the_same_message_id():
    assert mail(news(*items())).get("Message-ID") == mail(news(*items(2))).get("Message-ID")


def test_mail_without_a_web_page_unsubscribes_by_mail():
    written = mail(news(*items()), token="a.b")

    assert "<mailto:games@games.example?subject=unsubscribe%20a.b>" == written["List-Unsubscribe"]
    assert "List-Unsubscribe-Post" not in written


def test_mail_with_a_web_page_unsubscribes_with_one_click():
    """RFC 8058: an https URL, and the header that allows a POST."""
    options = MailOptions(address="h 1", host="h", sender="g@h.example", unsubscribe="https://h.example/stop")
    written = mail(news(*items()), options, token="a.b")

    assert written["List-Unsubscribe"].startswith("<https://h.example/stop?token=a.b>, <mailto:g@h.example")
    assert "List-Unsubscribe=One-Click" == written["List-Unsubscribe-Post"]


def test_code_mail_has_no_list_headers_and_says_who_asked():
    written = mail(letters.code_letter(OPTIONS, "ann", "123456", "mail"))

    assert "List-Unsubscribe" not in written
    assert "ann wants to get notifications" in written.get_content()
    assert "  /mail code 123456" in written.get_content()


@pytest.mark.parametrize("address", ["ann@example.org", "a.b+c@sub.example.co", "o'neil@example.org"])
def test_plain_address_is_accepted(address):
    assert is_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "", "ann", "@example.org", "ann@", "ann@localhost", "ann@@example.org", "ann@example.org\n",
        "ann\r\n@example.org", "a b@example.org", "ann@example.org,bob@example.org", '"ann b"@example.org',
        "<ann@example.org>", ".ann@example.org", "ann@-x.org", "änn@example.org", "ann@exämple.org",
        "a" * 65 + "@example.org", "ann@" + "a." * 125 + "org", "ann@example.org?bcc=x", "ann@[127.0.0.1]",
    ],
)  # fmt: skip
def test_address_that_could_mean_more_is_refused(address):
    assert not is_address(address)


def test_tags_of_an_address_are_one_mailbox():
    assert mailbox("Ann+games@Example.org") == mailbox("ann@example.org")
