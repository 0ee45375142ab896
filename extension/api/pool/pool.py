"""`poolkeeper/pool`: the pool as it is now, and changes to it."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.action import CommandAnswer
from extension.api.payloads.change_plan import PlanRequest, PlanView
from extension.api.payloads.payload import Payload
from extension.api.payloads.pool import DeleteRequest, FlagsRequest, PoolAnswer, StatusRequest
from extension.api.services import Served
from extension.engine.actions.ownership import DELETE, DISABLE, ENABLE
from extension.engine.pool.views import PoolView
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family
from extension.inspection.settings import SettingsError


class PoolQuery(Payload):
    """Which accounts to answer: a family of keys, or a type of files, or `all` of the source.

    `filter` is a part of provider, label, name, address or file; it is for keys only.
    """

    source: Source = Source.OAUTH
    family: Annotated[str, Field(min_length=1, max_length=100)] = Family.ALL.value
    filter: Annotated[str, Field(max_length=200)] = ""


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["pool"])
    router.add_api_route(paths.pool, read_pool, methods=["GET"], response_model=PoolAnswer)
    router.add_api_route(paths.pool_status, set_status, methods=["POST"], response_model=CommandAnswer)
    router.add_api_route(paths.part("pool/plan"), read_plan, methods=["POST"], response_model=PlanView)
    router.add_api_route(paths.pool_delete, delete_files, methods=["POST"], response_model=CommandAnswer)
    router.add_api_route(paths.part("pool/flags"), set_flags, methods=["POST"], status_code=204)
    return router


async def read_pool(query: Annotated[PoolQuery, Query()], services: Served) -> Response:
    """Read the pool from the gateway now and answer the accounts in scope with their last results.

    The answer is put together in a thread: that of ten thousand accounts has ten megabytes.

    Raises:
        SettingsError: under the API-key source the family is none we know.
    """
    if query.source is Source.API_KEY and query.family not in tuple(Family):
        raise SettingsError("family", f"under {Source.API_KEY} it must be one of {', '.join(Family)}")
    view = await services.inspector.pool(query.source, query.family, query.filter)
    return Response(await asyncio.to_thread(_text, view), media_type="application/json")


def _text(view: PoolView) -> str:
    return PoolAnswer.of(view).model_dump_json(by_alias=True)


async def set_status(body: StatusRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Disable or enable accounts in one batch; a refusal by the gateway is an outcome of its action, not an error."""
    return await _carried_out(body, DISABLE if body.disabled else ENABLE, services, asking)


async def delete_files(body: DeleteRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Delete the files of OAuth accounts. With an API key among them nothing is deleted: 409, code `delete_refused`."""
    return await _carried_out(body, DELETE, services, asking)


async def _carried_out(
    body: StatusRequest | DeleteRequest, action: str, services: Served, asking: Asking
) -> CommandAnswer:
    command = await services.inspector.commands.carry_out(
        body.accounts,
        action,
        asking.actor,
        body.reason,
        released=frozenset(body.released),
        background=body.background,
    )
    return CommandAnswer.of(command)


async def read_plan(body: PlanRequest, services: Served) -> PlanView:
    """Show what a change of accounts would do (a dry run)."""
    plan = await services.inspector.commands.preview(body.accounts, body.action, frozenset(body.released))
    return PlanView.showing_plan(plan)


async def set_flags(body: FlagsRequest, services: Served) -> None:
    """Set flags of accounts, with the same for all of them; nothing is written to the gateway."""
    await services.inspector.set_flags(body.accounts, never_probe=body.never_probe, managed=body.managed)
