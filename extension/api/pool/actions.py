"""`poolkeeper/pool/actions` and `poolkeeper/pool/undo`: the action history, and undo."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.action import ActionsAnswer
from extension.api.payloads.follow_up import UndoRequest
from extension.api.payloads.payload import Payload
from extension.api.services import Served


class ActionsQuery(Payload):
    """The newest `limit` actions."""

    limit: Annotated[int, Field(ge=1, le=2000)] = 100


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["pool"])
    router.add_api_route(paths.part("pool/actions"), read_actions, methods=["GET"], response_model=ActionsAnswer)
    router.add_api_route(paths.part("pool/undo"), undo, methods=["POST"], response_model=ActionsAnswer)
    return router


async def read_actions(query: Annotated[ActionsQuery, Query()], services: Served) -> ActionsAnswer:
    """Answer actions, the newest first."""
    return ActionsAnswer.of(await services.inspector.actions(query.limit))


async def undo(body: UndoRequest, services: Served, asking: Asking) -> ActionsAnswer:
    """Undo actions in one batch; a later action on the account makes its undo a conflict.

    With one among them that cannot be taken back nothing is done: 409, code `undo_refused`.
    """
    return ActionsAnswer.of(await services.inspector.follow_up.undo(body.actions, asking.actor))
