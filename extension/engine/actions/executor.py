"""Actions on accounts: recorded before the write and settled after the accounts are read back."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from adapter.clock import Clock
from adapter.port import Change, Gateway, GatewayError, Outcome
from adapter.port.errors import ConflictError, NotFound
from adapter.privacy.secret import Redactor
from extension.engine.actions.log import ActionLog
from extension.engine.actions.outcomes import (
    NO_LONGER_THERE,
    Observation,
    ReadBack,
    after_a_crash,
    barred,
    deleted,
    failed,
    switched,
)
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE, Objection, objection
from extension.engine.actions.requests import ActionContext, ActionRequest, ResolvedRequest
from extension.engine.errors import DeleteRefused
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing, PoolReading
from extension.engine.shielded_tasks import ShieldedTasks
from extension.inspection.accounts.account import Source
from extension.store.actions.actions import Settlement
from extension.store.database.database import Database
from extension.store.records import ActionOutcome, ActionRecord, ActorKind

Answers = Mapping[int, Outcome | GatewayError]
"""Answers of the gateway by account."""


class Actions:
    """Changes to the accounts of one pool, one batch at a time."""

    def __init__(
        self, gateway: Gateway, database: Database, clock: Clock, redactor: Redactor, listing: PoolListing
    ) -> None:
        self._gateway = gateway
        self._listing = listing
        self._log = ActionLog(database, clock, redactor)
        self._turn = asyncio.Lock()
        self._shielded = ShieldedTasks()

    async def open(self) -> None:
        """Settle pending actions of a dead process; without an answer of the gateway the next action does it."""
        try:
            await self._shielded.run(self._settle())
        except GatewayError:
            return

    async def settled(self) -> None:
        """Wait for the batches in progress."""
        await self._shielded.close()

    async def set_disabled(
        self, account_ids: Sequence[int], disabled: bool, actor: str, reason: str
    ) -> tuple[ActionRecord, ...]:
        """Disable or enable accounts; see `Inspector.set_disabled`."""
        action = DISABLE if disabled else ENABLE
        return await self.carry_out(
            [ActionRequest(number, action, reason) for number in account_ids], ActionContext(actor)
        )

    async def delete_files(self, account_ids: Sequence[int], actor: str, reason: str) -> tuple[ActionRecord, ...]:
        """Delete OAuth files; see `Inspector.delete_files`."""
        return await self.carry_out(
            [ActionRequest(number, DELETE, reason) for number in account_ids], ActionContext(actor)
        )

    async def carry_out(self, orders: Sequence[ActionRequest], context: ActionContext) -> tuple[ActionRecord, ...]:
        """Carry out requests, all status changes in one batch; one action per distinct account, in their order.

        Of several requests for one account the first counts. A canceled caller does not interrupt it.

        Raises:
            AccountUnknown: an account was never in the pool; nothing was done.
            DeleteRefused: a request names an account other than an OAuth file for deletion; nothing was done.
            GatewayError: the pool could not be read; nothing was done.
            StoreError: an action could not be recorded, so it was not carried out.
        """
        distinct = {order.account_id: order for order in reversed(orders)}
        firsts = [distinct[number] for number in dict.fromkeys(order.account_id for order in orders)]
        return await self._shielded.run(self._carry_out(firsts, context))

    async def recent(self, limit: int) -> tuple[ActionRecord, ...]:
        """Return the newest actions, newest first."""
        return await self._log.recent(self._listing.pool_id, limit)

    async def _settle(self) -> None:
        async with self._turn:
            await self._settle_what_is_left()

    async def _settle_what_is_left(self) -> None:
        """Settle pending actions; under the lock they can only be those of a dead process or an aborted batch."""
        left = await self._log.pending(self._listing.pool_id)
        if left:
            reading = await self._listing.read()
            await self._log.settle([after_a_crash(action, reading.accounts.get(action.account_id)) for action in left])

    async def _carry_out(self, orders: Sequence[ActionRequest], context: ActionContext) -> tuple[ActionRecord, ...]:
        async with self._turn:
            records = await self._listing.remembered([order.account_id for order in orders])
            await self._settle_what_is_left()
            reading = await self._listing.read()
            asked = [
                ResolvedRequest(order, record, reading.accounts.get(record.id))
                for order, record in zip(orders, records, strict=True)
            ]
            if context.kind is ActorKind.PERSON:
                _refuse_deletions(asked)
            objections = await self._objections(asked, context)
            made = await self._log.intend(asked, context)
            free = [each for each in asked if each.order.account_id not in objections]
            answers = await self._switch(free)
            deletions = {
                each.order.account_id: await self._delete(each) for each in free if each.order.action == DELETE
            }
            after = await self._read_back()
            settled: list[Settlement] = []
            for action in made:
                found = None if after is None else Observation(after.accounts.get(action.account_id))
                settled.append(_settlement(action, objections, answers, deletions, found))
            return await self._log.settle(settled)

    async def _objections(self, asked: Sequence[ResolvedRequest], context: ActionContext) -> Mapping[int, Objection]:
        last, newest = await self._log.known(self._listing.pool_id, [each.record.id for each in asked])
        found = {
            each.record.id: objection(each, context, last.get(each.record.id), newest.get(each.record.id))
            for each in asked
        }
        return {number: each for number, each in found.items() if each is not None}

    async def _switch(self, asked: Sequence[ResolvedRequest]) -> Answers:
        """Write all status changes in one batch."""
        changes = {
            each.order.account_id: _change(each.order, each.listed)
            for each in asked
            if each.order.action != DELETE and each.listed is not None
        }
        if not changes:
            return {}
        try:
            outcomes = await self._gateway.set_disabled(tuple(changes.values()))
        except GatewayError as error:
            return dict.fromkeys(changes, error)
        return dict(zip(changes, outcomes, strict=True))

    async def _delete(self, asked: ResolvedRequest) -> tuple[ActionOutcome, str]:
        if asked.listed is None:
            return ActionOutcome.MISSING, NO_LONGER_THERE
        try:
            if asked.listed.file is not None:
                await self._gateway.delete_file(asked.listed.file, asked.listed.account.revision)
        except ConflictError:
            return ActionOutcome.CONFLICT, "Not deleted: the file has changed. Check it and try again."
        except NotFound:
            return ActionOutcome.MISSING, "The file no longer exists."
        except GatewayError as error:
            return failed(error)
        return ActionOutcome.APPLIED, "Deleted."

    async def _read_back(self) -> PoolReading | None:
        try:
            return await self._listing.read()
        except GatewayError:
            return None


def _change(order: ActionRequest, listed: ListedAccount) -> Change:
    """Return the change of a request; one that rests on a probe names the revision, so that the gateway compares it."""
    expect = None if order.expect is None else listed.account.revision
    return Change(listed.account.ref, order.action == DISABLE, expect, order.restore)


def _settlement(
    action: ActionRecord,
    objections: Mapping[int, Objection],
    answers: Answers,
    deletions: Mapping[int, tuple[ActionOutcome, str]],
    after: ReadBack,
) -> Settlement:
    number = action.account_id
    if number in objections:
        return barred(action, objections[number], after)
    if action.action == DELETE:
        return deleted(action, deletions[number], after)
    return switched(action, action.action == DISABLE, answers.get(number), after)


def _refuse_deletions(asked: Iterable[ResolvedRequest]) -> None:
    refused = tuple(each.record.facts.display_name for each in asked if each.order.action == DELETE and _is_key(each))
    if refused:
        raise DeleteRefused(refused)


def _is_key(asked: ResolvedRequest) -> bool:
    listed = asked.listed
    return asked.record.facts.source != Source.OAUTH or (listed is not None and listed.file is None)
