"""Test codes, and tokens that unsubscribe: only the server can make them."""

import base64
import json

import pytest

from lilygames.mailing.tokens import Forged, Signer, Unsubscribing

HERE, ELSEWHERE = Signer(b"k" * 32), Signer(b"o" * 32)


def test_token_says_whose_it_is():
    assert Unsubscribing("ann", 7) == HERE.read(HERE.token("ann", 7))


def test_token_of_another_server_is_forged():
    with pytest.raises(Forged):
        HERE.read(ELSEWHERE.token("ann", 7))


@pytest.mark.parametrize("account", ["bob", "Ann"])
def test_signature_of_one_account_does_not_fit_another(account):
    theirs = base64.urlsafe_b64encode(json.dumps([account, 7], separators=(",", ":")).encode()).decode().rstrip("=")
    _, _, signature = HERE.token("ann", 7).partition(".")

    with pytest.raises(Forged):
        HERE.read(f"{theirs}.{signature}")


@pytest.mark.parametrize(
    "token", ["", ".", "x", "x.y", "[].", "WyJhbm4iLDdd.", "W10.W10", "é.é", "bnVsbA.AAAA", "[" * 9000, "MTIz.AAAA"]
)
def test_nonsense_is_forged(token):
    with pytest.raises(Forged):
        HERE.read(token)


def test_token_with_a_changed_character_is_forged():
    token = HERE.token("ann", 7)
    for place, letter in enumerate(token):
        changed = token[:place] + ("A" if letter != "A" else "B") + token[place + 1 :]
        with pytest.raises(Forged):
            HERE.read(changed)


def test_code_has_six_digits_and_depends_on_everything():
    code = HERE.code("ann", "ann@example.org", 1.0)
    others = [
        ELSEWHERE.code("ann", "ann@example.org", 1.0),
        HERE.code("bob", "ann@example.org", 1.0),
        HERE.code("ann", "ann@example.com", 1.0),
        HERE.code("ann", "ann@example.org", 2.0),
    ]

    assert code.isdigit()
    assert len(code) == 6
    assert code not in others
    assert HERE.is_code(code, "ann", "ann@example.org", 1.0)


def test_code_of_other_letters_is_wrong():
    assert not HERE.is_code("١٢٣٤٥٦", "ann", "ann@example.org", 1.0)


def test_key_is_not_shown():
    assert "kkk" not in repr(HERE)
