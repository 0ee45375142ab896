"""`poolkeeper/config`: settings of the service and defaults of a run."""

from fastapi import APIRouter

from extension.api.paths import Paths
from extension.api.payloads.service import ConfigAnswer
from extension.api.services import Served
from extension.inspection.settings import InspectionSettings


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["config"])
    router.add_api_route(paths.config, read_config, methods=["GET"], response_model=ConfigAnswer)
    return router


async def read_config(services: Served) -> ConfigAnswer:
    """Answer the service's effective settings and the defaults of an inspection."""
    return ConfigAnswer(settings=dict(services.settings), inspection_defaults=InspectionSettings().as_stored())
