"""Pages that are left while the gateway is silent: what they asked for keeps no connection from the next page."""

from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService

MOUNTS = 3
PROMPT_MS = 3_000


def test_pages_that_were_left_hold_up_no_other_page(operator: Page, service: StandInService) -> None:
    for _ in range(3 * MOUNTS):
        service.delays.next_answer("GET", "pool")
        service.delays.next_answer("POST", "inspections/cost")
    for _ in range(MOUNTS):
        operator.get_by_role("link", name="Schedules").click()
        expect(operator.get_by_label("Interval (minutes)")).to_be_visible(timeout=PROMPT_MS)
        operator.get_by_role("link", name="Inspection").click()
        expect(operator.get_by_role("heading", name="Accounts")).to_be_visible(timeout=PROMPT_MS)
    expect(operator.locator("#run-state")).not_to_be_empty(timeout=PROMPT_MS)
    operator.get_by_role("link", name="Notifications").click()
    expect(operator.get_by_label("URL", exact=True)).to_be_visible(timeout=PROMPT_MS)
    expect(operator.locator(".notice")).to_have_count(0)
