"""A phone with text of 20 pixels: nothing is cut, and what belongs on one line stands on one."""

from playwright.sync_api import Page

from tests.browser.test_cut_words import CUT
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

TOPS = "nodes => new Set(nodes.map((node) => Math.round(node.getBoundingClientRect().top))).size"


def enlarged(page: Page) -> None:
    page.evaluate("document.documentElement.style.fontSize = '20px'")


def test_choices_and_switches_are_whole_on_a_phone_with_large_text(filled: Site) -> None:
    filled.page.set_viewport_size({"width": 390, "height": 844})
    for name in ("usage", "requests"):
        page = filled.open(name)
        enlarged(page)
        assert page.evaluate(CUT) == []
    page = filled.page
    page.goto(f"{filled.origin}/monitor/inspection?source=api_key")
    page.locator("#source-switch label").first.wait_for()
    enlarged(page)
    assert page.locator("#source-switch label").evaluate_all(TOPS) == 1
    assert page.locator("#automation, #sign-out").evaluate_all(TOPS) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1440, "height": 900})
