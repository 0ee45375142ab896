"""Actions as answered."""

from collections.abc import Iterable
from typing import Any, Self

from extension.api.payloads.payload import Payload
from extension.store.records import ActionRecord


class ActionView(Payload):
    """One change requested by a person or a run: its result (`outcome`, in words `text`) and the state before.

    `actorKind` is person or automation; `cause` its origin: request, run, apply, release or undo. `undoes` is
    the action it takes back, and null otherwise.
    """

    id: int
    account: int
    display_name: str
    key_hint: str
    place: str
    action: str
    outcome: str
    text: str
    actor: str
    reason: str
    at: int
    before: dict[str, Any]
    run: int | None
    actor_kind: str
    cause: str
    undoes: int | None

    @classmethod
    def of(cls, record: ActionRecord) -> Self:
        """Show a stored action."""
        return cls.showing(record, account=record.account_id, run=record.run_id, before=dict(record.before))


class ActionsAnswer(Payload):
    """The actions a request led to, in the order of the accounts it named."""

    actions: tuple[ActionView, ...]

    @classmethod
    def of(cls, records: Iterable[ActionRecord]) -> Self:
        """Show stored actions."""
        return cls(actions=tuple(ActionView.of(record) for record in records))
