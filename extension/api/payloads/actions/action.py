"""Actions and batches as answered."""

from collections.abc import Iterable
from typing import Any, Self

from extension.api.payloads.payload import Payload
from extension.api.payloads.reason import ReasonView
from extension.engine.actions.change_plan import Group
from extension.engine.actions.executor import Command
from extension.store.actions.search import ActionPage
from extension.store.batch_records import BatchRecord
from extension.store.records import ActionRecord


class ActionView(Payload):
    """One change requested by a person or a run: its result (`outcome`, in words `text`) and the state before.

    `texts` and `reasons` are `text` and `reason` as codes; empty for an action of an earlier version, or a note.
    `actorKind` is person or automation; `cause` its origin: request, run, apply, release or undo. `undoes` is
    the action it takes back, and null otherwise. `batch` is its command, null for an action of an earlier version.
    """

    id: int
    account: int
    display_name: str
    key_hint: str
    place: str
    action: str
    outcome: str
    text: str
    texts: tuple[ReasonView, ...]
    actor: str
    reason: str
    reasons: tuple[ReasonView, ...]
    at: int
    before: dict[str, Any]
    run: int | None
    actor_kind: str
    cause: str
    undoes: int | None
    batch: int | None

    @classmethod
    def of(cls, record: ActionRecord) -> Self:
        """Show a stored action."""
        return cls.showing(
            record,
            account=record.account_id,
            text=record.text.text,
            texts=ReasonView.all_of(record.text),
            reason=record.reason.text,
            reasons=ReasonView.all_of(record.reason),
            run=record.run_id,
            before=dict(record.before),
            batch=record.batch_id,
        )


class GroupsView(Payload):
    """Accounts of a plan by group: changed, on hold, refused, already as requested, and not enabled."""

    change: int
    on_hold: int
    refused: int
    already: int
    not_enabled: int


class BatchView(Payload):
    """All actions of one command, and its progress: `done` of `total` actions; `planned` counts its plan by group.

    `state` is waiting, running, done, canceled, failed or interrupted; `reason` says why it failed, and `reasons` are
    the same as codes. `outcomes` counts the settled actions. Times are milliseconds UTC; `endedAt` is null while it
    goes on.
    """

    id: int
    run: int | None
    cause: str
    actor: str
    actor_kind: str
    state: str
    reason: str
    reasons: tuple[ReasonView, ...]
    total: int
    done: int
    planned: GroupsView
    outcomes: dict[str, int]
    at: int
    ended_at: int | None

    @classmethod
    def of(cls, record: BatchRecord) -> Self:
        """Show a stored batch."""
        planned = {group.value: record.planned.get(group, 0) for group in Group}
        return cls.showing(
            record,
            run=record.run_id,
            reason=record.reason.text,
            reasons=ReasonView.all_of(record.reason),
            planned=GroupsView.model_validate(planned),
            outcomes=dict(record.outcomes),
        )


class BatchesAnswer(Payload):
    """Batches, the newest first."""

    batches: tuple[BatchView, ...]

    @classmethod
    def of(cls, records: Iterable[BatchRecord]) -> Self:
        """Show stored batches."""
        return cls(batches=tuple(BatchView.of(record) for record in records))


class CommandAnswer(Payload):
    """The batch of a command (null: there was nothing to do) and its actions, in the order of the accounts it named.

    In the background the batch has only begun and `actions` is empty: read both again by the number of the batch.
    """

    batch: BatchView | None
    actions: tuple[ActionView, ...]

    @classmethod
    def of(cls, command: Command) -> Self:
        """Show a command."""
        batch = None if command.batch is None else BatchView.of(command.batch)
        return cls(batch=batch, actions=tuple(ActionView.of(record) for record in command.actions))


class ActionsAnswer(Payload):
    """One page of the action history, newest first, of `total` matching actions; `reverted` are those undone since."""

    actions: tuple[ActionView, ...]
    total: int
    reverted: tuple[int, ...]

    @classmethod
    def of(cls, page: ActionPage) -> Self:
        """Show a page."""
        return cls(
            actions=tuple(ActionView.of(record) for record in page.actions),
            total=page.total,
            reverted=tuple(sorted(page.reverted)),
        )
