"""A service, a gateway or a database that does not answer for a while."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import StandInService


@pytest.fixture(autouse=True)
def connected(context: BrowserContext) -> Iterator[None]:
    """Leave the browser connected, whatever a test has done to it."""
    yield
    context.set_offline(False)


def lose(page: Page, service: StandInService, console: Console) -> None:
    console.expected.append("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    service.hang_up()
    expect(page.locator("#live")).to_have_text("Connection lost. Reconnecting…")


def find_again(page: Page) -> None:
    page.context.set_offline(False)
    expect(page.locator("#live")).to_have_text("Live")


def test_accounts_of_one_source_are_never_shown_as_those_of_another(
    operator: Page, service: StandInService, console: Console
) -> None:
    lose(operator, service, console)
    operator.get_by_text("OAuth files", exact=True).click()

    expect(operator.locator("#empty")).to_have_text("The pool could not be read. Select Refresh to try again.")
    expect(operator.locator("#results")).to_be_hidden()
    expect(operator.locator("#capsule [data-count=total]")).not_to_have_text("11")
    find_again(operator)

    expect(operator.get_by_role("row", name="claude-first")).to_be_visible()


def test_what_was_read_in_vain_is_read_again_and_the_message_about_it_goes(
    operator: Page, service: StandInService, console: Console
) -> None:
    lose(operator, service, console)
    operator.get_by_role("button", name="Refresh").click()
    operator.get_by_role("button", name="Start inspection").click()
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
    page.get_by_text("API keys", exact=True).click()
    expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
    # The browser has the new session before the old one ends, as after a real log-in.
    before = set(service.sessions)
    service.sessions.add("of the other tab")
    page.context.add_cookies(
        [{"name": "poolkeeper_session", "value": "of the other tab", "domain": "127.0.0.1", "path": "/"}]
    )
    service.sessions.difference_update(before)

    page.get_by_role("button", name="Start inspection").click()

    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert [path for _, path, _ in service.requests] == ["inspections"]
