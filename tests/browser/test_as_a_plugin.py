"""The page as a plugin, within a frame of the gateway's panel."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from adapter.contract.expectations import PAGE
from adapter.fake import FakeGateway
from extension.console.pages import page_names
from extension.plugin.routes import page_path
from tests.browser.house import KEY, TITLES, inspect, service_of
from tests.browser.plugin_host import BASE, PANEL, PluginHost
from tests.browser.server import served
from tests.system.conftest import demo
from tests.system.plugged import Plugged, plugged
from tools.project.demo.folder import DemoFolder
from tools.project.demo.providers import Providers

__all__ = ["demo"]

OWN_PANEL = f'<!doctype html><title>Panel</title><iframe src="{PAGE}" width="1400" height="850"></iframe>'
SAID = "Poolkeeper cannot work in this frame"
ESCAPING = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"


@pytest.fixture
def plugin(demo: tuple[DemoFolder, Providers]) -> Iterator[Plugged]:
    with plugged(demo[0]) as service:
        yield service


@pytest.fixture
def embedded(page: Page, plugin: Plugged) -> Frame:
    """Give the page within a panel of the same origin, signed in."""
    panel = f"http://127.0.0.1:{plugin.client.port}/panel.html"
    page.route(panel, lambda route: route.fulfill(content_type="text/html", body=OWN_PANEL))
    page.goto(panel)
    frame = next(frame for frame in page.frames if frame.url.endswith(PAGE))
    frame.get_by_label("Management key").fill(plugin.client.key)
    frame.get_by_role("button", name="Sign in").click()
    expect(frame.get_by_role("button", name="Check now")).to_be_visible()
    return frame


def test_an_operator_inspects_and_saves_the_results_within_the_panel(
    page: Page, embedded: Frame, plugin: Plugged, tmp_path: Path
) -> None:
    embedded.get_by_role("button", name="API keys").click()
    expect(embedded.get_by_role("row", name="wrong-key").first).to_be_visible()
    embedded.get_by_label("Provider filter").fill("/wrong-key/")
    expect(embedded.locator("#page tr[data-id]")).to_have_count(1)

    inspect(embedded)

    expect(embedded.get_by_role("row", name="wrong-key").first).to_contain_text("401")
    with page.expect_download() as saving:
        embedded.get_by_role("button", name="Export").click()
        embedded.get_by_role("menuitem", name="as CSV").click()
    saved = tmp_path / saving.value.suggested_filename
    saving.value.save_as(saved)
    rows = list(csv.DictReader(saved.read_text("utf-8").splitlines()))
    (run,) = plugin.client.own("GET", "inspections")["runs"]
    assert (saved.suffix, len(rows)) == (".csv", len(plugin.client.results(run["id"])))


@pytest.fixture
def plugin_origin(gateway: FakeGateway, tmp_path: Path) -> Iterator[str]:
    def application() -> object:
        return PluginHost(service_of(gateway, tmp_path / "data"), KEY)

    with served(application, with_lifespan=True) as origin:
        yield origin


@pytest.fixture
def frame(page: Page, plugin_origin: str) -> Frame:
    """Give the page within the panel, signed in."""
    page.goto(f"{plugin_origin}{PANEL}")
    frame = next(frame for frame in page.frames if frame.url.endswith(page_path(BASE)))
    frame.get_by_label("Management key").fill(KEY)
    frame.get_by_role("button", name="Sign in").click()
    expect(frame.get_by_role("row", name="relay-ok")).to_be_visible()
    return frame


def test_a_key_that_the_panel_remembers_is_taken_with_one_click(page: Page, frame: Frame) -> None:
    remembered = {"state": {"apiBase": frame.evaluate("location.origin"), "managementKey": KEY}}
    page.evaluate("stored => localStorage.setItem('cli-proxy-auth', stored)", json.dumps(remembered))
    page.reload()
    again = page.frame_locator("iframe")

    again.get_by_role("button", name="Use the key of the gateway's panel").click()

    expect(again.get_by_role("row", name="relay-ok")).to_be_visible()
    entries = page.evaluate("Object.entries(localStorage).filter(([name]) => name !== 'cli-proxy-auth')")
    assert KEY not in json.dumps(entries)


def test_every_page_opens_by_its_own_address_and_by_the_navigation(page: Page, frame: Frame) -> None:
    panel = page.url
    for name in sorted({*page_names()} - {"fleet", "workers"}):
        frame.locator(f"a[href={name}]").first.click()
        expect(frame.locator("[aria-current=page]").first).to_have_attribute("href", name)
        expect(frame.get_by_role("heading", level=1)).to_have_text(TITLES[name])
        assert frame.url.split("?", maxsplit=1)[0].endswith(page_path(BASE, name))
    assert page.url == panel

    page.goto(panel.replace(PANEL, page_path(BASE, name)))

    expect(page.get_by_label("Management key")).to_be_visible()
    expect(page.get_by_text("kept in memory only")).to_be_visible()
    expect(page).to_have_title("Poolkeeper")


def test_a_page_of_the_built_console_takes_the_key_and_keeps_it_in_memory(page: Page, frame: Frame) -> None:
    frame.goto(page.url.replace(PANEL, page_path(BASE, "prices")))
    key = frame.get_by_label("Management key")
    expect(frame.get_by_text("sent with each request and kept in memory only")).to_be_visible()
    key.fill(KEY)
    key.press("Enter")

    expect(frame.get_by_role("heading", level=1, name="Prices")).to_be_visible()
    expect(frame.get_by_text("Live (polling)")).to_be_visible()
    assert KEY not in page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")


@pytest.fixture
def panel(browser: Browser) -> Iterator[Page]:
    """Give a page whose console may complain: browsers do about such frames."""
    context = browser.new_context(locale="en-US")
    yield context.new_page()
    context.close()


def framed(page: Page, origin: str, attributes: str) -> str:
    """Open a panel with the page in a frame; return the address of the page."""
    address = f"{origin}{page_path(BASE)}"
    panel = f'<!doctype html><title>Panel</title><iframe src="{address}" {attributes} width="900"></iframe>'
    page.route(f"{origin}{PANEL}", lambda route: route.fulfill(content_type="text/html", body=panel))
    page.goto(f"{origin}{PANEL}")
    return address


@pytest.mark.parametrize("sandbox", ["allow-scripts", ESCAPING])
def test_a_frame_that_forbids_what_the_page_needs_is_named_with_the_way_out(
    panel: Page, plugin_origin: str, sandbox: str
) -> None:
    address = framed(panel, plugin_origin, f'sandbox="{sandbox}"')

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
    expect(opening.value.get_by_role("button", name="Check now")).to_be_visible()


def test_a_sandboxed_frame_that_allows_the_page_shows_it(panel: Page, plugin_origin: str) -> None:
    framed(panel, plugin_origin, 'sandbox="allow-scripts allow-same-origin allow-forms"')
    frame = panel.frame_locator("iframe")
    frame.get_by_label("Management key").fill(KEY)
    frame.get_by_role("button", name="Sign in").click()
    expect(frame.get_by_role("button", name="Check now")).to_be_visible()
    expect(frame.get_by_text(SAID)).to_have_count(0)
