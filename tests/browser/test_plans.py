"""Plans of many accounts are short to read."""

import re

from playwright.sync_api import Page, expect

from tests.browser.stand_in.pool import judged, many_accounts
from tests.browser.stand_in.service import StandInService

REASON = "60 of 64 probes failed alike."


def select_all(page: Page) -> None:
    """Select every row, once there are rows to select."""
    expect(page.locator("#results tbody tr:not(.spacer)").first).to_be_visible()
    page.get_by_role("checkbox", name="Select all").check()


def test_a_plan_says_a_reason_once_and_opens_at_its_heading(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(60)
    for number in range(1, 30):
        service.follow_up.hold(1, number, f"relay-{number:05}", REASON, "relay.example")
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    operator.get_by_role("button", name="Disable", exact=True).click()

    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_be_in_viewport()
    expect(dialog).to_contain_text("Disable 31 accounts?")
    expect(dialog).to_contain_text(f"29 accounts are not changed: relay.example: {REASON}")
    assert dialog.inner_text().count(REASON) == 1
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    operator.set_viewport_size({"width": 390, "height": 500})
    expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport(ratio=1)


def test_a_plan_that_takes_long_is_announced_at_once_and_can_be_left(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(3)
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    disable, dialog = operator.get_by_role("button", name="Disable", exact=True), operator.get_by_role("dialog")
    first = service.delays.next_answer("POST", "pool/plan")
    disable.click()
    expect(dialog.get_by_role("heading")).to_have_text("Planning…")
    expect(dialog.get_by_role("status")).to_have_text("The service is asked what the change will do.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(disable).to_be_focused()
    first.release()
    second = service.delays.next_answer("POST", "pool/plan")
    disable.click()
    second.wait_until_made()
    second.release()
    expect(dialog.get_by_role("heading")).to_have_text("Disable 3 accounts?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert not [path for _, path, _ in service.requests if path == "pool/status"]


def test_the_rest_of_many_names_is_built_when_it_is_asked_for(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(900)
    operator.goto(f"{address}?source=api_key")
    expect(operator.locator("#count")).to_have_text("900")
    select_all(operator)
    operator.get_by_role("button", name="Disable", exact=True).click()
    expect(operator.get_by_role("dialog")).to_contain_text("Disable 900 accounts?")
    names = operator.get_by_role("dialog").locator(".names li")

    expect(names).to_have_count(13)
    operator.get_by_role("button", name="and 888 more").click()
    expect(names).to_have_count(213)
    expect(operator.get_by_role("button", name="and 688 more")).to_be_focused()


def test_a_plan_begins_with_the_statuses_of_its_accounts_and_warns_of_healthy_ones(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(60)
    for account in service.accounts:
        name = {0: "relay-401", 1: "relay-403"}.get(account["id"] % 5, "relay-ok")
        result = judged({**account, "displayName": name}, account["id"], 1)
        account["lastResult"] = result
    for number in range(1, 10):
        service.follow_up.hold(1, number, f"relay-{number:05}", REASON, "relay.example")
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    dialog = operator.get_by_role("dialog")

    operator.get_by_role("button", name="Disable", exact=True).click()

    summary = dialog.locator("#action-body > *")
    expect(summary.nth(0)).to_have_text("Status at the last check: 30 Healthy, 11 Invalid key, 10 Forbidden.")
    expect(summary.nth(1)).to_have_text(re.compile("^Warning: 30 healthy accounts are among those to be disabled"))
    expect(summary.nth(2)).to_have_text("9 selected accounts are not changed (on hold: 9). The reasons are below.")
    for line in (0, 1, 2):
        expect(summary.nth(line)).to_be_in_viewport(ratio=1)
