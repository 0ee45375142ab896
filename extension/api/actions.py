"""`poolkeeper/pool/actions`, `batches`, `undo` and `restore`: the action history, its commands, and ways back."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.payloads.actions import ActionsAnswer, BatchesAnswer, BatchView, CommandAnswer, UndoRequest
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.pool import DeletedFilesAnswer, RestoreRequest
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.actions.ownership import RESTORE
from extension.engine.dispatch.commands import CommandKind
from extension.store.actions.search import ActionFilter
from extension.store.records import ActionOutcome, Cause

_RESULT = "|".join(ActionOutcome)
_RESULTS = f"^(({_RESULT})(,({_RESULT}))*)?$"


class ActionsQuery(Payload):
    """A page of at most `limit` actions with numbers below `before`, newest first.

    `actor` is a part of the name; `result` an outcome, several separated by commas; `cause` `run` for automatic ones;
    `since` a time in milliseconds UTC.
    """

    limit: Annotated[int, Field(ge=1, le=2000)] = 100
    before: QueriedId | None = None
    batch: QueriedId | None = None
    run: QueriedId | None = None
    account: QueriedId | None = None
    actor: Annotated[str, Field(max_length=200)] = ""
    result: Annotated[str, Field(max_length=200, pattern=_RESULTS)] = ""
    cause: Cause | None = None
    action: Annotated[str, Field(max_length=20, pattern="^[a-z_]*$")] = ""
    since: Annotated[int, Field(ge=0, le=2**53)] | None = None


class BatchesQuery(Payload):
    """One batch by its number, or the newest `limit` batches, of one run if given, with numbers below `before`."""

    batch: QueriedId | None = None
    run: QueriedId | None = None
    before: QueriedId | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 20


class BatchQuery(Payload):
    """The batch that a command is for."""

    batch: QueriedId


route = Routes("pool")


@route("GET", "pool/actions")
async def read_actions(query: Annotated[ActionsQuery, Query()], services: Served) -> ActionsAnswer:
    """Answer actions, the newest first."""
    outcomes = tuple(ActionOutcome(outcome) for outcome in query.result.split(",") if outcome)
    who, why = (query.batch, query.run, query.account, query.actor), (query.cause, query.action, query.since)
    conditions = ActionFilter(*who, outcomes, *why)
    page = await services.inspector.action_history.page(conditions, before=query.before, limit=query.limit)
    return ActionsAnswer.of(page)


@route("GET", "pool/batches")
async def read_batches(query: Annotated[BatchesQuery, Query()], services: Served) -> BatchesAnswer:
    """Answer batches with their progress, the newest first."""
    history = services.inspector.action_history
    if query.batch is not None:
        return BatchesAnswer.of([await history.batch(query.batch)])
    return BatchesAnswer.of(await history.batches(run_id=query.run, before=query.before, limit=query.limit))


@route("POST", "pool/batches/cancel")
async def cancel(query: Annotated[BatchQuery, Query()], services: Served) -> BatchView:
    """Start no further write of a batch; an ended one stays as it is. Undo reverts what it has done."""
    await services.ask(CommandKind.CANCEL, batch=query.batch)
    return BatchView.of(await services.inspector.action_history.batch(query.batch))


@route("POST", "pool/undo")
async def undo(body: UndoRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Undo actions, or a batch as a whole, in one batch; a later action that stands makes an undo a conflict.

    With a named action that cannot be taken back nothing is done: 409, code `undo_refused`.
    """
    manner = {"background": body.background, "acceptsLoss": body.accept_loss}
    if body.batch is not None:
        undone = services.ask_for_batch(CommandKind.UNDO_BATCH, asking.actor, batch=body.batch, **manner)
    else:
        numbers = body.actions or ()
        undone = services.ask_for_batch(CommandKind.UNDO_ACTIONS, asking.actor, actions=numbers, **manner)
    return CommandAnswer.of(await undone)


@route("GET", "pool/restore")
async def read_deleted(services: Served) -> DeletedFilesAnswer:
    """Answer the deleted files that can be restored, the newest first, without their contents."""
    return DeletedFilesAnswer.of(await services.inspector.commands.deleted_files())


@route("POST", "pool/restore")
async def restore(body: RestoreRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Write deleted files back in one batch; a file that exists again is refused, and nothing is written for it."""
    command = await services.ask_for_batch(
        CommandKind.SWITCH,
        asking.actor,
        accounts=body.accounts,
        action=RESTORE,
        reason=body.reason,
        background=body.background,
    )
    return CommandAnswer.of(command)
