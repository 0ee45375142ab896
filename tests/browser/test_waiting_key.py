"""A key that waits for a service that is not ready."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import Console, new_context, sign_in
from tests.browser.stand_in.service import KEY, StandInService

OFF = {"error": "Inspection is off: no room.", "code": "store_unavailable", "hint": "Free some space."}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Keep the clock of a test away from the pages of others."""
    with new_context(browser) as context:
        yield context


def refuse_for_a_while(page: Page, address: str, console: Console, key: str) -> list[str]:
    """Sign in to a service that is not ready; return the bodies of the tries."""
    console.expected.append("status of 503")
    tries: list[str] = []

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        tries.append(route.request.post_data or "")
        route.fulfill(status=503, json=OFF)

    page.route("**/info/session", refuse)
    sign_in(page, address, key)
    expect(page.get_by_role("alert")).to_contain_text("Inspection is off: no room.")
    expect(page.get_by_role("alert")).to_contain_text("Sign-in is retried automatically.")
    return tries


def test_a_service_that_answers_again_lets_the_waiting_key_in(page: Page, address: str, console: Console) -> None:
    refuse_for_a_while(page, address, console, KEY)

    page.unroute("**/info/session")

    expect(page.get_by_role("button", name="Start inspection")).to_be_visible()
    expect(page.locator("#sign-in-problem")).to_be_hidden()
    assert page.get_by_label("Management key").input_value() == ""


def test_a_waiting_key_that_is_wrong_is_tried_once(
    page: Page, address: str, console: Console, service: StandInService
) -> None:
    page.clock.install()
    refuse_for_a_while(page, address, console, "not-the-key")
    page.unroute("**/info/session")

    page.clock.run_for(4_000)
    expect(page.get_by_role("alert")).to_contain_text("The management key is wrong.")
    page.clock.run_for(120_000)

    expect(page.get_by_role("alert")).not_to_contain_text("retried")
    assert service.refused_log_ins == 1


def test_another_key_takes_the_place_of_the_waiting_one(page: Page, address: str, console: Console) -> None:
    page.clock.install()
    tries = refuse_for_a_while(page, address, console, "not-the-key")

    page.get_by_label("Management key").press_sequentially("a")

    expect(page.locator("#sign-in-problem")).to_be_hidden()
    page.clock.run_for(60_000)
    assert len(tries) == 1
