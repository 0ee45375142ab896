"""`poolkeeper/config/webhook`: the webhook for changed results, and its last delivery."""

from fastapi import APIRouter

from adapter.privacy.secret import Secret
from extension.api.paths import Paths
from extension.api.payloads.settings.webhook import WebhookAnswer, WebhookRequest
from extension.api.services import Served, Services
from extension.engine.errors import WebhookMissing
from extension.engine.notifications.notifier import Notifier


def routes(paths: Paths) -> APIRouter:
    """Make the routes of this resource."""
    router = APIRouter(tags=["config"])
    path, test = paths.part("config/webhook"), paths.part("config/webhook/test")
    router.add_api_route(path, read_webhook, methods=["GET"], response_model=WebhookAnswer)
    router.add_api_route(path, change, methods=["POST"], response_model=WebhookAnswer)
    router.add_api_route(test, send_a_test, methods=["POST"], response_model=WebhookAnswer)
    return router


async def read_webhook(services: Served) -> WebhookAnswer:
    """Answer the origin of the webhook, its host, and the last delivery."""
    return WebhookAnswer.of(await _notifier(services).standing())


async def change(body: WebhookRequest, services: Served) -> WebhookAnswer:
    """Set the webhook, or remove it with an empty address; an unusable address is 400 `bad_setting`.

    An address that the service's settings name stays: 409 `webhook_fixed`.
    """
    notifier = _notifier(services)
    await notifier.change(Secret(body.address.strip()) if body.address.strip() else None)
    return WebhookAnswer.of(await notifier.standing())


async def send_a_test(services: Served) -> WebhookAnswer:
    """Send one test message and answer its delivery.

    Without an address it is 409 `webhook_missing`.
    """
    notifier = _notifier(services)
    await notifier.test()
    return WebhookAnswer.of(await notifier.standing())


def _notifier(services: Services) -> Notifier:
    notifier = services.inspector.notifier
    if notifier is None:
        raise WebhookMissing
    return notifier
