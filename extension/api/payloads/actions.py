"""Plans, commands, actions and what follows a run, in requests and answers."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from extension.api.payloads.payload import Payload, ReasonView, RowId
from extension.api.payloads.pool import AcceptLoss, AccountIds, Background, ReleasedIds
from extension.engine.actions.change_plan import ChangePlan, Group, PlannedChange
from extension.engine.actions.executor import Command
from extension.engine.actions.follow_up import ModePlan
from extension.engine.actions.requests import Hold
from extension.inspection.settings import AutoActionMode
from extension.store.actions.search import ActionPage
from extension.store.records import BatchRecord, HeldRecord


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
        return cls.showing(record, planned=GroupsView.model_validate(planned))


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
        return cls(batch=batch, actions=tuple(ActionView.showing(record) for record in command.actions))


class ActionsAnswer(Payload):
    """One page of the action history, newest first, of `total` matching actions; `reverted` are those undone since."""

    actions: tuple[ActionView, ...]
    total: int
    reverted: tuple[int, ...]

    @classmethod
    def of(cls, page: ActionPage) -> Self:
        """Show a page."""
        return cls(
            actions=tuple(ActionView.showing(record) for record in page.actions),
            total=page.total,
            reverted=tuple(sorted(page.reverted)),
        )


class PlannedView(Payload):
    """A requested change with the `reason` for it; `reasons` are its codes, none for the note of a person.

    `against` says why it is not made, and is empty for one that is; `code` with `params` are the same for programs, and
    for one on hold `host` is its host.
    """

    account: int
    display_name: str
    key_hint: str
    place: str
    action: str
    reason: str
    reasons: tuple[ReasonView, ...]
    against: str
    host: str
    code: str
    params: dict[str, str | int]

    @classmethod
    def of(cls, entry: PlannedChange) -> Self:
        """Show an entry of a plan."""
        order = entry.asked.order
        hold = entry.hold or Hold("", "")
        code, params = next(((it.code.value, it.parameters) for it in entry.reason.items), (hold.code, hold.params))
        return cls.showing(
            entry.asked.record.facts,
            account=order.account_id,
            action=order.action,
            reason=order.reason.text,
            reasons=ReasonView.all_of(order.reason),
            against=hold.text or entry.reason.text,
            host=hold.host,
            code=code,
            params=dict(params),
        )


class PlanView(Payload):
    """A plan by group: changes that are made, and those on hold, refused, already so, or not enabled.

    `losses` names the parts of config.yaml that the changes drop on this gateway; a command needs `acceptLoss` then.
    """

    applied: tuple[PlannedView, ...]
    held: tuple[PlannedView, ...]
    refused: tuple[PlannedView, ...]
    already: tuple[PlannedView, ...]
    not_enabled: tuple[PlannedView, ...]
    losses: tuple[str, ...]

    @classmethod
    def showing_plan(cls, plan: ChangePlan, **otherwise: object) -> Self:
        """Show a plan."""
        groups = {
            "applied": Group.CHANGE,
            "held": Group.ON_HOLD,
            "refused": Group.REFUSED,
            "already": Group.ALREADY,
            "not_enabled": Group.NOT_ENABLED,
        }
        shown = {name: tuple(PlannedView.of(entry) for entry in plan.of(group)) for name, group in groups.items()}
        return cls.model_validate({**shown, "losses": plan.losses, **otherwise})


class PlanRequest(Payload):
    """Ask for the plan of a change of accounts; nothing is changed."""

    accounts: AccountIds
    action: Literal["disable", "enable", "delete"]
    released: ReleasedIds = ()


Hosts = Annotated[tuple[Annotated[str, Field(max_length=300)], ...], Field(max_length=2_000)]
"""Hosts of actions on hold, as they are answered."""


class ModePlanView(PlanView):
    """The plan of one mode for a run."""

    mode: str

    @classmethod
    def of(cls, plan: ModePlan) -> Self:
        """Show a plan."""
        return cls.showing_plan(plan.plan, mode=plan.mode)


class PlansAnswer(Payload):
    """The actions each mode of the run's source would take on results without an action since."""

    run: int
    plans: tuple[ModePlanView, ...]


class ApplyRequest(Payload):
    """Apply a run by a mode, for the accounts named or for all (null), without the changes on hold.

    `released` names accounts, and `releasedHosts` hosts, that are included although they are on hold.
    """

    mode: AutoActionMode
    accounts: AccountIds | None = None
    released: ReleasedIds = ()
    released_hosts: Hosts = ()
    background: Background = False
    accept_loss: AcceptLoss = False


class ReleaseRequest(Payload):
    """Release actions on hold, for the accounts or hosts named or for all (null)."""

    accounts: AccountIds | None = None
    hosts: Hosts | None = None
    background: Background = False
    accept_loss: AcceptLoss = False


class UndoRequest(Payload):
    """Take back actions by their numbers, or a batch as a whole."""

    actions: Annotated[tuple[RowId, ...], Field(min_length=1, max_length=20_000)] | None = None
    batch: RowId | None = None
    background: Background = False
    accept_loss: AcceptLoss = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.actions is None) is (self.batch is None):
            raise ValueError("name either actions or a batch")
        return self


class UndoRunRequest(Payload):
    """Take back everything done about a run."""

    background: Background = False
    accept_loss: AcceptLoss = False


class HeldView(Payload):
    """A change the circuit breaker put on hold; `releasedAt` is null until it is released.

    `host` is the host whose failures are the cause, empty for a run of an earlier version.
    """

    id: int
    run: int
    account: int
    display_name: str
    key_hint: str
    place: str
    action: str
    reason: str
    code: str
    params: dict[str, int]
    at: int
    released_at: int | None
    host: str

    @classmethod
    def of(cls, record: HeldRecord) -> Self:
        """Show a held action."""
        return cls.showing(record, reason=record.text)


class HeldAnswer(Payload):
    """Actions on hold of a run, released since or not."""

    held: tuple[HeldView, ...]
