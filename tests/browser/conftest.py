"""A Chromium for the browser tests, and a page in it that must stay free of errors."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from starlette.applications import Starlette

from adapter.fake import FakeGateway
from tests.browser.chromium import ADVICE, find_chromium
from tests.browser.house import RunningService, check_all_keys, enter, fill, new_gateway, running_service
from tests.browser.server import served
from tests.browser.stand_in.application import Site, build
from tests.browser.stand_in.service import KEY, StandInService

HERE = Path(__file__).parent
PATIENCE_MS = 20_000
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}

LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`);
});
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    executable = find_chromium(os.environ)
    assert executable is not None, ADVICE
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=LAUNCH)
        yield browser
        browser.close()


@dataclass
class Console:
    """Complaints of the page. A test that provokes a refusal names the paths of the complaints it expects.

    A service on a busy machine puts reads off with 429; the page repeats them, and only the browser complains.
    """

    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=lambda: ["/info/session", "status of 429"])

    def listen(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.text} ({message.location['url']})")

    def catch(self, error: Error) -> None:
        self.complaints.append(f"uncaught: {error}")

    def unexpected(self) -> list[str]:
        return [line for line in self.complaints if not any(path in line for path in self.expected)]


@pytest.fixture
def console() -> Console:
    return Console()


@dataclass
class StandIn:
    """The server of the stand-in: its application looks up the service of the test that is running."""

    address: str
    site: Site
    loop: asyncio.AbstractEventLoop


@pytest.fixture(scope="package")
def stand_in() -> Iterator[StandIn]:
    site = Site()
    loops: SimpleQueue[asyncio.AbstractEventLoop] = SimpleQueue()

    def application() -> Starlette:
        loops.put(asyncio.get_running_loop())
        return build(site)

    with served(application) as origin:
        yield StandIn(f"{origin}/monitor/inspection", site, loops.get(timeout=PATIENCE_MS / 1000))


@contextmanager
def new_context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(REPORT_VIOLATIONS)
    context.new_page()  # keeps the window open: a new window for each page took 0.8 s of processor time
    yield context
    context.close()


@pytest.fixture(scope="package")
def context(browser: Browser, stand_in: StandIn) -> Iterator[BrowserContext]:  # noqa: ARG001 - the server ends last
    """Share what the browser has loaded between tests; `page` empties the rest.

    Tests that set the clock take a context of their own: the clock stays with every page of it, and `performance` is
    empty there.
    """
    with new_context(browser) as context:
        yield context


@pytest.fixture
def own_tab() -> None:
    """Open a tab for this test alone: for scripts added to each document, and for measures of a first load."""


@pytest.fixture
def page(request: pytest.FixtureRequest, context: BrowserContext, console: Console) -> Iterator[Page]:
    """Give a tab with empty storage; at the end it must have broken no policy and raised no error.

    Tests share one tab: to load the page's files in a new one took a third of a second of processor time.
    """
    alone = "own_tab" in request.fixturenames
    shared = [] if alone else context.pages[1:2]
    page = shared[0] if shared else context.new_page()
    page.bring_to_front()
    page.on("console", console.listen)
    page.on("pageerror", console.catch)
    yield page
    if alone:
        page.close()
    elif not page.is_closed():
        page.remove_listener("console", console.listen)
        page.remove_listener("pageerror", console.catch)
        restore(page)
    context.clear_cookies()
    assert console.unexpected() == []


def restore(page: Page) -> None:
    """Take back what a test may have changed of its tab."""
    page.unroute_all(behavior="ignoreErrors")
    page.emulate_media(media="null", color_scheme="light", reduced_motion="no-preference", forced_colors="none")
    page.set_viewport_size(VIEWPORT)
    page.mouse.move(-1, -1)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Leave the page before the server of the test ends, whichever was set up first: it would miss its events."""
    page = getattr(item, "funcargs", {}).get("page")
    if isinstance(page, Page) and page.url.startswith("http"):
        page.evaluate("try { localStorage.clear(); sessionStorage.clear(); } catch { /* a test took them away */ }")
        page.goto("about:blank")


@pytest.fixture
def service(stand_in: StandIn) -> StandInService:
    stand_in.site.service = StandInService()
    stand_in.site.service.loop = stand_in.loop
    return stand_in.site.service


@pytest.fixture
def address(stand_in: StandIn, service: StandInService) -> str:  # noqa: ARG001 - a fresh one is behind the address
    return stand_in.address


def sign_in(page: Page, address: str, key: str = KEY) -> None:
    page.goto(address)
    page.get_by_label("Management key").fill(key)
    page.get_by_role("button", name="Sign in").click()


@pytest.fixture
def operator(page: Page, address: str, service: StandInService) -> Page:
    """Give a page with a session that shows the API keys."""
    service.sessions.add("prepared")
    page.context.add_cookies([{"name": "poolkeeper_session", "value": "prepared", "domain": "127.0.0.1", "path": "/"}])
    page.goto(f"{address}?source=api_key")
    expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
    return page


@pytest.fixture
def inspected(operator: Page, service: StandInService) -> Page:
    """Give a page of API keys after an inspection, its rows and marks at rest."""
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    expect(operator.get_by_role("button", name="Healthy 3")).to_be_visible()
    expect(operator.get_by_role("row", name="relay-silent").get_by_role("img")).to_be_attached()
    return operator


@pytest.fixture
def gateway() -> FakeGateway:
    return new_gateway()


@pytest.fixture
def origin(gateway: FakeGateway, tmp_path: Path) -> Iterator[str]:
    """Yield the origin of a whole service that is this test's alone."""
    with running_service(gateway, tmp_path / "data") as origin:
        yield origin


@pytest.fixture
def service_page(page: Page, origin: str) -> Page:
    """Give a page that is signed in to the service of this test and shows the API keys."""
    enter(page.context.request, origin)
    page.goto(f"{origin}/monitor/inspection?source=api_key")
    expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
    return page


@pytest.fixture
def site(page: Page, origin: str) -> RunningService:
    """Give the service of this test, without usage and inspections."""
    enter(page.context.request, origin)
    return RunningService(page, origin)


@pytest.fixture
def filled(site: RunningService) -> RunningService:
    """Give the service of this test, with a week of usage."""
    fill(site.page.context.request, site.origin)
    return site


@pytest.fixture(scope="package")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the origin of a service with usage and a finished inspection, for tests that only look at it."""
    with running_service(new_gateway(), tmp_path_factory.mktemp("house")) as origin:
        context = browser.new_context()
        fill(context.request, origin)
        check_all_keys(context.request, origin)
        context.close()
        yield origin


@pytest.fixture
def visited(page: Page, house: str) -> RunningService:
    """Give the service that tests share; they change nothing of it."""
    enter(page.context.request, house)
    return RunningService(page, house)
