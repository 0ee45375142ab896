"""Presses of the mouse on what moves, or is built anew, before the release."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.service import StandInService
from tests.browser.test_rows import rows

__all__ = ["rows"]


def press(page: Page, control: Locator) -> None:
    """Press the mouse on a control as soon as it is at rest, and hold it."""
    box = control.bounding_box()
    assert box is not None
    control.hover(position={"x": 6, "y": box["height"] / 2})
    page.mouse.down()


def rebuild(page: Page, service: StandInService, number: int) -> None:
    """Read the accounts anew, without the mouse, so that the row of one of them is replaced."""
    row = page.locator(f"#results tr[data-account='{number}']")
    row.evaluate("row => { row.dataset.isOld = 'yes'; }")
    service.emit("pool", None)
    page.locator("#refresh").dispatch_event("click")
    expect(page.locator(f"#results tr[data-account='{number}']:not([data-is-old])")).to_have_count(1)


@pytest.mark.parametrize(
    "place", [".account-name", ".verdict", ".select input", ".change button"], ids=["name", "status", "box", "button"]
)
def test_a_press_counts_although_its_row_is_built_anew_before_the_release(
    rows: Page, service: StandInService, place: str
) -> None:
    row = rows.locator("#results tbody tr[data-account]").nth(2)
    number = row.get_attribute("data-account")
    assert number is not None
    press(rows, row.locator(place))
    rebuild(rows, service, int(number))
    rows.mouse.up()
    if place == ".select input":
        expect(rows.get_by_text("1 selected")).to_be_visible()
        expect(rows.get_by_role("complementary")).to_have_count(0)
    elif place == ".change button":
        expect(rows.get_by_role("dialog")).to_be_visible()
    else:
        expect(rows.get_by_role("complementary")).to_have_count(1)


def test_a_press_on_a_row_that_moved_away_before_the_release_counts_for_this_row(
    rows: Page, service: StandInService
) -> None:
    ids = rows.locator("#results tbody tr[data-account]").evaluate_all("rows => rows.map((row) => row.dataset.account)")
    row = rows.locator("#results tbody tr[data-account]").nth(2)
    name = row.locator(".account-name").inner_text()
    press(rows, row.locator(".change button"))
    service.accounts[:] = [each for each in service.accounts if each["id"] != int(ids[0])]
    rebuild(rows, service, int(ids[2]))
    rows.mouse.up()
    expect(rows.get_by_role("dialog").get_by_role("heading")).to_contain_text(name)


def test_a_press_on_a_row_that_is_gone_before_the_release_does_nothing(rows: Page, service: StandInService) -> None:
    ids = rows.locator("#results tbody tr[data-account]").evaluate_all("rows => rows.map((row) => row.dataset.account)")
    press(rows, rows.locator("#results tbody tr[data-account] .change button").nth(2))
    service.accounts[:] = [each for each in service.accounts if each["id"] != int(ids[2])]
    rebuild(rows, service, int(ids[3]))
    rows.mouse.up()
    rows.locator("#results tbody tr[data-account] .account-name").nth(5).click()
    expect(rows.get_by_role("complementary")).to_have_count(1)
    expect(rows.get_by_role("dialog")).to_have_count(0)


def test_a_press_on_a_button_that_became_its_opposite_before_the_release_does_nothing(
    rows: Page, service: StandInService
) -> None:
    row = rows.locator("#results tbody tr[data-account]").nth(2)
    number = int(row.get_attribute("data-account") or 0)
    press(rows, row.locator(".change button"))
    service.switch([number], disabled=True)
    rebuild(rows, service, number)
    rows.mouse.up()
    rows.locator("#results tbody tr[data-account] .account-name").nth(5).click()
    expect(rows.get_by_role("complementary")).to_have_count(1)
    expect(rows.get_by_role("dialog")).to_have_count(0)


def test_a_press_that_is_drawn_away_from_its_row_does_nothing(rows: Page, service: StandInService) -> None:
    row = rows.locator("#results tbody tr[data-account]").nth(2)
    press(rows, row.locator(".change button"))
    rebuild(rows, service, int(row.get_attribute("data-account") or 0))
    rows.mouse.move(700, 300, steps=3)
    rows.mouse.up()
    rows.locator("#results tbody tr[data-account] .account-name").nth(5).click()
    expect(rows.get_by_role("complementary")).to_have_count(1)
    expect(rows.get_by_role("dialog")).to_have_count(0)


def test_a_press_that_the_browser_keeps_counts_once(rows: Page) -> None:
    box = rows.locator("#results tbody tr[data-account] .select input").nth(2)
    box.click(delay=100)
    rows.locator("#results tbody tr[data-account] .select input").nth(4).click(modifiers=["Shift"], delay=100)
    expect(rows.get_by_text("3 selected")).to_be_visible()
    rows.locator("#results tbody tr[data-account] .account-name").nth(5).click(delay=100)
    rows.wait_for_timeout(300)
    expect(rows.get_by_role("complementary")).to_have_count(1)


def test_a_press_in_the_panel_counts_although_the_panel_is_filled_anew(rows: Page, service: StandInService) -> None:
    row = rows.locator("#results tbody tr[data-account]").nth(2)
    number = row.get_attribute("data-account")
    assert number is not None
    row.locator(".account-name").click()
    panel = rows.get_by_role("complementary")
    expect(panel.get_by_role("heading", level=2)).to_be_focused()
    expect(panel.locator(".evidence .attempts")).to_be_visible()  # the last of what it asks for
    press(rows, panel.get_by_role("button", name="Close"))
    rebuild(rows, service, int(number))
    rows.mouse.up()
    expect(panel).to_have_count(0)


def test_a_press_counts_although_lines_above_push_the_control_away(rows: Page) -> None:
    legend = rows.locator("#legend summary")
    legend.scroll_into_view_if_needed()
    press(rows, legend)
    rows.evaluate("document.getElementById('notices').style.paddingTop = '90px'")
    rows.mouse.up()
    expect(rows.locator("#legend dl")).to_be_visible()


def test_a_press_does_not_reach_below_a_dialog_that_came_before_the_release(
    rows: Page, service: StandInService
) -> None:
    first, third = (rows.locator("#results tbody tr[data-account]").nth(at) for at in (0, 2))
    name = first.locator(".account-name").inner_text()
    press(rows, third.locator(".account-name"))
    first.locator(".change button").dispatch_event("click")
    heading = rows.get_by_role("dialog").get_by_role("heading")
    expect(heading).to_contain_text(name)
    rebuild(rows, service, int(third.get_attribute("data-account") or 0))
    rows.mouse.up()
    rows.keyboard.press("Escape")
    expect(heading).to_have_count(0)
    expect(rows.get_by_role("complementary")).to_have_count(0)
