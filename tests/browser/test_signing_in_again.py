"""Accounts whose session ended: signed in again, one by one and one after the other."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.pool import file_account, judged
from tests.browser.stand_in.service import StandInService

AGAIN = "Sign in again"


@pytest.fixture
def expired(service: StandInService) -> StandInService:
    """A stock gateway with three accounts that have to sign in again, and one of a provider without an address."""
    service.capabilities = ["sign-in"]
    service.settings = {"gateway": "http://127.0.0.1:8317"}
    names = ("claude-a.json", "claude-b.json", "codex-c.json", "qwen-d.json")
    service.accounts = [file_account(number, name, name.split("-")[0]) for number, name in enumerate(names, 1)]
    for account in service.accounts:
        result = judged(account, account["id"], 1)
        account["lastResult"] = {**result, "verdict": "relogin_needed", "action": "disable", "status": 401}
    return service


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name=AGAIN)


def sign_in(page: Page, service: StandInService, account: int) -> None:
    """Open the vendor's page in its own tab, and sign in there."""
    page.context.route("https://vendor.example/**", lambda route: route.fulfill(body="signed in"))
    with page.context.expect_page() as tab:
        dialog(page).get_by_role("link", name="Open the sign-in page").click()
    assert tab.value.url == f"https://vendor.example/authorize?account={account}"
    tab.value.close()
    service.signed_in.add(account)
    page.evaluate("dispatchEvent(new Event('focus'))")


def test_an_expired_account_signs_in_again_with_two_clicks(
    operator: Page, address: str, expired: StandInService
) -> None:
    page = operator
    page.goto(f"{address}?source=oauth")
    page.get_by_role("button", name=f"{AGAIN} claude-a.json").click()
    sign_in(page, expired, 1)
    expect(dialog(page)).to_contain_text("The account is being checked.")
    dialog(page).get_by_role("button", name="Close").click()
    expect(dialog(page)).to_have_count(0)


def test_several_sign_in_one_after_the_other_and_one_can_be_skipped(
    operator: Page, address: str, expired: StandInService, console: Console
) -> None:
    console.expected.append("/pool/sign-in")  # has no address for the last one
    page = operator
    page.goto(f"{address}?source=oauth")
    page.get_by_role("button", name="4 need a new sign-in").click()
    expect(dialog(page)).to_contain_text("1 of 4")
    sign_in(page, expired, 1)
    dialog(page).get_by_role("button", name="Next account").click()
    expect(dialog(page)).to_contain_text("2 of 4")
    with page.expect_response(re.compile("/pool/sign-in/cancel$")):
        dialog(page).get_by_role("button", name="Skip").click()
    expect(dialog(page)).to_contain_text("3 of 4")
    sign_in(page, expired, 3)
    dialog(page).get_by_role("button", name="Next account").click()
    expect(dialog(page)).to_contain_text("no sign-in for this account")
    panel = dialog(page).get_by_role("link", name="Open the gateway's panel")
    expect(panel).to_have_attribute("href", re.compile("/management.html$"))


def test_a_gateway_elsewhere_gets_the_address_that_the_vendor_led_to(
    operator: Page, address: str, expired: StandInService, console: Console
) -> None:
    page = operator
    page.goto(f"{address}?source=oauth&account=2")
    page.locator("dialog.drawer footer").get_by_role("button", name=AGAIN).click()
    console.expected.append("/pool/sign-in/callback")  # refuses the address of another sign-in
    field = dialog(page).get_by_label("Address of the last page")
    field.fill("http://localhost/?code=of-another")
    hand_over = dialog(page).get_by_role("button", name="Hand over")
    hand_over.click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("Another sign-in")
    field.fill("http://localhost/?code=1")
    hand_over.click()
    expect(dialog(page)).to_contain_text("The account is being checked.")
    sent = [body for _, path, body in expired.requests if path == "pool/sign-in/callback"]
    assert sent[-1] == {"action": 2, "state": "state-2", "callback": "http://localhost/?code=1"}
    assert "code=1" not in page.url
