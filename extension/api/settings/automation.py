"""`poolkeeper/config/automation`: the pause of all automation."""

from fastapi import APIRouter

from extension.api.auth.authenticator import Asking
from extension.api.paths import Paths
from extension.api.payloads.service import AutomationAnswer, AutomationRequest
from extension.api.services import Served


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["config"])
    path = paths.part("config/automation")
    router.add_api_route(path, read_automation, methods=["GET"], response_model=AutomationAnswer)
    router.add_api_route(path, change_automation, methods=["POST"], response_model=AutomationAnswer)
    return router


async def read_automation(services: Served) -> AutomationAnswer:
    """Answer whether all automation is paused."""
    return AutomationAnswer.of(await services.inspector.automation.status())


async def change_automation(body: AutomationRequest, services: Served, asking: Asking) -> AutomationAnswer:
    """Pause all automation, in a run in progress too, or let it act again.

    While it is paused, runs put their automatic actions on hold. Actions of people are carried out.
    """
    automation = services.inspector.automation
    if body.paused:
        return AutomationAnswer.of(await automation.pause(asking.actor))
    await automation.resume()
    return AutomationAnswer.of(None)
