"""Each page and its states, judged by axe-core."""

from itertools import product
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from extension.console.pages import page_names
from tests.browser.conftest import VIEWPORT, Console
from tests.browser.house import RunningService
from tests.browser.states import STATES

AXE: Final = Path(__file__).parents[1] / "page" / "node_modules" / "axe-core" / "axe.min.js"
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
READY: Final = {
    "overview": "#page .hosts li",
    "inspection": "#page tr[data-id]",
    "usage": "#page figure canvas",
    "requests": "#page .table-room tbody tr",
    "prices": "#page tbody tr",
    "keys": "#page tbody tr",
    "activity": "#page .card .empty",
    "runs": "#page tbody tr",
    "schedules": "#page .card .empty",
    "notifications": "#page .card .empty",
    "settings": "#page dl.facts",
    "fleet": "#page .card .empty",
    "workers": "#page .card .empty",
}
QUERY: Final = {"usage": "?period=7d", "requests": "?period=7d"}
JUDGE: Final = """async () => (await axe.run()).violations.flatMap(({ id, impact, nodes }) =>
  nodes.map(({ target, failureSummary }) => `${id} (${impact}): ${target.join(" ")} ${failureSummary}`))"""
SET_LOOK: Final = """([language, theme]) => {
  localStorage.setItem('poolkeeper.language', language);
  localStorage.setItem('poolkeeper.theme', theme);
}"""
LANGUAGES: Final = ("en", "zh-CN")
THEMES: Final = ("light", "dark")
SIZES: Final = {"desk": VIEWPORT, "phone": PHONE}


def findings(page: Page) -> list[str]:
    """Return the findings of axe-core about the document as it is."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: list[str] = page.evaluate(JUDGE)
    return violations


def opened(site: RunningService, name: str) -> Page:
    """Open a page and wait until it shows what it has."""
    site.page.goto(f"{site.origin}/monitor/{name}{QUERY.get(name, '')}")
    expect(site.page.locator(READY[name]).first).to_be_visible()
    return site.page


def look(site: RunningService, language: str, theme: str, size: ViewportSize) -> None:
    """Choose language, theme and size for the pages that are opened from here on."""
    site.page.set_viewport_size(size)
    site.page.goto(f"{site.origin}/monitor/settings")
    site.page.evaluate(SET_LOOK, [language, theme])


def test_every_page_is_judged() -> None:
    assert sorted(READY) == sorted(page_names())


@pytest.mark.parametrize("name", READY)
def test_a_page_opens_by_its_address_and_has_no_finding_in_two_looks(visited: RunningService, name: str) -> None:
    page = opened(visited, name)
    current = page.locator("#navigation [aria-current=page], .side-bar [aria-current=page]")
    expect(current).to_have_attribute("href", name)
    expect(page).to_have_title(f"{current.inner_text().splitlines()[0]} · Poolkeeper")
    expect(page.locator("#page h1")).to_have_count(1)
    assert findings(page) == []

    look(visited, "en", "dark", PHONE)

    assert findings(opened(visited, name)) == []


@pytest.mark.soak
@pytest.mark.parametrize(("language", "theme", "size"), list(product(LANGUAGES, THEMES, SIZES)))
def test_no_page_has_a_finding_in_any_look(visited: RunningService, language: str, theme: str, size: str) -> None:
    look(visited, language, theme, SIZES[size])

    assert {name: lines for name in READY if (lines := findings(opened(visited, name)))} == {}


@pytest.mark.soak
@pytest.mark.parametrize("appearance", list(product(LANGUAGES, THEMES, SIZES)), ids="-".join)
@pytest.mark.parametrize("name", STATES)
def test_no_state_has_a_finding_in_any_look(
    visited: RunningService, console: Console, name: str, appearance: tuple[str, str, str]
) -> None:
    console.expected += ["/v0/management/", "no-such-page"]  # refused, and cut off, by the states themselves
    state, page = STATES[name], visited.page
    language, theme, size = appearance
    look(visited, language, theme, SIZES[size])
    page.goto(f"{visited.origin}/monitor/{state.page}")
    expect(page.locator("#page h1")).to_be_attached()
    for fold in page.locator(".fold").all():
        if fold.is_visible():  # on a phone
            fold.click()
    state.reach(page)
    expect(page.locator(state.shown).first).to_be_visible()

    assert findings(page) == []


def test_a_known_fault_is_found(visited: RunningService) -> None:
    page = opened(visited, "settings")
    page.evaluate("document.querySelector('#page').append(document.createElement('button'))")

    assert any(line.startswith("button-name") for line in findings(page))
