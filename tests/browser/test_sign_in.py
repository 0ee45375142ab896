from playwright.sync_api import Page, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.stand_in.service import StandInService


def test_a_wrong_key_is_refused_with_what_to_do(page: Page, address: str) -> None:
    sign_in(page, address, "not-the-key")

    expect(page.get_by_role("alert")).to_contain_text("The management key is wrong.")
    expect(page.get_by_role("alert")).to_contain_text("Check remote-management.secret-key.")
    expect(page.get_by_role("button", name="Start inspection")).to_be_hidden()


def test_after_five_wrong_keys_the_ban_is_shown_with_its_end(page: Page, address: str) -> None:
    for _ in range(5):
        sign_in(page, address, "not-the-key")
        expect(page.get_by_role("alert")).to_contain_text("wrong")

    sign_in(page, address, "not-the-key")

    expect(page.get_by_role("alert")).to_contain_text("IP banned due to too many failed attempts")
    expect(page.get_by_role("alert")).to_contain_text("30 minutes")


def test_the_right_key_opens_the_inspection_and_is_kept_nowhere_in_the_browser(page: Page, address: str) -> None:
    sign_in(page, address, "a-management-key-of-the-stand-in")

    expect(page.get_by_role("button", name="Start inspection")).to_be_visible()
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "a-management-key" not in stored
    assert page.get_by_label("Management key").input_value() == ""


def test_a_reload_keeps_the_session(operator: Page) -> None:
    operator.reload()

    expect(operator.get_by_role("button", name="Start inspection")).to_be_visible()


def test_signing_out_ends_the_session(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Sign out").click()

    expect(operator.get_by_label("Management key")).to_be_visible()
    assert service.sessions == set()


def test_a_session_that_has_ended_leads_back_to_the_sign_in(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/pool")
    # The page asks for the cost by itself, shortly after it has loaded.
    expect(operator.locator("#cost")).to_contain_text("The next run checks")
    service.sessions.clear()

    # Not by the mouse: any other read of the page may have noticed before, and the button is gone.
    operator.evaluate("document.getElementById('refresh')?.click()")

    expect(operator.get_by_role("alert")).to_contain_text("Session expired")
    expect(operator.get_by_label("Management key")).to_be_focused()
