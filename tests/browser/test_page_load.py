"""Requests of a page load: every module is known beforehand, and a second load fetches no file."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from extension.console.pages import page_names
from tests.browser.filled_pool import enter, filled_pool

FILES = """() => performance.getEntriesByType("resource").filter((entry) => entry.name.includes("/static/"))
  .map((entry) => ({ name: entry.name, transferred: entry.transferSize }))"""
PRELOADED = "() => [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.href)"
CLASSIC = "() => [...document.scripts].filter((each) => each.src && each.type !== 'module').map((each) => each.src)"
"""Addresses of the scripts of the document that are no modules."""


def loaded(page: Page, address: str) -> list[dict[str, Any]]:
    page.goto(address)
    expect(page.locator("#page h1")).to_have_count(1)
    page.wait_for_load_state("networkidle")
    files: list[dict[str, Any]] = page.evaluate(FILES)
    return files


@pytest.mark.timeout(120)
def test_modules_are_listed_beforehand_and_a_second_load_fetches_no_file(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        for name in page_names():
            scripts = {
                file["name"] for file in loaded(page, f"{origin}/monitor/{name}") if file["name"].endswith(".js")
            }

            assert scripts == {*page.evaluate(PRELOADED), *page.evaluate(CLASSIC)}, name

        again = loaded(page, f"{origin}/monitor/overview")

        assert len(again) > 40
        assert [file["name"] for file in again if file["transferred"]] == []
        page.goto("about:blank")
