import pytest
from playwright.sync_api import Page, Route, expect

from extension.console.pages import page_names
from tests.browser.conftest import Console, sign_in
from tests.browser.stand_in.service import KEY, StandInService

PAGES = page_names()
UNANSWERED = ["/management/usage", "/management/model-prices", "/management/api-key-aliases", "/pool/overview"]
"""Paths that the stand-in does not have; the pages that read them are tested with the whole service."""


def heading(page: Page) -> str:
    return page.locator("main:not([hidden]) h1").inner_text()


@pytest.mark.parametrize("name", PAGES)
def test_each_page_opens_by_its_address_and_is_marked_in_the_navigation(
    operator: Page, address: str, name: str, console: Console
) -> None:
    console.expected += UNANSWERED
    operator.goto(address.replace("inspection", name))

    current = operator.locator("#navigation [aria-current=page]")
    expect(current).to_have_attribute("href", name)
    expect(operator).to_have_title(f"{current.inner_text()} · Poolkeeper")
    expect(operator.locator("h1")).to_have_count(2)  # one of them in the sign-in form, hidden
    expect(operator.locator("#page h1")).to_have_count(1)


def test_the_navigation_shows_exactly_the_pages_that_exist(operator: Page) -> None:
    links = operator.locator("#navigation a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")

    assert sorted(links) == sorted(PAGES)


def test_back_and_forward_lead_through_pages_and_filters_without_another_load(
    operator: Page, service: StandInService
) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    operator.evaluate("window.same = true")
    operator.get_by_role("link", name="Activity").click()
    operator.get_by_label("Result", exact=True).select_option("conflict")
    expect(operator.locator("#action-log")).to_contain_text("No action found.")
    operator.get_by_role("link", name="Settings").click()
    expect(operator.get_by_label("Theme")).to_be_visible()

    operator.go_back()

    expect(operator.get_by_label("Result", exact=True)).to_have_value("conflict")
    operator.go_back()
    expect(operator.get_by_role("row", name="relay-401")).to_be_visible()
    expect(operator.get_by_label("Result", exact=True)).to_have_value("")
    operator.go_back()
    expect(operator.get_by_role("button", name="Start inspection")).to_be_visible()
    operator.go_forward()
    expect(operator.get_by_role("row", name="relay-401")).to_be_visible()
    assert operator.evaluate("window.same")


def test_a_filtered_view_is_opened_by_its_address(operator: Page, address: str, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    service.follow_up.record(3, "relay-403", "disable", outcome="conflict")

    operator.goto(address.replace("inspection", "activity?result=conflict"))

    expect(operator.locator("#action-log .listing tbody tr")).to_have_count(1)


def test_the_keyboard_is_in_the_page_after_the_sign_in(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Management key").fill(KEY)
    page.keyboard.press("Enter")

    expect(page.locator("#page")).to_be_focused()


def test_a_deep_link_is_kept_through_the_sign_in(page: Page, address: str, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    sign_in(page, address.replace("inspection", "activity?batch=1"))

    expect(page.locator("#action-log")).to_contain_text("No action found.")


def test_an_unknown_page_is_ours_and_leads_back(operator: Page, address: str, console: Console) -> None:
    console.expected.append("/monitor/nowhere")
    reply = operator.goto(address.replace("inspection", "nowhere"))
    assert reply is not None
    assert reply.status == 404

    expect(operator.get_by_role("heading", name="Page not found")).to_be_visible()
    operator.get_by_role("link", name="Go to the inspection").click()

    expect(operator.get_by_role("button", name="Start inspection")).to_be_visible()


def test_the_theme_is_chosen_and_kept(operator: Page) -> None:
    operator.get_by_role("link", name="Settings").click()
    operator.get_by_label("Theme").select_option("Dark")
    dark = operator.evaluate("getComputedStyle(document.body).backgroundColor")

    operator.reload()

    assert operator.evaluate("document.documentElement.dataset.theme") == "dark"
    operator.get_by_label("Theme").select_option("Light")
    assert operator.evaluate("getComputedStyle(document.body).backgroundColor") != dark


def test_the_language_is_chosen_and_kept(operator: Page) -> None:
    operator.get_by_role("link", name="Settings").click()
    operator.get_by_label("Language").select_option("简体中文")

    expect(operator.get_by_role("link", name="巡检")).to_be_visible()
    expect(operator.get_by_label("语言")).to_be_focused()
    operator.reload()
    expect(operator.get_by_role("heading", name="设置")).to_be_visible()
    assert operator.evaluate("document.documentElement.lang") == "zh-CN"
    expect(operator.get_by_label("语言")).not_to_be_focused()
    operator.get_by_label("语言").select_option("")
    expect(operator.get_by_role("link", name="Inspection")).to_be_visible()


def test_the_automation_switch_appears_with_its_name(operator: Page, address: str) -> None:
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    operator.route("**/config/automation", hold)
    operator.goto(address.replace("inspection", "settings"))
    expect(operator.locator("#page dl.facts").first).to_be_visible()
    expect(operator.locator("#automation")).to_be_hidden()

    waiting[0].continue_()

    expect(operator.get_by_role("button", name="Pause automation")).to_be_visible()
