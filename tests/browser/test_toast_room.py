"""The notice over the lower edge of the window: it is low, and the end of the page can be scrolled clear of it."""

from playwright.sync_api import Page, expect

from tests.browser.test_undo import disabled, gateway

__all__ = ["disabled", "gateway"]

MOST = {390: 170, 1440: 100}


def test_the_end_of_the_page_can_be_scrolled_clear_of_a_notice(disabled: Page) -> None:
    toast = disabled.locator(".toast")
    expect(toast.locator(".notice-body")).to_have_attribute("title", toast.locator("p").inner_text())
    toast.locator("p").evaluate("node => { node.textContent = 'a provider of a very long name '.repeat(10); }")
    for width, most in MOST.items():
        disabled.set_viewport_size({"width": width, "height": 600})
        disabled.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        bottom = disabled.locator("#page").evaluate("node => node.getBoundingClientRect().bottom")
        box = toast.bounding_box()
        assert box is not None
        assert bottom <= box["y"]
        assert box["height"] <= most
    disabled.set_viewport_size({"width": 1440, "height": 900})
