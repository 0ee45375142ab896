"""Requests of a page load: every module is known beforehand, and a second load fetches no file."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from extension.console.pages import page_names
from tests.browser.filled_pool import enter, filled_pool

PRELOADED = "() => [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.href)"
CLASSIC = "() => [...document.scripts].filter((each) => each.src && each.type !== 'module').map((each) => each.src)"
"""Addresses of the scripts of the document that are no modules."""


@dataclass
class Files:
    """Files of the page as the browser gets them: from the service, or from what it has kept."""

    asked: dict[str, str] = field(default_factory=dict)
    """Address of each request by the browser's name for it."""
    kept: set[str] = field(default_factory=set)
    """Requests that were answered without the service."""

    def watch(self, page: Page) -> None:
        browser = page.context.new_cdp_session(page)
        browser.on("Network.requestWillBeSent", self._on_request)
        browser.on("Network.requestServedFromCache", lambda event: self.kept.add(event["requestId"]))
        browser.on("Network.responseReceived", self._on_answer)
        browser.send("Network.enable")

    def _on_request(self, event: dict[str, Any]) -> None:
        if "/static/" in event["request"]["url"]:
            self.asked[event["requestId"]] = event["request"]["url"]

    def _on_answer(self, event: dict[str, Any]) -> None:
        if event["response"]["fromDiskCache"]:
            self.kept.add(event["requestId"])

    def load(self, page: Page, address: str) -> set[str]:
        """Load a page anew; return the addresses of its files."""
        self.asked.clear()
        page.goto(address)
        expect(page.locator("#page h1")).to_have_count(1)
        page.wait_for_load_state("networkidle")
        return set(self.asked.values())

    @property
    def fetched(self) -> list[str]:
        return [address for request, address in self.asked.items() if request not in self.kept]


@pytest.mark.usefixtures("own_tab")
@pytest.mark.timeout(120)
def test_modules_are_listed_beforehand_and_a_second_load_fetches_no_file(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    files, fetched = Files(), list[str]()
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        files.watch(page)
        for name in page_names():
            loaded = files.load(page, f"{origin}/monitor/{name}")

            scripts = {address for address in loaded if address.endswith(".js")}
            assert scripts == {*page.evaluate(PRELOADED), *page.evaluate(CLASSIC)}, name
            fetched += files.fetched

        assert len(fetched) == len(set(fetched)) > 40
        again = files.load(page, f"{origin}/monitor/overview")

        assert len(again) > 40
        assert files.fetched == []
        page.goto("about:blank")
