"""Action log: batches, intents committed before the gateway is called, settlements after it."""

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.actions.change_plan import ChangePlan, Known, PlannedChange
from extension.engine.actions.outcomes import state_of
from extension.engine.actions.ownership import REVISION, with_origin
from extension.engine.actions.requests import ActionContext, ResolvedRequest
from extension.reasons.reason import NO_REASON, ReasonList
from extension.store import events
from extension.store.actions import actions, batches, held
from extension.store.actions.actions import Intent, Settlement
from extension.store.actions.batches import NewBatch
from extension.store.actions.undone import standing
from extension.store.database.database import Database, Transaction
from extension.store.records import ActionRecord, BatchRecord, BatchState, EventKind, ResultRecord
from extension.store.runs import results


class ActionLog:
    """Log of the actions on the accounts of one pool."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor

    async def begin(self, pool_id: int, context: ActionContext) -> BatchRecord:
        """Store a batch that waits for its turn."""
        actor = self._redactor.redact(context.actor)
        new = NewBatch(context.cause, actor, context.kind, context.run_id)

        def store(transaction: Transaction) -> BatchRecord:
            now = self._clock.now_ms()
            batch = batches.get(transaction, batches.create(transaction, pool_id, new, now))
            _tell(transaction, batch, now)
            return batch

        return await self._database.write(store)

    async def plan(self, batch_id: int, plan: ChangePlan) -> None:
        """Store the counts of the plan of a batch."""

        def store(transaction: Transaction) -> None:
            accounts = [entry.asked.order.account_id for entry in plan.recorded]
            batches.plan(transaction, batch_id, accounts, plan.counts)
            _tell(transaction, batches.get(transaction, batch_id), self._clock.now_ms())

        await self._database.write(store)

    async def intend(
        self, entries: Sequence[PlannedChange], context: ActionContext, known: Known
    ) -> tuple[ActionRecord, ...]:
        """Commit intents with actor, reason, evidence and the state before the change."""
        if not entries:
            return ()
        pool_id = entries[0].asked.record.pool_id
        intents = [self._intent(entry.asked, context, known) for entry in entries]

        def store(transaction: Transaction) -> tuple[ActionRecord, ...]:
            now = self._clock.now_ms()
            made = actions.intend(transaction, pool_id, intents, now)
            events.append(transaction, now, EventKind.ACTION, context.run_id, {"ids": list(made)}, pool_id=pool_id)
            return actions.get(transaction, made)

        return await self._database.write(store)

    def _intent(self, request: ResolvedRequest, context: ActionContext, known: Known) -> Intent:
        order, redact, number = request.order, self._redactor.redact, request.record.id
        newest = known.newest.get(number)
        before = with_origin(state_of(request.listed), request.listed, known.last.get(number))
        return Intent(
            account_id=number,
            display_name=request.record.facts.display_name,
            action=order.action,
            actor=redact(context.actor),
            actor_kind=context.kind,
            reason=order.reason.redacted(redact),
            evidence=_evidence(newest),
            before=_clean(before, self._redactor),
            run_id=context.run_id or (None if newest is None else newest.run_id),
            cause=context.cause,
            undoes=order.undoes,
            key_hint=request.record.facts.key_hint,
            place=request.record.facts.place,
            batch_id=context.batch_id,
        )

    async def settle(self, settlements: Sequence[Settlement], batch_ids: Iterable[int]) -> tuple[ActionRecord, ...]:
        """Commit the outcomes of actions and the progress of their batches, with events for them and the pool."""
        # Off the event loop: of a thousand accounts it is a third of a second of pattern matching.
        clean = await asyncio.to_thread(_cleaned, settlements, self._redactor)
        numbers = [settlement.action_id for settlement in clean]

        def store(transaction: Transaction) -> tuple[ActionRecord, ...]:
            now = self._clock.now_ms()
            actions.settle(transaction, clean, now)
            held.answered(transaction, numbers, now)
            held.reopened(transaction, numbers)
            pool_id = actions.pool_of(transaction, numbers[0])
            events.append(transaction, now, EventKind.ACTION, None, {"ids": numbers}, pool_id=pool_id)
            events.append(transaction, now, EventKind.POOL, None, {}, pool_id=pool_id)
            for batch_id in batch_ids:
                _tell(transaction, batches.progress(transaction, batch_id), now)
            return actions.get(transaction, numbers)

        return await self._database.write(store) if clean else ()

    async def end(self, batch_id: int, state: BatchState, reason: ReasonList = NO_REASON) -> BatchRecord:
        """Store the end of a batch."""
        clean = reason.redacted(self._redactor.redact)

        def store(transaction: Transaction) -> BatchRecord:
            now = self._clock.now_ms()
            batch = batches.end(transaction, batch_id, state, now, clean)
            _tell(transaction, batch, now)
            return batch

        return await self._database.write(store)

    async def end_left(self, pool_id: int, working_on: Collection[int], reasons: Mapping[int, ReasonList]) -> None:
        """End the active batches that are not worked on: with all actions settled they are done.

        Others have failed for the reason given, or are interrupted.
        """
        clean = {number: reason.redacted(self._redactor.redact) for number, reason in reasons.items()}

        def store(transaction: Transaction) -> None:
            now = self._clock.now_ms()
            for number in batches.active(transaction, pool_id):
                if number not in working_on:
                    _tell(transaction, batches.end_left(transaction, number, now, clean.get(number)), now)

        await self._database.write(store)

    async def interrupt(self, pool_id: int) -> None:
        """End the batches that a dead process worked on."""
        await self._database.write(batches.interrupt, pool_id, self._clock.now_ms())

    async def pending(self, pool_id: int) -> tuple[ActionRecord, ...]:
        """Return the actions without an outcome, oldest first."""
        return await self._database.read(actions.pending, pool_id)

    async def known(self, pool_id: int, account_ids: Sequence[int]) -> Known:
        """Return the stored knowledge of accounts that a plan rests on."""

        def read(transaction: Transaction) -> Known:
            last = actions.last_applied(transaction, pool_id)
            reverted = [number for number in account_ids if number in last and last[number].undoes is not None]
            return Known(
                last,
                results.latest(transaction, pool_id, account_ids),
                {hold.account_id: hold for hold in held.waiting(transaction, pool_id)},
                standing(transaction, reverted),
            )

        return await self._database.read(read)


def _tell(transaction: Transaction, batch: BatchRecord, now: int) -> None:
    data = {"batch": batch.id, "state": batch.state.value, "done": batch.done, "total": batch.total}
    events.append(transaction, now, EventKind.BATCH, None, data, pool_id=batches.pool_of(transaction, batch.id))


def _cleaned(settlements: Sequence[Settlement], redactor: Redactor) -> list[Settlement]:
    return [
        Settlement(
            settlement.action_id,
            settlement.outcome,
            settlement.text.redacted(redactor.redact),
            _clean(settlement.before, redactor),
            None if settlement.after is None else _clean(settlement.after, redactor),
        )
        for settlement in settlements
    ]


def _clean(state: Any, redactor: Redactor) -> Any:
    """Redact every text of a JSON value, because operators choose names that can look like keys; a revision is ours."""
    if isinstance(state, str):
        return redactor.redact(state)
    if isinstance(state, Mapping):
        return {name: value if name == REVISION else _clean(value, redactor) for name, value in state.items()}
    if isinstance(state, list):
        return [_clean(value, redactor) for value in state]
    return state


def _evidence(last: ResultRecord | None) -> Mapping[str, Any]:
    if last is None:
        return {}
    return {"result": last.seq, "run": last.run_id, "verdict": last.verdict, "status": last.status, "at": last.at}
