"""Recommended actions of a run, in requests and answers."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from extension.api.payloads.actions.change_plan import Background, PlanView, ReleasedIds
from extension.api.payloads.payload import Payload, RowId
from extension.api.payloads.pool.pool import AccountIds
from extension.engine.actions.follow_up import ModePlan
from extension.inspection.settings import AutoActionMode
from extension.store.batch_records import HeldRecord

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


class ReleaseRequest(Payload):
    """Release actions on hold, for the accounts or hosts named or for all (null)."""

    accounts: AccountIds | None = None
    hosts: Hosts | None = None
    background: Background = False


class UndoRequest(Payload):
    """Take back actions by their numbers, or a batch as a whole."""

    actions: Annotated[tuple[RowId, ...], Field(min_length=1, max_length=20_000)] | None = None
    batch: RowId | None = None
    background: Background = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.actions is None) is (self.batch is None):
            raise ValueError("name either actions or a batch")
        return self


class UndoRunRequest(Payload):
    """Take back everything done about a run."""

    background: Background = False


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
        return cls.showing(record, run=record.run_id, account=record.account_id, reason=record.text)


class HeldAnswer(Payload):
    """Actions on hold of a run, released since or not."""

    held: tuple[HeldView, ...]
