"""Pages at 320 pixels, and lists of facts whose values stand in one column."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.filled_pool import OWN, enter, filled_pool, post

FIRST_ROW = 900
LEFT_EDGES = "nodes => [...new Set(nodes.map((node) => Math.round(node.getBoundingClientRect().left)))]"
OVERLAPS = """labels => labels.map((label) => label.getBoundingClientRect()).filter((box, at, boxes) =>
  at && box.left === boxes[at - 1].left && box.top < boxes[at - 1].bottom - 2).length"""


@pytest.mark.usefixtures("own_tab")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_usage_and_settings_are_readable_on_a_narrow_screen(page: Page, tmp_path: Path, language: str) -> None:
    page.add_init_script(f"try {{ localStorage.setItem('poolkeeper.language', '{language}') }} catch {{ }}")
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        page.set_viewport_size({"width": 320, "height": 700})
        page.goto(f"{origin}/monitor/usage?period=7d")
        failing = page.locator(".failing")
        expect(failing.locator("tbody tr").first).to_be_visible()

        assert failing.evaluate("table => table.scrollWidth - table.clientWidth") <= 0
        days = page.locator(".heat-1").first.locator("xpath=ancestor::*[local-name()='svg']").locator("text")
        assert days.count() > 7
        assert days.evaluate_all(OVERLAPS) == 0

        for width in (320, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"{origin}/monitor/settings")
            values = page.locator(".facts dd")
            expect(values.first).to_be_visible()
            assert len(values.evaluate_all(LEFT_EDGES)) == 1
            assert values.first.evaluate("node => node.clientWidth") > 250
        page.goto("about:blank")


def test_facts_of_an_account_have_the_width_of_a_phone(operator: Page, address: str) -> None:
    operator.set_viewport_size({"width": 320, "height": 900})
    operator.goto(f"{address}?source=api_key&account=1")
    value = operator.locator("#side-panel .facts dd").first
    expect(value).to_be_visible()
    width = value.evaluate("node => node.clientWidth")
    operator.set_viewport_size({"width": 1440, "height": 900})
    assert width > 250


@pytest.mark.usefixtures("own_tab")
@pytest.mark.timeout(120)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_first_account_is_one_swipe_away_on_a_phone(page: Page, tmp_path: Path, language: str) -> None:
    page.add_init_script(f"try {{ localStorage.setItem('poolkeeper.language', '{language}') }} catch {{ }}")
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(f"{origin}/monitor/inspection?source=api_key")
        row = page.locator("#results tbody tr[data-account]").first
        expect(row).to_be_visible()
        expect(page.locator("#cost")).not_to_be_empty()
        top = row.evaluate("node => node.getBoundingClientRect().top + scrollY")
        assert top < FIRST_ROW, top
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for control in ("#start", "#disable-selected", "#search"):
            expect(page.locator(control)).to_be_visible()
        for fold, control in (("scope", "#family"), ("results", "#filters select >> nth=0"), ("run", "#settings")):
            button, folded = page.locator(f"#fold-{fold}"), page.locator(control)
            expect(folded).to_be_hidden()
            button.click()
            expect(button).to_have_attribute("aria-expanded", "true")
            expect(folded).to_be_visible()
        page.goto(f"{origin}/monitor/inspection?source=api_key&state=enabled")
        expect(page.locator("#filters select").first).to_be_visible()

        post(client, f"{origin}{OWN}/config/automation", {"paused": True})
        page.reload()
        notice = page.locator(".notice[data-topic=automation]")
        expect(notice).to_be_visible()
        expect(row).to_be_visible()
        page.evaluate("scrollTo(0, 2 * innerHeight)")
        expect(notice).to_be_in_viewport()
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto("about:blank")
