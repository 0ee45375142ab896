"""Run runner: carries out one run in the background until it ends."""

import asyncio
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from adapter.clock import Clock
from adapter.port import GatewayError
from adapter.privacy.secret import Redactor
from extension.engine.automation.automation import Automation
from extension.engine.pool.hosts import host_named
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.runs.loop_lag import LoopLag
from extension.engine.runs.prober import Prober
from extension.engine.runs.result_writer import ResultWriter
from extension.engine.runs.throttle import ProbePace, Throttle
from extension.engine.runs.transition import move
from extension.engine.runs.work_queue import WorkQueue, work_through
from extension.inspection.probes.sharing import probe_key
from extension.inspection.settings import InspectionSettings
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import NO_REASON, ReasonList, because
from extension.reasons.trouble import trouble_reasons
from extension.store.database.database import Database, Transaction
from extension.store.errors import StoreError
from extension.store.records import AccountFacts, NewResult, RunRecord
from extension.store.run_state import ACTIVE, ENDED, RunState, Trigger, moved
from extension.store.runs import runs

_LOG = structlog.get_logger("poolkeeper.run")

STOPPED_BY_COMMAND: Final = because(ReasonCode.STOPPED)
_TRIES_TO_END = 5
_PAUSE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ProbeTarget:
    """An account the run still has to probe; `listed` is None when it has left the pool since."""

    account_id: int
    facts: AccountFacts
    listed: ListedAccount | None
    never_probe: bool = False


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One probe of a run, with the accounts that share it."""

    targets: tuple[ProbeTarget, ...]

    @property
    def host(self) -> str:
        """The host that its probe asks, as far as that shows before; a vendor where there is no address."""
        facts = self.targets[0].facts
        return host_named(facts.base_url, facts.provider)


def work_items(targets: Iterable[ProbeTarget], settings: InspectionSettings) -> list[WorkItem]:
    """Put accounts that share a probe together, in the order of the accounts."""
    items: dict[Hashable, list[ProbeTarget]] = {}
    for target in targets:
        shares = target.listed is not None and not target.never_probe
        key = probe_key(target.listed.account, settings) if target.listed and shares else target.account_id
        items.setdefault(key, []).append(target)
    return [WorkItem(tuple(item)) for item in items.values()]


class RunRunner:
    """Works on one run, which must be queued, from the moment it is constructed until the run ends."""

    def __init__(
        self,
        run: RunRecord,
        items: Sequence[WorkItem],
        *,
        prober: Prober,
        automation: Automation,
        pace: ProbePace,
        host_limit: int,
        lag: LoopLag,
        database: Database,
        clock: Clock,
        redactor: Redactor,
        owner: str,
        survives: bool = False,
        in_fleet: bool = False,
    ) -> None:
        self._in_fleet = in_fleet
        self._survives = survives
        self.run_id = run.id
        self._pool_id = run.pool_id
        self._prober = prober
        self._automation = automation
        self._notice = pace.notice
        self._lag = lag
        self._throttle = Throttle(pace, clock.monotonic())
        self._work_queue = WorkQueue(
            items, allowed=self._throttle.allowed, host_of=lambda item: item.host, host_limit=host_limit
        )
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._owner = owner
        self._cancelled: tuple[Trigger, ReasonList] = (Trigger.LOSE, because(ReasonCode.WORK_CANCELED))
        self.unstored = NO_REASON
        self._probing = asyncio.create_task(self._probe_all())
        self._whole = asyncio.create_task(self._work())

    @property
    def ended(self) -> bool:
        """Return whether the work on the run has ended."""
        return self._whole.done()

    def cancel(self, trigger: Trigger, reason: ReasonList) -> None:
        """Cancel the probes in flight; the run then ends by that trigger, for that reason."""
        self._cancelled = (trigger, reason)
        self._probing.cancel()

    def pause(self) -> None:
        """Start no probe and no action until `resume_work`; probes in flight finish."""
        self._work_queue.pause()
        self._automation.pause()

    def resume_work(self) -> None:
        """Start probes and actions again."""
        self._automation.resume_work()
        self._work_queue.resume_work()

    def finish(self) -> None:
        """Start no more probes; probes in flight finish, and the results are acted on."""
        self._automation.resume_work()
        self._work_queue.close()

    async def wait(self) -> None:
        """Wait until the run has ended."""
        await asyncio.wait({self._whole})

    async def _work(self) -> None:
        await asyncio.wait({self._probing})
        trigger, reason = self._how_it_ended()
        if self._survives and (trigger is Trigger.LOSE or self._is_refused_by_store):
            _LOG.info("run-handed-over", run=self.run_id)
            return
        for attempt in range(1, _TRIES_TO_END + 1):
            try:
                await self._database.write(self._end, trigger, reason)
            except StoreError as error:
                self.unstored = reason or because(ReasonCode.END_NOT_STORED, problem=self._redactor.redact(str(error)))
                _LOG.warning("run-end-not-stored", run=self.run_id, error=str(error), attempt=attempt)
                if attempt < _TRIES_TO_END:
                    await self._clock.sleep(_PAUSE_SECONDS * attempt)
            else:
                self.unstored = NO_REASON
                return

    def shown(self, run: RunRecord) -> RunRecord:
        """Return a run with its real state: a run whose end could not be stored is still active in the store.

        Such a run is interrupted, as the next start or the next service will store. Its results are stored.
        """
        if run.id != self.run_id or run.state not in ACTIVE or not (self.ended and self.unstored):
            return run
        return replace(run, state=moved(run.state, Trigger.LOSE), reason=self.unstored)

    @property
    def _is_refused_by_store(self) -> bool:
        error = None if self._probing.cancelled() else self._probing.exception()
        return error is not None and isinstance(_first(error), StoreError)

    def _how_it_ended(self) -> tuple[Trigger, ReasonList]:
        if self._probing.cancelled():
            return self._cancelled
        error = self._probing.exception()
        if error is None:
            return Trigger.COMPLETE, self._notice
        cause = _first(error)
        if isinstance(cause, GatewayError | StoreError):
            return Trigger.FAIL, trouble_reasons(cause).redacted(self._redactor.redact)
        # Not quoted: an unforeseen error may hold a secret.
        _LOG.error("run-failed", run=self.run_id, error=type(cause).__name__, exc_info=cause)
        return Trigger.FAIL, because(ReasonCode.ENDED_BY_ERROR, error=type(cause).__name__)

    async def _probe_all(self) -> None:
        if await self._database.write(self._begin):
            result_writer = ResultWriter(
                self._database, self._clock, self.run_id, self._pool_id, in_fleet=self._in_fleet
            )
            with self._lag:
                await self._probe_and_act(result_writer)

    async def _probe_and_act(self, result_writer: ResultWriter) -> None:
        async with result_writer, self._automation as automation:

            async def probe(item: WorkItem) -> None:
                results = await self._probed(item)
                for seq, result in zip(await result_writer.store(*results), results, strict=True):
                    automation.landed(seq, result)
                self._keep_pace()

            await work_through(self._work_queue, probe)
            await automation.finish()

    async def _probed(self, item: WorkItem) -> tuple[NewResult, ...]:
        listed = [target.listed for target in item.targets if target.listed is not None]
        if not listed:
            return tuple(self._prober.vanished(target.account_id, target.facts) for target in item.targets)
        return await self._prober.probe(listed, never_probe=any(target.never_probe for target in item.targets))

    def _keep_pace(self) -> None:
        """Tell the throttle that a probe is done; how late the loop is shows in when it comes to our next turn."""
        began = self._clock.monotonic()

        def turn() -> None:
            now = self._clock.monotonic()
            self._work_queue.allow(self._throttle.done(now, now - began))

        asyncio.get_running_loop().call_soon(turn)

    def _begin(self, transaction: Transaction) -> bool:
        run = self._read(transaction)
        if run.state in {RunState.PAUSED, RunState.FINISHING}:
            return True  # taken up as it was
        if run.state is not RunState.QUEUED:
            return False  # a stop came first
        move(transaction, run, Trigger.BEGIN, now=self._clock.now_ms(), owner=self._owner)
        return True

    def _end(self, transaction: Transaction, trigger: Trigger, reason: ReasonList) -> None:
        run = self._read(transaction)
        if run.state in ENDED:
            return  # an earlier owner has stored its end
        if run.state is RunState.STOPPING and trigger is Trigger.COMPLETE:
            # The stop came when the last result was landing: the operator asked for a stop and gets one.
            trigger, reason = Trigger.HALT, STOPPED_BY_COMMAND
        ended = move(transaction, run, trigger, now=self._clock.now_ms(), owner=self._owner, reason=reason)
        if ended.state is RunState.FINISHED and run.done == run.total:
            runs.forget_plan(transaction, run.id)

    def _read(self, transaction: Transaction) -> RunRecord:
        run = runs.get(transaction, self.run_id, self._pool_id)
        if run is None:
            raise LookupError(f"Run {self.run_id} is gone from the database while it is worked on.")
        return run


def _first(error: BaseException) -> BaseException:
    """Return the first cause in a group of errors: the others are those it cancelled."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
