"""The shell of the console."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.house import KEY, OWN, RunningService, requests_held
from tests.browser.test_accessibility import PHONE, findings

DESK = (1440, 900)


def choose(page: Page, menu: str, item: str) -> None:
    """Open a menu with the keyboard and take an item."""
    page.get_by_role("button", name=menu, exact=True).first.focus()
    page.keyboard.press("Enter")
    target = page.get_by_role("menuitemradio", name=item, exact=True)
    for _ in range(10):
        if target.evaluate("(node) => node === document.activeElement"):
            break
        page.keyboard.press("ArrowDown")
    expect(target).to_be_focused()
    page.keyboard.press("Enter")


def find(page: Page, words: str) -> None:
    """Go to what the palette finds."""
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type(words)
    expect(page.get_by_role("option", selected=True)).to_contain_text(words)
    page.keyboard.press("Enter")


def test_pages_are_reached_by_keyboard_with_theme_and_language(visited: RunningService) -> None:
    page = visited.open("prices")
    choose(page, "Theme", "Dark")
    choose(page, "Language", "简体中文")
    expect(page.get_by_role("heading", level=1)).to_have_text("价格")

    find(page, "设置")
    expect(page).to_have_url(f"{visited.origin}/monitor/settings")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")

    expect(page.get_by_role("heading", level=1)).to_have_text("设置")
    page.get_by_role("link", name="价格").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("价格")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.parametrize(("theme", "size"), [("light", DESK), ("dark", (PHONE["width"], PHONE["height"]))])
def test_drawer_menu_palette_and_sign_in_have_no_finding(
    visited: RunningService, theme: str, size: tuple[int, int]
) -> None:
    page = visited.open("prices")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("(theme) => localStorage.setItem('poolkeeper.theme', theme)", theme)
    page.goto(f"{visited.origin}/monitor/prices?edit=new")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_be_visible()
    assert findings(page) == []
    page.keyboard.press("Escape")
    page.context.clear_cookies()
    page.reload()
    expect(page.get_by_label("Management key")).to_be_focused()
    assert findings(page) == []


def test_an_ended_session_is_asked_for_over_the_page_which_is_kept(filled: RunningService, console: Console) -> None:
    console.expected.append("status of 401")
    page = filled.open("prices", "?edit=new")
    page.get_by_label("Model", exact=True).fill("half-typed")
    page.context.clear_cookies()
    page.get_by_role("searchbox").fill("gpt")

    key = page.get_by_label("Management key")
    expect(key).to_be_focused()
    page.keyboard.press("Escape")
    expect(key).to_be_visible()
    key.fill(KEY)
    page.keyboard.press("Enter")

    expect(key).to_have_count(0)
    expect(page.get_by_label("Model", exact=True)).to_have_value("half-typed")


def test_a_change_in_one_tab_is_seen_in_another(filled: RunningService) -> None:
    page = filled.open("prices")
    rates = {"input": {"amount": "2", "per": 1_000_000, "above": []}}
    price = {"model": "elsewhere", "provider": "", "serviceTier": "standard", "validFrom": None, "rates": rates}

    answer = page.request.put(
        f"{filled.origin}/v0/management/model-prices", data=price, headers={"X-Management-Key": KEY}
    )

    assert answer.ok, answer.text()
    expect(page.get_by_role("row", name="elsewhere")).to_be_visible()


def test_a_page_that_cannot_be_loaded_says_so_and_is_loaded_later(visited: RunningService, console: Console) -> None:
    console.expected.append("/schedules.js")
    page = visited.open("notifications")
    page.route("**/schedules.js", lambda route: route.abort())
    page.get_by_role("link", name="Schedules").click()
    expect(page.get_by_role("alert")).to_contain_text("This page could not be loaded.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Schedules")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_role("alert")).to_contain_text("This page could not be loaded.")
    page.unroute("**/schedules.js")
    page.get_by_role("button", name="Retry").click()
    expect(page.get_by_text("No schedules yet.")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_pages_that_were_left_hold_up_no_other_page(visited: RunningService) -> None:
    page = visited.open("notifications")
    with requests_held(page, f"**{OWN}/inspections/schedules", "GET") as reads:
        for number in range(1, 8):
            page.get_by_role("link", name="Schedules").click()
            expect(page.get_by_role("status", name="Loading…")).to_be_visible()
            page.get_by_role("link", name="Notifications").click()
            expect(page.get_by_text("No channel yet.")).to_be_visible()
            assert len(reads) == number


def test_back_and_forward_lead_through_pages_and_filters_without_another_load(visited: RunningService) -> None:
    page = visited.open("activity")
    page.evaluate("window.same = true")
    page.get_by_role("button", name="30 d").click()
    page.get_by_role("link", name="Notifications").click()
    expect(page.get_by_text("No channel yet.")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name="30 d")).to_have_attribute("aria-pressed", "true")
    page.go_forward()
    expect(page.get_by_text("No channel yet.")).to_be_visible()
    assert page.evaluate("window.same")


def test_a_deep_link_is_kept_through_the_sign_in(page: Page, origin: str) -> None:
    page.goto(f"{origin}/monitor/activity?batch=1")
    expect(page.get_by_role("form", name="Sign in")).to_contain_text(f"Gateway at {origin.removeprefix('http://')}")
    page.get_by_label("Management key").fill(KEY)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("No change found.")).to_be_visible()
    expect(page).to_have_url(f"{origin}/monitor/activity?batch=1")


@pytest.mark.parametrize(
    "address",
    [
        "schedules?edit=new",
        "runs?run=1",
        "keys?edit=new",
        "activity?search=nothing-is-called-so",
        "notifications?edit=new",
    ],
)
def test_a_drawer_has_no_finding_in_two_looks(visited: RunningService, address: str) -> None:
    page = visited.page
    for theme, size in (("light", DESK), ("dark", (PHONE["width"], PHONE["height"]))):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(f"{visited.origin}/monitor/{address}")
        page.evaluate("(theme) => localStorage.setItem('poolkeeper.theme', theme)", theme)
        page.reload()
        expect(page.locator("dialog[open], .empty").first).to_be_visible()
        for summary in page.locator("dialog summary").all():
            summary.click()
        assert findings(page) == []
