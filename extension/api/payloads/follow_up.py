"""Recommended actions of a run, in requests and answers."""

from typing import Annotated, Self

from pydantic import Field

from extension.api.payloads.payload import Payload, RowId
from extension.api.payloads.pool import AccountIds
from extension.engine.actions.follow_up import ModePlan
from extension.engine.actions.planner import Decision
from extension.inspection.settings import AutoActionMode
from extension.store.records import HeldRecord


class PlannedView(Payload):
    """A change that a mode would make, and why; `held` says why the brake keeps it from being made, or is empty.

    `code` and `params` are the same reason for programs.
    """

    account: int
    display_name: str
    action: str
    verdict: str
    reason: str
    held: str
    code: str
    params: dict[str, int]

    @classmethod
    def of(cls, decision: Decision) -> Self:
        """Show a decision."""
        result, hold = decision.entry.result, decision.planned.hold
        return cls(
            account=result.account_id,
            display_name=result.display_name,
            action=decision.order.action,
            verdict=result.verdict,
            reason=result.reason,
            held=decision.planned.reason,
            code=hold.code.value if hold is not None else "",
            params=dict(hold.parameters) if hold is not None else {},
        )


class ModePlanView(Payload):
    """The actions one mode would take on a run: the changes, and those on hold."""

    mode: str
    applied: tuple[PlannedView, ...]
    held: tuple[PlannedView, ...]

    @classmethod
    def of(cls, plan: ModePlan) -> Self:
        """Show a plan."""
        return cls(
            mode=plan.mode,
            applied=tuple(PlannedView.of(each) for each in plan.applied),
            held=tuple(PlannedView.of(each) for each in plan.held),
        )


class PlansAnswer(Payload):
    """The actions each mode of the run's source would take on results without an action since."""

    run: int
    plans: tuple[ModePlanView, ...]


class ApplyRequest(Payload):
    """Apply a run by a mode, for the accounts named or for all (null)."""

    mode: AutoActionMode
    accounts: AccountIds | None = None


class ReleaseRequest(Payload):
    """Release actions on hold, for the accounts named or for all (null)."""

    accounts: AccountIds | None = None


class UndoRequest(Payload):
    """Take actions back, by their numbers."""

    actions: Annotated[tuple[RowId, ...], Field(min_length=1, max_length=20_000)]


class HeldView(Payload):
    """A change the circuit breaker put on hold; `releasedAt` is null until it is released."""

    id: int
    run: int
    account: int
    display_name: str
    action: str
    reason: str
    code: str
    params: dict[str, int]
    at: int
    released_at: int | None

    @classmethod
    def of(cls, record: HeldRecord) -> Self:
        """Show a held action."""
        return cls.showing(record, run=record.run_id, account=record.account_id)


class HeldAnswer(Payload):
    """Actions on hold of a run, released since or not."""

    held: tuple[HeldView, ...]
