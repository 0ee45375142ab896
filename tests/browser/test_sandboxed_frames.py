"""The page in a frame that forbids what it needs: it says so, and leads to a tab of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from adapter.fake import FakeConnection, FakeGateway
from extension.plugin.routes import page_path
from extension.serving.composition import compose
from tests.browser.plugin_host import BASE, PANEL, PluginHost
from tests.browser.server import served
from tests.browser.test_with_the_service import KEY, environment, gateway

__all__ = ["environment", "gateway"]

SAID = "Poolkeeper cannot work in this frame"
SAID_IN_CHINESE = "Poolkeeper 无法在此框架中运行"
ESCAPING = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"


@pytest.fixture
def origin(gateway: FakeGateway, environment: dict[str, str]) -> Iterator[str]:
    def application() -> object:
        return PluginHost(compose(FakeConnection(gateway), environment, authority=lambda: None), KEY)

    with served(application, with_lifespan=True) as found:
        yield found


@pytest.fixture
def panel(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Give a page whose console may complain: browsers do about such frames."""
    context = browser.new_context(locale=getattr(request, "param", "en-US"))
    yield context.new_page()
    context.close()


def framed(page: Page, origin: str, attributes: str) -> str:
    """Open a panel with the page in a frame; return the address of the page."""
    address = f"{origin}{page_path(BASE)}"
    panel = f'<!doctype html><title>Panel</title><iframe src="{address}" {attributes} width="900"></iframe>'
    page.route(f"{origin}{PANEL}", lambda route: route.fulfill(content_type="text/html", body=panel))
    page.goto(f"{origin}{PANEL}")
    return address


@pytest.mark.parametrize(
    "sandbox", ["allow-scripts", "allow-scripts allow-forms", "allow-scripts allow-same-origin", ESCAPING]
)
def test_a_frame_that_forbids_what_the_page_needs_is_named_with_the_way_out(
    panel: Page, origin: str, sandbox: str
) -> None:
    address = framed(panel, origin, f'sandbox="{sandbox}"')

    body = panel.frame_locator("iframe").locator("body")
    expect(body).to_contain_text(SAID)
    expect(body.locator("form, nav, header")).to_have_count(0)
    link = body.get_by_role("link", name="Open Poolkeeper in a tab of its own")
    if sandbox != ESCAPING:
        expect(body.locator("code")).to_have_text(address)
        expect(link).to_have_count(0)
        return
    with panel.expect_popup() as opening:
        link.click()
    opening.value.get_by_label("Management key").fill(KEY)
    opening.value.get_by_role("button", name="Sign in").click()
    expect(opening.value.get_by_role("button", name="Sign out")).to_be_visible()


def test_a_frame_that_allows_the_page_shows_it(page: Page, origin: str) -> None:
    framed(page, origin, "")
    works(page)


def test_a_sandboxed_frame_that_allows_the_page_shows_it(panel: Page, origin: str) -> None:
    framed(panel, origin, 'sandbox="allow-scripts allow-same-origin allow-forms"')
    works(panel)


def works(page: Page) -> None:
    frame = page.frame_locator("iframe")
    frame.get_by_label("Management key").fill(KEY)
    frame.get_by_role("button", name="Sign in").click()
    expect(frame.get_by_role("button", name="Sign out")).to_be_visible()
    expect(frame.get_by_text(SAID)).to_have_count(0)


@pytest.mark.parametrize("panel", ["zh-CN"], indirect=True)
@pytest.mark.parametrize("sandbox", ["allow-scripts", "allow-scripts allow-same-origin"])
def test_it_is_said_in_the_language_of_the_page(panel: Page, origin: str, sandbox: str) -> None:
    framed(panel, origin, f'sandbox="{sandbox}"')
    expect(panel.frame_locator("iframe").locator("body")).to_contain_text(SAID_IN_CHINESE)
