"""Numbers of a large pool are written the same way everywhere: in texts, buttons, filters, tooltips and names."""

import re

from playwright.sync_api import Page, expect

from tests.browser.stand_in.consequences import planned
from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService

SAID = """() => [...document.querySelectorAll("body, body *")].flatMap((node) => [
  ...[...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.data),
  ...["title", "aria-label", "aria-description"].map((name) => node.getAttribute(name) ?? ""),
])"""
PLAIN = re.compile(r"(?<![\d.,#-])\d{4,}")


def plain_numbers(page: Page) -> list[str]:
    return [said for said in page.evaluate(SAID) if PLAIN.search(said)]


def test_numbers_of_a_large_pool_have_separators_wherever_they_stand(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(1661)
    held = [planned(number, f"relay-{number:05}", "disable", "Refused.") for number in range(1, 1102)]
    service.follow_up.plan("disable", *held, held=tuple(held))
    operator.goto(f"{address}?source=api_key")
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.runs[-1]["onHold"] = 1101
    service.runs[-1]["recommendations"]["disable"] = 1101
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("1,101 on hold")
    operator.locator("#follow-up summary").first.click()
    expect(operator.get_by_role("cell", name="1,101", exact=True)).to_be_visible()
    operator.get_by_role("checkbox", name="Select all").check()
    operator.get_by_role("button", name="Disable", exact=True).click()
    expect(operator.get_by_role("dialog").get_by_role("heading")).to_have_text("Disable 1,661 accounts?")

    assert plain_numbers(operator) == []
