"""Dispatch among workers on one PostgreSQL: jobs of procrastinate, commands as rows.

Theory of operation: a job says "visit this gateway" and carries no data. Its lock lets one job of a gateway work and
one wait. A job is enqueued in the transaction that stores its command. A worker that dies or freezes keeps its job in
progress, and a waiting one cannot begin: a living worker closes it once the heartbeat is older than the term of a
lease. It is closed, never retried, because a retry fails while another job of its lock waits (procrastinate #1543).
Visits outlive their jobs: a worker that loses its connection goes on with what it has the leases of.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, cast

import procrastinate
import structlog
from procrastinate import exceptions, jobs, manager, schema

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.dispatch.answers import error_read, outcome_read
from extension.engine.dispatch.commands import CommandRequest, Outcome
from extension.engine.dispatch.port import CommandInterrupted, CommandPending, CommandUnknown, Priority, Visit
from extension.engine.dispatch.shares import capacity, slots, surplus, wakes
from extension.engine.dispatch.tenure import Terms, lease_name
from extension.engine.dispatch.visits import Visits
from extension.store import commands, leases, workers
from extension.store.commands import CommandRecord, CommandState
from extension.store.database import queue_schema
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.workers import WorkerRecord

_TASK: Final = "visit"
_CONNECTIONS: Final = 3
_CONCURRENCY: Final = 1_000
"""Jobs at a time as the library sees it; the slots of this worker are asked for before each job is fetched."""
_ANSWER_SECONDS: Final = 2.0
"""Longest wait at the end for a database that may not answer any more."""
_GLANCE_SECONDS: Final = 0.1
"""Least pause between two looks for commands, however many commits there are."""
_LOG = structlog.get_logger("poolkeeper.dispatch")

# What it logs repeats what is logged here, with statements and tracebacks for every restart of the database.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)

Gateways = Callable[[Transaction], Mapping[int, int]]
"""Function that reads the enabled gateways with the counts of their accounts."""


class _Fetcher(manager.JobManager):
    """Fetches a job only while a slot is free."""

    def __init__(self, connector: Any, has_room: Callable[[], bool]) -> None:
        super().__init__(connector)
        self._has_room = has_room

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> jobs.Job | None:
        return await super().fetch_job(queues, worker_id) if self._has_room() else None


@dataclass(frozen=True, slots=True)
class Identity:
    """Name and version of a worker, and the address that serves for it."""

    name: str = ""
    version: str = ""
    address: str = ""


class PostgreSQLDispatch:
    """The dispatch of one process among several; `open` it before use."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        conninfo: str,
        *,
        gateways: Gateways = workers.pool_sizes,
        identity: Identity | None = None,
        terms: Terms | None = None,
        most_accounts: int | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._conninfo = conninfo
        self._gateways = gateways
        self._identity = identity or Identity()
        self._terms = terms or Terms()
        self._capacity = capacity() if most_accounts is None else most_accounts
        self._worker_id = secrets.token_hex(8)
        self._slots = 0
        self._is_full = False
        self._unattended: frozenset[int] = frozenset()
        self._is_overdue = False
        # Made for its statements alone: each is executed on a connection of ours.
        queue = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())
        self._job = queue.configure_task(_TASK)
        self._queue = queue
        self._committed = asyncio.Event()
        database.on_commit(self._note_commit)

    async def open(self) -> None:
        """Make the tables of the queue where there are none of this version. Raises `StoreError`."""
        mark = f"procrastinate {procrastinate.__version__}"
        await self._database.write(queue_schema.ensure, mark, schema.SchemaManager.get_schema())

    async def wake(self, gateway: int, priority: Priority = Priority.ROUTINE) -> None:
        """See the port."""
        await self._database.write(self._enqueue, [gateway], priority)

    async def workers(self) -> tuple[WorkerRecord, ...]:
        """See the port."""
        return await self._database.read(workers.everyone, self._terms.term_ms)

    async def order(self, gateway: int, command: CommandRequest) -> int:
        """See the port."""

        def store(transaction: Transaction) -> int:
            actor, now = self._redactor.redact(command.actor), self._clock.now_ms()
            arguments = dict(command.arguments)
            if "reason" in arguments:
                arguments["reason"] = self._redactor.redact(arguments["reason"])
            fleet_run = command.fleet_run
            if fleet_run is not None:
                arguments["fleetRun"] = fleet_run
            kind = command.kind
            number = commands.add(transaction, gateway, kind, actor, arguments, now=now, fleet_run_id=fleet_run)
            self._enqueue(transaction, [gateway], Priority.COMMAND)
            return number

        return await self._database.write(store)

    async def ask(self, gateway: int, command: CommandRequest) -> Outcome:
        """See the port."""
        number = await self.order(gateway, command)
        timeout = asyncio.ensure_future(self._clock.sleep(self._terms.answer))
        try:
            while not timeout.done():
                committed = self._committed
                record = await self._command(gateway, number)
                if record.state not in commands.OPEN:
                    return await self._outcome(record)
                waiting = asyncio.ensure_future(committed.wait())
                await asyncio.wait({timeout, waiting}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
        finally:
            timeout.cancel()
        raise CommandPending(number)

    async def answer(self, gateway: int, command_id: int) -> Outcome:
        """See the port."""
        record = await self._command(gateway, command_id)
        if record.state in commands.OPEN:
            raise CommandPending(command_id)
        return await self._outcome(record)

    async def serve(self, visit: Visit) -> None:
        """See the port."""
        address = self._identity.address
        visits = Visits(self._database, self._clock, self._terms, visit, address=address, on_handed_over=self.wake)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._work(visits))
                group.create_task(self._keep_beating(visits))
                group.create_task(self._pass_on_calls(visits))
        finally:
            await self._leave(visits)

    async def _leave(self, visits: Visits) -> None:
        """Have all visits hand over, unless the database is away: nothing can be stored then, and leases end."""
        leaving = asyncio.create_task(visits.leave())
        while await self._database_answers():
            await asyncio.wait({leaving}, timeout=_ANSWER_SECONDS)
            if leaving.done():
                with suppress(StoreError):
                    await self._database.write(workers.remove, self._worker_id)
                return
        leaving.cancel()
        await visits.abandon()

    async def _database_answers(self) -> bool:
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(_ANSWER_SECONDS):
                return bool(await self._database.read(workers.everyone) or True)
        return False

    async def _work(self, visits: Visits) -> None:
        """Fetch jobs until canceled; what the library has in progress is left where the database does not answer."""
        fetching = asyncio.create_task(self._fetch(visits))
        try:
            await asyncio.shield(fetching)
        finally:
            fetching.cancel()
            await asyncio.wait({fetching}, timeout=_ANSWER_SECONDS)

    async def _fetch(self, visits: Visits) -> None:
        """Fetch jobs; a database that is away is tried again."""
        while True:
            connector = procrastinate.PsycopgConnector(
                conninfo=self._conninfo, kwargs={"options": queue_schema.OPTIONS}, min_size=1, max_size=_CONNECTIONS
            )
            app = procrastinate.App(connector=connector)
            app.job_manager = _Fetcher(connector, lambda: self._has_room(visits))
            app.task(name=_TASK)(visits.pay)
            closing = asyncio.create_task(self._close_stalled(app))
            try:
                async with app.open_async():
                    await app.run_worker_async(
                        concurrency=_CONCURRENCY,
                        fetch_job_polling_interval=self._terms.beat / 2,
                        update_heartbeat_interval=self._terms.beat,
                        stalled_worker_timeout=self._terms.term,
                        shutdown_graceful_timeout=0,
                        delete_jobs="always",
                        install_signal_handlers=False,
                    )
            except Exception as error:  # noqa: BLE001 - of whichever layer: the next try may find its cause gone
                _LOG.warning("queue-away", error=type(error).__name__)
            finally:
                closing.cancel()
                await asyncio.wait({closing})
            await self._clock.sleep(self._terms.beat / 2)

    async def _close_stalled(self, app: procrastinate.App) -> None:
        """Close the jobs of workers without a heartbeat, and wake their gateways."""
        while True:
            await self._clock.sleep(self._terms.beat / 2)
            with suppress(exceptions.ProcrastinateException, StoreError):
                for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._terms.term):
                    with suppress(exceptions.ConnectorException):  # another worker has closed it
                        await app.job_manager.finish_job(job, jobs.Status.FAILED, delete_job=True)
                    await self.wake(cast("int", job.task_kwargs["gateway"]))

    async def _keep_beating(self, visits: Visits) -> None:
        """Tell the other workers of this one, take its share, and wake gateways at rest from time to time."""
        woken_at = -self._terms.wake
        while True:
            now = self._clock.monotonic()
            try:
                sizes = await self._database.read(self._gateways)
                living = await self._database.write(self._beat, visits, sizes)
                self._take_share(visits, slots(sizes, len(living), self._capacity))
                # One that becomes the oldest wakes them at once: the one before it may have been about to.
                if wakes(self._worker_id, living) and now - woken_at >= self._terms.wake:
                    await self._database.write(self._enqueue, sizes, Priority.ROUTINE)
                    woken_at = now
            except StoreError as error:
                _LOG.warning("worker-not-heard", error=str(error))
            await self._clock.sleep(self._terms.beat)

    def _beat(self, transaction: Transaction, visits: Visits, gateways: Collection[int]) -> tuple[WorkerRecord, ...]:
        """Store that this worker lives, and wake the gateways with work and without a lease."""
        visited, identity = tuple(sorted(visits.tenures)), self._identity
        worker = WorkerRecord(self._worker_id, identity.name, identity.version, self._slots, visited, self._capacity)
        living = workers.beat(transaction, worker, self._terms.term_ms)
        owned = leases.living(transaction)
        running, commanded = commands.pools_with_work(transaction)
        unattended = frozenset(
            number for number in running | commanded if number in gateways and lease_name(number) not in owned
        )
        self._enqueue(transaction, sorted(unattended), Priority.COMMAND)
        # A run without an owner was lost by a worker; a command may just have come.
        self._is_overdue, self._unattended = bool(unattended & (running | self._unattended)), unattended
        return living

    def _has_room(self, visits: Visits) -> bool:
        """Return whether to fetch a job.

        Visits that wait for a lease take no slot: after a restart of the database, jobs come back of gateways that
        their owners still visit. What a worker has lost, and work that none has taken for a beat, is taken beyond the
        slots: workers that are gone count until their term ends, so that the slots of the others are too few meanwhile.
        """
        slots = self._slots * (2 if self._is_overdue else 1)
        return len(visits.tenures) < slots and len(visits) < slots + self._slots

    def _take_share(self, visits: Visits, room: int) -> None:
        if room != self._slots:
            _LOG.info("worker-slots", slots=room, visits=len(visits))
        is_full = len(visits) >= room
        if is_full and not self._is_full:
            _LOG.warning("worker-full", slots=room, visits=len(visits))
        self._slots, self._is_full = room, is_full
        for gateway in surplus({number: tenure.resting for number, tenure in visits.tenures.items()}, room):
            visits.tenures[gateway].leave()

    async def _pass_on_calls(self, visits: Visits) -> None:
        """Tell visits in progress of commands: their jobs wait behind the visits themselves."""
        while True:
            committed = self._committed
            with suppress(StoreError):
                visited = tuple(visits.tenures)
                for gateway in await self._database.read(commands.calling, visited) if visited else ():
                    if gateway in visits.tenures:
                        visits.tenures[gateway].called.set()
            await self._clock.sleep(_GLANCE_SECONDS)
            await committed.wait()

    def _enqueue(self, transaction: Transaction, gateways: Collection[int], priority: Priority) -> None:
        if gateways:
            queue_schema.include(transaction)
        for gateway in gateways:
            lock = lease_name(gateway)
            job = self._queue.configure_task(
                _TASK,
                lock=lock,
                queueing_lock=lock,
                priority=int(priority),
                connection=transaction.connection.driver_connection,
            )
            with suppress(exceptions.AlreadyEnqueued), transaction.begin_nested():
                job.defer(gateway=gateway)

    async def _command(self, gateway: int, number: int) -> CommandRecord:
        record = await self._database.read(commands.get, gateway, number)
        if record is None:
            raise CommandUnknown(number)
        return record

    async def _outcome(self, record: CommandRecord) -> Outcome:
        if record.state is CommandState.DONE:
            return await self._database.read(outcome_read, record.pool_id, record.answer)
        raise error_read(record.answer) if record.state is CommandState.REFUSED else CommandInterrupted()

    def _note_commit(self) -> None:
        committed, self._committed = self._committed, asyncio.Event()
        committed.set()
