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
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Self

from adapter.clock import Clock
from extension.engine.pool.hosts import check_of
from extension.store import events
from extension.store.database.database import Database, Transaction
from extension.store.fleet import pulses
from extension.store.records import EventKind, NewResult
from extension.store.runs import results, runs

BATCH = 500
"""Most probes of one commit, and of one event."""


@dataclass(frozen=True, slots=True)
class _Submission:
    """Results of one probe that wait for their commit."""

    results: tuple[NewResult, ...]
    committed: asyncio.Future[tuple[int, ...]]


class ResultWriter:
    """Writer of the results of one run, as a context manager; leaving it stores all submitted results."""

    def __init__(self, database: Database, clock: Clock, run_id: int, pool_id: int, *, in_fleet: bool = False) -> None:
        self._in_fleet = in_fleet
        self._database = database
        self._clock = clock
        self._run_id = run_id
        self._pool_id = pool_id
        self._waiting: asyncio.Queue[_Submission | None] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._waiting.put_nowait(None)
        await self._task

    async def store(self, *results: NewResult) -> tuple[int, ...]:
        """Submit the results of one probe, wait for their commit, and return their `seq`, in the order given.

        They are committed together, and even if the caller is canceled. Raises the failure of the commit.
        """
        submission = _Submission(results, asyncio.get_running_loop().create_future())
        self._waiting.put_nowait(submission)
        return await submission.committed

    async def _work(self) -> None:
        last = False
        while not last:
            batch: list[_Submission] = []
            item = await self._waiting.get()
            while item is not None:
                batch.append(item)
                if len(batch) == BATCH or self._waiting.empty():
                    break
                item = self._waiting.get_nowait()
            last = item is None
            if batch:
                await self._commit(batch)

    async def _commit(self, batch: list[_Submission]) -> None:
        landed = [result for submission in batch for result in submission.results]
        failure: Exception | None = None
        stored: tuple[int, ...] = ()
        try:
            stored = await self._database.write(self._store, landed)
        except Exception as error:  # noqa: BLE001 - raised in the workers that wait for these results
            failure = error
        numbers = iter(stored)
        for submission in batch:
            own = tuple(islice(numbers, len(submission.results)))
            if submission.committed.done():
                continue
            if failure is None:
                submission.committed.set_result(own)
            else:
                submission.committed.set_exception(failure)

    def _store(self, transaction: Transaction, landed: list[NewResult]) -> tuple[int, ...]:
        now = self._clock.now_ms()
        stored = results.add(transaction, landed)
        if self._in_fleet:
            checks = [check_of(result) for result in landed if result.probed_with is None]
            pulses.add(transaction, self._pool_id, filter(None, checks), now)
        run = self._run_id
        counts = runs.count(transaction, run, landed)
        data = {"run": run, "seqs": list(stored)}
        progress = {"run": run, **asdict(counts)}
        changes = ((EventKind.RESULT, data), (EventKind.RUN_PROGRESS, progress))
        events.append_all(transaction, now, run, changes, pool_id=self._pool_id)
        return stored
