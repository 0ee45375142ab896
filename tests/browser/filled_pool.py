"""The whole service with a week of usage and a finished inspection, for tests that look at each page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import APIRequestContext

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway, by_url, issuing
from extension.serving.composition import compose
from tests.browser.server import served
from tests.browser.test_with_the_service import ANSWERS, CONFIGURATION, FILES, KEY, SECRETS
from tools.project.demo.traffic import past_usage

OWN: Final = "/v0/management/poolkeeper"
USAGE: Final = "/v0/management/usage"
PREPARATION_MS: Final = 50_000
MANAGEMENT: Final = {"X-Management-Key": KEY}


@contextmanager
def filled_pool(folder: Path, client: APIRequestContext) -> Iterator[str]:
    """Yield the origin of a service that has something to show on each page."""
    gateway = FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())
    gateway.upstream = issuing((*SECRETS, "tok-1234567890"), by_url(ANSWERS))
    environment = {
        "POOLKEEPER_DATA_DIR": str(folder), "POOLKEEPER_LOG_LEVEL": "error", "MANAGEMENT_PASSWORD": KEY,
    }  # fmt: skip

    def application() -> object:
        return compose(FakeConnection(gateway), environment, authority=lambda: None)

    with served(application, with_lifespan=True) as origin:
        post(client, f"{origin}{USAGE}/import", past_usage(SystemClock().now_ms()))
        inspect(client, origin)
        yield origin


def post(client: APIRequestContext, address: str, body: object) -> object:
    """Send a command with the management key and return the answer."""
    reply = client.post(address, data=body, headers=MANAGEMENT, timeout=PREPARATION_MS)
    assert reply.ok, reply.text()
    return reply.json()


def inspect(client: APIRequestContext, origin: str) -> None:
    """Start an inspection of the API keys and follow its events to the end."""
    post(client, f"{origin}{OWN}/inspections", {"accountSource": "api_key", "timeoutSeconds": 3, "retries": 0})
    after = 0
    while True:
        events = client.get(f"{origin}{OWN}/inspections/events?after={after}", headers=MANAGEMENT).json()
        if any(event["data"].get("state") == "finished" for event in events["events"]):
            return
        after = events["next"]


def enter(client: APIRequestContext, origin: str) -> None:
    """Sign in without the form: the session's cookie is that of the browser's context."""
    reply = client.post(f"{origin}{OWN}/info/session", data={"key": KEY})
    assert reply.ok, reply.text()
