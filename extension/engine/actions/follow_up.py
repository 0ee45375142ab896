"""Follow-up of a run: plans, apply and release."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from extension.engine.actions.change_plan import ChangePlan, Group, PlannedChange
from extension.engine.actions.executor import Actions, Command
from extension.engine.actions.planner import JudgedAccount, decide, entries_of, streaks_of
from extension.engine.actions.requests import ActionContext, ActionRequest, Hold
from extension.engine.history.reader import History
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.streak import Streak
from extension.inspection.settings import AUTO_ACTION_MODES, AutoActionMode, parse_settings
from extension.reasons.codes import HoldCode, ReasonCode
from extension.reasons.reason import because
from extension.store.actions import held
from extension.store.database.database import Database, Transaction
from extension.store.records import Cause, HeldRecord, RunRecord

_DECIDED: Final = because(ReasonCode.CHANGED_BY_PERSON)


@dataclass(frozen=True, slots=True)
class ModePlan:
    """Plan of one mode for the results of a run."""

    mode: AutoActionMode
    plan: ChangePlan

    @property
    def applied(self) -> tuple[PlannedChange, ...]:
        """Changes that are made."""
        return self.plan.of(Group.CHANGE)

    @property
    def held(self) -> tuple[PlannedChange, ...]:
        """Changes on hold."""
        return self.plan.of(Group.ON_HOLD)


@dataclass(frozen=True, slots=True)
class RunScope:
    """Accounts of a run to act on: those named (None: all), and the hosts they are at (None: all)."""

    account_ids: Collection[int] | None = None
    hosts: Collection[str] | None = None

    def includes(self, order: ActionRequest) -> bool:
        """Return whether a request is in the scope."""
        host = "" if order.hold is None else order.hold.host
        return (self.account_ids is None or order.account_id in self.account_ids) and (
            self.hosts is None or host in self.hosts
        )


@dataclass(frozen=True, slots=True)
class Released:
    """Accounts that are included although they are on hold: those named, and all of the hosts named."""

    account_ids: Collection[int] = field(default_factory=frozenset)
    hosts: Collection[str] = field(default_factory=frozenset)

    def mark(self, order: ActionRequest) -> ActionRequest:
        """Return a request with its release."""
        by_host = order.hold is not None and order.hold.host in self.hosts
        return replace(order, released=True) if by_host or order.account_id in self.account_ids else order


@dataclass(frozen=True, slots=True)
class _JudgedRun:
    """Run with its judged accounts, their streaks, and the actions on hold by account.

    Every finding counts, whatever was done about it since: what was done already needs no change, and what was undone
    can be done again. `handled` are the accounts with an action since the check, `decided` those among them that a
    person has changed by a decision of their own, and `answered` those whose action was on hold and was released, done
    otherwise, or taken over by a newer run.
    """

    run: RunRecord
    entries: Sequence[JudgedAccount]
    streaks: Mapping[int, Streak]
    held: Mapping[int, HeldRecord]
    handled: Collection[int]
    decided: Collection[int]
    answered: Collection[int]

    def orders(self, mode: AutoActionMode, named: Collection[int] = ()) -> list[ActionRequest]:
        """Return the requests of a mode, each with its hold; decisions of a person stand unless an account is named."""
        settings = parse_settings({**self.run.settings, "autoActionMode": mode.value})
        skipped = set(self.decided).difference(named)
        orders = [self._with_stored_hold(order) for order in decide(self.entries, settings, self.streaks)]
        marked = (replace(order, repeated=order.account_id in self.handled) for order in orders)
        return [
            replace(order, withheld=_DECIDED, hold=None) if order.account_id in skipped else order for order in marked
        ]

    def is_on_hold(self, order: ActionRequest) -> bool:
        """Return whether a request waits for a release; a first refusal holds up automation, and no person."""
        if order.hold is None:
            return False
        return order.hold.code != HoldCode.FIRST_REFUSAL or order.account_id in self.held

    def _with_stored_hold(self, order: ActionRequest) -> ActionRequest:
        """Return a request with the hold that the run stored; the results alone tell nothing of limits and pauses."""
        hold = self.held.get(order.account_id)
        if hold is None or order.hold is not None or hold.action != order.action:
            return order
        return replace(order, hold=Hold(hold.host, hold.code, hold.params, hold.reason))


class FollowUp:
    """Follow-up of the runs of one pool; every method may raise `RunUnknown`, and `GatewayError` for the reading."""

    def __init__(self, database: Database, history: History, actions: Actions) -> None:
        self._database = database
        self._history = history
        self._actions = actions

    async def plans(self, run_id: int) -> tuple[ModePlan, ...]:
        """Return the plan of each mode of the run's source without carrying it out."""
        read = await self._read(run_id)
        modes = AUTO_ACTION_MODES[Source(read.run.account_source)]
        # In a thread: a large run takes longer than a turn of the loop.
        orders = await asyncio.to_thread(lambda: [read.orders(mode) for mode in modes])
        plans = await self._actions.preview(orders, _context("", Cause.APPLY, run_id))
        return tuple(ModePlan(mode, plan) for mode, plan in zip(modes, plans, strict=True))

    async def apply_batch(
        self,
        run_id: int,
        mode: AutoActionMode,
        actor: str,
        account_ids: Collection[int] | None,
        released: Released | None = None,
        *,
        background: bool = False,
        accepts_loss: bool = False,
    ) -> Command:
        """Carry out the plan of a mode, for all accounts or those named, without the actions on hold not released.

        An account that changed since its probe, or has a newer result, is a conflict. Raises `SettingsError`.
        """
        orders = (await self._read(run_id)).orders(mode, account_ids or ())
        scope, release = RunScope(account_ids), released or Released()
        chosen = [release.mark(order) for order in orders if scope.includes(order)]
        context = replace(_context(actor, Cause.APPLY, run_id), accepts_loss=accepts_loss)
        return await self._actions.command(chosen, context, background=background)

    async def release_batch(
        self, run_id: int, actor: str, scope: RunScope, *, background: bool = False, accepts_loss: bool = False
    ) -> Command:
        """Carry out the actions on hold in a run of any mode, those in scope; without a mode that acts, as it disables.

        What is on hold is decided from the results of the run, so that a run of any end can be released, and read from
        its list, where limits, late controls and pauses are. What was answered since is not on hold any more.
        """
        read = await self._read(run_id)
        own = AutoActionMode(parse_settings(read.run.settings).auto_action_mode)
        mode = AutoActionMode.DISABLE if own is AutoActionMode.NONE else own
        orders = read.orders(mode, scope.account_ids or ())
        waiting = (order for order in orders if order.account_id not in read.answered and read.is_on_hold(order))
        chosen = [replace(order, released=True) for order in waiting if scope.includes(order)]
        context = replace(_context(actor, Cause.RELEASE, run_id), accepts_loss=accepts_loss)
        return await self._actions.command(chosen, context, background=background)

    async def _read(self, run_id: int) -> _JudgedRun:
        def read(transaction: Transaction) -> _JudgedRun:
            run = self._history.require(transaction, run_id)
            reader, judged = entries_of(transaction, run.pool_id, run_id)
            # Limits of automation: a person who applies recommendations decides about enabling, too.
            entries = [replace(entry, handled=False, managed=True) for entry in judged]
            handled = {entry.result.account_id for entry in judged if entry.handled}
            decided = {e.result.account_id for e in entries if reader.changed_by_person(e.result)}
            failed = {
                entry.result.account_id: Verdict(entry.result.verdict)
                for entry in entries
                if entry.result.action in {Action.DISABLE, Action.DELETE}
            }
            streaks = streaks_of(transaction, run_id, failed)
            stored = held.of_run(transaction, run_id)
            waiting = {hold.account_id: hold for hold in stored if hold.released_at is None}
            answered = {hold.account_id for hold in stored}.difference(waiting)
            return _JudgedRun(run, entries, streaks, waiting, handled, decided, answered)

        return await self._database.read(read)


def _context(actor: str, cause: Cause, run_id: int) -> ActionContext:
    return ActionContext(actor, cause=cause, run_id=run_id)
