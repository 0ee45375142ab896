import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"


@pytest.fixture
def inspected(operator: Page, service: StandInService) -> Page:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    return operator


def names(page: Page) -> list[str]:
    return page.locator("#results tbody .account-name").all_text_contents()


def test_the_capsule_counts_the_pool_in_view(operator: Page, service: StandInService) -> None:
    capsule = operator.locator("#capsule dd[data-count]")
    expect(capsule).to_have_text(["11", "11", "0"])
    service.accounts[0]["enabled"] = False

    operator.get_by_role("button", name="Refresh").click()
    expect(capsule).to_have_text(["11", "10", "1"])

    operator.get_by_role("combobox", name="Family").select_option("vendor-b-apikey")
    expect(capsule).to_have_text(["3", "3", "0"])

    operator.get_by_text("OAuth files", exact=True).click()
    expect(capsule).to_have_text(["2", "2", "0"])

    operator.get_by_label("Type").select_option("codex")
    expect(capsule).to_have_text(["1", "1", "0"])


def test_verdicts_are_counted_and_filter_the_table(inspected: Page) -> None:
    expect(inspected.get_by_role("button", name="Healthy 3")).to_be_visible()

    inspected.get_by_role("button", name="Invalid key 1").click()
    inspected.get_by_role("button", name="Forbidden 1").click()

    expect(inspected.locator(ROWS)).to_have_count(2)
    assert names(inspected) == ["relay-401", "relay-403"]
    inspected.get_by_role("button", name="All 11").click()
    expect(inspected.locator(ROWS)).to_have_count(11)


def test_the_search_looks_through_names_addresses_reasons_and_status(inspected: Page) -> None:
    inspected.get_by_label("Search").fill("retry after")
    expect(inspected.locator(ROWS)).to_have_count(1)
    assert names(inspected) == ["relay-429"]

    inspected.get_by_label("Search").fill("nothing like this")
    expect(inspected.get_by_text("No account matches the search")).to_be_visible()


def test_columns_sort_both_ways_with_what_is_unknown_last(inspected: Page) -> None:
    inspected.get_by_role("button", name="HTTP").click()
    expect(inspected.get_by_role("columnheader", name="HTTP")).to_have_attribute("aria-sort", "ascending")
    assert names(inspected)[0] == "relay-silent"
    assert names(inspected)[-1] == "claude-nowhere"

    inspected.get_by_role("button", name="Account").click()
    inspected.get_by_role("button", name="Account").click()

    expect(inspected.get_by_role("columnheader", name="Account")).to_have_attribute("aria-sort", "descending")
    assert names(inspected)[0] == "relay-silent"


def test_the_worst_status_comes_first(inspected: Page) -> None:
    verdicts = inspected.locator(f"{ROWS} .verdict .pill").evaluate_all(
        "pills => pills.map((pill) => pill.dataset.tone)"
    )

    assert verdicts == sorted(verdicts, key=["bad", "caution", "neutral", "good"].index)


def test_entries_without_an_index_are_named_in_a_warning(page: Page, address: str, service: StandInService) -> None:
    service.skipped = [{"name": "codex-old.json", "reason": "no auth_index"}]

    sign_in(page, address)

    expect(page.locator(".notice")).to_contain_text("1 entry of the gateway's list cannot be checked")
    expect(page.locator("#left-out")).to_have_text("Unsupported1")
    page.locator(".notice summary").click()
    expect(page.locator(".notice li")).to_have_text(["codex-old.json: no auth_index"])


def test_the_legend_explains_every_verdict(operator: Page) -> None:
    operator.get_by_text("Status legend").click()

    expect(operator.locator("#legend dt")).to_have_count(9)
    expect(operator.locator("#legend")).to_contain_text("403: the key may not do this.")


def test_a_missing_base_address_offers_the_vendors_own_in_one_click(inspected: Page) -> None:
    inspected.get_by_role("button", name="Evidence of claude-nowhere").click()

    inspected.get_by_role("button", name="Use the vendor's public base URL").click()

    inspected.get_by_text("Run settings").click()
    expect(inspected.get_by_label("Use the vendor's public base URL")).to_be_checked()


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


def test_every_control_has_a_name(inspected: Page) -> None:
    inspected.get_by_text("Run settings").click()

    nameless = inspected.evaluate("""
        [...document.querySelectorAll("main:not([hidden]) :is(button, input, select)")]
          .filter((control) => !control.hidden && !control.labels?.length)
          .filter((control) => !control.getAttribute("aria-label") && !control.textContent.trim())
          .map((control) => control.outerHTML)
    """)

    assert nameless == []


