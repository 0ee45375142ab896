"""`poolkeeper/pool/restore`: the deleted auth files that can be restored, and their restoration."""

from fastapi import APIRouter

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.actions import CommandAnswer
from extension.api.payloads.pool import DeletedFilesAnswer, RestoreRequest
from extension.api.services import Served
from extension.engine.actions.ownership import RESTORE


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["pool"])
    path = paths.part("pool/restore")
    router.add_api_route(path, read_deleted, methods=["GET"], response_model=DeletedFilesAnswer)
    router.add_api_route(path, restore, methods=["POST"], response_model=CommandAnswer)
    return router


async def read_deleted(services: Served) -> DeletedFilesAnswer:
    """Answer the deleted files that can be restored, the newest first, without their contents."""
    return DeletedFilesAnswer.of(await services.inspector.commands.deleted_files())


async def restore(body: RestoreRequest, services: Served, asking: Asking) -> CommandAnswer:
    """Write deleted files back in one batch; a file that exists again is refused, and nothing is written for it."""
    command = await services.inspector.commands.carry_out(
        body.accounts, RESTORE, asking.actor, body.reason, background=body.background
    )
    return CommandAnswer.of(command)
