"""The optional parts of lilygames, as pip installs them: `pip install 'lilygames[postgres]'`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from lilygames.server.settings.config import Loaded

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "mail": ("aiosmtplib", "httpx"),
    "nats": ("nats",),
    "postgres": ("asyncpg",),
    "push": ("http_ece", "httpx", "py_vapid"),
    "tls": ("cryptography",),
    "web": ("aiohttp", "prometheus_client", "segno"),
}
"""The modules that each extra installs. Only what needs one imports it."""


def extra_of(module: str) -> str:
    """Return the extra that installs a module; empty if it isn't optional."""
    return next((extra for extra, modules in EXTRAS.items() if module.partition(".")[0] in modules), "")


def is_installed(extra: str) -> bool:
    """Return whether all modules of an extra can be imported."""
    return all(find_spec(module) for module in EXTRAS[extra])


def to_install(what: str, extra: str) -> str:
    """Return the sentence about something that needs a missing extra."""
    return f"{what} needs the extra “{extra}”, which isn't installed here: run pip install 'lilygames[{extra}]'"


def check_extras(loaded: Loaded) -> None:
    """Raise `Misconfigured` if a setting needs an extra that isn't installed."""
    settings = loaded.settings
    needed = (
        ("store", "postgres", settings.store.startswith("postgres")),
        ("bus", "nats", settings.bus.startswith("nats:") and settings.store.startswith("postgres")),
        ("mail_host", "mail", settings.mail_host),
        ("push_servers", "mail", settings.push_servers),
        ("metrics_port", "web", settings.metrics_port),
        ("web_push", "push", settings.web_push),
        ("web_port", "web", settings.web_port),
    )
    for name, extra, wanted in needed:
        if wanted and not is_installed(extra):
            raise loaded.wrong(to_install(name, extra), name)
