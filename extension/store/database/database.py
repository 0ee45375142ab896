"""Access to the database: reading and writing functions, run in threads, awaited from the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from functools import partial
from typing import Concatenate, Final, ParamSpec, Self, TypeAlias, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from adapter.clock import Clock, SystemClock
from extension.store.data_folder import DataFolder
from extension.store.database.event_pools import EventPools
from extension.store.database.health import Health
from extension.store.database.sqlite import READERS, SQLiteStorage
from extension.store.database.storage import Storage
from extension.store.database.writer import Writer
from extension.store.errors import DatabaseFull, DatabaseTrouble, DatabaseUnavailable
from extension.store.schema.upgrade import upgrade_to_head

Transaction: TypeAlias = Connection
"""Transaction passed to a reading or writing function; it begins and ends around the function."""

T = TypeVar("T")
P = ParamSpec("P")

PULSE_SECONDS: Final = 2.0
"""Pause between two questions to a server."""
SILENT_SECONDS: Final = 4.0
"""Longest time for its answer, far above that of a server that is busy."""
GRACE_SECONDS: Final = 1.0
"""Time for an answer that is there already, where this process itself was stopped meanwhile."""
_SILENT: Final = "The database does not answer. Check the server and the connection to it."
_LOG = structlog.get_logger("poolkeeper.store")


class Database:
    """One database: many readers beside one writer that commits in groups.

    A commit waits for the disk and costs about the same for one row as for hundreds: functions that arrive meanwhile
    share the next one.

    Functions given to `read` and `write` run in a worker thread: they take a transaction, use nothing that belongs to
    the event loop, and raise the caller's errors.
    """

    def __init__(self, storage: Storage, clock: Clock) -> None:
        self._storage = storage
        self._writing = storage.writing_engine()
        self._reading = storage.reading_engine()
        self._loop = asyncio.get_running_loop()
        self._listeners: dict[object, Callable[[EventPools], None]] = {}
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")
        self.health = Health(self._loop)
        self._clock = clock
        self._pulse = storage.pulse((self._writing, self._reading))
        self._writer = Writer(self._writing, self._committed, clock, self._refusal, self.health.note_write)
        self._silence = storage.announce_commits(self._committed)
        self._fence: Callable[[Transaction], None] | None = None

    @classmethod
    async def open(cls, folder: DataFolder, clock: Clock | None = None, storage: "Storage | None" = None) -> Self:
        """Open a database, making it or bringing its schema up to date where needed.

        Without a `storage` it is the SQLite file of the data folder.

        Raises:
            DatabaseTooNew: a newer version wrote it.
            DatabaseTooOld: it is from before the first release.
            DatabaseTrouble: it is damaged or cannot be read.
            DataFolderUnusable: the file cannot be made.
        """
        clock = clock or SystemClock()
        storage = storage or SQLiteStorage(folder)
        await asyncio.to_thread(_upgrade, storage, clock.now_ms())
        return cls(storage, clock)

    async def read(self, work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that only reads, beside others, and return its result, or raise `DatabaseTrouble`.

        Arguments follow the transaction.
        """
        if self._writer.closed:
            raise DatabaseTrouble("The database is closed. Open it again before reading.")
        bound = _bound(work, *args, **kwargs)
        return await self.health.unless_silent(self._loop.run_in_executor(self._readers, self._read, bound))

    async def write(self, work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that writes, and return its result after the commit, or raise `DatabaseTrouble`.

        Arguments follow the transaction.

        An exception undoes its own changes alone. Once submitted it runs even if the waiting task is canceled.
        """
        submitted = self._writer.submit(self._fenced(_bound(work, *args, **kwargs)))
        return await asyncio.shield(asyncio.wrap_future(submitted))

    async def prove(self) -> None:
        """Prove with a small write that the database can be written, or raise `DatabaseTrouble`."""
        await self.prove_room()
        await self.write(self._storage.write_little)

    async def prove_room(self) -> None:
        """Make sure that there is room for more, without a change of the database, or raise `DatabaseFull`."""
        try:
            await asyncio.to_thread(self._storage.prove_room)
        except DatabaseFull as fault:
            self.health.change(fault)
            raise
        self.health.lacks_room = False

    async def watch(self) -> None:
        """Notice a server that neither answers nor refuses, and give up on statements that wait for it."""
        pulse = self._pulse
        if pulse is None:
            return
        answer = asyncio.ensure_future(asyncio.to_thread(pulse.ask))
        try:
            while True:
                await asyncio.wait({answer}, timeout=SILENT_SECONDS)
                await asyncio.wait({answer}, timeout=GRACE_SECONDS)
                if not answer.done() and self.health.silence is None:
                    self.health.fall_silent(DatabaseUnavailable(_SILENT))
                    _LOG.warning("database-silent", reason=_SILENT)
                    pulse.cut()
                await asyncio.wait({answer})
                await self._clock.sleep(PULSE_SECONDS)
                answer = asyncio.ensure_future(asyncio.to_thread(pulse.ask))
        finally:
            await asyncio.wait({answer}, timeout=GRACE_SECONDS)
            if not answer.done():  # a server that answers keeps its connections: the last writes are still to come
                pulse.cut()
                await asyncio.wait({answer})
            pulse.close()

    def fenced(self, fence: Callable[[Transaction], None]) -> Self:
        """Return this database with a check before every write, in the transaction of the write."""
        fenced = copy(self)
        fenced._fence = fence  # noqa: SLF001 - a copy of this very class
        return fenced

    def on_commit(self, listener: Callable[[], None]) -> Callable[[], object]:
        """Have a function called in the event loop after every commit; the result ends that."""
        return self.on_events(lambda _: listener())

    def on_events(self, listener: Callable[[EventPools], None]) -> Callable[[], object]:
        """Have a function called as in `on_commit`, with the pools that have new events."""
        key = object()
        self._listeners[key] = listener
        return partial(self._listeners.pop, key, None)

    async def close(self) -> None:
        """Commit all submitted functions and close every connection. Closing twice is harmless."""
        if self._writer.closed:
            return
        await asyncio.to_thread(self._silence)
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self._readers.shutdown)
        self._reading.dispose()
        self._writing.dispose()

    def _read(self, work: Callable[[Transaction], T]) -> T:
        try:
            with self._reading.begin() as transaction:
                return work(transaction)
        except SQLAlchemyError as error:
            raise self._refusal(error) from error

    def _refusal(self, error: SQLAlchemyError) -> DatabaseTrouble:
        fault = self._storage.trouble(error)
        self.health.note(error, fault)
        return self.health.silence or fault

    def _fenced(self, work: Callable[[Transaction], T]) -> Callable[[Transaction], T]:
        fence = self._fence
        if fence is None:
            return work

        def checked(transaction: Transaction) -> T:
            fence(transaction)
            return work(transaction)

        return checked

    def _committed(self, pools: EventPools) -> None:
        with suppress(RuntimeError):  # the loop may be closed before the last commit of another process
            self._loop.call_soon_threadsafe(self._tell, pools)

    def _tell(self, pools: EventPools) -> None:
        for listener in tuple(self._listeners.values()):
            listener(pools)


def _bound(
    work: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs
) -> Callable[[Transaction], T]:
    return lambda transaction: work(transaction, *args, **kwargs)


def _upgrade(storage: Storage, now: int) -> None:
    storage.prepare(now)
    engine = storage.migrating_engine()
    try:
        with engine.begin() as transaction:
            upgrade_to_head(transaction)
    except SQLAlchemyError as error:
        raise storage.trouble(error) from error
    finally:
        engine.dispose()
