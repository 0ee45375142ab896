"""States of the pages beside the one they open in: dialogs, panels, menus, tables of pictures, refused forms.

Each is reached without a word of the page, so that it can be looked at in every language.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Page, expect

ROWS: Final = "#page tr[data-id]"


@dataclass(frozen=True, slots=True)
class State:
    """A state of a page.

    Attributes:
        page: name of the page, with its query.
        reach: brings the page from its first view into the state.
        shown: selector of something visible only there.
    """

    page: str
    reach: Callable[[Page], None]
    shown: str


def _clicking(*selectors: str) -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click()

    return reach


def _pressing(key: str) -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        expect(page.locator(ROWS).first).to_be_visible()
        page.keyboard.press(key)

    return reach


def _filling(field: str, written: str, send: str) -> Callable[[Page], None]:
    def reach(page: Page) -> None:
        page.locator(field).first.fill(written)
        page.locator(send).first.click()

    return reach


def _unfolding(page: Page) -> None:
    expect(page.locator("#page figure details").first).to_be_attached()
    page.locator("#page details").evaluate_all("all => all.forEach((details) => { details.open = true; })")


def _refreshing_without_a_service(page: Page) -> None:
    expect(page.locator(ROWS).first).to_be_visible()
    page.route("**/v0/management/**", lambda route: route.abort())
    page.locator(".head .button.ghost").first.click()


_KEYS: Final = "inspection?source=api_key"

STATES: Final[dict[str, State]] = {
    "run settings": State(_KEYS, _clicking(".head .primary"), "dialog[open] .field"),
    "more filters": State(_KEYS, _clicking(".chips .row > .button"), ".more-filters"),
    "account": State(_KEYS, _clicking(f"{ROWS} td:nth-child(3)"), "dialog[open] .request"),
    "history of an account": State(f"{_KEYS}&account=2&tab=history", lambda _: None, "dialog[open] tbody tr"),
    "usage of an account": State(f"{_KEYS}&account=2&tab=usage", lambda _: None, "dialog[open] section"),
    "configuration of an account": State(f"{_KEYS}&account=2&tab=configuration", lambda _: None, "dialog[open] .facts"),
    "selection": State(_KEYS, _clicking(f"{ROWS} .check input"), ".selection-bar"),
    "change to confirm": State(_KEYS, _clicking(f"{ROWS} .switch"), "dialog[open] .names"),
    "no account found": State(f"{_KEYS}&q=nothing-is-called-so", lambda _: None, "#page .empty"),
    "keyboard help": State(_KEYS, _pressing("?"), "dialog[open] .keys"),
    "lost connection": State(_KEYS, _refreshing_without_a_service, ".notice, .live[data-state=lost]"),
    "tables of the overview": State("overview", _unfolding, "#page figure details[open] table"),
    "tables of usage": State("usage?period=7d", _unfolding, "#page figure details[open] table"),
    "cost of a request": State("requests?period=7d", _clicking(".table-room tbody td"), "dialog[open] .cost-table"),
    "price form": State("prices?search=gpt-5-mini", _clicking("#page tbody td"), "dialog[open]"),
    "unknown page": State("no-such-page", lambda _: None, "#page h1"),
}
