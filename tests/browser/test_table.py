"""The table of accounts: filters, columns, large pools, narrow windows."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"
NONE_CLIPPED = """(selector) => [...document.querySelectorAll(selector)]
  .every((cell) => cell.scrollWidth <= cell.clientWidth)"""
SCOPE = {"accountSource": "api_key", "targetType": "all", "providerFilter": ""}


def names(page: Page) -> list[str]:
    return page.locator("#results tbody .account-name").all_text_contents()


def test_verdicts_are_counted_and_filter_the_table(inspected: Page) -> None:
    expect(inspected.get_by_role("button", name="Healthy 3")).to_be_visible()

    inspected.get_by_role("button", name="Invalid key 1").click()
    inspected.get_by_role("button", name="Forbidden 1").click()

    expect(inspected.locator(ROWS)).to_have_count(2)
    assert names(inspected) == ["relay-401", "relay-403"]
    inspected.get_by_role("button", name="All 11").click()
    expect(inspected.locator(ROWS)).to_have_count(11)


def test_entries_without_an_index_are_named_in_a_warning(page: Page, address: str, service: StandInService) -> None:
    service.skipped = [{"name": "codex-old.json", "reason": "no auth_index"}]

    sign_in(page, address)

    expect(page.locator(".notice")).to_contain_text("1 entry of the gateway's list cannot be checked")
    expect(page.locator("#left-out")).to_have_text("Unsupported1")
    page.locator(".notice summary").click()
    expect(page.locator(".notice li")).to_have_text(["codex-old.json: no auth_index"])


def test_ten_thousand_accounts_are_paged_searched_and_inspected(
    page: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(10_000)
    sign_in(page, address)
    page.get_by_text("API keys", exact=True).click()
    expect(page.locator("#count")).to_have_text("10,000")
    expect(page.locator("#results")).to_have_attribute("aria-rowcount", "10001")
    assert page.locator(ROWS).count() < 100

    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.get_by_role("row", name="relay-10000")).to_be_visible()
    page.get_by_label("Search").fill("relay-04321")
    expect(page.locator(ROWS)).to_have_count(1)
    page.get_by_label("Search").fill("")
    page.get_by_role("button", name="Start inspection").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    service.land()

    expect(page.get_by_role("button", name="Healthy 10,000")).to_be_visible()


def test_focus_and_open_evidence_survive_results_that_land(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    expand = operator.get_by_role("button", name="Evidence of relay-403")
    expand.press("Enter")
    expect(operator.locator(".evidence")).to_contain_text("Not checked yet.")
    heading = operator.locator("#side-heading")
    expect(heading).to_be_focused()

    service.land(5)

    expect(operator.locator(".evidence")).to_contain_text("The provider forbids this key (403).")
    expect(heading).to_be_focused()
    expand.focus()
    service.land(5)
    expect(operator.locator("tr[data-verdict]:not([data-verdict=''])").nth(6)).to_be_visible()
    expect(expand).to_be_focused()


def test_a_narrow_screen_sorts_and_selects_as_a_wide_one_does(inspected: Page) -> None:
    inspected.set_viewport_size({"width": 390, "height": 844})

    inspected.get_by_role("button", name="Account", exact=True).click()
    inspected.get_by_label("Select all rows").check()

    expect(inspected.locator(ROWS).first).to_contain_text("claude-402")
    expect(inspected.locator("#selected")).to_have_text("11 selected")


def test_nothing_is_wider_than_the_screen(inspected: Page) -> None:
    inspected.get_by_role("button", name="Evidence of relay-401").click()

    for width in (1440, 1340, 1180, 1000, 900, 600, 380):
        inspected.set_viewport_size({"width": width, "height": 800})
        inspected.wait_for_function("document.documentElement.scrollWidth <= innerWidth")


def test_status_recommendation_and_hold_of_a_row_are_never_cut(inspected: Page, service: StandInService) -> None:
    for account in service.accounts:
        account["onHold"] = True
    inspected.get_by_role("button", name="Refresh").click()
    expect(inspected.locator("#results .marks")).to_have_count(11)

    for width, height in ((1440, 900), (1280, 800), (390, 844)):
        inspected.set_viewport_size({"width": width, "height": height})
        inspected.wait_for_function(NONE_CLIPPED, arg=f"{ROWS} > :is(.verdict, .action, .enabled)")


def test_one_click_clears_every_filter(operator: Page) -> None:
    clear = operator.get_by_role("button", name="Clear filters")
    expect(clear).to_be_hidden()
    operator.get_by_label("Search").fill("nothing is called so")
    operator.get_by_label("State", exact=True).select_option("enabled")
    expect(operator.locator("#empty")).to_be_visible()

    clear.click()

    expect(operator.locator(ROWS)).to_have_count(11)
    expect(operator.get_by_label("Search")).to_have_value("")
    expect(operator.get_by_label("State", exact=True)).to_have_value("")
    expect(clear).to_be_hidden()
    assert "q=" not in operator.url


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


def test_a_column_that_is_hidden_stays_hidden_after_a_reload(inspected: Page) -> None:
    inspected.get_by_text("Columns", exact=True).click()
    inspected.get_by_role("checkbox", name="HTTP").uncheck()
    inspected.get_by_role("checkbox", name="Checked").check()
    expect(inspected.get_by_role("columnheader", name="HTTP")).to_have_count(0)

    inspected.reload()

    expect(inspected.get_by_role("columnheader", name="Checked")).to_be_visible()
    expect(inspected.get_by_role("columnheader", name="HTTP")).to_have_count(0)


@pytest.mark.usefixtures("own_tab")
def test_the_first_accounts_are_shown_before_the_rest_is_read(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(300)
    first = service.delays.next_answer("GET", "pool")
    rest = service.delays.next_answer("GET", "pool")
    operator.goto(f"{address}?source=api_key&sort=name")
    first.wait_until_made()
    first.release()
    rest.wait_until_made()
    expect(operator.locator("#count")).to_have_text("200 of 300")
    expect(operator.locator("[data-count=total]")).to_have_text("300")
    expect(operator.locator(ROWS).first).to_contain_text("relay-00001")

    rest.release()

    expect(operator.locator("#count")).to_have_text("300")
