"""Settings: logs and metrics."""

from __future__ import annotations

import attrs

from lilygames.server.settings.setting import setting


@attrs.frozen(slots=False, kw_only=True)
class Monitoring:
    """Logs and metrics."""

    metrics_port: int = setting(
        0, "Port for /metrics (Prometheus), /health and /ready. 0 turns them off.", least=0, most=65535
    )
    metrics_host: str = setting(
        "127.0.0.1", "Address for metrics_port. Anyone who reaches it can read the metrics; 127.0.0.1 is this machine."
    )
    metrics_names: str = setting(
        "",
        "Names under which metrics_port may be asked, separated by commas, such as games.example.org. IP addresses,"
        " localhost and names without a dot always work.",
    )
    log_format: str = setting(
        "text", "Format of the log on stderr: text for people, or one JSON object per line.", words=("text", "json")
    )
    log_level: str = setting(
        "info", "Least severe level that is logged on stderr.", words=("debug", "info", "warning", "error")
    )
