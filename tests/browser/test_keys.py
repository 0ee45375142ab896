"""Keys of the table, its columns, the strip of last results, the history, and the pause of all automation."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"
SCOPE = {"accountSource": "api_key", "targetType": "all", "providerFilter": ""}


@pytest.fixture
def inspected(operator: Page, service: StandInService) -> Page:
    service.start(SCOPE)
    service.land()
    expect(operator.get_by_role("button", name="Healthy 3")).to_be_visible()
    operator.get_by_role("button", name="Account", exact=True).click()  # by name: claude-402, claude-nowhere, ...
    expect(operator.locator(ROWS).first).to_contain_text("claude-402")
    return operator


def current(page: Page) -> Locator:
    return page.locator("#results tr.current .account-name")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_keys_move_through_the_rows_and_stop_at_the_ends(inspected: Page) -> None:
    press(inspected, "j")
    expect(current(inspected)).to_have_text("claude-402")
    press(inspected, "j", "j")
    expect(current(inspected)).to_have_text("claude-ok")
    expect(inspected.get_by_role("button", name="Evidence of claude-ok")).to_be_focused()

    press(inspected, "k", "k", "k", "k")

    expect(current(inspected)).to_have_text("claude-402")


def test_a_key_acts_on_the_row_of_the_focus_or_says_that_there_is_none(inspected: Page) -> None:
    press(inspected, "d")
    expect(inspected.locator("#notices")).to_contain_text("This key acts on a row: press j to go to one")

    inspected.get_by_role("button", name="Disable relay-401").focus()
    press(inspected, "d")
    expect(inspected.get_by_role("dialog")).to_contain_text("Disable relay-401 #2?")


def test_an_open_panel_follows_the_keys_and_escape_closes_it(inspected: Page) -> None:
    press(inspected, "j", "Enter")
    panel = inspected.get_by_role("complementary")
    expect(panel.get_by_role("heading", level=2)).to_contain_text("claude-402")

    press(inspected, "j")
    expect(panel.get_by_role("heading", level=2)).to_contain_text("claude-nowhere")
    press(inspected, "Escape")

    expect(panel).to_have_count(0)
    expect(inspected.get_by_role("button", name="Evidence of claude-nowhere")).to_be_focused()


def test_the_focus_enters_a_panel_that_is_opened_and_returns_to_its_row(inspected: Page) -> None:
    row = inspected.get_by_role("button", name="Evidence of claude-402")
    row.focus()
    press(inspected, "Enter")
    panel = inspected.get_by_role("complementary")
    expect(panel.get_by_role("heading", level=2)).to_be_focused()

    press(inspected, "Tab")

    expect(panel.get_by_role("button", name="Close")).to_be_focused()
    press(inspected, "Enter")
    expect(panel).to_have_count(0)
    expect(row).to_be_focused()
    press(inspected, "Enter", "Tab", "Escape")
    expect(panel).to_have_count(0)
    expect(row).to_be_focused()


def test_x_selects_and_d_and_e_ask_before_they_change_anything(inspected: Page, service: StandInService) -> None:
    dialog = inspected.get_by_role("dialog")
    press(inspected, "j", "d")
    expect(dialog).to_contain_text("Disable claude-402 #9?")
    dialog.get_by_role("button", name="Disable").click()
    expect(dialog).to_contain_text("Done")
    dialog.get_by_role("button", name="Close").click()
    expect(inspected.locator("tr.current .state")).to_have_text("disabled")

    press(inspected, "e")
    expect(dialog).to_contain_text("Enable claude-402 #9?")
    press(inspected, "d", "Escape")
    expect(dialog).to_be_hidden()
    press(inspected, "j", "x", "j", "x")
    expect(inspected.locator("#selected")).to_have_text("2 selected")
    press(inspected, "d")
    expect(dialog).to_contain_text("Disable 2 accounts?")
    press(inspected, "Escape")

    assert [path for _, path, _ in service.requests if path == "pool/status"] == ["pool/status"]


def test_shift_selects_from_the_last_account_to_this_one_among_those_shown(inspected: Page) -> None:
    boxes = inspected.locator(f"{ROWS} input[type=checkbox]")
    chosen = inspected.locator(f"{ROWS} input:checked")
    boxes.nth(0).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(chosen).to_have_count(4)
    expect(boxes.nth(3)).to_be_focused()
    assert inspected.evaluate("getSelection().isCollapsed")
    boxes.nth(2).click(modifiers=["Shift"])
    expect(chosen).to_have_count(2)

    inspected.get_by_role("button", name="Clear").click()
    press(inspected, "j", "x", "j", "j", "Shift+X")

    expect(chosen).to_have_count(3)


def test_the_search_and_the_help_have_keys_and_a_field_keeps_its_letters(inspected: Page) -> None:
    press(inspected, "/")
    search = inspected.get_by_label("Search")
    expect(search).to_be_focused()
    inspected.keyboard.type("jkxdeu?")
    expect(search).to_have_value("jkxdeu?")
    expect(inspected.get_by_role("dialog")).to_be_hidden()
    search.blur()

    press(inspected, "?")

    help_of_keys = inspected.get_by_role("dialog")
    expect(help_of_keys.locator("kbd")).to_have_text(
        ["j", "k", "x", "Shift+x", "d", "e", "u", "/", "?", "Enter", "Escape"]
    )
    help_of_keys.get_by_role("button").click()
    expect(help_of_keys).to_be_hidden()


def test_u_without_a_change_to_undo_says_so_each_time(inspected: Page, service: StandInService) -> None:
    notice = inspected.get_by_role("status").filter(has_text="Nothing to undo on this page.")
    for _ in range(2):
        press(inspected, "j", "u")

        expect(notice).to_be_visible()
        expect(inspected.get_by_role("dialog")).to_be_hidden()
        notice.get_by_role("button", name="Dismiss").click()
        expect(notice).to_have_count(0)

    assert service.requests == []


def test_a_column_that_is_hidden_stays_hidden_after_a_reload(inspected: Page) -> None:
    inspected.get_by_text("Columns", exact=True).click()
    inspected.get_by_role("checkbox", name="HTTP").uncheck()
    inspected.get_by_role("checkbox", name="Checked").check()
    expect(inspected.get_by_role("columnheader", name="HTTP")).to_have_count(0)

    inspected.reload()

    expect(inspected.get_by_role("columnheader", name="Checked")).to_be_visible()
    expect(inspected.get_by_role("columnheader", name="HTTP")).to_have_count(0)


def test_the_strip_and_the_history_show_the_last_results(inspected: Page, service: StandInService) -> None:
    service.start(SCOPE)
    service.land()

    strip = inspected.locator("tr[data-account='1']").get_by_role("img")
    expect(strip).to_have_accessible_name("2 of the last 2 results healthy; last: Healthy")
    inspected.get_by_role("button", name="Evidence of relay-401").click()
    history = inspected.get_by_role("complementary").locator(".history tbody tr")
    expect(history).to_have_count(2)
    expect(history.first).to_contain_text("401")
    expect(history.locator("td:first-child")).to_have_text(["2", "1"])


def test_the_strip_shows_what_is_known_while_newer_results_are_read(inspected: Page, service: StandInService) -> None:
    strip = inspected.locator("tr[data-account='1']").get_by_role("img")
    expect(strip).to_have_accessible_name("1 result so far: Healthy")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    inspected.route("**/pool/recent*", hold)
    with inspected.expect_request("**/pool/recent*"):
        service.start(SCOPE)
    inspected.wait_for_timeout(300)
    assert strip.count() == 1
    for route in waiting:
        route.continue_()
    inspected.unroute("**/pool/recent*")
    service.land()
    expect(strip).to_have_accessible_name("2 of the last 2 results healthy; last: Healthy")


def test_all_automation_is_paused_and_resumed_from_every_page(inspected: Page, service: StandInService) -> None:
    inspected.get_by_role("button", name="Pause automation").click()

    expect(inspected.locator(".notice")).to_contain_text("Automation is paused")
    assert service.paused
    inspected.get_by_role("link", name="Schedules").click()
    expect(inspected.locator(".notice")).to_contain_text("Automation is paused")
    inspected.get_by_role("button", name="Resume automation").click()
    expect(inspected.locator(".notice")).to_have_count(0)
    assert not service.paused


def test_the_notice_of_paused_automation_is_in_sight_on_each_page_that_a_link_opens(inspected: Page) -> None:
    inspected.set_viewport_size({"width": 1000, "height": 500})
    inspected.get_by_role("button", name="Pause automation").click()
    notice = inspected.locator(".notice")
    expect(notice).to_contain_text("Automation is paused")
    for name in ("Settings", "Schedules", "Inspection"):
        inspected.get_by_role("link", name=name, exact=True).click()
        expect(inspected.locator("#navigation [aria-current=page]")).to_have_text(name)
        expect(inspected.locator("#page")).to_be_focused()
        assert inspected.evaluate("scrollY") == 0
    inspected.get_by_role("button", name="Resume automation").click()
    expect(notice).to_have_count(0)
    inspected.set_viewport_size({"width": 1440, "height": 900})
