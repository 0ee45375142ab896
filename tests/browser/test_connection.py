"""A service, a gateway or a database that does not answer for a while."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import StandInService

MOUNTS = 3


@pytest.fixture(autouse=True)
def connected(context: BrowserContext) -> Iterator[None]:
    """Leave the browser connected, whatever a test has done to it."""
    yield
    context.set_offline(False)


def sign(page: Page) -> Locator:
    """Return the sign of the connection, of either console."""
    return page.locator("#live, .side-bar .live")


def lose(page: Page, service: StandInService, console: Console) -> None:
    console.expected.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    service.hang_up()
    expect(sign(page)).to_have_text("Connection lost. Reconnecting…")


def find_again(page: Page) -> None:
    page.context.set_offline(False)
    expect(sign(page)).to_have_text("Live")


def test_accounts_of_one_source_are_never_shown_as_those_of_another(
    operator: Page, service: StandInService, console: Console
) -> None:
    lose(operator, service, console)
    operator.get_by_role("button", name="OAuth").click()

    expect(operator.locator(".capsule dd").first).to_have_text("2")
    expect(operator.get_by_role("row", name="relay-ok")).to_have_count(0)
    find_again(operator)

    expect(operator.get_by_role("row", name="claude-first")).to_be_visible()


def test_what_was_read_in_vain_is_read_again_and_the_message_about_it_goes(
    operator: Page, service: StandInService, console: Console
) -> None:
    lose(operator, service, console)
    operator.get_by_role("button", name="Refresh").click()
    operator.get_by_role("button", name="Check now").click()
    operator.get_by_role("button", name="Start").click()
    expect(operator.get_by_role("alert")).to_have_count(1)
    expect(operator.get_by_role("alert")).to_contain_text("The service does not respond.")
    service.accounts.append(key_account(20, "relay-new", "compat"))

    find_again(operator)

    expect(operator.get_by_role("row", name="relay-new")).to_be_visible()
    expect(operator.get_by_role("alert")).to_have_count(0)


def test_a_log_in_in_another_tab_does_not_lock_this_one_out(
    page: Page, address: str, service: StandInService, console: Console
) -> None:
    console.expected.append("status of 403")
    sign_in(page, address)
    expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
    # The browser has the new session before the old one ends, as after a real log-in.
    before = set(service.sessions)
    service.sessions.add("of the other tab")
    page.context.add_cookies(
        [{"name": "poolkeeper_session", "value": "of the other tab", "domain": "127.0.0.1", "path": "/"}]
    )
    service.sessions.difference_update(before)

    page.get_by_role("button", name="Check now").click()
    page.get_by_role("button", name="Start").click()

    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert [path for _, path, _ in service.requests] == ["inspections"]


def test_a_page_that_cannot_be_loaded_says_so_and_is_loaded_when_the_connection_is_back(
    operator: Page, service: StandInService, console: Console
) -> None:
    lose(operator, service, console)
    console.expected += ["/app/prices.js", "status of 404"]
    operator.context.route("**/app/prices.js", lambda route: route.abort())
    operator.get_by_role("link", name="Prices").click()
    expect(operator.get_by_role("alert")).to_contain_text("This page could not be loaded.")
    expect(operator.get_by_role("heading", level=1)).to_have_text("Prices")
    operator.get_by_role("button", name="Retry").click()
    expect(operator.get_by_role("alert")).to_contain_text("This page could not be loaded.")
    operator.context.unroute_all(behavior="wait")

    find_again(operator)

    expect(operator.get_by_role("region", name="Prices in use")).to_be_visible()
    expect(operator.get_by_text("This page could not be loaded.")).to_have_count(0)


def test_pages_that_were_left_hold_up_no_other_page(operator: Page, service: StandInService, console: Console) -> None:
    console.expected.append("status of 404")
    for _ in range(2 * MOUNTS):
        service.delays.next_answer("GET", "pool")
    for _ in range(MOUNTS + 1):
        operator.get_by_role("link", name="Prices").click()
        expect(operator.get_by_role("heading", level=1, name="Prices")).to_be_visible()
        operator.get_by_role("link", name="Accounts").click()
        expect(operator.get_by_role("heading", level=1, name="Accounts")).to_be_visible()
    expect(operator.get_by_role("row", name="relay-ok")).to_be_visible()
