"""`poolkeeper/fleet/runs`, `fleet/plan` and `fleet/apply`: work on all gateways with some labels."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from fastapi import Query
from pydantic import Field

from extension.api.auth.authenticator import Asking, Principal
from extension.api.fleet.gateways import visible
from extension.api.payloads.fleet_work import (
    FleetApplyAnswer,
    FleetApplyRequest,
    FleetOutcomeView,
    FleetPlanAnswer,
    FleetPlanRequest,
    FleetPlanRow,
    FleetRunAnswer,
    FleetRunRequest,
    FleetRunsAnswer,
    FleetRunView,
)
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.problems import problem_of
from extension.api.routes import Routes
from extension.api.services import FleetServices, InFleet
from extension.engine.dispatch.commands import CommandKind
from extension.engine.fleet.errors import NoGatewayChosen
from extension.inspection.settings import parse_settings
from extension.store.fleet import figures
from extension.store.fleet.gateways import GatewayRecord


class FleetRunsQuery(Payload):
    """One fleet run by its number, or the newest `limit`."""

    run: QueriedId | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


class FleetRunQuery(Payload):
    """The fleet run that a command is for."""

    run: QueriedId


route = Routes("fleet")


@route("GET", "fleet/runs")
async def read_fleet_runs(query: Annotated[FleetRunsQuery, Query()], fleet: InFleet, asking: Asking) -> FleetRunsAnswer:
    """Answer fleet runs, the newest first, with the parts of the gateways that the operator may see."""
    names = _named(await visible(fleet, asking))
    runs = (await fleet.work.show(query.run),) if query.run else await fleet.work.recent(query.limit)
    return FleetRunsAnswer(runs=tuple(FleetRunView.of(run, names) for run in runs))


@route("POST", "fleet/runs", status_code=201)
async def start_fleet_run(body: FleetRunRequest, fleet: InFleet, asking: Asking) -> FleetRunAnswer:
    """Start an inspection of every enabled gateway with these labels that the operator may see.

    The owner of each starts a run of its own; one that cannot be inspected now is `refused`, and stops no other.
    """
    settings, names = parse_settings(body.settings), await _names(fleet, asking, body.labels)
    run = await fleet.work.start(tuple(names), body.labels, settings, asking.actor)
    return FleetRunAnswer(run=FleetRunView.of(run, names))


@route("POST", "fleet/runs/pause")
async def pause_fleet_run(query: Annotated[FleetRunQuery, Query()], fleet: InFleet, asking: Asking) -> FleetRunAnswer:
    """Pause the runs of a fleet run at the gateways that the operator may see."""
    return await _steered(query.run, CommandKind.PAUSE, fleet, asking)


@route("POST", "fleet/runs/resume")
async def resume_fleet_run(query: Annotated[FleetRunQuery, Query()], fleet: InFleet, asking: Asking) -> FleetRunAnswer:
    """Go on with the paused runs of a fleet run."""
    return await _steered(query.run, CommandKind.RESUME, fleet, asking)


@route("POST", "fleet/runs/stop")
async def stop_fleet_run(query: Annotated[FleetRunQuery, Query()], fleet: InFleet, asking: Asking) -> FleetRunAnswer:
    """Stop the runs of a fleet run, and withdraw what has not begun; stored results stay."""
    return await _steered(query.run, CommandKind.STOP, fleet, asking)


@route("POST", "fleet/plan")
async def plan_fleet(body: FleetPlanRequest, fleet: InFleet, asking: Asking) -> FleetPlanAnswer:
    """Answer the recommendations of the newest run of each gateway; nothing changes."""
    names = await _names(fleet, asking, body.labels)
    known, runs = await fleet.database.read(figures.every), await fleet.work.plan(names)
    return FleetPlanAnswer(
        gateways=tuple(
            FleetPlanRow(
                gateway=names[run.pool_id],
                run=run.id,
                recommendations=dict(run.recommendations),
                on_hold=known[run.pool_id].on_hold if run.pool_id in known else 0,
            )
            for run in sorted(runs, key=lambda run: names[run.pool_id])
        )
    )


@route("POST", "fleet/apply")
async def apply_fleet(body: FleetApplyRequest, fleet: InFleet, asking: Asking) -> FleetApplyAnswer:
    """Have the owner of each gateway carry out the recommendations of its newest run; one refusal stops no other."""
    names = await _names(fleet, asking, body.labels)
    outcomes = []
    for outcome in await fleet.work.apply(names, body.mode, asking.actor):
        problem = None if outcome.error is None else problem_of(outcome.error).view
        text = f"{problem.error} {problem.hint}".strip() if problem else ""
        code = problem.code if problem else ""
        outcomes.append(FleetOutcomeView.of(outcome, names[outcome.pool_id], code, text))
    return FleetApplyAnswer(gateways=tuple(sorted(outcomes, key=lambda view: view.gateway)))


async def _steered(fleet_run_id: int, kind: CommandKind, fleet: FleetServices, asking: Principal) -> FleetRunAnswer:
    names = _named(await visible(fleet, asking))
    run = await fleet.work.steer(fleet_run_id, kind, names, asking.actor)
    return FleetRunAnswer(run=FleetRunView.of(run, names))


async def _names(fleet: FleetServices, asking: Principal, labels: Mapping[str, str]) -> Mapping[int, str]:
    """Return the names of the enabled gateways with some labels that an operator may see.

    Raises `NoGatewayChosen`: there is none.
    """
    rows = [row for row in await visible(fleet, asking) if row.enabled and labels.items() <= row.labels.items()]
    if not rows:
        raise NoGatewayChosen
    return _named(rows)


def _named(rows: Iterable[GatewayRecord]) -> Mapping[int, str]:
    return {row.pool_id: row.name for row in rows}
