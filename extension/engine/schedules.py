"""Schedules: recurring inspections with the settings they were saved with, and rechecks after a quota reset.

An account out of quota is checked soon after the time at which its quota resets, by a run of a schedule that is limited
to those accounts; a pool without schedules is checked by persons alone. Each reset leads to one recheck for each
process: a provider that names a wrong time costs one probe, not a loop.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Final

import structlog

from adapter.clock import Clock
from adapter.port import GatewayError
from adapter.privacy.secret import Redactor
from extension.engine.errors import EngineError, NothingToInspect, RunActive, ScheduleUnknown, start_problem
from extension.engine.history.reader import History
from extension.engine.pool.listing import PoolListing
from extension.engine.runs.lifecycle import Runs
from extension.engine.schedule_times import latest_time, next_time
from extension.engine.shielded_tasks import first_of
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.settings import InspectionSettings, SettingsError, parse_settings
from extension.reasons.reason import ReasonList
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.records import EventKind, RunRecord
from extension.store.run_state import ENDED, RunState
from extension.store.runs import results, runs, schedules
from extension.store.runs.results import QuotaReset
from extension.store.runs.schedules import Plan, ScheduleRecord

_LOG = structlog.get_logger("poolkeeper.schedule")

_DAY_MS: Final = 86_400_000
_AFTER_TROUBLE: Final = 60.0
_LOOK_AT_CLOCK: Final = 30.0
"""Seconds between two looks at the wall time: a wait ends early when it jumped, or when the machine was suspended."""
_JUMP_MS: Final = 2_000
_LOOK_AT_RUN: Final = 10.0
"""Seconds between two looks at the run of another schedule that a due one waits for."""
_LOOK_AT_RESETS: Final = 300.0
"""Seconds between two looks at the quotas that reset; the results of a run name them while this loop sleeps."""


def scheduled_settings(fields: Mapping[str, Any]) -> InspectionSettings:
    """Read the settings of a schedule, which keeps one account of each host unless they say otherwise.

    Raises:
        SettingsError: as `parse_settings`.
    """
    return parse_settings({"keepAtLeast": 1, **fields})


class Schedules:
    """The schedules of one pool. `open` it after the runs and `close` it before them."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        random: Random,
        *,
        listing: PoolListing,
        history: History,
        runs: Runs,
    ) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._random = random
        self._listing = listing
        self._history = history
        self._runs = runs
        self._rechecks = QuotaRechecks(database, listing, runs)
        self._changed = asyncio.Event()
        self._known: tuple[ScheduleRecord, ...] = ()
        self._work: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to start due schedules; an interrupted run of a schedule is resumed."""
        self._work = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """Stop starting schedules."""
        if self._work is not None:
            self._work.cancel()
            await asyncio.wait({self._work})

    async def all(self) -> tuple[ScheduleRecord, ...]:
        """Return the schedules, the oldest first."""
        return await self._database.read(schedules.all_of, self._listing.pool_id)

    async def start(self, schedule_id: int, actor: str) -> RunRecord:
        """Start a run of a schedule for a person, also of a disabled one; its next time stays.

        Raises `ScheduleUnknown`, or as `Runs.start`.
        """
        schedule = next((record for record in await self.all() if record.id == schedule_id), None)
        if schedule is None:
            raise ScheduleUnknown(schedule_id)
        run = await self._runs.start(scheduled_settings(schedule.settings), actor, schedule_id=schedule_id)
        now = self._clock.now_ms()
        await self._database.write(schedules.came_due, schedule_id, now=now, next_at=schedule.next_at)
        await self._database.write(schedules.started, schedule_id, run.id)
        return run

    async def save(
        self, plan: Plan, actor: str, schedule_id: int | None = None, *, is_due: bool = False
    ) -> ScheduleRecord:
        """Store a schedule with a full snapshot of its settings.

        It comes due an interval from now, or at the next time of its cron expression; one that `is_due` runs now, or
        once the run of another schedule has ended. Raises `SettingsError` or `ScheduleUnknown`.
        """
        whole = scheduled_settings(plan.settings).as_stored()
        plan = replace(plan, name=self._redactor.redact(plan.name), settings=whole)
        pool_id, now, by = self._listing.pool_id, self._clock.now_ms(), self._redactor.redact(actor)
        next_at = now if is_due else next_time(plan, now, self._random)
        saved = await self._database.write(schedules.save, pool_id, schedule_id, plan, next_at=next_at, by=by, now=now)
        if saved is None:
            raise ScheduleUnknown(schedule_id or 0)
        self._changed.set()
        return saved

    async def accounts_in_scope(self, schedule: ScheduleRecord) -> int | None:
        """Return how many accounts of the pool are in the scope of a schedule now; None when it cannot be read."""
        try:
            reading = await self._listing.read()
        except GatewayError:
            return None
        return len(await asyncio.to_thread(reading.in_scope, parse_settings(schedule.settings)))

    async def remove(self, schedule_id: int) -> None:
        """Forget a schedule; its runs stay. Raises `ScheduleUnknown`."""
        if not await self._database.write(schedules.remove, self._listing.pool_id, schedule_id):
            raise ScheduleUnknown(schedule_id)
        self._changed.set()

    async def _keep(self) -> None:
        """Start due schedules; no error ends the loop, because its end would show only by a missing run."""
        try:
            await self._take_up()
        except Exception as error:  # noqa: BLE001 - see above
            _LOG.exception("scheduled-run-not-taken-up", error=type(error).__name__)
        while True:
            self._changed.clear()
            try:
                await self._follow_a_clock_set_back()
                await self._start_what_is_due()
                await self._start_rechecks()
                self._known = await self.all()
                wait = self._until_next(self._known)
            except Exception as error:  # noqa: BLE001 - see above
                _LOG.exception("schedules-not-kept", error=type(error).__name__)
                wait = _AFTER_TROUBLE
            await self._sleep(wait)

    async def look(self) -> None:
        """Read whether another process has changed a schedule, and follow it."""
        if await self.all() != self._known:
            self._changed.set()

    async def _take_up(self) -> None:
        """Resume the newest run if it was scheduled and interrupted, because no person waits for it."""
        for run in await self._history.recent(1):
            if run.state is RunState.INTERRUPTED and run.schedule_id is not None:
                try:
                    await self._runs.resume(run.id)
                except (EngineError, GatewayError, SettingsError) as error:
                    _LOG.warning("scheduled-run-not-taken-up", run=run.id, error=str(error))

    async def _follow_a_clock_set_back(self) -> None:
        """Count times anew that lie further ahead than a schedule can; they would let runs out for that long."""
        now = self._clock.now_ms()
        for schedule in await self.all():
            with suppress(SettingsError):  # A time zone of another machine: the schedule reports it when it comes due.
                if schedule.next_at > latest_time(schedule, now):
                    await self._move(schedule.id, next_time(schedule, now, self._random))

    async def _move(self, schedule_id: int, next_at: int) -> None:
        await self._database.write(schedules.move, schedule_id, next_at=next_at)

    async def _start_what_is_due(self) -> None:
        """Start due schedules, one after the other."""
        now = self._clock.now_ms()
        for schedule in await self.all():
            if schedule.enabled and schedule.next_at <= now and not await self._waits_for_another(schedule):
                await self._start(schedule, now)

    async def _waits_for_another(self, schedule: ScheduleRecord) -> bool:
        """Return whether the run of another schedule is in progress: the two of a pool often come due together."""
        return any(
            run.state not in ENDED | {RunState.PAUSED} and run.schedule_id not in {None, schedule.id}
            for run in await self._history.recent(1)
        )

    async def _start_rechecks(self) -> None:
        """Check the accounts whose quota was reset, within the scope of the enabled schedules."""
        enabled = [schedule for schedule in await self.all() if schedule.enabled]
        try:
            run = await self._rechecks.start_due(enabled, self._clock.now_ms()) if enabled else None
        except RunActive:
            return  # The next look finds them again.
        except (EngineError, GatewayError, SettingsError) as error:
            _LOG.warning("quota-recheck-not-started", error=str(error))
        else:
            if run is not None:
                _LOG.info("quota-recheck-started", run=run.id, accounts=run.total)

    async def _start(self, schedule: ScheduleRecord, now: int) -> None:
        # The next time is stored first, and counted from now: several missed times lead to one run.
        try:
            next_at = next_time(schedule, now, self._random)
        except SettingsError as error:
            # A time zone can be missing on another machine; the other schedules go on.
            next_at = now + _DAY_MS
            _LOG.warning("schedule-without-next-time", schedule=schedule.id, error=str(error))
        await self._database.write(schedules.came_due, schedule.id, now=now, next_at=next_at)
        try:
            settings = scheduled_settings(schedule.settings)
            run = await self._runs.start(settings, f"schedule {schedule.name}", schedule_id=schedule.id)
        except (EngineError, GatewayError, SettingsError) as error:
            _LOG.warning("scheduled-run-not-started", schedule=schedule.id, error=str(error))
            problem = start_problem(error).redacted(self._redactor.redact)
            await self._database.write(self._not_started, schedule, problem)
        else:
            await self._database.write(schedules.started, schedule.id, run.id)

    def _not_started(self, transaction: Transaction, schedule: ScheduleRecord, problem: ReasonList) -> None:
        schedules.started(transaction, schedule.id, None, problem)
        data = {
            "schedule": schedule.id,
            "name": schedule.name,
            "problem": problem.text,
            "problems": problem.as_json(),
        }
        events.append(transaction, self._clock.now_ms(), EventKind.SCHEDULE, None, data, pool_id=self._listing.pool_id)

    def _until_next(self, known: tuple[ScheduleRecord, ...]) -> float | None:
        """Return the seconds until a schedule comes due, None when none ever does."""
        times = [schedule.next_at for schedule in known if schedule.enabled]
        until_due = min(times) - self._clock.now_ms() if times else 0
        # A schedule that is due already waits for the run of another one.
        wait = until_due / 1000 if until_due > 0 else _LOOK_AT_RUN
        return min(wait, _LOOK_AT_RESETS) if times else None

    async def _sleep(self, seconds: float | None) -> None:
        """Wait for that long, until a schedule was changed, or until the wall time has jumped."""
        if seconds is None:
            await self._changed.wait()
            return
        until, ahead = self._clock.monotonic() + seconds, self._wall_ahead()
        while not self._changed.is_set() and (rest := until - self._clock.monotonic()) > 0:
            await first_of(asyncio.ensure_future(self._clock.sleep(min(rest, _LOOK_AT_CLOCK))), self._changed)
            if abs(self._wall_ahead() - ahead) > _JUMP_MS:
                return

    def _wall_ahead(self) -> float:
        """Return the wall time beyond the monotonic one, in milliseconds: it changes with a jump alone."""
        return self._clock.now_ms() - self._clock.monotonic() * 1000


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
        known = await self._database.read(results.pending_resets, self._listing.pool_id, Verdict.OUT_OF_QUOTA.value)
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
        settings = scheduled_settings(schedule.settings)
        actor = f"schedule {schedule.name} (quota reset)"
        try:
            return await self._lifecycle.start(settings, actor, schedule_id=schedule.id, only=account_ids)
        except NothingToInspect:
            return None
