"""Runs: starting, pausing, stopping and taking up inspections of one pool."""

import asyncio
from collections.abc import Callable, Collection
from typing import Final

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.errors import NothingToInspect, RunStateRefused
from extension.engine.history.reader import History
from extension.engine.pool.listing import PoolListing
from extension.engine.runs.factory import RunFactory
from extension.engine.runs.runner import STOPPED_BY_COMMAND, RunRunner
from extension.engine.runs.transition import Lease, move, tell
from extension.engine.shielded_tasks import ShieldedTasks
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.probes.cost import Cost
from extension.inspection.settings import InspectionSettings, parse_settings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.store.database.database import Database, Transaction
from extension.store.records import RunRecord
from extension.store.run_state import ENDED, RESUMABLE, RunState, Trigger, can
from extension.store.runs import results, retention, runs

_KINDS: Final = {Source.OAUTH: "OAuth files", Source.API_KEY: "API keys"}
_CLOSED: Final = because(ReasonCode.SERVICE_CLOSED)
FINISHED_EARLY: Final = because(ReasonCode.FINISHED_EARLY)


_NOT_FAILING: Final = frozenset({Verdict.HEALTHY.value, Verdict.SKIPPED.value})


class Runs:
    """The runs of one pool, at most one of them active.

    Where they `survive`, an active run stays active when its process ends or the database is away: `take_up` goes on
    with it, in this process or the next.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: PoolListing,
        history: History,
        run_factory: RunFactory,
        keep_runs: int,
        keep_bytes: int,
        survive: bool = False,
    ) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._history = history
        self._run_factory = run_factory
        self._keep_runs = keep_runs
        self._keep_bytes = keep_bytes
        self._survive = survive
        self._turn = asyncio.Lock()
        self._shielded = ShieldedTasks()
        self._execution: RunRunner | None = None
        self._lease: Lease | None = None

    async def open(self) -> None:
        """End a run left active by a dead process, unless runs survive; `resume` continues it."""
        lease, now = self.open_on_standby(), self._clock.now_ms()
        if not self._survive:
            await self._database.write(lease.take_over_stale, now, working_on=None)

    def open_on_standby(self) -> Lease:
        """Open without touching the run of the process that owns the gateway."""
        self._lease = Lease(self._listing.pool_id)
        return self._lease

    async def close(self) -> None:
        """Interrupt the active run, or hand it over, and wait until its results are stored."""
        await self._shielded.close()
        async with self._turn:
            if self._execution is not None:
                self._execution.cancel(Trigger.LOSE, _CLOSED)
                await self._execution.wait()

    async def is_unattended(self) -> bool:
        """Return whether a run is active that this process does not work on."""
        active = await self._database.read(runs.active, self._listing.pool_id)
        return active is not None and active.id != self._working_on()

    async def take_up(self) -> None:
        """Go on with the active run that no process works on, if there is one.

        Raises `GatewayError`: the pool could not be read; the run stays active.
        """
        await self._shielded.run(self._take_up())

    async def recent(self, limit: int = 20) -> tuple[RunRecord, ...]:
        """Return the newest runs of the pool, newest first."""
        return tuple(self._shown(run) for run in await self._history.recent(limit))

    async def get(self, run_id: int) -> RunRecord:
        """Return one run; `RunUnknown` when there is none."""
        return self._shown(await self._history.get(run_id))

    async def failing(self) -> frozenset[int]:
        """Return the accounts whose last check found them neither healthy nor left out."""
        latest = await self._database.read(results.latest, self._listing.pool_id)
        return frozenset(number for number, result in latest.items() if result.verdict not in _NOT_FAILING)

    async def cost(self, settings: InspectionSettings, age: float = 0.0, only: Collection[int] | None = None) -> Cost:
        """Return the most a run can cost, of accounts `only`, by a reading of this age at most; nothing is probed."""
        return await self._run_factory.cost(settings, age, only)

    def _shown(self, run: RunRecord) -> RunRecord:
        """Return a run of the store as it is; see `RunRunner.shown`."""
        return run if self._execution is None else self._execution.shown(run)

    async def start(
        self,
        settings: InspectionSettings,
        actor: str,
        *,
        schedule_id: int | None = None,
        fleet_run_id: int | None = None,
        only: Collection[int] | None = None,
    ) -> RunRecord:
        """Start a run, of some accounts `only` where they are named, and return it without waiting for it.

        Raises `RunActive`: another run of the pool is active; `NothingToInspect`: no account is in scope.
        """
        return await self._shielded.run(self._start(settings, actor, (schedule_id, fleet_run_id), only))

    async def stop(self, run_id: int) -> RunRecord:
        """Stop a run: cancel its probes and keep stored results; a run that has ended stays as it is.

        Raises `RunUnknown`: there is no such run.
        """
        return await self._shielded.run(self._stop(run_id))

    async def resume(self, run_id: int) -> RunRecord:
        """Resume a paused, interrupted or failed run; accounts with a stored result are not probed again.

        Raises `RunUnknown`, `RunStateRefused` or `RunActive`.
        """
        return await self._shielded.run(self._resume(run_id))

    async def pause(self, run_id: int) -> RunRecord:
        """Pause a run: start no more probes and actions until it is resumed; probes in flight finish.

        Raises `RunUnknown`: there is no such run; `RunStateRefused`: it is not running.
        """
        return await self._shielded.run(self._steer(run_id, Trigger.PAUSE, RunRunner.pause))

    async def finish(self, run_id: int) -> RunRecord:
        """Finish a run early: start no more probes, and act by its strategy on the results so far.

        Raises `RunUnknown`: there is no such run; `RunStateRefused`: it is neither running nor paused.
        """
        return await self._shielded.run(self._steer(run_id, Trigger.FINISH, RunRunner.finish, FINISHED_EARLY))

    async def _start(
        self,
        settings: InspectionSettings,
        actor: str,
        parents: tuple[int | None, int | None],
        only: Collection[int] | None,
    ) -> RunRecord:
        async with self._turn:
            lease = self._held()
            self._database.health.require_room()
            # Asked before the pool is read, so that a second start is refused at once and costs the gateway nothing.
            await self._database.write(self._make_free, lease)
            reading = await self._listing.read()
            chosen = await asyncio.to_thread(self._run_factory.chosen, reading, settings, only)
            if not chosen:
                raise NothingToInspect(
                    f"The pool has no {_KINDS[settings.account_source]} in that scope.",
                    "Choose the other source, another type or family, or another filter, or add accounts.",
                )
            pace = await self._run_factory.measure(settings, len(chosen))
            new = runs.NewRun(
                pool_id=self._listing.pool_id,
                account_source=settings.account_source.value,
                target_type=settings.target_type,
                settings=settings.as_stored(),
                account_ids=chosen,
                started_by=self._redactor.redact(actor),
                owner=lease.owner,
                gateway_seconds_per_call=pace.seconds_per_call,
                schedule_id=parents[0],
                fleet_run_id=parents[1],
            )

            def create(transaction: Transaction) -> RunRecord:
                now = self._clock.now_ms()
                self._make_free(transaction, lease)
                retention.prune(transaction, self._listing.pool_id, self._keep_runs, self._keep_bytes)
                run = runs.create(transaction, new, now)
                tell(transaction, run, now)
                return run

            run = await self._database.write(create)
            self._execution = await self._run_factory.execute(run, settings, reading, pace, lease)
            return run

    async def _take_up(self) -> None:
        async with self._turn:
            lease = self._held()
            run = await self._database.read(runs.active, self._listing.pool_id)
            if run is None or run.id == self._working_on():
                return
            settings = parse_settings(run.settings)
            reading = await self._listing.read()
            pace = await self._run_factory.measure(settings, run.total - run.done)

            def take(transaction: Transaction) -> RunRecord:
                before = self._history.require(transaction, run.id)
                if before.state in ENDED:
                    return before  # while the pool was read
                return move(transaction, before, Trigger.TAKE_UP, now=self._clock.now_ms(), owner=lease.owner)

            taken = await self._database.write(take)
            if taken.state in ENDED:
                return
            self._execution = await self._run_factory.execute(taken, settings, reading, pace, lease)
            if taken.state is RunState.PAUSED:
                self._execution.pause()
            elif taken.state is RunState.FINISHING:
                self._execution.finish()

    async def _stop(self, run_id: int) -> RunRecord:
        async with self._turn:

            def stop(transaction: Transaction) -> RunRecord:
                run = self._history.require(transaction, run_id)
                if run.state in ENDED or not can(run.state, Trigger.STOP):
                    return run
                now, owner = self._clock.now_ms(), self._held().owner
                stopping = move(transaction, run, Trigger.STOP, now=now, owner=owner, reason=STOPPED_BY_COMMAND)
                if self._working_on() == run_id:
                    return stopping
                return move(transaction, stopping, Trigger.HALT, now=now, owner=owner, reason=STOPPED_BY_COMMAND)

            run = await self._database.write(stop)
            if run.state in ENDED or self._execution is None:
                return run
            self._execution.cancel(Trigger.HALT, STOPPED_BY_COMMAND)
            await self._execution.wait()
            return await self._history.get(run_id)

    async def _resume(self, run_id: int) -> RunRecord:
        if self._shown(await self._history.get(run_id)).state is RunState.PAUSED:
            return await self._steer(run_id, Trigger.GO_ON, RunRunner.resume_work)
        async with self._turn:
            lease = self._held()
            run = self._shown(await self._history.get(run_id))
            if run.state not in RESUMABLE:
                raise RunStateRefused(
                    f"Run {run_id} is {run.state}: only a paused, interrupted or failed run can be resumed.",
                    "Start a new inspection instead.",
                )
            settings = parse_settings(run.settings)
            reading = await self._listing.read()
            pace = await self._run_factory.measure(settings, run.total - run.done)

            def resume(transaction: Transaction) -> RunRecord:
                self._make_free(transaction, lease)
                before = self._history.require(transaction, run_id)
                return move(transaction, before, Trigger.RESUME, now=self._clock.now_ms(), owner=lease.owner)

            resumed = await self._database.write(resume)
            self._execution = await self._run_factory.execute(resumed, settings, reading, pace, lease)
            return resumed

    async def _steer(
        self, run_id: int, trigger: Trigger, tell_execution: Callable[[RunRunner], None], reason: ReasonList = NO_REASON
    ) -> RunRecord:
        """Change the state of the run in progress, and pass the command on to its runner."""
        async with self._turn:
            execution = self._execution if self._working_on() == run_id else None

            def steer(transaction: Transaction) -> RunRecord:
                run = self._history.require(transaction, run_id)
                if execution is None or not can(run.state, trigger):
                    raise RunStateRefused(
                        f"Run {run_id} is {run.state}, and so it cannot {trigger}.",
                        "Look at its state again; when it has ended, start a new inspection.",
                    )
                return move(
                    transaction, run, trigger, now=self._clock.now_ms(), owner=self._held().owner, reason=reason
                )

            run = await self._database.write(steer)
            if execution is not None:
                tell_execution(execution)
            return run

    def _make_free(self, transaction: Transaction, lease: Lease) -> None:
        reason = self._execution.unstored if self._execution is not None else NO_REASON
        now, working_on = self._clock.now_ms(), self._working_on()
        if not self._survive:
            lease.take_over_stale(transaction, now, working_on=working_on, reason=reason)
        lease.require_free(transaction)

    @property
    def is_working(self) -> bool:
        """True while a run is in progress in this process."""
        return self._working_on() is not None

    def _working_on(self) -> int | None:
        execution = self._execution
        return None if execution is None or execution.ended else execution.run_id

    def _held(self) -> Lease:
        if self._lease is None:
            raise RuntimeError("The inspector is not open.")
        return self._lease
