"""Actions: changes that a person asked for, written down before they are made and settled after they are read back."""

import asyncio
from collections.abc import Iterable, Sequence

from adapter.clock import Clock
from adapter.port import AccountRef, Change, FileRef, Gateway, GatewayError, Outcome
from adapter.port.errors import Conflict, NotFound
from adapter.secret import Redactor
from extension.engine.credential import Credential
from extension.engine.errors import DeleteRefused
from extension.engine.journal import Journal
from extension.engine.ledger import DELETE, DISABLE, ENABLE
from extension.engine.listing import Listing, Reading
from extension.engine.settling import NO_LONGER_THERE, Found, ReadBack, after_a_crash, deleted, failed, switched
from extension.engine.undisturbed import Undisturbed
from extension.inspection.accounts import Source
from extension.store.database import Database
from extension.store.records import ActionOutcome, ActionRecord


class Actions:
    """Changes to the accounts of one pool, one batch at a time."""

    def __init__(
        self, gateway: Gateway, database: Database, clock: Clock, redactor: Redactor, listing: Listing
    ) -> None:
        self._gateway = gateway
        self._listing = listing
        self._journal = Journal(database, clock, redactor)
        self._turn = asyncio.Lock()
        self._undisturbed = Undisturbed()

    async def open(self) -> None:
        """Settle what a dead process left; when the gateway does not answer, the next action does it first."""
        try:
            await self._undisturbed.run(self._settle())
        except GatewayError:
            return

    async def close(self) -> None:
        """Wait for the batch in progress."""
        await self._undisturbed.close()

    async def set_disabled(
        self, account_ids: Sequence[int], disabled: bool, actor: str, reason: str
    ) -> tuple[ActionRecord, ...]:
        """Disable or enable accounts; see `Inspector.set_disabled`."""
        return await self._undisturbed.run(self._switch(_distinct(account_ids), disabled, actor, reason))

    async def delete_files(self, account_ids: Sequence[int], actor: str, reason: str) -> tuple[ActionRecord, ...]:
        """Delete OAuth files; see `Inspector.delete_files`."""
        return await self._undisturbed.run(self._delete(_distinct(account_ids), actor, reason))

    async def recent(self, limit: int) -> tuple[ActionRecord, ...]:
        """Return the newest actions, newest first."""
        return await self._journal.recent(self._listing.pool_id, limit)

    async def _settle(self) -> None:
        async with self._turn:
            await self._settle_what_is_left()

    async def _settle_what_is_left(self) -> None:
        """Settle pending actions; in a turn of ours they can only be those of a process or a batch that broke off."""
        left = await self._journal.pending(self._listing.pool_id)
        if left:
            reading = await self._listing.read()
            await self._journal.settle(
                [after_a_crash(action, reading.credentials.get(action.account_id)) for action in left]
            )

    async def _switch(
        self, account_ids: Sequence[int], disabled: bool, actor: str, reason: str
    ) -> tuple[ActionRecord, ...]:
        async with self._turn:
            await self._settle_what_is_left()
            records = await self._listing.remembered(account_ids)
            reading = await self._listing.read()
            asked = [(record, reading.credentials.get(record.id)) for record in records]
            made = await self._journal.intend(asked, DISABLE if disabled else ENABLE, actor, reason)
            answers = await self._send([credential for _, credential in asked if credential], disabled)
            after = await self._read_back()
            return await self._journal.settle(
                [
                    switched(action, disabled, answers.get(action.account_id, ()), _found(after, action.account_id))
                    for action in made
                ]
            )

    async def _send(
        self, credentials: Sequence[Credential], disabled: bool
    ) -> dict[int, list[tuple[AccountRef, Outcome | GatewayError]]]:
        """Hand one batch to the gateway; every place that holds a credential is switched."""
        places = [(credential.id, member.ref) for credential in credentials for member in credential.members]
        answers: dict[int, list[tuple[AccountRef, Outcome | GatewayError]]] = {}
        if not places:
            return answers
        outcomes: Sequence[Outcome | GatewayError]
        try:
            # No expected revision: the person has just looked, and what counts is the state asked for.
            outcomes = await self._gateway.set_disabled([Change(ref, disabled) for _, ref in places])
        except GatewayError as error:
            outcomes = [error] * len(places)
        for (number, ref), outcome in zip(places, outcomes, strict=True):
            answers.setdefault(number, []).append((ref, outcome))
        return answers

    async def _delete(self, account_ids: Sequence[int], actor: str, reason: str) -> tuple[ActionRecord, ...]:
        async with self._turn:
            records = await self._listing.remembered(account_ids)
            _refuse(record.facts.display_name for record in records if record.facts.source != Source.OAUTH)
            await self._settle_what_is_left()
            reading = await self._listing.read()
            asked = [(record, reading.credentials.get(record.id)) for record in records]
            _refuse(credential.facts.display_name for _, credential in asked if credential and not credential.files)
            made = await self._journal.intend(asked, DELETE, actor, reason)
            answers = [await self._delete_one(credential) for _, credential in asked]
            after = await self._read_back()
            return await self._journal.settle(
                [
                    deleted(action, answer, _found(after, action.account_id))
                    for action, answer in zip(made, answers, strict=True)
                ]
            )

    async def _delete_one(self, credential: Credential | None) -> tuple[ActionOutcome, str]:
        if credential is None:
            return ActionOutcome.MISSING, NO_LONGER_THERE
        try:
            for member in credential.members:
                if isinstance(member.ref, FileRef):
                    await self._gateway.delete_file(member.ref, member.revision)
        except Conflict:
            return ActionOutcome.CONFLICT, "The file changed meanwhile and was not deleted. Look at it and decide anew."
        except NotFound:
            return ActionOutcome.MISSING, "There was no such file any more."
        except GatewayError as error:
            return failed(error)
        return ActionOutcome.APPLIED, "Deleted."

    async def _read_back(self) -> Reading | None:
        try:
            return await self._listing.read()
        except GatewayError:
            return None


def _found(after: Reading | None, account_id: int) -> ReadBack:
    return None if after is None else Found(after.credentials.get(account_id))


def _distinct(account_ids: Sequence[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(account_ids))


def _refuse(names: Iterable[str]) -> None:
    refused = tuple(names)
    if refused:
        raise DeleteRefused(refused)
