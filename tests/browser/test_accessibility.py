"""Each page, judged by axe-core."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from extension.console.pages import page_names
from tests.browser.conftest import VIEWPORT
from tests.browser.filled_pool import enter, filled_pool

AXE: Final = Path(__file__).parents[1] / "page" / "node_modules" / "axe-core" / "axe.min.js"
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
READY: Final = {
    "overview": "#page .tiles figure",
    "inspection": "#results tbody tr:not(.spacer)",
    "usage": "#page figure .plot",
    "requests": "#page tbody tr",
    "prices": "#page tbody tr",
    "keys": "#page tbody tr",
    "activity": "#action-log",
    "schedules": "#schedules",
    "notifications": "#channels",
    "settings": "#page dl.facts",
}
QUERY: Final = {"usage": "?period=7d", "requests": "?period=7d"}
JUDGE: Final = """async () => (await axe.run()).violations.flatMap(({ id, impact, nodes }) =>
  nodes.map(({ target, failureSummary }) => `${id} (${impact}): ${target.join(" ")} ${failureSummary}`))"""


@pytest.fixture(scope="module")
def origin(context: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with filled_pool(tmp_path_factory.mktemp("accessibility"), context.request) as address:
        yield address


@pytest.fixture
def visitor(page: Page, origin: str) -> Page:
    enter(page.context.request, origin)
    page.set_viewport_size(VIEWPORT)
    return page


def findings(page: Page, origin: str, name: str) -> list[str]:
    """Open a page, wait until it shows what it has, and return the findings of axe-core."""
    page.goto(f"{origin}/monitor/{name}{QUERY.get(name, '')}")
    expect(page.locator(READY[name]).first).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(JUDGE)
    return found


def test_every_page_is_judged() -> None:
    assert sorted(READY) == sorted(page_names())


@pytest.mark.parametrize("name", READY)
def test_a_page_has_no_finding(visitor: Page, origin: str, name: str) -> None:
    assert findings(visitor, origin, name) == []


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [VIEWPORT, PHONE], ids=["desk", "phone"])
def test_no_theme_language_or_size_has_a_finding(
    visitor: Page, origin: str, language: str, theme: str, size: ViewportSize
) -> None:
    visitor.goto(f"{origin}/monitor/settings")
    visitor.evaluate(
        "([language, theme]) => { localStorage.setItem('poolkeeper.language', language);"
        " localStorage.setItem('poolkeeper.theme', theme); }",
        [language, theme],
    )
    visitor.set_viewport_size(size)

    assert {name: found for name in READY if (found := findings(visitor, origin, name))} == {}


def test_a_known_fault_is_found(visitor: Page, origin: str) -> None:
    visitor.goto(f"{origin}/monitor/settings")
    expect(visitor.locator(READY["settings"])).to_be_visible()
    visitor.evaluate("document.querySelector('#page').append(document.createElement('button'))")
    visitor.evaluate(AXE.read_text(encoding="utf-8"))

    assert any(line.startswith("button-name") for line in visitor.evaluate(JUDGE))
