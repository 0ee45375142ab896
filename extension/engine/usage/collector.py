"""Collector of usage: from a gateway's records to stored events, by one process for each pool.

Theory of operation: a popped record exists here alone, so it is committed before the next pop. A subscription comes
first and the queue is popped empty afterwards, so that no record falls between the two. Up to when records are complete
is committed with each batch; after any break the time from there to the resumption is a gap.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from adapter.clock import Clock
from adapter.port import Capability, Gateway, GatewayError, UsageBatch, UsageRecord, UsageSubscription, errors
from adapter.privacy.secret import Redactor
from extension.engine.pool.listing import PoolListing
from extension.engine.shielded_tasks import first_of
from extension.engine.usage.collector_status import CollectorSource, CollectorStatus
from extension.engine.usage.coverage import Coverage, Gap, GapKind, absence, first_coverage, merged
from extension.engine.usage.usage_writer import StoredCount, UsageWriter
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, because
from extension.reasons.trouble import trouble_reasons
from extension.store.errors import StoreError
from extension.store.usage.collection import LeaseLost

_FIRST: Final = 0.5
_LONGEST: Final = 15.0


class RetryPauses:
    """Pauses in seconds, each twice as long as the one before; the first one again after a try that lasted."""

    def __init__(self) -> None:
        self._next = _FIRST

    def after(self, lasted_ms: int = 0) -> float:
        """Return the pause after a failed try, which lasted some time."""
        pause = _FIRST if lasted_ms >= _LONGEST * 1000 else self._next
        self._next = min(_LONGEST, pause * 2)
        return pause


TERM_MS: Final = 15_000  # another process takes over the lease after it
_BEAT_SECONDS: Final = 5.0
_BATCH: Final = 500
_POLL_SECONDS: Final = 1.0
_OFF_SECONDS: Final = 10.0
_IDLE_BEATS: Final = 12
_LAST_DRAINS: Final = 2
"""Looks at the queue after the recording has ended: a request under way writes its record a moment later."""
_CLOSING_SECONDS: Final = 10.0  # a gateway that does not answer holds up the end of the service


class Collector:
    """Collects in the background between `open` and `close`. Nothing switches the gateway's recording on by itself."""

    def __init__(
        self,
        gateway: Gateway,
        clock: Clock,
        redactor: Redactor,
        listing: PoolListing,
        writer: UsageWriter,
        *,
        alone: bool = True,
    ) -> None:
        self._gateway = gateway
        self._clock = clock
        self._redactor = redactor
        self._listing = listing
        self._writer = writer
        self._alone = alone
        self._owner = secrets.token_hex(16)
        self._coverage = Coverage(0)
        self._announced: CollectorSource | None = None
        self._status = CollectorStatus()
        self._task: asyncio.Task[None] | None = None
        self._recorded: Counter[str] = Counter()
        self._closing = asyncio.Event()
        self._woken = asyncio.Event()

    @property
    def status(self) -> CollectorStatus:
        """State now."""
        return replace(self._status, covered_until=self._coverage.until)

    @property
    def epoch(self) -> int | None:
        """Epoch of the lease; None without one."""
        return self._writer.epoch

    @property
    def recorded(self) -> Mapping[str, int]:
        """Records of this process by the gateway's index of the account."""
        return dict(self._recorded)

    def open(self) -> None:
        """Begin to collect."""
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Store the received records, give the lease back, and end."""
        self._closing.set()
        self._woken.set()
        if self._task is not None:
            await asyncio.wait([self._task], timeout=_CLOSING_SECONDS)
            if self._task.cancel():
                await asyncio.wait([self._task])
            self._task = None

    async def switch(self, on: bool) -> None:
        """Start or stop the gateway's recording of usage; a person asked for it. Raises `GatewayError`."""
        await self._gateway.switch_usage(on)
        self._note(recording=on)
        self._woken.set()

    async def _work(self) -> None:
        pauses = RetryPauses()
        while not self._closing.is_set():
            began = self._clock.now_ms()
            try:
                await self._with_lease()
                pauses = RetryPauses()
            except errors.Unsupported as error:
                self._note(supported=False, problem=trouble_reasons(error))
                return
            except (GatewayError, StoreError, LeaseLost) as error:
                lost = isinstance(error, LeaseLost)
                problem = because(ReasonCode.COLLECTED_ELSEWHERE) if lost else trouble_reasons(error)
                self._note(problem=problem.redacted(self._redactor.redact), source=CollectorSource.NONE)
                if isinstance(error, GatewayError):
                    self._coverage.broke(GapKind.UNREACHABLE)
                await self._pause(pauses.after(self._clock.now_ms() - began))

    async def _with_lease(self) -> None:
        if self._writer.epoch is None:
            before = await self._writer.claim(self._owner, TERM_MS, alone=self._alone)
            if before is None:
                self._note(problem=because(ReasonCode.COLLECTED_ELSEWHERE), source=CollectorSource.NONE)
                await self._pause(TERM_MS / 3_000)
                return
            self._coverage, self._announced = Coverage(before.covered_until), None
            state = await self._gateway.usage_state()
            if not before.source:
                self._coverage = first_coverage(state, self._clock.now_ms())
            gap = absence(before, state, self._clock.now_ms())
            if gap is not None:
                await self._commit((), gap.end, gap, CollectorSource(before.source))
        await self._collect()

    async def _collect(self) -> None:
        idle_looks, looked = 0, self._clock.now_ms()
        while not self._closing.is_set():
            state, before_it = await self._gateway.usage_state(), self._status.recording
            self._note(recording=state.recording)
            if not state.recording:
                idle_looks, looked = idle_looks + 1, self._clock.now_ms()
                await self._idle(drains=idle_looks <= _LAST_DRAINS or not state.retention)
                continue
            if idle_looks and before_it is False:
                await self._missed(looked, state.retention)
            idle_looks = 0
            before, subscribing = self._clock.now_ms(), asyncio.ensure_future(self._subscribed())
            if not await first_of(subscribing, self._closing):
                break  # a gateway that is away would answer after our end
            subscription = subscribing.result()
            if subscription is None:
                await self._poll()
            else:
                try:
                    await self._follow(subscription, before)
                finally:
                    await self._flush(subscription)
        await self._end()

    async def _idle(self, *, drains: bool) -> None:
        """Wait while nothing is recorded, so that nothing is missing; `drains` takes what waits in the queue.

        Each look writes a line into the log of a gateway elsewhere: after the first ones two minutes lie between two,
        in which the lease is kept.
        """
        if drains:
            await self._drain(CollectorSource.NONE, self._coverage.resumed(self._clock.now_ms()))
            await self._pause(_OFF_SECONDS)
            return
        for _ in range(_IDLE_BEATS):
            now = self._clock.now_ms()
            await self._commit((), now, self._coverage.resumed(now), CollectorSource.NONE)
            if await self._pause(_OFF_SECONDS):
                return

    async def _missed(self, since: int, retention: float | None) -> None:
        """Store the gap of a recording that another program began after `since` and that outlasted the queue."""
        oldest = self._clock.now_ms() - round((retention or 0) * 1000)
        if retention is not None and since < oldest:
            await self._commit((), self._coverage.until, Gap(since, oldest, GapKind.EXPIRED), CollectorSource.NONE)

    async def _subscribed(self) -> UsageSubscription | None:
        """Subscribe; None where the gateway has no subscription, or refuses it for a reason that the board shows."""
        if Capability.USAGE_SUBSCRIPTION not in (await self._gateway.describe()).capabilities:
            return None
        try:
            return await self._gateway.subscribe_usage()
        except errors.Unsupported as error:
            self._note(problem=trouble_reasons(error))
            return None

    async def _follow(self, subscription: UsageSubscription, before: int) -> None:
        """Store what a subscription sends until it ends or we close; `before` it records went to the queue."""
        self._note(source=CollectorSource.SUBSCRIPTION, problem=NO_REASON)
        await self._drain(CollectorSource.SUBSCRIPTION, self._coverage.resumed(self._clock.now_ms()), before)
        while not self._closing.is_set():
            receiving = asyncio.ensure_future(subscription.receive(_BATCH, _BEAT_SECONDS))
            if not await first_of(receiving, self._closing):
                return
            batch = receiving.result()
            if batch is None:
                self._coverage.broke(GapKind.DISCONNECTED)
                return
            await self._commit(batch.records, max(self._coverage.until, batch.popped_at), None)

    async def _flush(self, subscription: UsageSubscription) -> None:
        """End a subscription and store the rest of its records."""
        if not await subscription.close():
            self._coverage.broke(GapKind.DISCONNECTED)
        while (batch := await subscription.receive(_BATCH, 0)) is not None:
            await self._commit(batch.records, max(self._coverage.until, batch.popped_at), None)

    async def _poll(self) -> None:
        """Pop the queue until the recording stops or we close."""
        self._note(source=CollectorSource.QUEUE)
        beats = 0
        while not self._closing.is_set():
            await self._drain(CollectorSource.QUEUE, self._coverage.resumed(self._clock.now_ms()))
            self._note(problem=NO_REASON)
            await self._pause(_POLL_SECONDS)
            beats += 1
            if beats >= _OFF_SECONDS / _POLL_SECONDS:
                return

    async def _drain(self, source: CollectorSource, gap: Gap | None, before: int | None = None) -> None:
        """Pop until the queue is empty; records are then complete up to the last pop, or `before`, as by `_follow`."""
        await self._announce(source)
        more = True
        while more:
            now = self._clock.now_ms()
            if now >= self._writer.expires_at:
                # The term ran out during a pause: a pop now could take records from another collector.
                await self._commit((), self._coverage.until, None, source)
            batch = await self._popped()
            if batch.gap:
                gap, counted = merged(gap, Gap(self._coverage.until, batch.popped_at, GapKind.EXPIRED, batch.lost))
                if counted is not None:
                    await self._commit((), self._coverage.until, counted)
            more = len(batch.records) == _BATCH
            until = self._coverage.until if more else now if before is None else before
            await self._commit(batch.records, until, gap, source)
            gap = None

    async def _announce(self, source: CollectorSource) -> None:
        """Store that records are about to be taken, so that those of a process killed at its first pop are a gap."""
        if self._announced is None or source not in {CollectorSource.NONE, self._announced}:
            taken = CollectorSource.QUEUE if source is CollectorSource.NONE else source
            await self._commit((), self._coverage.until, None, taken)

    async def _popped(self) -> UsageBatch:
        try:
            return await self._gateway.pop_usage(_BATCH)
        except GatewayError:
            self._coverage.broke(GapKind.UNREACHABLE)
            raise

    async def _commit(
        self, records: Sequence[UsageRecord], until: int, gap: Gap | None, source: CollectorSource | None = None
    ) -> None:
        """Store records with the time up to which they are complete."""
        taken, until = source or self._status.source, self._coverage.reached(until)
        self._recorded.update(record.auth_index for record in records)
        try:
            written = await self._until_stored(
                lambda: self._writer.write(records, until, gap, source=taken, term_ms=TERM_MS)
            )
        except LeaseLost:
            # What was popped is here alone: it is stored all the same.
            self._count(await self._until_stored(lambda: self._writer.keep(records)))
            raise
        self._coverage.until, self._announced = until, taken
        self._count(written)

    async def _until_stored(self, write: Callable[[], Awaitable[StoredCount]]) -> StoredCount:
        """Write records, however long the database refuses: they exist nowhere else."""
        pauses = RetryPauses()
        while True:
            try:
                return await write()
            except StoreError as error:
                self._note(problem=trouble_reasons(error))
                if self._closing.is_set():
                    raise
                await self._pause(pauses.after())

    async def _end(self) -> None:
        with suppress(GatewayError):
            if self._status.source is CollectorSource.QUEUE:
                await self._drain(CollectorSource.QUEUE, None)
        if self._writer.epoch is not None:
            complete = not self._coverage.broken
            await self._writer.release(self._coverage.until, self._status.source, clean=complete)

    def _note(self, **parts: Any) -> None:
        """Change some parts of the state, by name."""
        self._status = replace(self._status, **parts)

    def _count(self, written: StoredCount) -> None:
        status = self._status
        self._note(
            stored=status.stored + written.stored,
            duplicates=status.duplicates + written.duplicates,
            unreadable=status.unreadable + written.unreadable,
        )

    async def _pause(self, seconds: float) -> bool:
        """Wait, unless we close or are woken first; return whether we were."""
        waited = await first_of(asyncio.ensure_future(self._clock.sleep(seconds)), self._woken)
        if not self._closing.is_set():
            self._woken.clear()
        return not waited
