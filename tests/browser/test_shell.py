"""Navigation, theme, language and files of the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.house import RunningService
from tests.browser.stand_in.service import StandInService

PRELOADED = "() => [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.href)"
CLASSIC = "() => [...document.scripts].filter((each) => each.src && each.type !== 'module').map((each) => each.src)"
"""Addresses of the scripts of the document that are no modules."""


def test_an_unknown_page_is_ours_and_leads_back(operator: Page, address: str, console: Console) -> None:
    console.expected.append("/monitor/nowhere")
    reply = operator.goto(address.replace("inspection", "nowhere"))
    assert reply is not None
    assert reply.status == 404

    expect(operator.get_by_role("heading", name="Page not found")).to_be_visible()
    operator.get_by_role("link", name="Go to the accounts").click()

    expect(operator.get_by_role("button", name="Check now")).to_be_visible()


@dataclass
class Files:
    """Files of the page as the browser gets them: from the service, or from what it has kept."""

    addresses: dict[str, str] = field(default_factory=dict)
    """Address of each request by the browser's name for it."""
    cached: set[str] = field(default_factory=set)
    """Requests that were answered without the service."""

    def watch(self, page: Page) -> None:
        browser = page.context.new_cdp_session(page)
        browser.on("Network.requestWillBeSent", self._on_request)
        browser.on("Network.requestServedFromCache", lambda event: self.cached.add(event["requestId"]))
        browser.on("Network.responseReceived", self._on_answer)
        browser.send("Network.enable")

    def _on_request(self, event: dict[str, Any]) -> None:
        if "/static/" in event["request"]["url"]:
            self.addresses[event["requestId"]] = event["request"]["url"]

    def _on_answer(self, event: dict[str, Any]) -> None:
        if event["response"]["fromDiskCache"]:
            self.cached.add(event["requestId"])

    def load(self, page: Page, address: str) -> set[str]:
        """Load a page anew; return the addresses of its files."""
        self.addresses.clear()
        page.goto(address)
        expect(page.locator("#page h1")).to_have_count(1)
        page.wait_for_load_state("networkidle")
        return set(self.addresses.values())

    @property
    def fetched(self) -> list[str]:
        return [address for request, address in self.addresses.items() if request not in self.cached]


@pytest.mark.usefixtures("own_tab")
def test_modules_are_listed_beforehand_and_a_second_load_fetches_no_file(visited: RunningService) -> None:
    page, files, fetched = visited.page, Files(), list[str]()
    # Tests before this one have loaded the same files.
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    files.watch(page)
    for name in ("overview",):
        loaded = files.load(page, f"{visited.origin}/monitor/{name}")

        scripts = {address for address in loaded if address.endswith(".js")}
        assert scripts == {*page.evaluate(PRELOADED), *page.evaluate(CLASSIC)}, name
        fetched += files.fetched

    assert len(fetched) == len(set(fetched)) > 40
    again = files.load(page, f"{visited.origin}/monitor/overview")

    assert len(again) > 40
    assert files.fetched == []


def test_all_automation_is_paused_and_resumed_from_every_page(former: Page, service: StandInService) -> None:
    former.get_by_role("button", name="Pause automation").click()

    expect(former.locator(".notice")).to_contain_text("Automation is paused")
    assert service.paused
    former.get_by_role("link", name="Schedules").click()
    expect(former.locator(".notice")).to_contain_text("Automation is paused")
    former.get_by_role("button", name="Resume automation").first.click()
    expect(former.locator(".notice")).to_have_count(0)
    assert not service.paused
