"""Record of an action that is no switch: a batch of its own, uncertain until its result is known.

A process that dies in between leaves it uncertain: the switches that are looked for after a crash are pending ones.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adapter.clock import Clock
from adapter.privacy.secret import Redactor
from extension.engine.actions.executor import Command
from extension.engine.pool.listing import PoolListing
from extension.reasons.reason import NO_REASON, ReasonList
from extension.store import events
from extension.store.actions import actions, batches
from extension.store.actions.actions import Intent, Settlement
from extension.store.actions.batches import NewBatch
from extension.store.database.database import Database, Transaction
from extension.store.records import AccountRecord, ActionOutcome, ActionRecord, ActorKind, BatchState, Cause, EventKind


class SingleActions:
    """Records such actions of one pool."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor, listing: PoolListing) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor
        self._listing = listing

    async def begin(
        self,
        verb: str,
        record: AccountRecord,
        actor: str,
        begun: ReasonList,
        before: Mapping[str, Any],
        *,
        undoes: int | None = None,
        note: str = "",
    ) -> ActionRecord:
        """Record the action of a person on an account as begun."""
        redact, facts = self._redactor.redact, record.facts
        intent = Intent(
            account_id=record.id,
            display_name=facts.display_name,
            action=verb,
            actor=redact(actor),
            actor_kind=ActorKind.PERSON,
            reason=ReasonList(written=note).redacted(redact) if note else NO_REASON,
            evidence={},
            before=before,
            run_id=None,
            cause=Cause.REQUEST if undoes is None else Cause.UNDO,
            undoes=undoes,
            key_hint=facts.key_hint,
            place=facts.place,
        )

        def store(transaction: Transaction) -> ActionRecord:
            now, pool_id = self._clock.now_ms(), self._listing.pool_id
            batch_id = batches.create(
                transaction, pool_id, NewBatch(intent.cause, intent.actor, ActorKind.PERSON, None), now
            )
            batches.plan(transaction, batch_id, [record.id], {})
            made = actions.intend(transaction, pool_id, [replace(intent, batch_id=batch_id)], now)
            actions.settle(transaction, [Settlement(made[0], ActionOutcome.UNCERTAIN, begun, before, None)], now)
            batches.progress(transaction, batch_id)
            batches.end(transaction, batch_id, BatchState.DONE, now)
            events.append(transaction, now, EventKind.ACTION, None, {"ids": list(made)}, pool_id=pool_id)
            return actions.get(transaction, made)[0]

        return await self._database.write(store)

    async def settle(
        self, action: ActionRecord, outcome: ActionOutcome, reason: ReasonList, after: Mapping[str, Any] | None = None
    ) -> ActionRecord:
        """Store the result of an action."""
        settlement = Settlement(action.id, outcome, reason.redacted(self._redactor.redact), action.before, after)

        def store(transaction: Transaction) -> ActionRecord:
            now, pool_id = self._clock.now_ms(), self._listing.pool_id
            actions.settle(transaction, [settlement], now)
            if action.batch_id is not None:
                batches.progress(transaction, action.batch_id)
            events.append(transaction, now, EventKind.ACTION, None, {"ids": [action.id]}, pool_id=pool_id)
            events.append(transaction, now, EventKind.POOL, None, {}, pool_id=pool_id)
            return actions.get(transaction, [action.id])[0]

        return await self._database.write(store)

    async def ended(
        self, action: ActionRecord, outcome: ActionOutcome, reason: ReasonList, after: Mapping[str, Any] | None = None
    ) -> Command:
        """Store the result of an action, and return it as a command."""
        settled = await self.settle(action, outcome, reason, after)
        batch = await self._database.read(batches.find, self._listing.pool_id, settled.batch_id or 0)
        return Command(batch, (settled,))

    async def find(self, action_id: int, verb: str) -> ActionRecord | None:
        """Return an action of a kind, or None."""
        records = await self._database.read(actions.find, self._listing.pool_id, [action_id])
        return records[0] if records and records[0].action == verb else None
