"""Source of accounts that a first visit opens on."""

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.stand_in.service import StandInService


def test_the_page_opens_on_the_source_that_has_accounts_and_counts_both(
    page: Page, address: str, service: StandInService
) -> None:
    service.follow_up.counts = {"oauth": 0, "api_key": 1234}
    sign_in(page, address)

    expect(page.get_by_role("radio", name="API keys")).to_be_checked()
    expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
    expect(page.locator("#source-switch label")).to_have_text(["OAuth files0", "API keys1,234"])


def test_accounts_that_are_counted_late_still_decide_what_the_page_opens_on(
    page: Page, address: str, service: StandInService
) -> None:
    service.follow_up.counts = {"oauth": 0, "api_key": 1234}
    counts = [service.delays.next_answer("POST", "inspections/cost") for _ in range(2)]
    pool = service.delays.next_answer("GET", "pool")
    sign_in(page, address)
    expect(page.get_by_role("radio", name="OAuth files")).to_be_checked()
    expect(page.get_by_role("button", name="Start inspection")).to_be_disabled()

    for answer in (pool, *counts):
        answer.release()

    expect(page.get_by_role("radio", name="API keys")).to_be_checked()
    expect(page.get_by_role("row", name="relay-ok")).to_be_visible()
    expect(page.get_by_role("button", name="Start inspection")).to_be_enabled()
    expect(page).to_have_url(re.compile("source=api_key"))


def test_a_source_that_is_chosen_before_the_accounts_are_counted_stays(
    page: Page, address: str, service: StandInService
) -> None:
    service.follow_up.counts = {"oauth": 5, "api_key": 0}
    counts = [service.delays.next_answer("POST", "inspections/cost") for _ in range(2)]
    sign_in(page, address)
    page.get_by_role("radio", name="API keys").check(force=True)

    for answer in counts:
        answer.release()

    expect(page.locator("#source-switch label")).to_have_text(["OAuth files5", "API keys0"])
    expect(page.get_by_role("radio", name="API keys")).to_be_checked()


def test_the_accounts_of_each_source_are_counted_once_when_the_page_opens(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda sent: asked.append(sent.post_data or "") if "inspections/cost" in sent.url else None)
    sign_in(page, address)

    expect(page.locator("#cost")).to_contain_text("The next run checks")
    counted = [body for body in asked if set(json.loads(body)) == {"accountSource"}]
    assert sorted(counted) == ['{"accountSource":"api_key"}', '{"accountSource":"oauth"}']
    assert len(asked) == len(counted) + 1
