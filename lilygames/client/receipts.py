"""Receipts: what the client committed to, and what the host showed it, in files that only the user can read.

A receipt is saved before its commitment is sent. So `lilygames verify` can check later what the host made of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import attrs

from lilygames.client.address import Address

VERSION = 1
"""The version of the files' format."""
_START = 16
"""Hexadecimal digits of a hash in a file's name."""


@attrs.frozen
class Receipt:
    """One commitment: the host's seal, the client's nonce, and the sealings that the host showed. Hashes are in hex."""

    server: str
    name: str
    """The name that was hashed into the commitment."""
    number: int
    """The table's number."""
    game: str
    table: str
    """The table's identity (T)."""
    round: int
    seal: str
    root: str
    nonce: str
    commit: str
    shown: tuple[str, ...] = ()
    """The digest (D) of each sealing shown for this round; several if the host showed two lists."""
    revealed: str = ""
    """The digest of the sealing to which the nonce was revealed."""

    @property
    def file(self) -> str:
        """The name of the receipt's file."""
        return f"{self.number}-{self.table[:_START]}-r{self.round}-{self.seal[:_START]}.json"

    def as_text(self) -> str:
        """Return the receipt as JSON."""
        data = {
            "receipt": VERSION,
            "server": self.server,
            "name": self.name,
            "table": self.number,
            "game": self.game,
            "T": self.table,
            "round": self.round,
            "seal": self.seal,
            "root": self.root,
            "nonce": self.nonce,
            "commit": self.commit,
            "D": [*self.shown],
            "revealed": self.revealed,
        }
        return json.dumps(data, indent=1) + "\n"


def _read(text: str) -> Receipt:
    """Parse a receipt; raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    data = json.loads(text)
    if data["receipt"] != VERSION:
        raise ValueError(data["receipt"])
    hashes = {field: str(data[key]) for field, key in _HASHES.items()}
    return Receipt(
        server=str(data["server"]),
        name=str(data["name"]),
        number=int(data["table"]),
        game=str(data["game"]),
        round=int(data["round"]),
        shown=tuple(map(str, data["D"])),
        **hashes,
    )


_HASHES = {
    **{field: field for field in ("seal", "root", "nonce", "commit", "revealed")},
    "table": "T",
}


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
        return [one for one in self._like(f"*-{table[:_START]}-r{round_}-*.json") if one.table == table]

    def at(self, number: int) -> list[Receipt]:
        """Return the receipts for the table with this number, whatever its identity is."""
        return [*self._like(f"{number}-*.json")]

    def _like(self, pattern: str) -> Iterator[Receipt]:
        """Yield the readable receipts whose file's name matches."""
        for file in sorted(self._folder.glob(pattern)):
            try:
                yield _read(file.read_text("utf-8"))
            except (OSError, ValueError, KeyError, TypeError):
                continue
