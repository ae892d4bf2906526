"""The parts of a server that its metrics are read from."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from lilygames.bus import Bus
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.listener import Listener
from lilygames.server.place.place import Place
from lilygames.server.process.logs import ServerLog
from lilygames.server.watch.certificate_watch import CertificateWatch
from lilygames.server.watch.measures import BusDelay, CountedStore, Disk, Lateness
from lilygames.server.watch.store_watch import StoreWatch


@attrs.frozen
class Sources:
    """The parts of a server that metrics are read from."""

    place: Place
    listeners: Mapping[str, Listener]
    admission: Admission
    store: CountedStore
    store_watch: StoreWatch
    late: Lateness
    disk: Disk
    bus: BusDelay | None
    certificate: CertificateWatch | None
    log: ServerLog

    @classmethod
    def of(
        cls,
        place: Place,
        listeners: Mapping[str, Listener],
        admission: Admission,
        *,
        store: CountedStore,
        bus: Bus | None,
        certificate: CertificateWatch | None,
        data: Path,
        log: ServerLog,
    ) -> Sources:
        """Return the sources of a server with this data folder."""
        delay = BusDelay(bus, place.node.name) if bus and place.node else None
        watch, late, disk = StoreWatch(store, place.host), Lateness(), Disk(place.disk_usage, place.host.clock, data)
        return cls(place, listeners, admission, store, watch, late, disk, delay, certificate, log)

    def watches(self) -> Sequence[Coroutine[Any, Any, None]]:
        """Return the periodic tasks that measure."""
        return [
            self.late.watch(),
            self.store_watch.watch(),
            self.disk.watch(),
            *([self.bus.watch()] if self.bus else []),
            *([self.certificate.watch()] if self.certificate else []),
        ]
