"""Rows that are built anew under a press, a focus, or an open list."""

from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.pool import key_account, many_accounts
from tests.browser.stand_in.service import StandInService

pytestmark = pytest.mark.soak

MARK = "(node) => { node.isKept = true; node.list = [...node.options]; }"
KEPT = "(node) => node.isConnected && node.isKept && node.list.every((each, at) => each === node.options[at])"
ROW_IN_THE_MIDDLE: Final = """() => [...document.querySelectorAll("#results .change button")]
  .find((button) => button.getBoundingClientRect().top > window.innerHeight / 2)?.dataset.control"""
NEXT_FRAMES: Final = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def rows(operator: Page, address: str, service: StandInService) -> Page:
    """Give a page of 60 checked accounts, at rest."""
    service.accounts = many_accounts(60)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    operator.goto(f"{address}?source=api_key")
    expect(operator.locator("#cost")).not_to_be_empty()
    expect(operator.locator("#results .strip i").first).to_be_attached()  # the last rebuilding of the rows
    return operator


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


@pytest.mark.parametrize("place", [".select input", ".change button"], ids=["box", "button"])
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
    else:
        expect(rows.get_by_role("dialog")).to_be_visible()


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


def opened(select: Locator) -> None:
    """Open a list of choices, as a click does."""
    select.click()
    expect(select).to_be_focused()
    select.evaluate(MARK)


def test_an_open_list_of_a_filter_stays_while_results_come_in(operator: Page, service: StandInService) -> None:
    hosts, runs = operator.get_by_label("Host", exact=True), operator.get_by_label("Show", exact=True)
    opened(hosts)
    service.accounts.append(key_account(20, "relay-new", "compat"))
    service.emit("pool", None)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    expect(operator.get_by_role("row", name="relay-new")).to_be_visible()
    assert hosts.evaluate(KEPT)
    operator.keyboard.press("Escape")
    operator.locator("#search").focus()
    expect(runs.locator("option")).to_have_count(2)

    opened(runs)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    expect(operator.locator("#run-state")).to_contain_text("Run 2")
    assert runs.evaluate(KEPT)
    expect(runs.locator("option")).to_have_count(2)
    operator.keyboard.press("Escape")
    operator.locator("#search").focus()
    expect(runs.locator("option")).to_have_count(3)


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


def test_rows_that_are_read_again_leave_the_page_and_the_keyboard_where_they_are(
    long_page: Page, service: StandInService
) -> None:
    button = scrolled(long_page, 900)
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
