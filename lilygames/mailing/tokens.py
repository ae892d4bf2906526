"""Codes that confirm a destination, one-time words, and signed tokens that unsubscribe.

None of them is stored: all follow from one key.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json

import attrs

from lilygames.chat.accounts.passwords import return_word

DIGITS = 6
_SIGNATURE = 16
"""Bytes of a token's signature (of an HMAC-SHA256)."""


class Forged(ValueError):
    """A token wasn't made here."""


@attrs.frozen
class Unsubscribing:
    """The contents of a token: the key of an account, and a generation of its subscription."""

    account: str
    generation: int


@attrs.frozen
class Signer:
    """Makes and reads codes and tokens with the server's key."""

    key: bytes = attrs.field(repr=False)

    def _mark(self, purpose: str, *about: object) -> bytes:
        return hmac.digest(self.key, json.dumps([purpose, *about]).encode(), "sha256")

    def code(self, account: str, to: str, asked: float) -> str:
        """Return the code for a destination that someone asked for at a time."""
        number = int.from_bytes(self._mark("code", account, to, asked)) % 10**DIGITS
        return f"{number:0{DIGITS}}"

    def is_code(self, typed: str, account: str, to: str, asked: float) -> bool:
        """Return whether this is that code."""
        return hmac.compare_digest(self.code(account, to, asked).encode(), typed.encode())

    def fingerprint(self, what: str, name: str) -> str:
        """Return the key under which the codes of an account, or to a destination, are counted. It shows neither."""
        return self._mark("count", what, name).hex()[:32]

    def word(self, account: str, delivery: str) -> str:
        """Return the one-time word that a delivery carries to someone who forgot their password."""
        number = int.from_bytes(self._mark("word", account, delivery))

        def below(limit: int) -> int:
            nonlocal number
            number, rest = divmod(number, limit)
            return rest

        return return_word(below)

    def token(self, account: str, generation: int) -> str:
        """Return a token that unsubscribes an account's address."""
        body = json.dumps([account, generation], separators=(",", ":")).encode()
        return f"{_text(body)}.{_text(self._mark('unsubscribe', account, generation)[:_SIGNATURE])}"

    def read(self, token: str) -> Unsubscribing:
        """Return what a token says. Raises `Forged`."""
        try:
            account, generation = json.loads(_bytes(token.partition(".")[0]))
            fine = hmac.compare_digest(self.token(account, generation).encode(), token.encode())
        except (ValueError, TypeError, RecursionError):
            fine = False
        if not fine or not isinstance(account, str) or not isinstance(generation, int):
            raise Forged("not a token of this server")
        return Unsubscribing(account, generation)


def _text(body: bytes) -> str:
    return base64.urlsafe_b64encode(body).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as problem:
        raise ValueError("not base64") from problem
