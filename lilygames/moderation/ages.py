"""Delete old reports, old actions, and addresses that no sanction needs any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import attrs

from lilygames import codec
from lilygames.moderation.actions import Action, Standing
from lilygames.moderation.audit import BLANK, LOG, STANDING
from lilygames.moderation.reports import CLOSED, Report
from lilygames.store import Entry, Store

T = TypeVar("T")


@attrs.frozen
class ModerationAges:
    """Deletes what is older than a moment (UTC seconds). Rows that can't be read stay as they are."""

    store: Store

    async def forget_reports(self, moment: float) -> int:
        """Delete the reports that were decided before a moment, with their evidence; return their number."""
        old = []
        for number, body in (await self.store.every(CLOSED)).items():
            report = _read(body, Report)
            if report and report.decided_at < moment:
                old.append(number)
        for number in old:
            await self.store.forget(CLOSED, number)
        return len(old)

    async def forget_audit(self, moment: float) -> int:
        """Delete the start of the audit log up to a moment; return the number of entries."""
        old = [entry for entry in await self._until(moment) if entry.body != BLANK]
        if old:
            await self.store.trim(LOG, old[-1].seq, BLANK)
        return len(old)

    async def forget_addresses(self, moment: float) -> int:
        """Remove people's addresses from actions that ended before a moment; return the number of actions.

        A ban of a network keeps its address, which isn't a person's.
        """
        changed = []
        for entry in await self._until(moment):
            action = _read(entry.body, Action)
            if action and _has_old_address(action, moment):
                changed.append(attrs.evolve(entry, body=codec.to_text(attrs.evolve(action, addresses=()))))
        if changed:
            await self.store.rewrite(LOG, changed)
        for key, body in (await self.store.every(STANDING)).items():
            standing = _read(body, Standing)
            if standing and any(_has_old_address(action, moment) for action in standing.actions):
                await self.store.swap(STANDING, key, body, codec.to_text(_without_addresses(standing, moment)))
        return len(changed)

    async def _until(self, moment: float) -> Sequence[Entry]:
        """Return the entries of the audit log before a moment."""
        found: list[Entry] = []
        while page := (await self.store.read(LOG, found[-1].seq if found else 0)).entries:
            found += [entry for entry in page if entry.at < moment]
            if page[-1].at >= moment:
                break
        return found


def _has_old_address(action: Action, moment: float) -> bool:
    return bool(action.addresses) and not action.everyone and max(action.at, action.until) < moment


def _without_addresses(standing: Standing, moment: float) -> Standing:
    def cleared(action: Action) -> Action:
        return attrs.evolve(action, addresses=()) if _has_old_address(action, moment) else action

    return attrs.evolve(
        standing,
        actions=tuple(map(cleared, standing.actions)),
        mute=standing.mute and cleared(standing.mute),
        ban=standing.ban and cleared(standing.ban),
    )


def _read(body: str, kind: type[T]) -> T | None:
    try:
        found: T = codec.from_text(body, kind)
    except ValueError:
        return None
    return found
