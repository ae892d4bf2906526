"""The folder of a client's receipts, which only the user can read.

A receipt is saved before its commitment is sent. So `lilygames verify` can check later what the host made of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from lilygames.client.address import Address
from lilygames.proofs.receipt import Receipt, files_like, read_receipt


class Receipts:
    """The receipts for one server, in a folder of its own."""

    def __init__(self, folder: Path, address: Address) -> None:
        kind = "tls" if address.tls else "plain"
        self.server = address.words
        self._folder = folder / "receipts" / f"{address.host}_{address.port}_{kind}"

    def keep(self, receipt: Receipt) -> None:
        """Save a receipt, replacing its earlier version. It is on disk when this returns; raises `OSError`."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = self._folder / receipt.file
        fresh = file.with_suffix(f".{os.getpid()}")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            opened.write(receipt.as_text())
            opened.flush()
            os.fsync(opened.fileno())
        fresh.replace(file)

    def of(self, table: str, round_: int) -> list[Receipt]:
        """Return the receipts for a round of the table with this identity."""
        return [one for one in self._like(files_like(table=table, round_=round_)) if one.table == table]

    def at(self, number: int) -> list[Receipt]:
        """Return the receipts for the table with this number, whatever its identity is."""
        return [*self._like(files_like(number))]

    def _like(self, pattern: str) -> Iterator[Receipt]:
        """Yield the readable receipts whose file's name matches."""
        for file in sorted(self._folder.glob(pattern)):
            try:
                yield read_receipt(file.read_text("utf-8"))
            except (OSError, ValueError):
                continue
