"""Rows of accounts under a pointer: a click anywhere opens the panel, and the row stays where it was."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService
from tests.browser.test_usage_pages import Site, site

__all__ = ["site"]

SCOPE = {"accountSource": "api_key", "targetType": "all", "providerFilter": ""}


@pytest.fixture
def rows(operator: Page, address: str, service: StandInService) -> Page:
    service.accounts = many_accounts(60)
    service.start(SCOPE)
    service.land()
    operator.goto(f"{address}?source=api_key")
    expect(operator.locator("#cost")).not_to_be_empty()
    expect(operator.locator("#results .strip i").first).to_be_attached()  # the last rebuilding of the rows
    return operator


def test_a_click_anywhere_on_a_row_opens_its_panel(rows: Page) -> None:
    row = rows.locator("#results tbody tr[data-account]").nth(2)
    panel = rows.get_by_role("complementary")
    name = row.locator(".account-name").inner_text()
    row.locator(".verdict").click()
    expect(panel.get_by_role("heading", level=2)).to_contain_text(name)
    expect(panel.get_by_role("heading", level=2)).to_be_focused()
    rows.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    row.get_by_role("checkbox").check()
    row.locator(".change").click(position={"x": 1, "y": 1})
    row.locator(".account-name").click()
    expect(panel).to_have_count(1)
    row.locator(".verdict").click()
    expect(panel).to_have_count(0)


def test_a_text_that_is_selected_in_a_row_stays_selected(rows: Page) -> None:
    rows.wait_for_timeout(600)  # a row that is built anew meanwhile would take the selection with it
    box = rows.locator("#results tbody tr[data-account] .reason").first.bounding_box()
    assert box is not None
    rows.mouse.move(box["x"] + 8, box["y"] + 18)
    rows.mouse.down()
    rows.mouse.move(box["x"] + 60, box["y"] + 18, steps=3)
    rows.mouse.up()
    assert rows.evaluate("document.getSelection().toString()")
    expect(rows.get_by_role("complementary")).to_have_count(0)


@pytest.mark.parametrize("scrolled", [0, 500])
def test_a_row_stays_where_it_is_when_its_panel_opens_and_closes(rows: Page, scrolled: int) -> None:
    rows.mouse.wheel(0, scrolled)
    rows.wait_for_timeout(100)
    row = rows.locator("#results tbody tr[data-account]").nth(7 + scrolled // 36)
    number = row.get_attribute("data-account")
    row = rows.locator(f"#results tr[data-account='{number}']")
    before = row.bounding_box()
    row.locator(".account-name").click()
    panel = rows.get_by_role("complementary")
    expect(panel.get_by_role("heading", level=2)).to_be_focused()
    rows.wait_for_timeout(200)
    opened = row.bounding_box()
    assert before is not None
    assert opened is not None
    assert abs(opened["y"] - before["y"]) <= 1
    rows.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    rows.wait_for_timeout(200)
    closed = row.bounding_box()
    assert closed is not None
    assert abs(closed["y"] - before["y"]) <= 1 or rows.evaluate("scrollY") == 0


def test_a_long_account_name_ends_with_dots_on_a_narrow_list_of_requests(site: Site) -> None:
    page = site.page
    page.set_viewport_size({"width": 320, "height": 700})
    site.open("requests", "?period=7d")
    # Measured at once: the page replaces its rows whenever it reads.
    is_within, is_cut = page.locator("tbody").evaluate(
        """(body) => {
          const row = document.createElement("tr");
          row.innerHTML = `<td data-label="Account"><button class="link" type="button"
            ><bdi class="clamped">a-long-name-of-an-account-behind-a-relay</bdi></button></td>`;
          body.closest(".scroll").hidden = false;
          body.append(row);
          const name = row.querySelector("bdi");
          const [outer, inner] = [row.firstChild, name].map((node) => node.getBoundingClientRect());
          return [inner.right <= outer.right, name.scrollWidth > name.clientWidth];
        }"""
    )
    assert (is_within, is_cut) == (True, True)
