"""Unknown addresses, and what every page offers."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import StandInService


def test_an_unknown_page_is_ours_and_leads_back(operator: Page, address: str, console: Console) -> None:
    console.expected.append("/monitor/nowhere")
    reply = operator.goto(address.replace("inspection", "nowhere"))
    assert reply is not None
    assert reply.status == 404

    expect(operator.get_by_role("heading", name="Page not found")).to_be_visible()
    operator.get_by_role("link", name="Go to the accounts").click()

    expect(operator.get_by_role("button", name="Check now")).to_be_visible()


def test_all_automation_is_paused_and_resumed_from_every_page(operator: Page, service: StandInService) -> None:
    operator.get_by_role("link", name="Schedules").click()
    operator.get_by_role("button", name="Pause automation").click()

    expect(operator.locator(".notice")).to_contain_text("Automation is paused")
    assert service.paused
    operator.get_by_role("link", name="Accounts").click()
    expect(operator.get_by_role("heading", level=1)).to_have_text("Accounts")
    expect(operator.locator(".notice")).to_contain_text("Automation is paused")
    operator.get_by_role("link", name="Schedules").click()
    operator.get_by_role("button", name="Resume automation").first.click()
    expect(operator.locator(".notice")).to_have_count(0)
    assert not service.paused
