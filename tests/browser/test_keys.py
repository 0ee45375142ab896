"""Keys of the table."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"


@pytest.fixture
def by_name(inspected: Page) -> Page:
    """Give the rows in the order of their names: claude-402, claude-nowhere, claude-ok, …"""
    inspected.get_by_role("button", name="Account", exact=True).click()
    expect(inspected.locator("#results tbody tr:not(.spacer)").first).to_contain_text("claude-402")
    return inspected


def current(page: Page) -> Locator:
    return page.locator("#results tr.current .account-name")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_keys_move_through_the_rows_to_their_ends_and_an_open_panel_follows_until_escape(by_name: Page) -> None:
    press(by_name, "j")
    expect(current(by_name)).to_have_text("claude-402")
    press(by_name, "j", "j")
    expect(current(by_name)).to_have_text("claude-ok")
    expect(by_name.get_by_role("button", name="Evidence of claude-ok")).to_be_focused()

    press(by_name, "k", "k", "k", "k")

    expect(current(by_name)).to_have_text("claude-402")
    press(by_name, "Enter")
    panel = by_name.get_by_role("complementary")
    expect(panel.get_by_role("heading", level=2)).to_contain_text("claude-402")

    press(by_name, "j")
    expect(panel.get_by_role("heading", level=2)).to_contain_text("claude-nowhere")
    press(by_name, "Escape")

    expect(panel).to_have_count(0)
    expect(by_name.get_by_role("button", name="Evidence of claude-nowhere")).to_be_focused()


def test_x_selects_and_d_and_e_ask_before_they_change_anything(by_name: Page, service: StandInService) -> None:
    dialog = by_name.get_by_role("dialog")
    press(by_name, "j", "d")
    expect(dialog).to_contain_text("Disable claude-402 #9?")
    dialog.get_by_role("button", name="Disable").click()
    expect(dialog).to_contain_text("Done")
    dialog.get_by_role("button", name="Close").click()
    expect(by_name.locator("tr.current .state")).to_have_text("disabled")

    press(by_name, "e")
    expect(dialog).to_contain_text("Enable claude-402 #9?")
    press(by_name, "d", "Escape")
    expect(dialog).to_be_hidden()
    press(by_name, "j", "x", "j", "x")
    expect(by_name.locator("#selected")).to_have_text("2 selected")
    press(by_name, "d")
    expect(dialog).to_contain_text("Disable 2 accounts?")
    press(by_name, "Escape")

    assert [path for _, path, _ in service.requests if path == "pool/status"] == ["pool/status"]


def test_a_key_pressed_right_after_a_dialog_acts_on_the_row_that_it_moved_to(by_name: Page) -> None:
    press(by_name, "j", "d")
    expect(by_name.get_by_role("dialog")).to_contain_text("Disable claude-402 #9?")
    # In one task, before the dialog says that it is closed.
    by_name.evaluate(
        "() => { document.querySelector('dialog[open]').close();"
        " document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j' })); }"
    )
    expect(by_name.get_by_role("button", name="Evidence of claude-nowhere")).to_be_focused()
    by_name.evaluate("() => new Promise((resolve) => setTimeout(resolve, 0))")
    press(by_name, "x")
    expect(by_name.get_by_label("Select claude-nowhere")).to_be_checked()
    expect(by_name.locator("#selected")).to_have_text("1 selected")


def test_shift_selects_from_the_last_account_to_this_one_among_those_shown(by_name: Page) -> None:
    boxes = by_name.locator(f"{ROWS} input[type=checkbox]")
    chosen = by_name.locator(f"{ROWS} input:checked")
    boxes.nth(0).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(chosen).to_have_count(4)
    expect(boxes.nth(3)).to_be_focused()
    assert by_name.evaluate("getSelection().isCollapsed")
    boxes.nth(2).click(modifiers=["Shift"])
    expect(chosen).to_have_count(2)

    by_name.get_by_role("button", name="Clear").click()
    press(by_name, "j", "x", "j", "j", "Shift+X")

    expect(chosen).to_have_count(3)


def test_the_search_and_the_help_have_keys_and_a_field_keeps_its_letters(by_name: Page) -> None:
    press(by_name, "/")
    search = by_name.get_by_label("Search")
    expect(search).to_be_focused()
    by_name.keyboard.type("jkxdeu?")
    expect(search).to_have_value("jkxdeu?")
    expect(by_name.get_by_role("dialog")).to_be_hidden()
    search.blur()

    press(by_name, "?")

    help_of_keys = by_name.get_by_role("dialog")
    expect(help_of_keys.locator("kbd")).to_have_text(
        ["j", "k", "x", "Shift+x", "d", "e", "u", "/", "?", "Enter", "Escape"]
    )
    help_of_keys.get_by_role("button").click()
    expect(help_of_keys).to_be_hidden()
