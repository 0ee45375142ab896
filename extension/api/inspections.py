"""`poolkeeper/inspections`: runs, the commands that start, stop and resume them, costs, results and schedules."""

from typing import Annotated, Any, Literal

from fastapi import Body, Query
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.payloads.payload import MOST_AGE, Cursor, Payload, QueriedId
from extension.api.payloads.results import DifferenceAnswer, ResultsAnswer, ResultView
from extension.api.payloads.runs import (
    CostAnswer,
    RunAnswer,
    RunsAnswer,
    RunView,
    ScheduleAnswer,
    ScheduleRequest,
    SchedulesAnswer,
    ScheduleView,
)
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.dispatch.commands import CommandKind
from extension.inspection.settings import parse_settings


class RunsQuery(Payload):
    """One run by its number, or the newest `limit` runs."""

    run: QueriedId | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 20


Only = Annotated[Literal["failing"] | None, Query()]
"""Accounts to inspect: all in scope, or of these alone those that failed when they were checked last."""


async def _chosen(only: Only, services: Served) -> frozenset[int] | None:
    return None if only is None else await services.inspector.runs.failing()


class RunQuery(Payload):
    """The run a command is for."""

    run: QueriedId


route = Routes("inspections")


@route("GET", "inspections")
async def read_runs(query: Annotated[RunsQuery, Query()], services: Served) -> RunsAnswer:
    """Answer runs, the newest first."""
    if query.run is not None:
        return RunsAnswer(runs=(RunView.of(await services.inspector.runs.get(query.run)),))
    return RunsAnswer(runs=tuple(RunView.of(run) for run in await services.inspector.runs.recent(query.limit)))


@route("POST", "inspections", status_code=201)
async def start(
    body: Annotated[dict[str, Any], Body()],
    services: Served,
    asking: Asking,
    only: Only = None,
    schedule: QueriedId | None = None,
) -> RunAnswer:
    """Start an inspection with the settings sent; absent ones have their defaults.

    With `only=failing` it is of the accounts that failed when they were checked last; with `schedule` it is a run of
    that schedule, with the settings of the schedule alone.

    An unknown or unusable setting is 400 `bad_setting`, another active run 409 `run_active`.
    """
    if schedule is not None:
        return RunAnswer(run=RunView.of(await services.ask_for_run(CommandKind.START, asking.actor, schedule=schedule)))
    settings, accounts = parse_settings(body), await _chosen(only, services)
    only_these = None if accounts is None else sorted(accounts)
    run = await services.ask_for_run(CommandKind.START, asking.actor, settings=settings.as_stored(), only=only_these)
    return RunAnswer(run=RunView.of(run))


@route("POST", "inspections/stop")
async def stop(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Stop a run; stored results stay. Stopping a run that has ended changes nothing."""
    return RunAnswer(run=RunView.of(await services.ask_for_run(CommandKind.STOP, run=query.run)))


@route("POST", "inspections/pause")
async def pause(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Pause a run: it starts no more probes and no more actions until it is resumed. Else 409, code `run_state`."""
    return RunAnswer(run=RunView.of(await services.ask_for_run(CommandKind.PAUSE, run=query.run)))


@route("POST", "inspections/finish")
async def finish(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Finish a run early: it starts no more probes and acts, by its mode, on the results so far."""
    return RunAnswer(run=RunView.of(await services.ask_for_run(CommandKind.FINISH, run=query.run)))


@route("POST", "inspections/resume")
async def resume(query: Annotated[RunQuery, Query()], services: Served) -> RunAnswer:
    """Resume a paused, interrupted or failed run; accounts with a result are not probed again."""
    return RunAnswer(run=RunView.of(await services.ask_for_run(CommandKind.RESUME, run=query.run)))


@route("POST", "inspections/cost")
async def read_cost(
    body: Annotated[dict[str, Any], Body()],
    services: Served,
    age: Annotated[float, Query(ge=0, le=MOST_AGE)] = 0.0,
    only: Only = None,
) -> CostAnswer:
    """Answer the most requests and tokens a run with the settings sent can cost; nothing is probed, nothing changes.

    With `age` a reading of the gateway that began as many seconds ago will do. Absent settings have their defaults; an
    unknown or unusable setting is 400 `bad_setting`.
    """
    settings, accounts = parse_settings(body), await _chosen(only, services)
    return CostAnswer.showing(await services.inspector.runs.cost(settings, age, accounts))


class ResultsQuery(Payload):
    """Results of a run that landed after the cursor `after`, at most `limit`."""

    run: QueriedId
    after: Cursor = 0
    limit: Annotated[int, Field(ge=1, le=2000)] = 500


@route("GET", "inspections/results")
async def read_results(query: Annotated[ResultsQuery, Query()], services: Served) -> ResultsAnswer:
    """Answer results in the order they landed."""
    results = await services.inspector.history.results(query.run, query.after, query.limit)
    return ResultsAnswer(
        results=tuple(ResultView.of(result) for result in results), next=results[-1].seq if results else query.after
    )


class DifferenceQuery(Payload):
    """A run, and the earlier one to compare it with; left out, the last that looked at the same part of the pool."""

    run: QueriedId
    against: QueriedId | None = None


@route("GET", "inspections/difference")
async def read_difference(query: Annotated[DifferenceQuery, Query()], services: Served) -> DifferenceAnswer:
    """Answer the accounts whose verdict, recommendation or state changed, that are new, or that are gone."""
    return DifferenceAnswer.of(await services.inspector.history.difference(query.run, query.against))


class ScheduleQuery(Payload):
    """The schedule a command is for."""

    schedule: QueriedId


@route("GET", "inspections/schedules")
async def read_schedules(services: Served) -> SchedulesAnswer:
    """Answer all schedules with the settings they were saved with."""
    records = await services.inspector.schedules.all()
    return SchedulesAnswer(schedules=tuple(ScheduleView.of(schedule) for schedule in records))


@route("POST", "inspections/schedules")
async def save(body: ScheduleRequest, services: Served, asking: Asking, due: bool = False) -> ScheduleAnswer:
    """Store a schedule; it comes due an interval from now, with `due` at once. An unusable setting is `bad_setting`."""
    schedules = services.inspector.schedules
    saved = await schedules.save(body.plan(), asking.actor, body.id, is_due=due)
    in_scope = await schedules.accounts_in_scope(saved)
    return ScheduleAnswer(schedule=ScheduleView.of(saved), accounts_in_scope=in_scope)


@route("DELETE", "inspections/schedules", status_code=204)
async def remove(query: Annotated[ScheduleQuery, Query()], services: Served) -> None:
    """Forget a schedule; its runs stay."""
    await services.inspector.schedules.remove(query.schedule)
