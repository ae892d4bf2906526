"""Settings: where the server listens."""

from __future__ import annotations

import attrs

from lilygames.server.settings.setting import setting


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
    machine_port: int = setting(
        0,
        "Port for programs: JSON from the first byte, with TLS if tls_cert is set. 0 turns it off.",
        least=0,
        most=65535,
    )
