"""Action log: intents committed before the gateway is called, settlements after it."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.actions.outcomes import state_of
from extension.engine.actions.requests import ActionContext, ResolvedRequest
from extension.store import events
from extension.store.actions import actions
from extension.store.actions.actions import Intent, Settlement
from extension.store.database.database import Database, Transaction
from extension.store.records import ActionRecord, EventKind, ResultRecord
from extension.store.runs import results


class ActionLog:
    """Log of the actions on the accounts of one pool."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor

    async def intend(self, asked: Sequence[ResolvedRequest], context: ActionContext) -> tuple[ActionRecord, ...]:
        """Commit intents with actor, reason, evidence and the state before the change."""
        if not asked:
            return ()
        pool_id, numbers = asked[0].record.pool_id, [each.record.id for each in asked]

        def store(transaction: Transaction) -> tuple[ActionRecord, ...]:
            now = self._clock.now_ms()
            last = results.latest(transaction, pool_id, numbers)
            intents = [self._intent(each, context, last.get(each.record.id)) for each in asked]
            made = actions.intend(transaction, pool_id, intents, now)
            events.append(transaction, now, EventKind.ACTION, context.run_id, {"ids": list(made)})
            return actions.get(transaction, made)

        return await self._database.write(store)

    def _intent(self, asked: ResolvedRequest, context: ActionContext, last: ResultRecord | None) -> Intent:
        order, redact = asked.order, self._redactor.redact
        return Intent(
            account_id=asked.record.id,
            display_name=asked.record.facts.display_name,
            action=order.action,
            actor=redact(context.actor),
            actor_kind=context.kind,
            reason=redact(order.reason),
            evidence=_evidence(last),
            before=_clean(state_of(asked.listed), self._redactor),
            run_id=context.run_id or (None if last is None else last.run_id),
            cause=context.cause,
            undoes=order.undoes,
            key_hint=asked.record.facts.key_hint,
            place=asked.record.facts.place,
        )

    async def settle(self, settlements: Sequence[Settlement]) -> tuple[ActionRecord, ...]:
        """Commit the outcomes of actions, with events for them and for the changed pool."""
        # Off the event loop: of a thousand accounts it is a third of a second of pattern matching.
        clean = await asyncio.to_thread(_cleaned, settlements, self._redactor)
        numbers = [each.action_id for each in clean]

        def store(transaction: Transaction) -> tuple[ActionRecord, ...]:
            now = self._clock.now_ms()
            actions.settle(transaction, clean, now)
            events.append(transaction, now, EventKind.ACTION, None, {"ids": numbers})
            events.append(transaction, now, EventKind.POOL, None, {})
            return actions.get(transaction, numbers)

        return await self._database.write(store) if clean else ()

    async def pending(self, pool_id: int) -> tuple[ActionRecord, ...]:
        """Return the actions without an outcome, oldest first."""
        return await self._database.read(lambda transaction: actions.pending(transaction, pool_id))

    async def known(
        self, pool_id: int, account_ids: Sequence[int]
    ) -> tuple[Mapping[int, ActionRecord], Mapping[int, ResultRecord]]:
        """Return, by account, the last actions that took effect and the newest results."""
        return await self._database.read(
            lambda transaction: (
                actions.last_applied(transaction, pool_id),
                results.latest(transaction, pool_id, account_ids),
            )
        )

    async def recent(self, pool_id: int, limit: int) -> tuple[ActionRecord, ...]:
        """Return the newest actions, newest first."""
        return await self._database.read(lambda transaction: actions.recent(transaction, pool_id, limit))


def _cleaned(settlements: Sequence[Settlement], redactor: Redactor) -> list[Settlement]:
    return [
        Settlement(
            each.action_id,
            each.outcome,
            redactor.redact(each.text),
            _clean(each.before, redactor),
            None if each.after is None else _clean(each.after, redactor),
        )
        for each in settlements
    ]


def _clean(state: Any, redactor: Redactor) -> Any:
    """Redact every text of a JSON value, because operators choose names that can look like keys."""
    if isinstance(state, str):
        return redactor.redact(state)
    if isinstance(state, Mapping):
        return {name: _clean(value, redactor) for name, value in state.items()}
    if isinstance(state, list):
        return [_clean(value, redactor) for value in state]
    return state


def _evidence(last: ResultRecord | None) -> Mapping[str, Any]:
    if last is None:
        return {}
    return {"result": last.seq, "run": last.run_id, "verdict": last.verdict, "status": last.status, "at": last.at}
