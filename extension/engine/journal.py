"""The journal of actions: intents committed before the gateway is told, settlements after it."""

from collections.abc import Mapping, Sequence
from typing import Any

from adapter.clock import Clock
from adapter.secret import Redactor
from extension.engine.credential import Credential
from extension.engine.settling import state_of
from extension.store import actions, events, results
from extension.store.actions import Intent, Settlement
from extension.store.database import Database, Transaction
from extension.store.records import AccountRecord, ActionRecord, ActorKind, EventKind, ResultRecord


class Journal:
    """Writes down what is done to the accounts of one pool."""

    def __init__(self, database: Database, clock: Clock, redactor: Redactor) -> None:
        self._database = database
        self._clock = clock
        self._redactor = redactor

    async def intend(
        self, asked: Sequence[tuple[AccountRecord, Credential | None]], action: str, actor: str, reason: str
    ) -> tuple[ActionRecord, ...]:
        """Commit what is about to be done, with who, why, the evidence and the state before it.

        The credential is what the pool shows of the account now: None when it is not there.
        """
        if not asked:
            return ()
        pool_id, numbers = asked[0][0].pool_id, [record.id for record, _ in asked]
        actor, reason = self._redactor.redact(actor), self._redactor.redact(reason)

        def store(transaction: Transaction) -> tuple[ActionRecord, ...]:
            now = self._clock.now_ms()
            last = results.latest(transaction, pool_id, numbers)
            intents = [
                Intent(
                    account_id=record.id,
                    display_name=record.facts.display_name,
                    action=action,
                    actor=actor,
                    actor_kind=ActorKind.PERSON,
                    reason=reason,
                    evidence=_evidence(last.get(record.id)),
                    before=_clean(state_of(credential), self._redactor),
                    run_id=last[record.id].run_id if record.id in last else None,
                )
                for record, credential in asked
            ]
            made = actions.intend(transaction, pool_id, intents, now)
            events.append(transaction, now, EventKind.ACTION, None, {"ids": list(made)})
            return actions.get(transaction, made)

        return await self._database.write(store)

    async def settle(self, settlements: Sequence[Settlement]) -> tuple[ActionRecord, ...]:
        """Commit what came of actions, and tell that the pool has changed."""
        redactor = self._redactor
        clean = [
            Settlement(
                each.action_id,
                each.outcome,
                redactor.redact(each.text),
                _clean(each.before, redactor),
                None if each.after is None else _clean(each.after, redactor),
            )
            for each in settlements
        ]
        numbers = [each.action_id for each in clean]

        def store(transaction: Transaction) -> tuple[ActionRecord, ...]:
            now = self._clock.now_ms()
            actions.settle(transaction, clean, now)
            events.append(transaction, now, EventKind.ACTION, None, {"ids": numbers})
            events.append(transaction, now, EventKind.POOL, None, {})
            return actions.get(transaction, numbers)

        return await self._database.write(store) if clean else ()

    async def pending(self, pool_id: int) -> tuple[ActionRecord, ...]:
        """Return the actions that nobody has settled, oldest first."""
        return await self._database.read(lambda transaction: actions.pending(transaction, pool_id))

    async def recent(self, pool_id: int, limit: int) -> tuple[ActionRecord, ...]:
        """Return the newest actions, newest first."""
        return await self._database.read(lambda transaction: actions.recent(transaction, pool_id, limit))


def _clean(state: Any, redactor: Redactor) -> Any:
    """Take what looks like a key out of every text of a JSON value: names are an operator's choice."""
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
