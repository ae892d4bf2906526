"""Export everything that is stored about a person, as JSON objects, one per row."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.identity import Identity
from lilygames.chat.names.names import fold
from lilygames.privacy.personal_data import LOGS, PAGE, RECORDS, Kind, logs_of
from lilygames.store import Entry, Store
from lilygames.tables.log.names_beside import people_of, tables_of

_HIDDEN = "(hidden)"


class PersonalExport:
    """Reads what is stored about someone, little by little."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts

    async def rows(self, name: str) -> AsyncIterator[str]:
        """Yield all rows about the person of a name. Raises `StoreUnavailable`."""
        key = self._accounts.key(name)
        who = Identity(key, frozenset({fold(name), *self._accounts.names_of(key)}))
        for kind in RECORDS:
            async for found in self._records(kind, who):
                yield _row(**found)
        for kind in LOGS:
            async for found in self._logs(kind, who):
                yield _row(**found)
        async for found in self._tables(who):
            yield _row(**found)

    async def _records(self, kind: Kind, who: Identity) -> AsyncIterator[dict[str, Any]]:
        if not kind.holds or kind.beside or "*" in kind.secret:
            return
        if not kind.scattered:
            for key in kind.own_keys(who):
                body = await self._store.find(kind.name, key)
                if body is not None:
                    yield {"what": kind.holds, "record": kind.name, "key": key, "value": _value(body, kind)}
            return
        for key, body in (await self._store.every(kind.name)).items():
            if kind.owns(key, who):
                yield {"what": kind.holds, "record": kind.name, "key": key, "value": _value(body, kind)}
            elif (value := _mine(kind, "", body, who)) is not None:
                yield {"what": kind.holds, "record": kind.name, "key": key, "value": value}

    async def _logs(self, kind: Kind, who: Identity) -> AsyncIterator[dict[str, Any]]:
        if not kind.holds or kind.beside:
            return
        async for log in logs_of(self._store, kind, who):
            own = kind.owns(log.removeprefix(kind.name), who)
            async for entry in _entries(self._store, log):
                if own:
                    yield {"what": kind.holds, "log": log, "at": entry.at, "value": _value(entry.body, kind)}
                elif (value := _mine(kind, entry.by, entry.body, who)) is not None:
                    yield {"what": kind.holds, "log": log, "at": entry.at, "value": value}

    async def _tables(self, who: Identity) -> AsyncIterator[dict[str, Any]]:
        """Yield what someone did at tables whose logs have ids, and that id."""
        for log in sorted(await tables_of(self._store, who.marks)):
            people = await people_of(self._store, log)
            ids = {pair.id for pair in people.pairs if fold(pair.name) in who.marks}
            yield {"what": "your id at a table", "table": log, "value": sorted(ids)}
            async for entry in _entries(self._store, f"table/{log}" if log.isdigit() else log):
                if entry.by in ids:
                    yield {
                        "what": "what you did at a table",
                        "table": log,
                        "at": entry.at,
                        "value": json.loads(entry.body),
                    }


async def _entries(store: Store, log: str) -> AsyncIterator[Entry]:
    after = 0
    while (page := await store.read(log, after, PAGE)).entries:
        for entry in page.entries:
            yield entry
        after = page.entries[-1].seq


def _mine(kind: Kind, by: str, body: str, who: Identity) -> Any:
    """Return what of a record or entry that others share is about a person; None if nothing is."""
    if kind.part is None or not who.is_in(by, body):
        return None
    try:
        return kind.part(json.loads(body), who)
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def _value(body: str, kind: Kind) -> Any:
    """Return a stored text as data, without secrets."""
    try:
        value = json.loads(body)
    except ValueError:
        return body
    return _open(value, kind)


def _open(value: Any, kind: Kind) -> Any:
    match value:
        case dict():
            return {key: _HIDDEN if key in kind.secret else _open(one, kind) for key, one in value.items()}
        case list():
            return [_open(one, kind) for one in value]
    return value


def _row(**found: Any) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))
