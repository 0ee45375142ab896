"""Accounts on hold that were all released: no link offers to show them."""

from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService


def test_what_is_on_hold_no_more_is_not_offered(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.runs[-1]["onHold"] = 2
    service.land()
    expect(operator.get_by_role("button", name="Show what is on hold")).to_be_visible()

    service.runs[-1]["stillOnHold"] = 0
    operator.get_by_role("button", name="Disable relay-401").click()
    operator.get_by_role("dialog").get_by_role("button", name="Disable").click()
    operator.get_by_role("dialog").get_by_role("button", name="Close").click()

    expect(operator.locator("#run-state")).to_contain_text(" · 2 on hold (0 still)")
    expect(operator.get_by_role("button", name="Show what is on hold")).to_be_hidden()
