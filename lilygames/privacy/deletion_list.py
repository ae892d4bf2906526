"""The list of deletions in a file beside the store: `deletions.jsonl` in the data folder.

A backup of last week still has everyone who was deleted since. The file isn't part of the store, so it survives when
that is replaced, and `lilygames restore` deletes them again. It holds keyed hashes and times, but no names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from lilygames.chat.accounts.deleted_accounts import Deletion

NAME = "deletions.jsonl"
DeletionList = tuple[bytes, list[Deletion]]
"""The key of the hashes, and the deletions."""


def write(data: Path, key: bytes, deletions: Sequence[Deletion]) -> None:
    """Write the list, unless the file has it already. The key of the hashes is in the first row. Raises `OSError`."""
    file, rows = data / NAME, [json.dumps({"key": key.hex()}), *(one.body for one in deletions)]
    text = "".join(f"{row}\n" for row in rows)
    if file.exists() and file.read_text("ascii") == text:
        return
    fresh = data / f"{NAME}-new"
    with os.fdopen(os.open(fresh, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)


def read(file: Path) -> DeletionList:
    """Return the key and the deletions of a list. Raises `ValueError` if it can't be read, and `OSError`."""
    first, *rows = map(json.loads, file.read_text("ascii").splitlines())
    try:
        deletions = [Deletion(n, row["at"], row["who"], tuple(row["names"])) for n, row in enumerate(rows, 1)]
        return bytes.fromhex(first["key"]), deletions
    except (LookupError, TypeError) as problem:
        raise ValueError("not a list of deletions") from problem
