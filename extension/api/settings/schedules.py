"""`poolkeeper/inspections/schedules`: recurring inspections."""

from typing import Annotated

from fastapi import APIRouter, Query

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.runs import ScheduleAnswer, ScheduleRequest, SchedulesAnswer, ScheduleView
from extension.api.services import Served


class ScheduleQuery(Payload):
    """The schedule a command is for."""

    schedule: QueriedId


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["inspections"])
    path = paths.part("inspections/schedules")
    router.add_api_route(path, read_schedules, methods=["GET"], response_model=SchedulesAnswer)
    router.add_api_route(path, save, methods=["POST"], response_model=ScheduleAnswer)
    router.add_api_route(path, remove, methods=["DELETE"], status_code=204)
    return router


async def read_schedules(services: Served) -> SchedulesAnswer:
    """Answer all schedules with the settings they were saved with."""
    known = await services.inspector.schedules.all()
    return SchedulesAnswer(schedules=tuple(ScheduleView.of(schedule) for schedule in known))


async def save(body: ScheduleRequest, services: Served, asking: Asking) -> ScheduleAnswer:
    """Store a schedule; it comes due an interval from now. An unusable setting is 400 `bad_setting`."""
    schedules = services.inspector.schedules
    saved = await schedules.save(body.plan(), asking.actor, body.id)
    in_scope = await schedules.accounts_in_scope(saved)
    return ScheduleAnswer(schedule=ScheduleView.of(saved), accounts_in_scope=in_scope)


async def remove(query: Annotated[ScheduleQuery, Query()], services: Served) -> None:
    """Forget a schedule; its runs stay."""
    await services.inspector.schedules.remove(query.schedule)
