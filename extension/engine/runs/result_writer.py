"""Writer of a run's results, with one commit for all results that wait.

Theory of operation. A commit waits for the disk and costs about the same for one row as for hundreds. Workers finish
probes at random moments, so each hands its result to one queue and waits for the commit. The writer takes everything
that waits, at most `BATCH` results, and commits it in one transaction; results that arrive meanwhile form the next
batch. The batch size thus follows the load by itself: one result at a time in a small pool, hundreds in a large one,
and never a delay to collect more.

A transaction holds the results, the counts of the run and the events for both, so a reader never sees one without the
others, and a stream never announces a result that is not stored. A worker takes the next account only after the commit
of its last one; a crash therefore loses at most the probes in flight, and `resume` probes exactly those again. A commit
that fails raises in every worker of the batch and ends the run. Cancelling a waiting worker does not take its result
out of the batch: a finished probe is paid for and is stored.
"""

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
    """Writer of the results of one run, as a context manager; leaving it stores all submitted results."""

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

    async def store(self, result: NewResult) -> int:
        """Submit a result, wait for its commit, and return its `seq`.

        The result is committed even if the caller is canceled.

        Raises:
            Exception: the result could not be stored.
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
        except Exception as error:  # noqa: BLE001 - raised in the workers that wait for these results
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
        data = {"run": run, "seqs": list(stored)}
        progress = {"run": run, **asdict(counts)}
        events.append_all(transaction, now, run, ((EventKind.RESULT, data), (EventKind.RUN_PROGRESS, progress)))
        return stored
