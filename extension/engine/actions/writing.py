"""Writer of planned changes: the one place that has the gateway change accounts, with the settlement of each change.

Theory of operation: a deletion reads the file under the revision it was planned for, keeps the content in the data
folder, and deletes the file under the same revision. A copy whose file was certainly not deleted is removed at once.
"""

from collections.abc import Mapping, Sequence

from adapter.port import Capability, Change, Gateway, GatewayError, Outcome
from adapter.port.errors import ConflictError, NotFound
from adapter.port.section import FileRef
from extension.engine.actions.change_plan import Group, PlannedChange
from extension.engine.actions.outcomes import (
    Observation,
    ReadBack,
    Settled,
    barred,
    deleted,
    failed,
    restored,
    state_of,
    switched,
)
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE, RESTORE
from extension.engine.actions.requests import ActionRequest, ResolvedRequest
from extension.engine.pool.listed_account import ListedAccount
from extension.engine.pool.listing import PoolListing, PoolReading
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import because
from extension.store.actions.actions import Settlement
from extension.store.deleted_files import DeletedFile, DeletedFiles
from extension.store.errors import StoreError
from extension.store.records import ActionOutcome, ActionRecord


class FileWriter:
    """Deletes auth files with a copy kept, and restores them from it."""

    def __init__(self, gateway: Gateway, deleted_files: DeletedFiles | None) -> None:
        self._gateway = gateway
        self._deleted_files = deleted_files

    async def delete(self, request: ResolvedRequest) -> Settled:
        """Keep the content of an account's file, then delete it."""
        if request.listed is None:
            return ActionOutcome.MISSING, because(ReasonCode.ACCOUNT_GONE)
        file, revision = request.listed.file, request.listed.account.revision
        if file is None or self._deleted_files is None:
            return ActionOutcome.REFUSED, because(ReasonCode.NO_PLACE_FOR_COPY)
        copy: DeletedFile | None = None
        try:
            content = await self._gateway.read_file(file, revision)
            copy = await self._deleted_files.keep(request.record.id, file.name, content)
            await self._gateway.delete_file(file, revision)
        except StoreError as error:
            return ActionOutcome.FAILED, because(ReasonCode.CONTENT_NOT_KEPT, problem=str(error))
        except GatewayError as error:
            if copy is not None and error.applied == "no":
                await self._deleted_files.forget(copy)
            return _not_deleted(error)
        return ActionOutcome.APPLIED, because(ReasonCode.DELETED)

    async def restore(self, request: ResolvedRequest) -> Settled:
        """Write the last kept content of an account's file back."""
        copy = None if self._deleted_files is None else await self._deleted_files.newest(request.record.id)
        content = None if self._deleted_files is None or copy is None else await self._deleted_files.content(copy)
        if self._deleted_files is None or copy is None or content is None:
            return ActionOutcome.REFUSED, because(ReasonCode.NO_COPY_KEPT)
        try:
            await self._gateway.restore_file(FileRef(copy.name), content)
        except ConflictError:
            return ActionOutcome.REFUSED, because(ReasonCode.FILE_EXISTS_AGAIN)
        except GatewayError as error:
            return failed(error)
        await self._deleted_files.forget(copy)
        return ActionOutcome.APPLIED, because(ReasonCode.RESTORED)


def _not_deleted(error: GatewayError) -> Settled:
    if isinstance(error, ConflictError):
        return ActionOutcome.CONFLICT, because(ReasonCode.FILE_CHANGED)
    return (ActionOutcome.MISSING, because(ReasonCode.FILE_MISSING)) if isinstance(error, NotFound) else failed(error)


Answers = Mapping[int, Outcome | GatewayError]
"""Answers of the gateway by account."""


class GatewayWriter:
    """Carries out entries of a plan on the gateway."""

    def __init__(self, gateway: Gateway, listing: PoolListing, deleted_files: DeletedFiles | None) -> None:
        self._gateway = gateway
        self._files = FileWriter(gateway, deleted_files)
        self._listing = listing
        self.sent = 0
        """Changes that were given to the gateway, all batches together."""

    async def write(self, entries: Sequence[PlannedChange], intents: Sequence[ActionRecord]) -> list[Settlement]:
        """Write all status changes at once, then files one by one; settle each intent by reading the pool."""
        requests = [entry.asked for entry in entries if entry.group is Group.CHANGE]
        self.sent += len(requests)
        answers = await self._switch(requests)
        verbs = {DELETE: self._files.delete, RESTORE: self._files.restore}
        files = {
            request.order.account_id: await verbs[request.order.action](request)
            for request in requests
            if request.order.action in verbs
        }
        after = await self._read_back() if requests else None
        pairs = zip(entries, intents, strict=True)
        return [_settlement(entry, action, answers, files, after) for entry, action in pairs]

    async def writes_at_once(self) -> bool:
        """Return whether the gateway writes any number of changes at once."""
        return Capability.ATOMIC_WRITES in (await self._gateway.describe()).capabilities

    async def undone_since(self, made: Sequence[ActionRecord]) -> list[Settlement]:
        """Return new settlements for the status changes that the pool no longer shows; none where it cannot be read."""
        reading = await self._read_back()
        if reading is None:
            return []
        switched_back = (
            (action, reading.accounts.get(action.account_id))
            for action in made
            if action.outcome is ActionOutcome.APPLIED and action.action in {DISABLE, ENABLE}
        )
        return [
            Settlement(
                action.id, ActionOutcome.UNCERTAIN, because(ReasonCode.NOT_VISIBLE), action.before, state_of(now)
            )
            for action, now in switched_back
            if now is not None and now.enabled is (action.action == DISABLE)
        ]

    async def _switch(self, requests: Sequence[ResolvedRequest]) -> Answers:
        """Write all status changes in one batch."""
        changes = {
            request.order.account_id: _change(request.order, request.listed)
            for request in requests
            if request.order.action not in {DELETE, RESTORE} and request.listed is not None
        }
        if not changes:
            return {}
        try:
            outcomes = await self._gateway.set_disabled(tuple(changes.values()))
        except GatewayError as error:
            return dict.fromkeys(changes, error)
        return dict(zip(changes, outcomes, strict=True))

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
    entry: PlannedChange,
    action: ActionRecord,
    answers: Answers,
    files: Mapping[int, Settled],
    after: PoolReading | None,
) -> Settlement:
    number = action.account_id
    if entry.outcome is not None:
        # Nothing was written for it, so its state is the one that the plan was made from.
        return barred(action, (entry.outcome, entry.reason), Observation(entry.asked.listed))
    read_back: ReadBack = None if after is None else Observation(after.accounts.get(number))
    if action.action == DELETE:
        return deleted(action, files[number], read_back)
    if action.action == RESTORE:
        return restored(action, files[number], read_back)
    return switched(action, action.action == DISABLE, answers.get(number), read_back)
