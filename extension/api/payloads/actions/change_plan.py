"""Plans of changes, in requests and answers."""

from typing import Annotated, Literal, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, RowId
from extension.api.payloads.pool.pool import AccountIds
from extension.api.payloads.reason import ReasonView
from extension.engine.actions.change_plan import ChangePlan, Group, PlannedChange
from extension.engine.actions.requests import Hold

ReleasedIds = Annotated[tuple[RowId, ...], Field(max_length=20_000)]
"""Accounts to be changed although that change is on hold."""

Background = Annotated[bool, Field(strict=True)]
"""Wish for an answer as soon as the batch is stored, instead of at its end."""


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
        order, facts = entry.asked.order, entry.asked.record.facts
        hold = entry.hold or Hold("", "")
        code, params = next(((it.code.value, it.parameters) for it in entry.reason.items), (hold.code, hold.params))
        return cls(
            account=order.account_id,
            display_name=facts.display_name,
            key_hint=facts.key_hint,
            place=facts.place,
            action=order.action,
            reason=order.reason.text,
            reasons=ReasonView.all_of(order.reason),
            against=hold.text or entry.reason.text,
            host=hold.host,
            code=code,
            params=dict(params),
        )


class PlanView(Payload):
    """A plan by group: changes that are made, and those on hold, refused, already so, or not enabled."""

    applied: tuple[PlannedView, ...]
    held: tuple[PlannedView, ...]
    refused: tuple[PlannedView, ...]
    already: tuple[PlannedView, ...]
    not_enabled: tuple[PlannedView, ...]

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
        return cls.model_validate({**shown, **otherwise})


class PlanRequest(Payload):
    """Ask for the plan of a change of accounts; nothing is changed."""

    accounts: AccountIds
    action: Literal["disable", "enable", "delete"]
    released: ReleasedIds = ()
