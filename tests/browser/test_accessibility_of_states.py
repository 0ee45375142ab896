"""Dialogs, panels, menus and refusals of the pages, judged by axe-core in each theme and language, and on a phone."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from tests.browser.conftest import VIEWPORT, Console
from tests.browser.filled_pool import enter, filled_pool
from tests.browser.states import STATES
from tests.browser.test_accessibility import AXE, JUDGE, PHONE


@pytest.fixture(scope="module")
def origin(context: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with filled_pool(tmp_path_factory.mktemp("states"), context.request) as address:
        yield address


@pytest.fixture
def visitor(page: Page, origin: str, console: Console) -> Page:
    console.expected += ["/v0/management/", "no-such-page"]  # refused, and cut off, by the states themselves
    enter(page.context.request, origin)
    return page


@pytest.mark.soak
@pytest.mark.parametrize("size", [VIEWPORT, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("look", list(product(["en", "zh-CN"], ["light", "dark"])), ids="-".join)
@pytest.mark.parametrize("name", STATES)
def test_a_state_has_no_finding(
    visitor: Page, origin: str, name: str, look: tuple[str, str], size: ViewportSize
) -> None:
    state, page = STATES[name], visitor
    page.set_viewport_size(size)
    page.goto(f"{origin}/monitor/settings")
    page.evaluate(
        "([language, theme]) => { localStorage.setItem('poolkeeper.language', language);"
        " localStorage.setItem('poolkeeper.theme', theme); }",
        look,
    )
    page.goto(f"{origin}/monitor/{state.page}")
    expect(page.locator("#page h1")).to_be_attached()
    for fold in page.locator(".fold").all():
        if fold.is_visible():  # on a phone
            fold.click()
    state.reach(page)
    expect(page.locator(state.shown).first).to_be_visible()

    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(JUDGE) == []
    page.goto("about:blank")
