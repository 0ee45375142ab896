"""Runs: starting, stopping, taking up and reading inspections of one pool."""

import asyncio
from collections.abc import Sequence
from random import Random

from adapter.clock import Clock
from adapter.port import Gateway
from adapter.secret import Redactor
from extension.engine.errors import NothingToInspect, RunStateRefused, RunUnknown, SettingRefused
from extension.engine.execution import STOPPED_BY_COMMAND, Execution, Target
from extension.engine.lease import Lease
from extension.engine.listing import Listing, Reading
from extension.engine.pace import Pace, measure
from extension.engine.probing import Prober
from extension.engine.run import ENDED, RESUMABLE, Trigger, can
from extension.engine.transition import move, tell
from extension.engine.undisturbed import Undisturbed
from extension.inspection.accounts import sample
from extension.inspection.settings import HONOURED_AUTO_ACTION_MODES, InspectionSettings, parse_settings
from extension.store import accounts, results, runs
from extension.store.database import Database, Transaction
from extension.store.records import ResultRecord, RunRecord

_CLOSED = "The service was closed while the run was under way."


class Runs:
    """The runs of one pool, at most one of them active."""

    def __init__(
        self,
        gateway: Gateway,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        *,
        listing: Listing,
        random: Random,
    ) -> None:
        self._gateway = gateway
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._random = random
        self._turn = asyncio.Lock()
        self._undisturbed = Undisturbed()
        self._execution: Execution | None = None
        self._lease: Lease | None = None

    async def open(self) -> None:
        """End the run that a dead process left active; whoever wants it takes it up by `resume`."""
        lease = self._lease = Lease(self._listing.pool_id)
        now = self._clock.now_ms()
        await self._database.write(lambda transaction: lease.take_from_the_dead(transaction, now, working_on=None))

    async def close(self) -> None:
        """Interrupt the active run and wait until what has landed of it is stored."""
        await self._undisturbed.close()
        async with self._turn:
            if self._execution is not None:
                self._execution.cancel(Trigger.LOSE, _CLOSED)
                await self._execution.wait()

    async def start(self, settings: InspectionSettings, actor: str) -> RunRecord:
        """Start a run; see `Inspector.start`."""
        if settings.auto_action_mode not in HONOURED_AUTO_ACTION_MODES:
            raise SettingRefused(
                "autoActionMode",
                f"Automatic actions ({settings.auto_action_mode}) are not carried out by this version.",
                "Use none, look at the recommendations and apply them.",
            )
        return await self._undisturbed.run(self._start(settings, actor))

    async def stop(self, run_id: int) -> RunRecord:
        """Stop a run; see `Inspector.stop`."""
        return await self._undisturbed.run(self._stop(run_id))

    async def resume(self, run_id: int) -> RunRecord:
        """Take up a run; see `Inspector.resume`."""
        return await self._undisturbed.run(self._resume(run_id))

    async def recent(self, limit: int) -> tuple[RunRecord, ...]:
        """Return the newest runs, newest first."""
        pool_id = self._listing.pool_id
        return await self._database.read(lambda transaction: runs.recent(transaction, pool_id, limit))

    async def get(self, run_id: int) -> RunRecord:
        """Return one run; see `Inspector.run`."""
        return await self._database.read(lambda transaction: self._require(transaction, run_id))

    async def results(self, run_id: int, after: int, limit: int) -> tuple[ResultRecord, ...]:
        """Return results of a run; see `Inspector.results`."""

        def read(transaction: Transaction) -> tuple[ResultRecord, ...]:
            self._require(transaction, run_id)
            return results.of_run(transaction, run_id, after, limit)

        return await self._database.read(read)

    async def _start(self, settings: InspectionSettings, actor: str) -> RunRecord:
        async with self._turn:
            lease = self._held()
            # Asked before the pool is read, so that a second start is refused at once and costs the gateway nothing.
            await self._database.write(lambda transaction: self._make_free(transaction, lease))
            reading = await self._listing.read()
            chosen = self._chosen(reading, settings)
            if not chosen:
                raise NothingToInspect(
                    f"The pool has no account of the source {settings.account_source} in that scope.",
                    "Choose the other source, another type or family, or another filter, or add accounts.",
                )
            pace = await measure(self._gateway, settings.workers, len(chosen))
            new = runs.NewRun(
                pool_id=self._listing.pool_id,
                account_source=settings.account_source.value,
                target_type=settings.target_type,
                settings=settings.as_stored(),
                account_ids=chosen,
                started_by=self._redactor.redact(actor),
                owner=lease.owner,
                gateway_seconds_per_call=pace.seconds_per_call,
            )

            def create(transaction: Transaction) -> RunRecord:
                now = self._clock.now_ms()
                self._make_free(transaction, lease)
                run = runs.create(transaction, new, now)
                tell(transaction, run, now)
                return run

            run = await self._database.write(create)
            await self._execute(run, settings, reading, pace, lease)
            return run

    async def _stop(self, run_id: int) -> RunRecord:
        async with self._turn:

            def stop(transaction: Transaction) -> RunRecord:
                run = self._require(transaction, run_id)
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
            return await self.get(run_id)

    async def _resume(self, run_id: int) -> RunRecord:
        async with self._turn:
            lease = self._held()
            run = await self.get(run_id)
            if run.state not in RESUMABLE:
                raise RunStateRefused(
                    f"Run {run_id} is {run.state}, and only what was interrupted or has failed can be resumed.",
                    "Start a new inspection instead.",
                )
            settings = parse_settings(run.settings)
            reading = await self._listing.read()
            pace = await measure(self._gateway, settings.workers, run.total - run.done)

            def resume(transaction: Transaction) -> RunRecord:
                self._make_free(transaction, lease)
                before = self._require(transaction, run_id)
                return move(transaction, before, Trigger.RESUME, now=self._clock.now_ms(), owner=lease.owner)

            resumed = await self._database.write(resume)
            await self._execute(resumed, settings, reading, pace, lease)
            return resumed

    async def _execute(
        self, run: RunRecord, settings: InspectionSettings, reading: Reading, pace: Pace, lease: Lease
    ) -> None:
        """Begin the work in the background, on the accounts of the run that have no result in it."""

        def read(transaction: Transaction) -> Sequence[Target]:
            known = {record.id: record for record in accounts.all_of(transaction, run.pool_id).values()}
            return [
                Target(account_id, known[account_id].facts, reading.credentials.get(account_id))
                for account_id in runs.unprobed(transaction, run.id)
            ]

        self._execution = Execution(
            run,
            await self._database.read(read),
            Prober(self._gateway, self._clock, self._redactor, settings=settings, random=self._random, run_id=run.id),
            workers=pace.workers,
            database=self._database,
            clock=self._clock,
            owner=lease.owner,
        )

    def _make_free(self, transaction: Transaction, lease: Lease) -> None:
        lease.take_from_the_dead(transaction, self._clock.now_ms(), working_on=self._working_on())
        lease.require_free(transaction)

    def _working_on(self) -> int | None:
        execution = self._execution
        return None if execution is None or execution.ended else execution.run_id

    def _chosen(self, reading: Reading, settings: InspectionSettings) -> tuple[int, ...]:
        numbers = {credential.account.ref: credential.id for credential in reading.in_scope(settings)}
        accounts_in_scope = [reading.credentials[number].account for number in numbers.values()]
        sampled = sample(accounts_in_scope, settings.sample_size, self._random)
        return tuple(numbers[account.ref] for account in sampled)

    def _held(self) -> Lease:
        if self._lease is None:
            raise RuntimeError("The inspector is not open.")
        return self._lease

    def _require(self, transaction: Transaction, run_id: int) -> RunRecord:
        run = runs.get(transaction, run_id, self._listing.pool_id)
        if run is None:
            raise RunUnknown(run_id)
        return run
