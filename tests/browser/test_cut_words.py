"""Words of the inspection page are whole, on a phone and beside large numbers."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.broken_words import broken_words
from tests.browser.stand_in.consequences import planned
from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService
from tests.browser.test_follow_up import opened

CUT = """() => [...document.querySelectorAll("#page select, #page input[type=search]")].flatMap((control) => {
  if (!control.checkVisibility()) return [];
  const style = getComputedStyle(control);
  const ruler = document.createElement("span");
  ruler.style.cssText = `position: absolute; white-space: pre; font: ${style.font}`;
  ruler.textContent = control.selectedOptions?.[0]?.text ?? control.placeholder;
  document.body.append(ruler);
  const wanted = ruler.offsetWidth + (control.selectedOptions ? 18 : 0);
  ruler.remove();
  const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return wanted > room ? [`${control.id} ${ruler.textContent}: ${wanted} > ${room}`] : [];
})"""


@pytest.mark.parametrize("width", [320, 360, 390, 768, 1440])
def test_no_choice_or_hint_is_cut(operator: Page, width: int) -> None:
    operator.set_viewport_size({"width": width, "height": 844})
    assert operator.evaluate(CUT) == []
    operator.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize("width", [768, 900, 1000])
def test_the_counts_of_accounts_are_whole(operator: Page, width: int) -> None:
    operator.set_viewport_size({"width": width, "height": 844})
    hidden = operator.locator("#capsule").evaluate("node => node.scrollWidth - node.clientWidth")
    operator.set_viewport_size({"width": 1440, "height": 900})
    assert hidden <= 0


def test_ten_thousand_accounts_leave_the_head_on_one_line(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(10_000)
    operator.goto(f"{address}?source=api_key")
    expect(operator.locator("#capsule")).to_contain_text("10,000")

    boxes = [operator.locator(each).bounding_box() for each in ("#capsule", "#refresh")]

    assert boxes[0] is not None
    assert boxes[1] is not None
    assert abs(boxes[0]["y"] + boxes[0]["height"] - boxes[1]["y"] - boxes[1]["height"]) < boxes[1]["height"] / 2


@pytest.mark.parametrize("width", [1024, 1280, 1440])
def test_no_row_shows_between_the_bar_of_the_selection_and_the_head(
    operator: Page, address: str, service: StandInService, width: int
) -> None:
    service.accounts = many_accounts(100)
    operator.set_viewport_size({"width": width, "height": 700})
    operator.goto(f"{address}?source=api_key")
    expect(operator.locator("#delete-reason")).not_to_be_empty()
    operator.evaluate("scrollTo(0, document.querySelector('#results').getBoundingClientRect().top + scrollY + 300)")
    bar, head = operator.locator("#bulk").bounding_box(), operator.locator("#results thead th").first.bounding_box()
    operator.set_viewport_size({"width": 1440, "height": 900})

    assert bar is not None
    assert head is not None
    assert -1 <= head["y"] - bar["y"] - bar["height"] <= 0


def test_a_long_reason_breaks_no_word_of_a_mode(operator: Page, service: StandInService) -> None:
    already = [
        {**planned(number, f"relay-{number}", "disable", ""), "against": f"{number} probes failed alike; " * 9}
        for number in range(3)
    ]
    service.follow_up.plan("disable", planned(2, "relay-401", "disable", "The provider refuses the key (401)."))
    service.follow_up.plans[-1]["already"] = already

    report = opened(operator, service)

    row = report.get_by_role("row", name="Disable and enable as recommended")
    expect(row).to_contain_text("probes failed alike")
    assert broken_words(row.get_by_role("cell")) == []
