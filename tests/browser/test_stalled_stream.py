"""A stream that stays open and carries nothing: the page says so in time, and goes on by itself."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.conftest import new_context, sign_in
from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import StandInService

SILENCE_MS = 25_000


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Keep the clock of a test away from the pages of others."""
    with new_context(browser) as context:
        yield context


def live_sign(page: Page, address: str) -> Locator:
    """Sign in with a clock that the test moves; return the sign of the connection, once it is live."""
    page.clock.install()
    sign_in(page, f"{address}?source=api_key")
    sign = page.locator("#live")
    expect(sign).to_have_text("Live")
    return sign


def test_a_service_that_stands_still_is_told_in_25_seconds_and_followed_when_it_goes_on(
    page: Page, address: str, service: StandInService
) -> None:
    live = live_sign(page, address)
    service.stall(reads=True)
    service.emit("pool", None)

    page.clock.run_for(SILENCE_MS)
    expect(live).to_have_text("Connection lost. Reconnecting…")
    page.clock.run_for(5_000)
    expect(live).to_have_text("Connection lost. Reconnecting…")

    service.accounts.append(key_account(20, "relay-new", "compat"))
    service.go_on()
    expect(live).to_have_text("Live (polling)")
    page.clock.run_for(1_000)
    expect(page.get_by_role("row", name="relay-new")).to_be_visible()
    for _ in range(400):
        if live.inner_text() == "Live":
            break
        page.clock.run_for(1_500)
        page.wait_for_timeout(50)
    expect(live).to_have_text("Live")


def test_a_stream_that_a_network_forgot_is_replaced_by_reads(page: Page, address: str, service: StandInService) -> None:
    live = live_sign(page, address)
    service.stall(reads=False)

    page.clock.run_for(SILENCE_MS + 2_000)

    expect(live).to_have_text("Live (polling)")
    page.get_by_role("button", name="Refresh").click()  # an answer while reads are answered changes nothing
    page.clock.run_for(1_000)
    expect(live).to_have_text("Live (polling)")
    service.go_on()


def test_an_answer_of_the_service_ends_the_wait_for_a_read_of_events_that_hangs(
    page: Page, address: str, service: StandInService
) -> None:
    live = live_sign(page, address)
    service.stall(reads=False)
    hanging: list[Route] = []

    def hang(route: Route) -> None:
        hanging.append(route)

    page.route("**/inspections/events?*", hang, times=1)
    with page.expect_request("**/inspections/events?*"):
        page.clock.run_for(SILENCE_MS + 100)
    expect(live).to_have_text("Connection lost. Reconnecting…")
    page.clock.run_for(2_000)
    service.go_on()

    page.get_by_role("button", name="Refresh").click()
    page.clock.run_for(1_000)

    expect(live).to_have_text(re.compile("^Live"))
