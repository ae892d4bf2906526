"""HTTP for monitoring: `/metrics` for Prometheus, `/health` and `/ready` for people and load balancers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from lilygames.edge.web.host_names import MachineNames
from lilygames.server.place.health import Health

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_NOT_OURS = (
    "Metrics aren't served under this name. Ask for an IP address, or list the name in the setting metrics_names.\n"
)


class MetricsServer:
    """The HTTP server on `metrics_host` and `metrics_port`."""

    def __init__(self, registry: CollectorRegistry, health: Health, names: MachineNames | None = None) -> None:
        self._registry = registry
        self._health = health
        self._names = names or MachineNames()
        app = web.Application(middlewares=[self._guarded])
        app.add_routes(
            [web.get("/metrics", self._metrics), web.get("/health", self._healthy), web.get("/ready", self._ready)]
        )
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)

    async def listen(self, host: str, port: int) -> None:
        """Start to listen. Raises `OSError`."""
        await self._runner.setup()
        await web.TCPSite(self._runner, host, port).start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._runner.addresses[0][1])

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        await self._runner.cleanup()

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse a name that isn't ours: a page in the sysop's browser may have pointed it here (DNS rebinding)."""
        if not self._names.has(request.headers.get("Host", "")):
            return web.Response(status=421, text=_NOT_OURS)
        return await handler(request)

    async def _metrics(self, request: web.Request) -> web.Response:
        encode, kind = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": kind})

    async def _healthy(self, _: web.Request) -> web.Response:
        why = await self._health.why_unhealthy()
        if why:
            return web.Response(status=503, text=f"{why}\n")
        return web.Response(text="".join(f"{row}\n" for row in ("well", *self._health.troubles)))

    async def _ready(self, _: web.Request) -> web.Response:
        why = await self._health.unready()
        return web.Response(status=503 if why else 200, text=f"{why or 'ready'}\n")
