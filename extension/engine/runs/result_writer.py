"""Landing: results on their way into the store, those that wait together in one commit."""

import asyncio
from dataclasses import asdict
from types import TracebackType
from typing import Self

from adapter.clock import Clock
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.records import EventKind, NewResult
from extension.store.runs import results, runs

BATCH = 500
"""Most results of one commit, and of one event."""


class ResultWriter:
    """Lands the results of one run, as a context manager; leaving it lands what was handed over and waits for it.

    Each commit holds the results, the run's counts and the events that tell of them, so that none can be there without
    the others. A worker waits for its result's commit before it takes the next account: what a crash can lose is what
    is in flight, never more.
    """

    def __init__(self, database: Database, clock: Clock, run_id: int) -> None:
        self._database = database
        self._clock = clock
        self._run_id = run_id
        self._waiting: asyncio.Queue[tuple[NewResult, asyncio.Future[int]] | None] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting.put_nowait(None)
        await self._task

    async def land(self, result: NewResult) -> int:
        """Hand a result over and wait until it is committed, then return its `seq`.

        It is committed even if the waiting is cancelled.

        Raises:
            Exception: it could not be stored.
        """
        committed = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((result, committed))
        seq: int = await committed
        return seq

    async def _work(self) -> None:
        last = False
        while not last:
            batch: list[tuple[NewResult, asyncio.Future[int]]] = []
            item = await self._waiting.get()
            while item is not None:
                batch.append(item)
                if len(batch) == BATCH or self._waiting.empty():
                    break
                item = self._waiting.get_nowait()
            last = item is None
            if batch:
                await self._commit(batch)

    async def _commit(self, batch: list[tuple[NewResult, asyncio.Future[int]]]) -> None:
        landed = [result for result, _ in batch]
        failure: Exception | None = None
        stored: tuple[int, ...] = ()
        try:
            stored = await self._database.write(lambda transaction: self._store(transaction, landed))
        except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for these results
            failure = error
        for place, (_, committed) in enumerate(batch):
            if committed.done():
                continue
            if failure is None:
                committed.set_result(stored[place])
            else:
                committed.set_exception(failure)

    def _store(self, transaction: Transaction, landed: list[NewResult]) -> tuple[int, ...]:
        now = self._clock.now_ms()
        stored = results.add(transaction, landed)
        run = self._run_id
        counts = runs.count(transaction, run, landed)
        told = {"run": run, "seqs": list(stored)}
        progress = {"run": run, **asdict(counts)}
        events.append_all(transaction, now, run, ((EventKind.RESULT, told), (EventKind.RUN_PROGRESS, progress)))
        return stored
