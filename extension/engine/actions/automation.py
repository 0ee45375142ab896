"""Automatic actions of one run, from stored results to requests in its queue."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.engine.actions.candidates import CandidateReader, entries_of
from extension.engine.actions.executor import Actions
from extension.engine.actions.planner import NOTHING_AT_ONCE, ActionPlanner, Decision, JudgedAccount
from extension.engine.actions.queue import ActionQueue
from extension.engine.actions.requests import ActionContext, ActionRequest
from extension.engine.outage import Outage
from extension.inspection.settings import AutoActionMode, InspectionSettings
from extension.store.actions import batches, held
from extension.store.actions.held import NewHold
from extension.store.batch_records import BatchRecord
from extension.store.database.database import Database, Transaction
from extension.store.records import ActorKind, Cause, NewResult, RunRecord


class Automation:
    """The automatic actions of one run, as a context manager; without a mode that acts it only finds what is on hold.

    All actions of a run are one batch, also when the run is resumed after a crash.
    Leaving it discards unstarted requests and waits for the batch in progress. A gateway that cannot be reached
    is waited for.
    """

    def __init__(
        self,
        run: RunRecord,
        settings: InspectionSettings,
        *,
        actions: Actions,
        outage: Outage,
        database: Database,
        clock: Clock,
    ) -> None:
        self._run = run
        self._acts = settings.auto_action_mode is not AutoActionMode.NONE
        self._planner = ActionPlanner(settings if self._acts else _as_if_disabling(settings))
        self._actions = actions
        self._outage = outage
        self._database = database
        self._queue = ActionQueue(self._carry_out, clock)
        self._context = ActionContext(run.started_by, ActorKind.AUTOMATION, Cause.RUN, run.id)
        self._ledger: CandidateReader | None = None
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._opened.enter_async_context(self._queue)
        pool_id, run_id = self._run.pool_id, self._run.id

        def read(transaction: Transaction) -> tuple[CandidateReader, list[JudgedAccount], BatchRecord | None]:
            return *entries_of(transaction, pool_id, run_id), batches.of_run(transaction, run_id, Cause.RUN)

        self._ledger, before, batch = await self._database.read(read)
        self._context = replace(self._context, batch_id=None if batch is None else batch.id)
        for entry in before:
            self._enter(entry)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.aclose()
        await self._actions.settled()

    def pause(self) -> None:
        """Act on nothing until `resume_work`."""
        self._queue.pause()

    def resume_work(self) -> None:
        """Act again."""
        self._queue.resume_work()

    def landed(self, seq: int, result: NewResult) -> None:
        """Take a result stored under that number, and queue the actions that apply immediately.

        Raises:
            Exception: the failure that ended the queue.
        """
        if self._ledger is not None:
            self._enter(self._ledger.entry(seq, result, fresh=True))

    async def finish(self) -> None:
        """Apply the remaining recommendations by strategy, drain the queue, and store the actions on hold.

        Raises:
            GatewayError: the gateway stays away.
            StoreError: an action or the list of actions on hold could not be stored.
        """
        applied, kept = self._planner.close()
        if self._acts:
            self._queue.put(_orders(applied))
            await self._queue.drain()
        holds = [_hold(decision.order) for decision in kept]
        at = max((decision.entry.result.at for decision in kept), default=0)
        await self._database.write(lambda transaction: held.replace(transaction, self._run.id, holds, at))

    def _enter(self, entry: JudgedAccount) -> None:
        at_once = self._planner.enter(entry)
        if self._acts:
            self._queue.put(_orders(at_once))

    async def _carry_out(self, orders: Sequence[ActionRequest]) -> None:
        """Carry out one batch; while the pool cannot be read nothing has been done, so it may be tried again."""
        while True:
            try:
                batch = (await self._actions.command(orders, self._context)).batch
            except GatewayError as error:
                await self._outage.wait_until_over(error)
            else:
                self._context = replace(self._context, batch_id=None if batch is None else batch.id)
                return


def _as_if_disabling(settings: InspectionSettings) -> InspectionSettings:
    """Return settings under which the failures of a run that only reports are decided as if it disabled accounts."""
    return settings.model_copy(
        update={"auto_action_mode": AutoActionMode.DISABLE, "realtime_auto_actions": NOTHING_AT_ONCE}
    )


def _hold(order: ActionRequest) -> NewHold:
    host, reason = ("", "") if order.hold is None else (order.hold.host, order.hold.reason)
    return NewHold(order.account_id, order.action, reason, host)


def _orders(decisions: Sequence[Decision]) -> list[ActionRequest]:
    return [decision.order for decision in decisions]
