"""The whole service behind a gateway in memory, with what it is asked and shown in tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import APIRequestContext, Frame, Locator, Page, Route, expect

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway, by_url, issuing, reply, silent
from adapter.fake.upstream import Reply
from extension.serving.composition import compose
from tests.browser.server import served
from tools.project.demo.traffic import past_usage

OWN: Final = "/v0/management/poolkeeper"
USAGE: Final = "/v0/management/usage"
KEY: Final = "a-management-key-of-the-service"
CAPSULE: Final = ".capsule dd"
UNPRICED: Final = "model-without-price"
PREPARATION_MS: Final = 50_000
TITLES: Final = {
    "overview": "Overview",
    "inspection": "Accounts",
    "usage": "Usage",
    "requests": "Requests",
    "prices": "Prices",
    "keys": "Client keys",
    "notifications": "Notifications",
    "schedules": "Schedules",
    "activity": "Activity",
    "runs": "Runs",
    "settings": "Settings",
}
CONFIGURATION: Final = """\
openai-compatibility:
  - name: relay-ok
    base-url: https://ok.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-ok-0000000000000001
  - name: relay-401
    base-url: https://refused.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-401-000000000000002
  - name: relay-silent
    base-url: https://silent.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-silent-00000000003
  - name: relay-pair
    base-url: https://pair.relay.example/v1
    api-key-entries:
      - api-key: sk-relay-pair-0000000000004
      - api-key: sk-relay-pair-0000000000005
claude-api-key:
  - api-key: sk-ant-demo-000000000000006
    base-url: https://quota.vendor.example
    excluded-models:
      - "legacy-*"
"""
SECRETS: Final = [line.split("api-key: ")[1] for line in CONFIGURATION.splitlines() if "api-key: " in line]
FILES: Final = {
    "claude-someone.json": {"type": "claude", "email": "someone@mail.example", "access_token": "tok-1234567890"}
}
ANSWERS: Final[Mapping[str, Reply]] = {
    "ok.relay|pair.relay": reply(),
    "refused.relay": reply(401, '{"error":{"message":"<i>no such key</i>"}}'),
    "silent.relay": silent(),
    "quota.vendor": reply(429, '{"error":{"message":"slow down"}}', {"Retry-After": "30"}),
}


def new_gateway() -> FakeGateway:
    """Return a gateway with the configuration and the providers of these tests."""
    gateway = FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())
    gateway.upstream = issuing((*SECRETS, "tok-1234567890"), by_url(ANSWERS))
    return gateway


def service_of(gateway: FakeGateway, folder: Path, **settings: str) -> Any:
    """Return the application of a service with its data in a folder."""
    environment = {"POOLKEEPER_DATA_DIR": str(folder), "POOLKEEPER_LOG_LEVEL": "error", "MANAGEMENT_PASSWORD": KEY}
    return compose(FakeConnection(gateway), {**environment, **settings}, authority=lambda: None)


@contextmanager
def running_service(gateway: FakeGateway, folder: Path, **settings: str) -> Iterator[str]:
    """Yield the origin of a running service."""
    with served(lambda: service_of(gateway, folder, **settings), with_lifespan=True) as origin:
        yield origin


@dataclass
class RunningService:
    """A running service, and requests to it with the page's own session."""

    page: Page
    origin: str

    def open(self, name: str, query: str = "") -> Page:
        """Open a page and wait for its title."""
        self.page.goto(f"{self.origin}/monitor/{name}{query}")
        expect(self.page.get_by_role("heading", level=1, name=TITLES[name])).to_be_visible()
        return self.page

    def answer(self, path: str) -> Any:
        """Return what the service answers to a read."""
        return self.page.request.get(f"{self.origin}{path}").json()

    def send(self, path: str, text: str) -> None:
        """Send a command with the management key."""
        post(self.page.request, f"{self.origin}{path}", text)


def post(client: APIRequestContext, address: str, body: object) -> None:
    """Send a command with the management key."""
    answer = client.post(address, data=body, headers={"X-Management-Key": KEY}, timeout=PREPARATION_MS)
    assert answer.ok, answer.text()


def enter(client: APIRequestContext, origin: str) -> None:
    """Sign in without the form: the session's cookie is that of the browser's context."""
    answer = client.post(f"{origin}{OWN}/info/session", data={"key": KEY})
    assert answer.ok, answer.text()


def fill(client: APIRequestContext, origin: str) -> None:
    """Import a week of usage."""
    post(client, f"{origin}{USAGE}/import", past_usage(SystemClock().now_ms()))


def send_unpriced(site: RunningService) -> None:
    """Import a request to a model without a price; a refused request costs nothing, whatever its model."""
    line = [line for line in past_usage(SystemClock().now_ms()).splitlines() if '"failure": ""' in line][-1]
    line = re.sub(r'"(model|alias)": "[^"]+"', rf'"\1": "{UNPRICED}"', line)
    site.send(f"{USAGE}/import", re.sub(r'"digest": "\d+"', '"digest": "4711"', line))


def check_all_keys(client: APIRequestContext, origin: str) -> None:
    """Run an inspection of the API keys and follow its events to the end."""
    settings = {"accountSource": "api_key", "timeoutSeconds": 3, "retries": 0}
    post(client, f"{origin}{OWN}/inspections", settings)
    after = 0
    while True:
        headers = {"X-Management-Key": KEY}
        events = client.get(f"{origin}{OWN}/inspections/events?after={after}", headers=headers).json()
        if any(event["data"].get("state") == "finished" for event in events["events"]):
            return
        after = events["next"]


def inspect(page: Page | Frame) -> None:
    """Check the accounts in view, and wait for the end of the run."""
    page.get_by_role("button", name="Check now").click()
    drawer = page.get_by_role("dialog", name="Check now")
    drawer.get_by_role("button", name="Start").click()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("region", name="Recommended changes")).to_be_visible()


def switch(page: Page | Frame, account: str) -> Locator:
    """Return the switch of an account in the list."""
    return page.get_by_role("row", name=account).get_by_role("switch")


def confirm(page: Page, account: str, verb: str) -> None:
    """Switch an account in the list, and wait until the change is verified."""
    expect(switch(page, account)).to_have_attribute("aria-checked", str(verb == "Disable").lower())
    expect(switch(page, account)).not_to_have_attribute("aria-busy", "true")
    switch(page, account).click()
    page.get_by_role("dialog").get_by_role("button", name=verb).click()
    expect(page.locator(".toast")).to_contain_text(f"{verb}d (verified).")
    expect(page.get_by_role("dialog")).to_have_count(0)


def sign_out(page: Page | Frame) -> None:
    """End the session by the menu of the built console."""
    page.get_by_role("button", name="More").first.click()
    page.get_by_role("menuitem", name="Sign out").click()


@contextmanager
def requests_held(page: Page, path: str, method: str) -> Iterator[list[Route]]:
    """Hold the requests of a method to a path back, until the block ends."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == method:
            routes.append(route)
        else:
            route.continue_()

    page.route(path, hold)
    yield routes
    for route in routes:
        route.continue_()
    page.unroute(path)
