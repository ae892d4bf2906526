"""A receipt: what a client committed to, and what the host showed it, as JSON that the client keeps in a file.

The client writes it before it commits, and again at each step. `lilygames verify --receipts` reads it.
"""

from __future__ import annotations

import json

import attrs

VERSION = 1
"""The version of the format."""
_START = 16
"""Hexadecimal digits of a hash in a file's name."""


@attrs.frozen
class Receipt:
    """One commitment: the host's seal, the client's nonce, and the sealings that the host showed. Hashes are in hex."""

    server: str
    name: str
    """The name in the player's seat, which was hashed into the commitment if they have no id."""
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
    """The digest of the sealing to which the nonce was revealed; empty if it wasn't."""
    id: str = ""
    """The id that stands for the name in the table's log, and was hashed in its place."""
    salt: str = ""
    """The salt of the id; it shows that the id was made of the name."""

    @property
    def who(self) -> str:
        """The player in the commitment: the id, or the name if there is none."""
        return self.id or self.name

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
        data |= {"id": self.id, "salt": self.salt} if self.id else {}
        return json.dumps(data, indent=1) + "\n"


def files_like(number: int | None = None, table: str = "", round_: int | None = None) -> str:
    """Return the pattern of the file names of a table's receipts; what isn't given may be anything."""
    return f"{number or '*'}-{table[:_START] or '*'}-r{round_ or '*'}-*.json"


def read_receipt(text: str) -> Receipt:
    """Return a receipt from its JSON; raises `ValueError`."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("the text is nested too deeply") from None
    match data:
        case {
            "receipt": 1,
            "server": str(server),
            "name": str(name),
            "table": int(number),
            "game": str(game),
            "T": str(table),
            "round": int(round_),
            "seal": str(seal),
            "root": str(root),
            "nonce": str(nonce),
            "commit": str(commit),
            "D": [*shown],
            "revealed": str(revealed),
            **more,
        } if all(isinstance(one, str) for one in shown):
            fields = (server, name, number, game, table, round_, seal, root, nonce, commit)
            return Receipt(*fields, tuple(shown), revealed, str(more.get("id", "")), str(more.get("salt", "")))
    raise ValueError(f"it doesn't have the fields of a receipt of version {VERSION}")
