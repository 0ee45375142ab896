"""Automatic actions of one run, from stored results to requests in its queue."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from adapter.clock import Clock
from adapter.port import GatewayError
from extension.engine.actions.candidates import CandidateReader, entries_of
from extension.engine.actions.executor import Actions
from extension.engine.actions.planner import ActionPlanner, Decision, PoolScale
from extension.engine.actions.queue import ActionQueue
from extension.engine.actions.requests import ActionContext, ActionRequest
from extension.engine.actions.run_history import streaks_of
from extension.engine.outage import Outage
from extension.inspection.settings import AutoActionMode, InspectionSettings
from extension.store.actions import held
from extension.store.actions.held import NewHeld
from extension.store.database.database import Database
from extension.store.records import ActorKind, Cause, NewResult, RunRecord


class Automation:
    """The automatic actions of one run, as a context manager; without a mode that acts it does nothing.

    Leaving it discards unstarted requests and waits for the batch in progress. A gateway that cannot be reached
    is waited for.
    """

    def __init__(
        self,
        run: RunRecord,
        settings: InspectionSettings,
        *,
        scale: PoolScale,
        actions: Actions,
        outage: Outage,
        database: Database,
        clock: Clock,
    ) -> None:
        self._run = run
        self._acts = settings.auto_action_mode is not AutoActionMode.NONE
        self._planner = ActionPlanner(settings, scale)
        self._actions = actions
        self._outage = outage
        self._database = database
        self._queue = ActionQueue(self._carry_out, clock)
        self._context = ActionContext(run.started_by, ActorKind.AUTOMATION, Cause.RUN, run.id)
        self._ledger: CandidateReader | None = None
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        await self._opened.enter_async_context(self._queue)
        if self._acts:
            pool_id, run_id = self._run.pool_id, self._run.id
            self._ledger, before = await self._database.read(
                lambda transaction: entries_of(transaction, pool_id, run_id)
            )
            for entry in before:
                self._queue.put(_orders(self._planner.enter(entry)))
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
            self._queue.put(_orders(self._planner.enter(self._ledger.entry(seq, result, fresh=True))))

    async def finish(self) -> None:
        """Apply the remaining recommendations by strategy, drain the queue, and store the actions on hold.

        Raises:
            GatewayError: the gateway stays away.
            StoreError: an action or the list of actions on hold could not be stored.
        """
        if not self._acts:
            return
        run_id, undecided = self._run.id, self._planner.undecided
        streaks = await self._database.read(lambda transaction: streaks_of(transaction, run_id, undecided))
        applied, kept = self._planner.close(streaks)
        self._queue.put(_orders(applied))
        await self._queue.drain()
        rows = [_held(each) for each in kept]
        at = max((each.entry.result.at for each in kept), default=0)
        await self._database.write(lambda transaction: held.replace(transaction, self._run.id, rows, at))

    async def _carry_out(self, orders: Sequence[ActionRequest]) -> None:
        """Carry out one batch; while the pool cannot be read nothing has been done, so it may be tried again."""
        while True:
            try:
                await self._actions.carry_out(orders, self._context)
            except GatewayError as error:
                await self._outage.wait_until_over(error)
            else:
                return


def _held(decision: Decision) -> NewHeld:
    hold = decision.planned.hold
    code, params = ("", {}) if hold is None else (hold.code.value, hold.parameters)
    return NewHeld(decision.entry.result.account_id, decision.order.action, decision.planned.reason, code, params)


def _orders(decisions: Sequence[Decision]) -> list[ActionRequest]:
    return [decision.order for decision in decisions]
