"""`poolkeeper/inspections/plan`, `apply`, `held`, `release` and `undo`: recommended actions of a run."""

from typing import Annotated

from fastapi import Query

from extension.api.auth.authenticator import Asking
from extension.api.inspections import RunQuery
from extension.api.payloads.actions import (
    ApplyRequest,
    CommandAnswer,
    HeldAnswer,
    HeldView,
    ModePlanView,
    PlansAnswer,
    ReleaseRequest,
    UndoRunRequest,
)
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.dispatch.commands import CommandKind

ForRun = Annotated[RunQuery, Query()]
"""Parameter type of a resource that is about one run."""


route = Routes("inspections")


@route("GET", "inspections/plan")
async def read_plans(query: ForRun, services: Served) -> PlansAnswer:
    """Show the actions each mode would take on a run (a dry run)."""
    plans = await services.inspector.follow_up.plans(query.run)
    return PlansAnswer(run=query.run, plans=tuple(ModePlanView.of(plan) for plan in plans))


@route("POST", "inspections/apply")
async def apply(query: ForRun, body: ApplyRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Take the actions of a mode on a run in one batch, except those on hold that the request does not release.

    An account that changed since its probe, or has a newer result, is a conflict. A mode that the run's source does not
    know is 400 `bad_setting`.
    """
    command = await services.ask_for_batch(
        CommandKind.APPLY,
        asking.actor,
        run=query.run,
        mode=body.mode,
        accounts=body.accounts,
        released=body.released,
        releasedHosts=body.released_hosts,
        background=body.background,
        acceptsLoss=body.accept_loss,
    )
    return CommandAnswer.of(command)


@route("GET", "inspections/held")
async def read_held(query: ForRun, services: Served) -> HeldAnswer:
    """Answer the actions on hold of a run."""
    records = await services.inspector.history.held(query.run)
    return HeldAnswer(held=tuple(HeldView.of(record) for record in records))


@route("POST", "inspections/release")
async def release(query: ForRun, body: ReleaseRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Release the actions on hold of a run in one batch, for all of its accounts, or those or the hosts named."""
    command = await services.ask_for_batch(
        CommandKind.RELEASE,
        asking.actor,
        run=query.run,
        accounts=body.accounts,
        hosts=body.hosts,
        background=body.background,
        acceptsLoss=body.accept_loss,
    )
    return CommandAnswer.of(command)


@route("POST", "inspections/undo")
async def undo(query: ForRun, services: Served, asking: Asking, body: UndoRunRequest | None = None) -> CommandAnswer:
    """Take back in one batch all actions on the results of a run, but deletions."""
    request = body or UndoRunRequest()
    command = await services.ask_for_batch(
        CommandKind.UNDO_RUN,
        asking.actor,
        run=query.run,
        background=request.background,
        acceptsLoss=request.accept_loss,
    )
    return CommandAnswer.of(command)
