"""Automatic actions of one run, from stored results to requests in its queue, and the switch that pauses them all."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from enum import Enum, auto
from typing import Self

from adapter.clock import Clock
from adapter.port import GatewayError
from adapter.privacy.secret import Redactor
from extension.engine.actions.change_plan import Group
from extension.engine.actions.executor import Actions
from extension.engine.actions.planner import (
    NOTHING_AT_ONCE,
    ActionPlanner,
    CandidateReader,
    Decision,
    JudgedAccount,
    PoolScale,
    entries_of,
    streaks_of,
)
from extension.engine.actions.queue import ActionQueue
from extension.engine.actions.requests import ActionContext, ActionRequest, Hold
from extension.engine.automation.confirmation import Confirmation, Controls
from extension.engine.automation.recovery import Recovery
from extension.engine.outage import Outage
from extension.engine.pool.hosts import host_of
from extension.engine.pool.listing import PoolListing
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.other_gateways import objection
from extension.inspection.policy.plan import Planned
from extension.inspection.settings import AutoActionMode, InspectionSettings
from extension.reasons.codes import HoldCode
from extension.reasons.reason import HoldReason
from extension.store import events
from extension.store.actions import batches, held
from extension.store.actions.held import NewHold
from extension.store.database.database import Database, Transaction
from extension.store.fleet import pulses
from extension.store.fleet.pulses import Pulse
from extension.store.pool import pools
from extension.store.pool.pools import AutomationPause
from extension.store.records import ActorKind, BatchRecord, Cause, EventKind, NewResult, RunRecord


class _Turn(Enum):
    """Turns of changes at the end of a run, in this order."""

    QUICK = auto()
    ENABLE = auto()
    SLOW = auto()
    """Changes with the long pauses of a route without a witness."""


class Automation:
    """The automatic actions of one run, as a context manager; without a mode that acts it only finds what is on hold.

    All actions of a run are one batch, also when the run is resumed after a crash. Leaving it discards unstarted
    requests and waits for the batch in progress. A gateway that cannot be reached is waited for. In a fleet other
    gateways are witnesses as well.
    """

    def __init__(
        self,
        run: RunRecord,
        settings: InspectionSettings,
        *,
        scale: PoolScale,
        controls: Controls,
        confirmation: Confirmation,
        recovery: Recovery,
        actions: Actions,
        outage: Outage,
        database: Database,
        clock: Clock,
        in_fleet: bool = False,
    ) -> None:
        self._in_fleet = in_fleet
        self._run = run
        self._settings = settings
        self._acts = settings.auto_action_mode is not AutoActionMode.NONE
        self._planner = ActionPlanner(settings, scale) if self._acts else _reporting_planner(settings, scale)
        self._controls = controls
        self._confirmation = confirmation
        self._recovery = recovery
        self._queued: dict[int, Decision] = {}
        self._late: list[Decision] = []
        self._on_hold: dict[int, Decision] = {}
        self._actions = actions
        self._outage = outage
        self._database = database
        self._clock = clock
        self._queue = ActionQueue(self._carry_out, clock, reading_seconds=actions.reading_seconds)
        self._context = ActionContext(
            run.started_by, ActorKind.AUTOMATION, Cause.RUN, run.id, keep_at_least=settings.keep_at_least
        )
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
            if _may_rest_on_control(entry.result, self._settings):
                self._controls.resumed_with(entry.result.account_id)
            if entry.result.verdict == Verdict.HEALTHY:
                self._confirmation.resumed_with(entry.result)
            self._enter(entry)
        return self

    async def __aexit__(self, *_: object) -> None:
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

        Raises `Exception`: the failure that ended the queue.
        """
        if self._ledger is not None:
            self._enter(self._ledger.entry(seq, result, fresh=True))

    async def finish(self) -> None:
        """Apply the remaining recommendations by strategy, drain the queue, and store the actions on hold.

        Raises `GatewayError` or `StoreError`.
        """
        run_id, undecided = self._run.id, self._planner.undecided
        streaks = await self._database.read(streaks_of, run_id, undecided)
        applied, on_hold = self._planner.close(streaks)
        if self._acts:
            decisions = [*self._late, *applied]
            for turn in _Turn:
                self._put([decision for decision in decisions if self._turn(decision) is turn])
                await self._queue.drain()
        orders = [decision.order for decision in (*on_hold, *self._on_hold.values()) if self._is_held(decision)]
        holds = [_hold(order) for order in await self._possible(orders)]
        at = self._clock.now_ms()
        await self._database.write(held.replace, run_id, holds, at)

    def _turn(self, decision: Decision) -> "_Turn":
        if decision.order.action == Action.ENABLE:
            return _Turn.ENABLE if self._settings.brake else _Turn.QUICK
        return _Turn.SLOW if self._confirmation.is_slow(decision.entry.result) else _Turn.QUICK

    def _is_held(self, decision: Decision) -> bool:
        """Return whether a decision is on hold; a run that only reports leaves a first refusal to a person."""
        reason = decision.planned.hold
        return self._acts or reason is None or reason.code is not HoldCode.FIRST_REFUSAL

    async def _possible(self, orders: Sequence[ActionRequest]) -> list[ActionRequest]:
        """Return the requests without those that are refused anyway: no release could carry these out."""
        try:
            (plan,) = await self._actions.preview([orders], self._context)
        except GatewayError:
            return list(orders)  # the pool is not known now; a release plans again
        refused = {change.asked.order.account_id for change in plan.of(Group.REFUSED)}
        return [order for order in orders if order.account_id not in refused]

    def _enter(self, entry: JudgedAccount) -> None:
        at_once = self._planner.enter(entry)
        if self._acts:
            self._put(self._without_late(at_once))

    def _put(self, decisions: Sequence[Decision]) -> None:
        self._queued |= {decision.entry.result.account_id: decision for decision in decisions}
        self._queue.put([decision.order for decision in decisions])

    def _without_late(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Keep back enables, what is slow to confirm, and what rests on a control: one more serves all in the end."""
        late = [
            decision
            for decision in decisions
            if self._controls.rests_on_control(decision.entry.result.account_id)
            or self._turn(decision) is not _Turn.QUICK
        ]
        self._late += late
        return [decision for decision in decisions if decision not in late]

    async def _confirmed(self, orders: Sequence[ActionRequest]) -> list[ActionRequest]:
        """Return the requests without those that a second request, a witness or a control speaks against."""
        results = {order.account_id: self._queued[order.account_id].entry.result for order in orders}
        enabled = {order.account_id for order in orders if order.action == Action.ENABLE}
        stops = {number: result for number, result in results.items() if number not in enabled}
        objections = dict(await self._confirmation.objections(stops))
        objections = await self._objections_of_others(stops) | objections
        if enabled:
            objections |= await self._not_recovered({number: results[number] for number in enabled})
        for number, code in objections.items():
            self._keep([number], code)
        return [order for order in orders if order.account_id not in objections]

    async def _not_recovered(self, results: Mapping[int, NewResult]) -> Mapping[int, HoldCode]:
        verdicts = {number: Verdict(result.verdict) for number, result in results.items()}
        streaks = await self._database.read(streaks_of, self._run.id, verdicts)
        seen = {number for number, streak in streaks.items() if streak.is_lasting(results[number].at)}
        return await self._recovery.objections(results, seen)

    async def _objections_of_others(self, failed: Mapping[int, NewResult]) -> dict[int, HoldCode]:
        """Return the accounts that other gateways of the fleet speak for."""
        if not self._in_fleet or not failed:
            return {}
        pool_id, now = self._run.pool_id, self._clock.now_ms()

        def read(transaction: Transaction) -> dict[str, tuple[Pulse, ...]]:
            hosts = {host_of(result) for result in failed.values()}
            return {host: pulses.recent(transaction, host, now) for host in hosts}

        heard = await self._database.read(read)
        codes = {
            number: objection(pool_id, Verdict(result.verdict), heard[host_of(result)])
            for number, result in failed.items()
        }
        return {number: code for number, code in codes.items() if code is not None}

    def _keep(self, account_ids: Iterable[int], code: HoldCode) -> None:
        """Put queued decisions on hold."""
        for number in account_ids:
            decision = self._queued[number]
            action = decision.planned.action or Action.KEEP
            self._on_hold[number] = Decision(decision.entry, Planned.on_hold(action, HoldReason(code)))

    async def _keep_minimum(self, orders: Sequence[ActionRequest]) -> None:
        """Remember which changes the plan puts on hold, so that the run stores them as that."""
        if not self._settings.keep_at_least:
            return
        (plan,) = await self._actions.preview([orders], self._context)
        for change in plan.of(Group.ON_HOLD):
            if change.hold is not None and change.hold.code == HoldCode.KEEP_AT_LEAST:
                number = change.asked.order.account_id
                decision, reason = self._queued[number], HoldReason(HoldCode.KEEP_AT_LEAST, change.hold.params)
                action = decision.planned.action or Action.KEEP
                self._on_hold[number] = Decision(decision.entry, Planned.on_hold(action, reason))

    async def _is_paused(self, orders: Sequence[ActionRequest]) -> bool:
        """Return whether all automation is paused, and put these changes on hold then."""
        if await self._database.read(pools.automation_pause, self._run.pool_id) is None:
            return False
        self._keep([order.account_id for order in orders], HoldCode.AUTOMATION_PAUSED)
        return True

    async def _carry_out(self, orders: Sequence[ActionRequest]) -> None:
        """Carry out one batch; while the pool cannot be read nothing has been done, so it may be tried again."""
        if await self._is_paused(orders):
            return
        orders = await self._confirmed(orders)
        if await self._is_paused(orders):  # the confirmation may have taken a minute
            return
        while orders:
            try:
                await self._keep_minimum(orders)
                batch = (await self._actions.command(orders, self._context)).batch
            except GatewayError as error:
                await self._outage.wait_until_over(error)
            else:
                self._context = replace(self._context, batch_id=None if batch is None else batch.id)
                return


def _reporting_planner(settings: InspectionSettings, scale: PoolScale) -> ActionPlanner:
    """Return the planner of a run that only reports: its failures are decided as if it disabled without a limit."""
    as_if = {"auto_action_mode": AutoActionMode.DISABLE, "realtime_auto_actions": NOTHING_AT_ONCE}
    return ActionPlanner(settings.model_copy(update=as_if), PoolScale(scale.keys, proxies=scale.proxies))


def _may_rest_on_control(result: NewResult, settings: InspectionSettings) -> bool:
    refused = result.verdict == Verdict.FORBIDDEN and result.account_source == Source.API_KEY
    return refused and settings.evidence_checks and settings.brake


def _hold(order: ActionRequest) -> NewHold:
    hold = order.hold or Hold("", "")
    return NewHold(order.account_id, order.action, hold.host, hold.code, hold.params)


class AutomationSwitch:
    """Switch of the automatic actions of runs; a pause outlasts the service."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor, listing: PoolListing) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing

    async def status(self) -> AutomationPause | None:
        """Return the pause, or None while automation acts."""
        return await self._database.read(pools.automation_pause, self._listing.pool_id)

    async def pause(self, actor: str) -> AutomationPause:
        """Pause all automation, in a run in progress too; a pause that lasts already stays."""
        by = self._redactor.redact(actor)

        def store(transaction: Transaction) -> AutomationPause:
            now, pool_id = self._clock.now_ms(), self._listing.pool_id
            pause = pools.automation_pause(transaction, pool_id) or AutomationPause(now, by)
            pools.set_automation_pause(transaction, pool_id, pause)
            events.append(transaction, now, EventKind.POOL, None, {}, pool_id=pool_id)
            return pause

        return await self._database.write(store)

    async def resume(self) -> None:
        """Let automation act again; what was put on hold meanwhile stays so until it is released."""

        def store(transaction: Transaction) -> None:
            pools.set_automation_pause(transaction, self._listing.pool_id, None)
            events.append(transaction, self._clock.now_ms(), EventKind.POOL, None, {}, pool_id=self._listing.pool_id)

        await self._database.write(store)
