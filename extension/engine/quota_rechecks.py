"""Rechecks after a quota reset: an account out of quota is checked soon after the time at which its quota resets.

A recheck is a run of a schedule limited to those accounts; a pool without schedules is checked by persons alone. Each
reset leads to one recheck for each process: a provider that names a wrong time costs one probe, not a loop.
"""

from collections.abc import Collection, Iterable
from typing import Final

from extension.engine.errors import NothingToInspect
from extension.engine.pool.listing import PoolListing
from extension.engine.runs.lifecycle import Runs
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.settings import parse_settings
from extension.store.database.database import Database
from extension.store.records import RunRecord
from extension.store.runs import quota_resets, runs
from extension.store.runs.quota_resets import QuotaReset
from extension.store.runs.schedules import ScheduleRecord

GRACE_MS: Final = 60_000
"""Time after a reset at which the account is asked: clocks of providers differ by seconds."""
GAP_MS: Final = 900_000
"""Least time between a result and its recheck, for providers whose quota resets every few seconds."""


def recheck_at(reset: QuotaReset) -> int:
    """Return when an account is due for its recheck (ms UTC)."""
    return max(reset.resets_at + GRACE_MS, reset.at + GAP_MS)


def _name(reset: QuotaReset) -> tuple[int, int]:
    return reset.account_id, reset.resets_at


class QuotaRechecks:
    """The rechecks of one pool, within the scope of its schedules."""

    def __init__(self, database: Database, listing: PoolListing, lifecycle: Runs) -> None:
        self._database = database
        self._listing = listing
        self._lifecycle = lifecycle
        self._tried: set[tuple[int, int]] = set()

    async def pending(self) -> tuple[QuotaReset, ...]:
        """Return the resets that no recheck followed yet."""
        known = await self._database.read(quota_resets.pending, self._listing.pool_id, Verdict.OUT_OF_QUOTA.value)
        self._tried &= {_name(reset) for reset in known}
        return tuple(reset for reset in known if _name(reset) not in self._tried)

    async def start_due(self, schedules: Iterable[ScheduleRecord], now: int) -> RunRecord | None:
        """Start a run of the accounts that are due, with the first schedule that covers one of them.

        Accounts that another schedule covers stay due; those that none covers are given up until their next reset.

        Raises:
            RunActive: another run is under way; the accounts stay due.
            GatewayError: the gateway could not be asked.
        """
        due = [reset for reset in await self.pending() if recheck_at(reset) <= now]
        for schedule in schedules if due else ():
            run = await self._started(schedule, {reset.account_id for reset in due})
            if run is not None:
                covered = await self._members(run.id)
                self._tried |= {_name(reset) for reset in due if reset.account_id in covered}
                return run
        self._tried |= {_name(reset) for reset in due}
        return None

    async def _members(self, run_id: int) -> frozenset[int]:
        return await self._database.read(runs.members, run_id)

    async def _started(self, schedule: ScheduleRecord, account_ids: Collection[int]) -> RunRecord | None:
        settings = parse_settings(schedule.settings)
        actor = f"schedule {schedule.name} (quota reset)"
        try:
            return await self._lifecycle.start(settings, actor, schedule_id=schedule.id, only=account_ids)
        except NothingToInspect:
            return None
