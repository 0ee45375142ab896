"""Rows that are replaced leave the page where it is, and the keyboard at its row or at the one in its place."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService

ROW_IN_THE_MIDDLE: Final = """() => [...document.querySelectorAll("#results .change button")]
  .find((button) => button.getBoundingClientRect().top > window.innerHeight / 2)?.dataset.control"""
NEXT_FRAMES: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def long_page(operator: Page, address: str, service: StandInService) -> Page:
    """Give a page of 60 enabled accounts; those that are disabled leave it."""
    service.accounts = many_accounts(60)
    operator.goto(f"{address}?source=api_key&state=enabled")
    expect(operator.get_by_role("row", name="relay-00001")).to_be_visible()
    expect(operator.locator("#cost")).not_to_be_empty()  # a line above the rows, which moves them
    return operator


def scrolled(page: Page, top: int) -> Locator:
    """Scroll, and put the keyboard at the button of a row in the middle of the screen."""
    page.evaluate("top => window.scrollTo(0, top)", top)
    page.evaluate(NEXT_FRAMES)
    button = page.locator(f"[data-control='{page.evaluate(ROW_IN_THE_MIDDLE)}']")
    button.focus()
    return button


@pytest.mark.parametrize("top", [900, 99_999])
def test_rows_that_are_read_again_leave_the_page_and_the_keyboard_where_they_are(
    long_page: Page, service: StandInService, top: int
) -> None:
    button = scrolled(long_page, top)
    before = long_page.evaluate("window.scrollY")
    assert before > 500

    for account in service.accounts:
        account["label"] = account["displayName"] = account["displayName"].replace("relay", "other")
    service.emit("pool", None)

    expect(long_page.get_by_role("row").filter(has=button)).to_contain_text("other")
    expect(button).to_be_focused()
    assert long_page.evaluate("window.scrollY") == before


def test_a_row_that_a_filter_takes_away_leaves_the_keyboard_to_the_one_in_its_place(
    long_page: Page, service: StandInService
) -> None:
    button = scrolled(long_page, 700)
    place = long_page.get_by_role("row").filter(has=button).get_attribute("aria-rowindex")
    before = long_page.evaluate("window.scrollY")

    service.switch([int((button.get_attribute("data-control") or "").split("-")[1])], disabled=True)
    service.emit("pool", None)

    expect(button).to_have_count(0)
    expect(long_page.locator(f"#results tr[aria-rowindex='{place}'] [data-control^='expand-']")).to_be_focused()
    assert long_page.evaluate("window.scrollY") == before
