"""The one writer: a thread that commits all waiting functions in one transaction."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from adapter.clock import Clock
from extension.store.database import event_pools
from extension.store.database.event_pools import EventPools
from extension.store.errors import DatabaseTrouble

T = TypeVar("T")

_GROUP_SIZE = 500
_GROUP_SECONDS = 0.05


Translation = Callable[[SQLAlchemyError], DatabaseTrouble]
"""Makes an error of ours from one of the database library."""


class _Job(Generic[T]):
    """A function that waits for its turn, and where its answer goes."""

    def __init__(self, work: Callable[[Connection], T], trouble: Translation) -> None:
        self.future: Future[T] = Future()
        self._work = work
        self._trouble = trouble
        self._answer: T | None = None
        self.error: BaseException | None = None

    def run(self, connection: Connection, within: Callable[[], AbstractContextManager[Any]]) -> None:
        """Do the work within a savepoint, so that its failure undoes nothing of the others, or within nothing."""
        try:
            with within():
                self._answer = self._work(connection)
        except SQLAlchemyError as error:
            self.error = self._trouble(error)
            self.error.__cause__ = error
        except Exception as error:  # noqa: BLE001 - it belongs to the caller, who gets it from the future
            self.error = error

    def settle(self, failure: BaseException | None = None) -> None:
        """Settle the caller's future after the commit; `failure` is the group's."""
        error = failure or self.error
        if error is not None:
            self.future.set_exception(error)
        else:
            self.future.set_result(self._answer)  # type: ignore[arg-type]  # it is T: the work ran


class Writer:
    """Runs functions in the order given and commits those that wait together, each but the first in a savepoint.

    It never sleeps to collect more: a group arrived while the one before was committed, at most 500 functions
    or 50 ms of work by its clock. The answer of a function comes after the commit that holds it.
    """

    def __init__(
        self,
        engine: Engine,
        committed: Callable[[EventPools], None],
        clock: Clock,
        trouble: Translation,
        carried_out: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._trouble = trouble
        self._clock = clock
        self._committed = committed
        self._carried_out = carried_out
        """Told of a commit with all that its functions wrote."""
        self._queue: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self.closed = False
        """No function is accepted any more."""
        self._thread = threading.Thread(target=self._work, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        """Hand over a function, whose future is settled after its commit, or raise `DatabaseTrouble`."""
        if self.closed:
            raise DatabaseTrouble("The database is closed. Open it again before writing.")
        job = _Job(work, self._trouble)
        self._queue.put(job)
        return job.future

    def close(self) -> None:
        """Commit all submitted functions, then end the thread."""
        self.closed = True
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            group = [job]
            try:
                with self._engine.connect() as connection:
                    last = self._commit(connection, group)
                    pools = event_pools.take(connection)
            except SQLAlchemyError as error:
                failure = self._trouble(error)
                failure.__cause__ = error
                for member in group:
                    member.settle(failure)
                continue
            if not any(member.error for member in group):
                self._carried_out()
            self._committed(pools)
            for member in group:
                member.settle()
            if last:
                return

    def _commit(self, connection: Connection, group: list[_Job[Any]]) -> bool:
        """Run the group's first job and those that wait; true when the end of the queue was among them."""
        until = self._clock.monotonic() + _GROUP_SECONDS
        with connection.begin() as transaction:
            group[0].run(connection, nullcontext)  # without the cost of a savepoint: a failure undoes everything
            if group[0].error:
                transaction.rollback()
                return False
            while len(group) < _GROUP_SIZE and self._clock.monotonic() < until:
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    return True
                group.append(job)
                job.run(connection, connection.begin_nested)
        return False
