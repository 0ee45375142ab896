"""Statuses and results of runs are told apart by their pattern as well, on the screen and on paper."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.filled_pool import enter, filled_pool

SMALL = 5_000_000
PATTERNS = """picture => [...picture.querySelectorAll(".patterned")].map((area) => {
  const fill = getComputedStyle(area).fill;
  const id = /#([^"')]+)/.exec(fill)?.[1];
  return id ? document.getElementById(id).querySelector("path")?.getAttribute("d") ?? "" : fill;
})"""


@pytest.mark.timeout(120)
def test_neighbours_in_a_bar_differ_in_their_pattern_wherever_it_is_shown(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)

        def answer(route: Route) -> None:
            found: dict[str, Any] = route.fetch().json()
            run = found["runs"][0]
            found["statuses"]["oauth"] = dict.fromkeys(["healthy", "inconclusive", "relogin_needed", ""], 2)
            found["runs"] = [{**run, "run": number} for number in range(1, 41)]
            route.fulfill(json=found)

        page.route("**/pool/overview*", answer)
        page.goto(f"{origin}/monitor/overview")
        pictures = page.locator("#page .picture:has(.picture-legend:not([hidden])) .plot")
        expect(pictures.locator(".patterned").first).to_be_attached()
        for look in ({"media": "screen"}, {"forced_colors": "active"}, {"media": "print", "forced_colors": "none"}):
            page.emulate_media(**look)  # type: ignore[arg-type]
            for picture in pictures.all():
                patterns = picture.evaluate(PATTERNS)
                assert not any(pattern.startswith("rgb") for pattern in patterns)
                assert len(set(patterns)) == len(patterns)
        swatches = page.locator("#page .picture").first
        assert swatches.locator(".picture-legend").evaluate(PATTERNS) == swatches.locator(".plot").evaluate(PATTERNS)
        assert len(page.pdf(format="A4")) < SMALL
        page.emulate_media(media="screen")
        page.unroute("**/pool/overview*")
        page.goto("about:blank")
