"""HTTP for monitoring: `/metrics` for Prometheus, `/health` and `/ready` for people and load balancers."""

from __future__ import annotations

from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from lilygames.server.health import Health


class MetricsServer:
    """The HTTP server on `metrics_host` and `metrics_port`."""

    def __init__(self, registry: CollectorRegistry, health: Health) -> None:
        self._registry = registry
        self._health = health
        app = web.Application()
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
