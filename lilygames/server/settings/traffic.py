"""Settings: limits for connections."""

from __future__ import annotations

import attrs

from lilygames.server.settings.listening import are_networks
from lilygames.server.settings.setting import setting


@attrs.frozen(slots=False, kw_only=True)
class Traffic:
    """Limits for connections."""

    logins_at_once: int = setting(
        200,
        "Maximum connections that haven't logged in. Over the limit, one from the busiest address is closed.",
        least=1,
        most=100000,
    )
    connections: int = setting(2000, "Maximum connections.", least=1, most=100000)
    connections_per_address: int = setting(
        20,
        "Maximum connections per address (IPv6 /64) and node. Together they may send a fifth of what they could alone.",
        least=1,
        most=100000,
    )
    connects_per_minute: int = setting(
        60, "Maximum new connections per minute, address and node.", least=1, most=1000000
    )
    exempt: str = setting(
        "",
        "Networks whose addresses may hold and ask for any amount, separated by commas, such as 10.1.0.0/16 for a"
        " school. Each person there still has the limits of a person. Empty means none: a proxy may be local.",
        words=("addresses or networks like 10.1.0.0/16, 2001:db8::/32",),
        fits=are_networks,
    )
    lines_per_second: float = setting(
        10,
        "Lines per second per connection. More have to wait, then are refused, then the connection is closed.",
        least=0.1,
        most=1000000,
    )
    talk_lines_per_second: int = setting(
        5,
        "Lines of talk per second and person. The rest of a paste waits until they have typed yes.",
        least=1,
        most=1000000,
    )
    bytes_per_second: int = setting(
        4096, "Bytes per second per connection. More have to wait.", least=1024, most=1000000000
    )
    line_bytes: int = setting(4096, "Maximum bytes in a line. A longer one is refused.", least=256, most=65536)
    option_bytes: int = setting(
        16384,
        "Bytes of telnet options per minute per connection. Over the limit, it is closed.",
        least=256,
        most=1048576,
    )
