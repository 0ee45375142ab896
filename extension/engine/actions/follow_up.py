"""Follow-up of a finished run: plans, apply, release and undo."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from adapter.clock import Clock
from extension.engine.actions.candidates import ACTED, entries_of
from extension.engine.actions.executor import Actions
from extension.engine.actions.outcomes import found_by
from extension.engine.actions.ownership import DISABLE, ENABLE
from extension.engine.actions.planner import Decision, JudgedAccount, decide
from extension.engine.actions.requests import ActionContext, ActionRequest
from extension.engine.actions.run_history import streaks_of
from extension.engine.errors import UndoRefused
from extension.engine.history.reader import History
from extension.engine.pool.listing import PoolListing
from extension.inspection.accounts.account import Source
from extension.inspection.evidence.action import Action
from extension.inspection.evidence.verdict import Verdict
from extension.inspection.policy.streak import Streak
from extension.inspection.settings import AUTO_ACTION_MODES, AutoActionMode, InspectionSettings, parse_settings
from extension.store.actions import actions, held
from extension.store.database.database import Database, Transaction
from extension.store.records import ActionOutcome, ActionRecord, Cause, HeldRecord, RunRecord

_INVERSE = {DISABLE: ENABLE, ENABLE: DISABLE}


@dataclass(frozen=True, slots=True)
class ModePlan:
    """Actions that one mode would take on unhandled results of a run: applied, and put on hold by the breaker."""

    mode: AutoActionMode
    applied: tuple[Decision, ...]
    held: tuple[Decision, ...]


class FollowUp:
    """Follow-up of the runs of one pool; every method given a run may raise `RunUnknown`."""

    def __init__(
        self, database: Database, clock: Clock, listing: PoolListing, history: History, actions: Actions
    ) -> None:
        self._database = database
        self._clock = clock
        self._listing = listing
        self._history = history
        self._actions = actions

    async def plans(self, run_id: int) -> tuple[ModePlan, ...]:
        """Return the plan of each mode of the run's source without carrying it out."""
        run, entries, streaks = await self._read(run_id)
        settings = parse_settings(run.settings)
        modes = AUTO_ACTION_MODES[Source(run.account_source)]
        return tuple(_planned(entries, streaks, settings, mode) for mode in modes)

    async def apply(
        self, run_id: int, mode: AutoActionMode, actor: str, account_ids: Collection[int] | None
    ) -> tuple[ActionRecord, ...]:
        """Carry out the plan of a mode, for all accounts or those named, without the actions on hold.

        An account that changed since its probe, or has a newer result, is a conflict.

        Raises:
            SettingsError: the run's source does not know that mode.
        """
        run, entries, streaks = await self._read(run_id)
        settings = parse_settings({**run.settings, "autoActionMode": mode.value})
        chosen = _planned(entries, streaks, settings, mode).applied
        named = None if account_ids is None else frozenset(account_ids)
        orders = [each.order for each in chosen if named is None or each.entry.result.account_id in named]
        return await self._actions.carry_out(orders, ActionContext(actor, cause=Cause.APPLY, run_id=run_id))

    async def release(self, run_id: int, actor: str, account_ids: Collection[int] | None) -> tuple[ActionRecord, ...]:
        """Carry out the actions on hold in a run, for all accounts or those named."""
        _, entries, _ = await self._read(run_id)
        by_account = {entry.result.account_id: entry for entry in entries}
        named = None if account_ids is None else frozenset(account_ids)
        wanted = [
            each
            for each in await self._history.held(run_id)
            if each.released_at is None and (named is None or each.account_id in named)
        ]
        orders = [_order(each, by_account[each.account_id]) for each in wanted if each.account_id in by_account]
        made = await self._actions.carry_out(orders, ActionContext(actor, cause=Cause.RELEASE, run_id=run_id))
        now = self._clock.now_ms()
        released = [each.id for each in wanted]
        await self._database.write(lambda transaction: held.release(transaction, released, now))
        return made

    async def undo(self, action_ids: Collection[int], actor: str) -> tuple[ActionRecord, ...]:
        """Undo actions: each account gets its earlier state, unless another action has changed it since.

        Raises:
            UndoRefused: one is not known, had no effect, is a deletion, or has been undone; nothing is done.
        """
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> tuple[list[ActionRecord], frozenset[int]]:
            return actions.find(transaction, pool_id, action_ids), actions.undone(transaction, pool_id)

        found, undone = await self._database.read(read)
        possible = [action for action in found if _can_be_undone(action, undone)]
        refused = sorted(set(action_ids) - {action.id for action in possible})
        if refused:
            raise UndoRefused(
                f"Nothing was undone, because these actions cannot be undone: {', '.join(map(str, refused))}.",
                "Choose actions that took effect, are not deletions, and have not been undone yet.",
            )
        return await self._undo(possible, actor, None)

    async def undo_run(self, run_id: int, actor: str) -> tuple[ActionRecord, ...]:
        """Undo every action on the results of a run that can be undone."""
        pool_id = self._listing.pool_id

        def read(transaction: Transaction) -> list[ActionRecord]:
            self._history.require(transaction, run_id)
            undone = actions.undone(transaction, pool_id)
            done = actions.of_run(transaction, run_id)
            return [action for action in done if action.cause in ACTED and _can_be_undone(action, undone)]

        return await self._undo(await self._database.read(read), actor, run_id)

    async def _undo(self, done: Iterable[ActionRecord], actor: str, run_id: int | None) -> tuple[ActionRecord, ...]:
        orders = [
            ActionRequest(
                action.account_id,
                _INVERSE[action.action],
                f"Reverted #{action.id}",
                undoes=action.id,
                restore=found_by(action),
            )
            for action in done
        ]
        return await self._actions.carry_out(orders, ActionContext(actor, cause=Cause.UNDO, run_id=run_id))

    async def _read(self, run_id: int) -> tuple[RunRecord, list[JudgedAccount], Mapping[int, Streak]]:
        def read(transaction: Transaction) -> tuple[RunRecord, list[JudgedAccount], Mapping[int, Streak]]:
            run = self._history.require(transaction, run_id)
            entries = entries_of(transaction, run.pool_id, run_id)[1]
            failed = {
                entry.result.account_id: Verdict(entry.result.verdict)
                for entry in entries
                if entry.result.action in {Action.DISABLE, Action.DELETE}
            }
            return run, entries, streaks_of(transaction, run_id, failed)

        return await self._database.read(read)


def _planned(
    entries: list[JudgedAccount], streaks: Mapping[int, Streak], settings: InspectionSettings, mode: AutoActionMode
) -> ModePlan:
    applied, kept = decide(entries, settings.model_copy(update={"auto_action_mode": mode}), streaks)
    return ModePlan(mode, tuple(applied), tuple(kept))


def _order(kept: HeldRecord, entry: JudgedAccount) -> ActionRequest:
    result = entry.result
    return ActionRequest(kept.account_id, kept.action, result.reason, result.revisions, entry.seq, result.at)


def _can_be_undone(action: ActionRecord, undone: frozenset[int]) -> bool:
    return action.outcome is ActionOutcome.APPLIED and action.action in _INVERSE and action.id not in undone