def test_a_narrow_screen_sorts_and_selects_as_a_wide_one_does(inspected: Page) -> None:
    inspected.set_viewport_size({"width": 390, "height": 844})

    inspected.get_by_role("button", name="Account", exact=True).click()
    inspected.get_by_label("Select all rows").check()

    expect(inspected.locator(ROWS).first).to_contain_text("claude-402")
    expect(inspected.locator("#selected")).to_have_text("11 selected")


def test_a_long_address_does_not_fill_the_screen(operator: Page, service: StandInService) -> None:
    service.accounts[0]["baseUrl"] = f"https://relay.example/{'long/' * 60}v1"
    operator.set_viewport_size({"width": 1920, "height": 900})

    operator.get_by_role("button", name="Refresh").click()

    expect(operator.get_by_role("row", name="relay-ok").locator(".baseUrl")).to_contain_text("relay.example/long")
    box = operator.get_by_role("row", name="relay-ok").bounding_box()
    assert box is not None
    assert box["height"] <= 37


def test_nothing_is_wider_than_the_screen(inspected: Page) -> None:
    inspected.get_by_role("button", name="Evidence of relay-401").click()

    for width in (1440, 1340, 1180, 1000, 900, 600, 380):
        inspected.set_viewport_size({"width": width, "height": 800})
        assert inspected.evaluate("document.documentElement.scrollWidth") <= width


CLIPPED = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 800), (390, 844)])
def test_status_recommendation_and_hold_of_a_row_are_never_cut(
    inspected: Page, service: StandInService, width: int, height: int
) -> None:
    for account in service.accounts:
        account["onHold"] = True
    inspected.get_by_role("button", name="Refresh").click()
    expect(inspected.locator("#results .marks")).to_have_count(11)
    inspected.set_viewport_size({"width": width, "height": height})

    assert inspected.locator(f"{ROWS} > :is(.verdict, .action, .enabled)").evaluate_all(CLIPPED) == []


def test_a_row_that_cannot_be_deleted_says_so_in_the_language_of_the_page(inspected: Page) -> None:
    inspected.evaluate("localStorage.setItem('poolkeeper.language', 'zh-CN')")
    inspected.reload()
    expect(inspected.locator("#results .strip i").first).to_be_attached()  # the last rebuilding of the rows
    inspected.locator("#results .expand").first.click()

    facts = inspected.locator(".evidence .facts")
    expect(facts).to_contain_text("API 密钥绝不会被删除")
    expect(facts).not_to_contain_text("never deleted")


def test_the_head_of_the_table_stays_in_sight_below_the_bar_of_the_selection(operator: Page) -> None:
    operator.set_viewport_size({"width": 1440, "height": 500})
    expect(operator.locator("#delete-reason")).not_to_be_empty()
    operator.mouse.wheel(0, 2_000)
    expect(operator.locator("#refresh")).not_to_be_in_viewport()

    seen = """head => { const box = head.getBoundingClientRect();
      return head.contains(document.elementFromPoint(box.left + 8, box.top + box.height / 2)); }"""
    assert operator.locator("#results thead th.name").evaluate(seen)


def test_the_chooser_of_columns_shows_places_and_names_what_the_window_has_no_room_for(inspected: Page) -> None:
    inspected.set_viewport_size({"width": 1440, "height": 900})
    expect(inspected.get_by_role("columnheader", name="Place")).to_have_count(0)
    inspected.get_by_text("Columns", exact=True).click()
    inspected.get_by_role("checkbox", name="Place").check()

    expect(inspected.get_by_role("columnheader", name="Place")).to_be_visible()
    expect(inspected.locator(".menu-body label", has_text="Base URL")).to_contain_text("no room in this window")
    inspected.get_by_role("checkbox", name="Base URL").uncheck()
    expect(inspected.locator(".menu-body label", has_text="Base URL")).not_to_contain_text("no room")
    inspected.set_viewport_size({"width": 1920, "height": 900})
    inspected.get_by_role("checkbox", name="Base URL").check()
    expect(inspected.get_by_role("columnheader", name="Base URL")).to_be_visible()
    expect(inspected.locator(".menu-body label", has_text="Base URL")).not_to_contain_text("no room")
