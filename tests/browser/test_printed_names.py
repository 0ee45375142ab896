"""Long names on paper: whole where they fit, clamped where they would take sheets, breaking no word beside them."""

import re

from playwright.sync_api import Page, Route, expect

from tests.browser.broken_words import broken_words
from tests.browser.stand_in.service import StandInService
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

LONG = "openrouter and a long name " * 400


def renamed(route: Route) -> None:
    """Answer as the service does, with a name of ten thousand letters for each account."""
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub(r'"label":\s*"[^"]*"', f'"label":"{LONG}"', answer.text()))


def on_paper(page: Page) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")


def on_screen(page: Page) -> None:
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_very_long_name_takes_a_few_lines_of_printed_requests(filled: Site) -> None:
    filled.page.route(re.compile(r"/usage/summary\?.*by=account"), renamed)
    page = filled.open("requests", "?period=7d")
    names = page.locator("#page tbody td:nth-child(4) .clamped")
    expect(names.first).to_contain_text("openrouter and a long name")
    on_paper(page)
    heights = names.evaluate_all("nodes => nodes.map((node) => node.offsetHeight)")
    on_screen(page)
    page.unroute_all()

    assert max(heights) < 200


def test_a_printed_account_has_its_long_name_whole_with_hint_and_place(operator: Page, service: StandInService) -> None:
    long = "a provider with a name that is longer than its column on paper"
    service.accounts[0].update(displayName=long, keyHint="sk-a…9f3c", place="openai-compatibility[12]")
    operator.get_by_role("button", name="Refresh").click()
    expect(operator.get_by_text(long, exact=True)).to_be_visible()
    on_paper(operator)
    cell = operator.get_by_role("row").filter(has=operator.get_by_text("sk-a…9f3c")).locator(".name")
    edge = cell.evaluate("cell => cell.getBoundingClientRect().right")
    parts = cell.locator("bdi").evaluate_all("nodes => nodes.map((node) => node.getBoundingClientRect().right)")
    on_screen(operator)

    assert len(parts) == 3
    assert max(parts) <= edge


def test_a_short_result_is_whole_beside_a_long_name_and_note(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "x" * 10_000, "disable", text="Disabled (verified).", reason="note <b>x</b> " * 14)
    operator.get_by_role("link", name="Activity").click()
    row = operator.locator("#action-log .listing tbody tr")
    expect(row).to_have_count(1)
    others = row.locator("td:is(:nth-child(1), :nth-child(n + 3))")
    operator.set_viewport_size({"width": 1100, "height": 900})
    assert broken_words(others) == []
    on_paper(operator)
    broken = broken_words(others)
    on_screen(operator)

    assert broken == []
