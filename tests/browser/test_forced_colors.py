"""Colors that a person forces, and paper: what is chosen, done or told apart by a pattern can still be seen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.filled_pool import enter, filled_pool
from tests.browser.stand_in.service import StandInService

SCOPE = {"accountSource": "api_key", "targetType": "all", "providerFilter": ""}
BACKGROUND = "node => getComputedStyle(node).backgroundColor"


@pytest.fixture
def forced(operator: Page) -> Iterator[Page]:
    operator.emulate_media(forced_colors="active")
    yield operator
    operator.emulate_media(forced_colors="none")


def background(node: Locator) -> str:
    found: str = node.evaluate(BACKGROUND)
    return found


def test_the_chosen_source_and_the_progress_of_a_run_are_seen_in_forced_colors(
    forced: Page, service: StandInService
) -> None:
    chosen, other = forced.get_by_text("API keys", exact=True), forced.get_by_text("OAuth files", exact=True)
    assert background(chosen) != background(other)
    service.start(SCOPE)
    service.land(5)
    bar = forced.locator("#progress-bar")
    expect(bar).to_have_js_property("value", 5)
    assert bar.evaluate("node => getComputedStyle(node).forcedColorAdjust") == "none"
    assert bar.evaluate("node => getComputedStyle(node).borderTopWidth") == "1px"
    service.land()
    chip = forced.get_by_role("button", name="Healthy 3")
    plain = background(chip)
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert background(chip) != plain


def test_paper_keeps_the_patterns_of_legends_and_small_pictures(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        page.goto(f"{origin}/monitor/overview")
        health = page.get_by_role("region", name="Is my pool well?")
        expect(health.locator(".patterned").first).to_be_attached()
        page.emulate_media(media="print")
        for node in health.locator(".patterned").all():
            expect(node).to_have_css("fill", re.compile(r"^url\("))
        page.emulate_media(media="screen")
        page.goto("about:blank")
