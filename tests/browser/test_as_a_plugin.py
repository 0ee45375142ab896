"""The page through a gateway that has started the service as its plugin, within a frame of the gateway's panel."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from adapter.contract.expectations import PAGE
from extension.console.pages import page_names
from tests.browser.test_with_the_service import inspect
from tests.system.conftest import demo
from tests.system.plugged import Plugged, plugged
from tools.project.demo.folder import DemoFolder
from tools.project.demo.providers import Providers

__all__ = ["demo"]

PANEL = f'<!doctype html><title>Panel</title><iframe src="{PAGE}" width="1400" height="850"></iframe>'


@pytest.fixture
def plugin(demo: tuple[DemoFolder, Providers]) -> Iterator[Plugged]:
    with plugged(demo[0]) as service:
        yield service


@pytest.fixture
def frame(page: Page, plugin: Plugged) -> Frame:
    """Give the page within a panel of the same origin, signed in."""
    panel = f"http://127.0.0.1:{plugin.client.port}/panel.html"
    page.route(panel, lambda route: route.fulfill(content_type="text/html", body=PANEL))
    page.goto(panel)
    found = next(each for each in page.frames if each.url.endswith(PAGE))
    found.get_by_label("Management key").fill(plugin.client.key)
    found.get_by_role("button", name="Sign in").click()
    expect(found.get_by_role("button", name="Sign out")).to_be_visible()
    return found


def test_an_operator_inspects_and_saves_the_results_within_the_panel(
    page: Page, frame: Frame, plugin: Plugged, tmp_path: Path
) -> None:
    frame.get_by_text("API keys", exact=True).click()
    expect(frame.get_by_role("row", name="wrong-key").first).to_be_visible()
    frame.get_by_label("Provider filter").fill("/wrong-key/")
    frame.get_by_label("Provider filter").press("Enter")

    inspect(frame)

    expect(frame.get_by_role("row", name="wrong-key").first).to_contain_text("401")
    frame.locator("#follow-up summary").first.click()
    with page.expect_download() as saving:
        frame.get_by_role("button", name="as CSV").click()
    saved = tmp_path / saving.value.suggested_filename
    saving.value.save_as(saved)
    rows = list(csv.DictReader(saved.read_text("utf-8").splitlines()))
    (run,) = plugin.client.own("GET", "inspections")["runs"]
    assert (saved.suffix, len(rows)) == (".csv", len(plugin.client.results(run["id"])))


def test_each_page_opens_within_the_panel_without_another_sign_in(page: Page, frame: Frame) -> None:
    panel = page.url
    for name in page_names():
        link = frame.locator(f"#navigation a[href={name}]")
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
        expect(frame.locator("#page h1")).to_have_count(1)
        assert frame.url.split("?", maxsplit=1)[0].endswith(f"/{name}")

    frame.evaluate("history.back()")

    expect(frame.locator("#navigation [aria-current=page]")).to_have_attribute("href", page_names()[-2])
    assert page.url == panel


def test_exports_within_the_panel_are_buttons_of_the_page(frame: Frame) -> None:
    for name in ("usage", "requests"):
        frame.locator(f"#navigation a[href={name}]").click()
        export = frame.get_by_role("button", name="Export CSV")
        expect(export).to_have_css("border-top-style", "solid")
        expect(export).to_have_class("plain small")
