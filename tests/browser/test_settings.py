"""Preferences of the browser, and what the service says of itself."""

import re

from playwright.sync_api import Page, expect

from tests.browser.house import RunningService

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


def test_theme_clock_and_shapes_take_effect_at_once_and_stay(visited: RunningService) -> None:
    page = visited.open("settings")
    page.locator("#page").get_by_label("Theme").select_option("Dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    clock = page.locator("#page").get_by_label("Time")
    clock.select_option("12 hours")
    expect(page.locator(".settings")).to_contain_text(re.compile(r"\d:\d\d:\d\d\W*[AaPp][Mm]"))
    page.get_by_role("switch", name="Shapes beside colors").click()
    expect(page.locator("html")).to_have_attribute("data-patterns", "")

    page.reload()

    expect(page.get_by_role("switch", name="Shapes beside colors")).to_be_checked()
    expect(page.locator("html")).to_have_attribute("data-patterns", "")
    expect(clock).to_have_value("12")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_shapes_are_shown_where_colors_are_hard_to_see(visited: RunningService) -> None:
    page = visited.open("settings")
    expect(page.locator("html")).not_to_have_attribute("data-patterns", "")
    page.emulate_media(forced_colors="active")
    expect(page.locator("html")).to_have_attribute("data-patterns", "")


def test_the_words_after_a_change_of_language_are_those_of_a_fresh_load(visited: RunningService) -> None:
    page = visited.page
    page.goto(f"{visited.origin}/monitor/settings")
    page.evaluate("localStorage.setItem('poolkeeper.language', 'zh-CN')")
    page.reload()
    at_rest(page)
    expected = page.evaluate(WORDS)
    language = page.locator("#page select").nth(1)
    language.select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("link", name="Notifications").click()
    page.get_by_role("link", name="Settings").click()
    page.evaluate("globalThis.isSameDocument = true")

    language.select_option("zh-CN")

    page.wait_for_function(f"(expected) => JSON.stringify(({WORDS})()) === JSON.stringify(expected)", arg=expected)
    assert page.evaluate("globalThis.isSameDocument")


def at_rest(page: Page) -> None:
    """Wait until all that the settings page shows is there."""
    expect(page.locator("dl.facts").last).to_be_visible()
    expect(page.locator(".live")).to_have_attribute("data-state", "live")
    page.wait_for_load_state("networkidle")


def test_the_page_says_where_the_key_is_the_versions_and_the_settings_of_the_service(visited: RunningService) -> None:
    page = visited.open("settings")
    expect(page.get_by_role("region", name="Session")).to_contain_text("never stored in this browser")
    expect(page.get_by_role("region", name="Session")).to_contain_text("It ends")
    expect(page.get_by_role("region", name="About")).to_contain_text("fake 0.1.0")
    expect(page.get_by_role("region", name="Service")).to_contain_text("dataDir")
    expect(page.get_by_role("link", name="Open the gateway's panel")).to_have_count(0)
