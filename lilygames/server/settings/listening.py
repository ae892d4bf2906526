"""Settings: where the server listens."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import attrs

from lilygames.limits.addresses import networks
from lilygames.server.settings.setting import setting


def _is_address(text: str) -> bool:
    """Whether a text is an address without a path: the page's own files are at fixed paths."""
    parts = urlsplit(text)
    whole = parts.path in ("", "/") and not (parts.query or parts.fragment or "@" in parts.netloc)
    return not text or (parts.scheme in ("http", "https") and bool(parts.hostname) and whole)


def are_networks(text: str) -> bool:
    """Return whether a text is a list of networks."""
    try:
        networks(text)
    except ValueError:
        return False
    return True


def _are_sites(text: str) -> bool:
    """Whether a text is a list of sites, such as `https://blog.example`, or `*`."""
    return all(site == "*" or (_is_address(site) and not site.endswith("/")) for site in text.split())


TLS_PORTS = ("telnet", "machine", "web")


def _named(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _are_ports(text: str) -> bool:
    return set(_named(text)) <= {*TLS_PORTS}


@attrs.frozen(slots=False, kw_only=True)
class Listening:
    """Where the server listens."""

    host: str = setting("127.0.0.1", "Address to listen on. 127.0.0.1 allows only this machine, 0.0.0.0 any address.")
    port: int = setting(7777, "Port to listen on. 0 picks a free one.", least=0, most=65535)
    tls_port: int = setting(7778, "Port for TLS, used if tls_cert is set. 0 picks a free one.", least=0, most=65535)
    tls_cert: str = setting(
        "", "Certificate file for TLS, such as `lilygames certificate` creates. Empty turns TLS off."
    )
    tls_key: str = setting("", "Key file of the certificate. Empty if the certificate file contains it.")
    tls_on: str = setting(
        ", ".join(TLS_PORTS),
        "Which ports speak TLS if tls_cert is set. telnet opens tls_port beside port; leave out web if a proxy has the"
        " certificate. Empty means none.",
        words=("some of telnet, machine, web",),
        fits=_are_ports,
    )
    machine_port: int = setting(
        0,
        "Port for programs: JSON from the first byte, with TLS if tls_on has machine. 0 turns it off.",
        least=0,
        most=65535,
    )
    web_port: int = setting(
        0, "Port for the page in a browser, with TLS if tls_on has web. 0 turns it off.", least=0, most=65535
    )
    web_address: str = setting(
        "",
        "Address of the page as people open it: a name of its own, without a path. Links in invitations begin with it,"
        " and browsers that ask for another name are refused. Empty: only localhost and IP addresses, and no links.",
        words=("addresses like https://play.example.org, without a path",),
        fits=_is_address,
    )
    embed_sites: str = setting(
        "",
        "Other sites that may show a finished game in a frame, separated by spaces. * allows all, empty none.",
        words=("addresses like https://blog.example.org, or *",),
        fits=_are_sites,
    )
    web_proxies: str = setting(
        "",
        "Proxies in front of web_port, separated by commas. Only their X-Forwarded-For and -Proto are believed."
        " Empty believes nobody.",
        words=("addresses or networks like 127.0.0.1, 10.0.0.0/8",),
        fits=are_networks,
    )

    def speaks_tls(self, port: str) -> bool:
        """Return whether TLS is spoken on a port: one of `TLS_PORTS`."""
        return bool(self.tls_cert) and port in _named(self.tls_on)

    @property
    def tls_files(self) -> tuple[Path, Path]:
        """The certificate and its key, which may be in one file."""
        return Path(self.tls_cert), Path(self.tls_key or self.tls_cert)
