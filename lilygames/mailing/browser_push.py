"""Push messages to browsers (RFC 8030): encrypted for each browser (RFC 8291), and signed by us (RFC 8292).

Their push services are whatever the browsers say, so a service gets five seconds, and only a public address is used.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import ssl
import time
from collections.abc import Mapping

import attrs

from lilygames.mailing import push_address
from lilygames.mailing.items.outcomes import Bounced, NotSent, ServerDown
from lilygames.mailing.push_address import NotPublic
from lilygames.mailing.subscription import Browser

SECONDS = 5.0
"""Seconds for a whole message, the lookup of its host included."""
LASTS = 86400
"""Seconds for which a push service keeps a message for a browser that isn't running."""
SIGNED_FOR = 12 * 3600
"""Seconds for which a signature is valid; services refuse more than 24 hours."""
LARGEST = 3000
"""Bytes of a message before it is encrypted; services take 4096 bytes of the encrypted one."""
TOPIC = "waiting"
"""A newer message replaces one with the same topic that the browser hasn't got yet."""
_GONE = (404, 410)
_POINT = 65
"""Bytes of a point on the curve P-256, not compressed."""
_AUTH = 16
"""Bytes of a browser's authentication secret (RFC 8291, 3.2)."""


@attrs.frozen
class Message:
    """The content of a notification, and the path that opens when someone chooses it."""

    title: str
    text: str
    path: str = "/"

    @property
    def body(self) -> bytes:
        """The message as the page's service worker reads it."""
        text = self.text
        while len(body := json.dumps({**attrs.asdict(self), "text": text}, ensure_ascii=False).encode()) > LARGEST:
            text = f"{text[: len(text) * 3 // 4].rstrip('… ')}…"
        return body


def check_keys(key: str, secret: str) -> None:
    """Raise `ValueError` unless these are a browser's public key and authentication secret."""
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - it is an extra

    if len(bytes_of(secret)) != _AUTH or len(bytes_of(key)) != _POINT:
        raise ValueError("a key has the wrong size")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(key))


def bytes_of(text: str) -> bytes:
    """Return the bytes of a text in URL-safe base64 without padding. Raises `ValueError`."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def text_of(data: bytes) -> str:
    """Return bytes in URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@attrs.frozen
class Sender:
    """The sender: a private key of 32 bytes, and the address at which a push service can reach the sysop."""

    key: bytes = attrs.field(repr=False)
    contact: str

    @classmethod
    def fresh_key(cls) -> bytes:
        """Return a new private key."""
        from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - it is an extra

        return ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big")

    @property
    def public_key(self) -> str:
        """The public key, for browsers: they take only messages that it signed."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415 - it is an extra
        from py_vapid import Vapid02  # noqa: PLC0415 - as above

        signer = Vapid02.from_raw(text_of(self.key).encode())
        return text_of(signer.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def headers(self, host: str, now: float) -> Mapping[str, str]:
        """Return the header that says who sends to a host."""
        from py_vapid import Vapid02  # noqa: PLC0415 - it is an extra

        claims = {"aud": f"https://{host}", "exp": int(now + SIGNED_FOR), "sub": self.contact}
        signed: Mapping[str, str] = Vapid02.from_raw(text_of(self.key).encode()).sign(claims)
        return signed


def sealed(body: bytes, browser: Browser) -> bytes:
    """Return a message that only this browser can read."""
    import http_ece  # noqa: PLC0415 - it is an extra
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - it is an extra

    private, key, auth = ec.generate_private_key(ec.SECP256R1()), bytes_of(browser.key), bytes_of(browser.secret)
    done: bytes = http_ece.encrypt(body, salt=os.urandom(16), private_key=private, dh=key, auth_secret=auth)
    return done


class BrowserPush:
    """Sends messages to browsers."""

    def __init__(self) -> None:
        self._tls: ssl.SSLContext | None = None

    async def send(self, message: Message, browser: Browser, sender: Sender) -> None:
        """Send a message to a browser. Raises `Bounced` if it takes no more, `NotSent`, and `ServerDown`."""
        import httpx  # noqa: PLC0415 - it is an extra

        try:
            host = push_address.host_of(browser.endpoint)
            headers, body = await asyncio.to_thread(_written, message, browser, sender, host)
            async with asyncio.timeout(SECONDS):
                status = await self._posted(browser.endpoint, host, headers, body)
        except (NotPublic, ValueError) as problem:
            raise NotSent(f"a browser's push service: {problem}") from problem
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as problem:
            raise ServerDown(f"{host}: {type(problem).__name__}") from problem
        if status in _GONE:
            raise Bounced(f"{host}: {status}")
        if not 200 <= status < 300:  # noqa: PLR2004 - HTTP's range of success
            raise NotSent(f"{host}: {status}")

    async def _posted(self, endpoint: str, host: str, headers: Mapping[str, str], body: bytes) -> int:
        """Post a message to the IP address that was checked; return the status. Raises `httpx.HTTPError`, `OSError`."""
        import httpx  # noqa: PLC0415 - it is an extra

        address, port = await push_address.resolved(host)
        if self._tls is None:
            self._tls = await asyncio.to_thread(trusted)
        url = httpx.URL(endpoint).copy_with(host=address, port=port)
        async with (
            httpx.AsyncClient(follow_redirects=False, trust_env=False, timeout=SECONDS, verify=self._tls) as client,
            client.stream(
                "POST", url, content=body, headers={**headers, "Host": host}, extensions={"sni_hostname": host}
            ) as answer,
        ):
            return answer.status_code


def trusted() -> ssl.SSLContext:
    """Return the certificates that we trust. Slow: it reads files."""
    import httpx  # noqa: PLC0415 - it is an extra

    return httpx.create_ssl_context()


def _written(message: Message, browser: Browser, sender: Sender, host: str) -> tuple[Mapping[str, str], bytes]:
    """Return the headers and the body of a message. Slow: it encrypts and signs."""
    headers = {
        "TTL": str(LASTS),
        "Topic": TOPIC,
        "Urgency": "normal",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
    }
    return {**headers, **sender.headers(host, time.time())}, sealed(message.body, browser)
