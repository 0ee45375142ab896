"""Hosts and URLs in narrow columns: a line ends at their marks, never within a number."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.consequences import planned
from tests.browser.stand_in.service import StandInService
from tests.browser.test_follow_up import dialog, opened

WHY = "On hold: none of the 2 accounts of this base URL and proxy worked in this run, so that it may be the provider."
HOST = "127.0.0.3:18901"
BROKEN_NUMBERS = """(node) => {
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    for (const { 0: number, index } of text.textContent.matchAll(/[0-9]+(?:[.][0-9]+)*/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + number.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(number);
    }
  }
  return broken;
}"""


def whole_numbers(shown: Locator) -> None:
    expect(shown).to_be_visible()
    assert shown.evaluate(BROKEN_NUMBERS) == []
    assert shown.evaluate("node => node.scrollWidth - node.clientWidth") <= 0


@pytest.mark.parametrize("width", [1440, 768, 360, 320])
def test_a_host_on_hold_keeps_its_numbers_in_the_dialog_of_a_plan(
    operator: Page, service: StandInService, width: int
) -> None:
    held = [{**planned(2, "relay-401", "disable", "Invalid key."), "against": WHY, "host": HOST}]
    service.follow_up.plan("disable", planned(1, "relay-ok", "enable", "It works again."), held=tuple(held))
    service.follow_up.hold(1, 2, "relay-401", WHY, HOST)
    report = opened(operator, service)
    operator.set_viewport_size({"width": width, "height": 900})
    whole_numbers(report.locator("td[data-label=Host]"))

    report.get_by_role("button", name="Apply: Disable and enable as recommended").click()

    whole_numbers(dialog(operator).locator(".held-hosts"))
    operator.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize("width", [1440, 360, 320])
def test_the_evidence_keeps_the_numbers_of_a_url(operator: Page, service: StandInService, width: int) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    for result in service.results:
        attempt = {"method": "POST", "url": f"http://{HOST}/v1/models", "status": 401, "latencyMs": 38_000}
        result["attempts"] = [{**attempt, "problem": "Connection refused by the provider: it may be down for a while."}]
    operator.set_viewport_size({"width": width, "height": 900})
    operator.locator("#results .expand").first.click()
    whole_numbers(operator.locator("#side-panel .attempts").first)
    operator.set_viewport_size({"width": 1440, "height": 900})
