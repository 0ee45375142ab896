"""Another language is shown without another load: the person stays signed in, and no word of the former one is left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from adapter.fake import FakeConnection, FakeGateway
from extension.plugin.routes import page_path
from extension.serving.composition import compose
from tests.browser.conftest import PATIENCE_MS, Console
from tests.browser.plugin_host import BASE, PANEL, PluginHost
from tests.browser.server import served
from tests.browser.test_with_the_service import KEY, environment, gateway

__all__ = ["environment", "gateway"]

PAGES = ("settings", "inspection")
LANGUAGES = ("zh-CN", "en")

WORDS = """() => {
  const words = [document.title, document.documentElement.lang];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const said = walker.currentNode.textContent.trim();
    if (said && !walker.currentNode.parentElement.closest("script, style, noscript")) words.push(said);
  }
  for (const node of document.body.querySelectorAll("*")) {
    for (const name of ["aria-label", "aria-description", "title", "placeholder"]) {
      if (node.hasAttribute(name)) words.push(`${name}: ${node.getAttribute(name)}`);
    }
  }
  return words.map((said) => said.replaceAll(/\\d\\d:\\d\\d:\\d\\d/g, "…"));
}"""
"""All that is written in the document, what is hidden at the moment as well, without times of the day."""

View = Page | Frame


@pytest.fixture(params=["plugin", "session"])
def view(
    request: pytest.FixtureRequest, page: Page, gateway: FakeGateway, environment: dict[str, str]
) -> Iterator[View]:
    """Give the page of a plugin within the panel, or that of a service with sessions; automation is paused."""

    def application() -> Any:
        service = compose(FakeConnection(gateway), environment, authority=lambda: None)
        return PluginHost(service, KEY) if request.param == "plugin" else service

    with served(application, with_lifespan=True) as origin:
        found: View = page
        if request.param == "plugin":
            page.goto(f"{origin}{PANEL}")
            found = next(each for each in page.frames if each.url.endswith(page_path(BASE)))
        else:
            page.goto(f"{origin}/monitor/inspection")
        enter(found)
        found.get_by_text("API keys", exact=True).click()
        expect(found.get_by_role("row", name="relay-ok")).to_be_visible()
        found.get_by_role("button", name="Pause automation").click()
        expect(found.get_by_role("button", name="Resume automation")).to_be_visible()
        yield found


def enter(view: View) -> None:
    """Sign in where a load of the document asks for it."""
    expect(view.locator("#management-key:visible, #sign-out:visible")).to_have_count(1)
    if view.locator("#management-key").is_visible():
        view.locator("#management-key").fill(KEY)
        view.locator("#sign-in").click()
    expect(view.locator("#sign-out")).to_be_visible()


def open_page(view: View, name: str) -> None:
    view.locator(f"#navigation a[href={name}]").click()
    rest(view)


def rest(view: View) -> None:
    """Wait until all the page says is there: for a while it says nothing new."""
    expect(view.locator("#page .loading")).to_have_count(0)
    expect(view.locator("#automation")).to_be_visible()
    expect(view.locator("#live")).to_have_attribute("data-state", "live")
    settled(view, None)


def settled(view: View, expected: list[str] | None) -> list[str]:
    """Return the words of the page once they are the expected ones, or the last ones when patience ends."""
    until = time.monotonic() + PATIENCE_MS / 1000
    seen: list[str] = []
    calm = 0
    while time.monotonic() < until and calm < 3:
        before, seen = seen, view.evaluate(WORDS)
        calm = calm + 1 if seen == (before if expected is None else expected) else 0
        view.wait_for_timeout(200)
    return seen


def fresh(view: View) -> dict[tuple[str, str], list[str]]:
    """Return the words of each page in each language after a load of the document."""
    found = {}
    for language in LANGUAGES:
        view.evaluate("tag => localStorage.setItem('poolkeeper.language', tag)", language)
        for name in PAGES:
            view.goto(view.url)
            enter(view)
            open_page(view, name)
            found[language, name] = view.evaluate(WORDS)
    return found


def test_the_words_after_a_change_of_language_are_those_of_a_fresh_load(view: View) -> None:
    expected = fresh(view)
    open_page(view, "settings")
    view.evaluate("globalThis.isSameDocument = true")

    for language in LANGUAGES:
        view.locator("#language").select_option(language)

        expect(view.locator("html")).to_have_attribute("lang", language)
        expect(view.locator("#language")).to_be_focused()
        for name in (*PAGES, PAGES[0]):
            open_page(view, name)
            assert settled(view, expected[language, name]) == expected[language, name]
    assert view.evaluate("globalThis.isSameDocument === true")
    assert expected["en", "inspection"] != expected["zh-CN", "inspection"]


def test_a_language_whose_texts_cannot_be_read_is_not_chosen(view: View, console: Console) -> None:
    console.expected.extend(["texts/zh-CN.json"])
    open_page(view, "settings")
    (view if isinstance(view, Page) else view.page).route("**/texts/zh-CN.json", lambda route: route.abort())

    view.locator("#language").select_option("zh-CN")

    alert = view.get_by_role("alert")
    expect(alert).to_contain_text("The texts of the selected language could not be read.")
    expect(view.locator("#language")).to_have_value("")
    open_page(view, "inspection")  # the service answers: that says nothing about the texts
    open_page(view, "settings")
    expect(alert).to_contain_text("Select the language again.")
    expect(view.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
