"""The keyboard stays at the row of a price or an alias that is saved or removed, and what was shown stays."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_requests_and_prices import UNPRICED, send_unpriced
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

IN_USE = "Prices in force of the models in use: Table"
OWN = "Own and taken-over prices: Table"


@pytest.fixture
def prices(filled: Site) -> Page:
    send_unpriced(filled)
    page = filled.open("prices")
    expect(page.get_by_role("region", name=IN_USE)).to_be_visible()
    return page


def save(page: Page, amount: str) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Input").fill(amount)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)


def test_a_saved_and_a_removed_price_leave_the_keyboard_and_the_prices_in_force(prices: Page) -> None:
    own = prices.get_by_role("region", name=OWN)
    in_use = prices.get_by_role("region", name=IN_USE)
    held: list[Route] = []
    prices.route("**/usage/summary?*", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it

    in_use.get_by_role("button", name=f"Set a price {UNPRICED}").click()
    save(prices, "2")
    expect(own.get_by_role("row", name=UNPRICED)).to_be_visible()
    expect(in_use).to_be_visible()
    for route in held:
        route.continue_()
    prices.unroute("**/usage/summary?*")

    expect(in_use.get_by_role("button", name=f"Set a price {UNPRICED}")).to_have_count(0)
    expect(own.get_by_role("row", name=UNPRICED).get_by_role("button").first).to_be_focused()
    own.get_by_role("button", name=f"Remove {UNPRICED}").click()
    expect(in_use.get_by_role("button", name=f"Set a price {UNPRICED}")).to_be_visible()
    expect(prices.get_by_role("heading", level=1)).to_be_focused()
    notice = prices.locator(".notice.toast")
    expect(notice).to_contain_text(f"The own price of {UNPRICED} is removed.")
    notice.get_by_role("button", name="Undo").click()
    expect(own.get_by_role("row", name=UNPRICED)).to_be_visible()


def test_an_alias_is_told_of_and_an_emptied_one_leaves_the_keyboard_in_the_table(filled: Site) -> None:
    page = filled.open("keys")
    fields = page.locator("tbody input")
    page.get_by_label("Client key", exact=True).fill("a-client-key-that-was-never-used")
    page.locator("#alias-name").fill("Night jobs")
    page.locator("form").get_by_role("button", name="Save").click()
    expect(page.locator(".notice.toast")).to_contain_text("The alias Night jobs is saved.")
    expect(page.locator("input[value='Night jobs']")).to_be_visible()
    count = fields.count()

    row = page.locator("tbody tr").filter(has=page.locator("input[value='Night jobs']"))
    row.locator("input").fill("")
    row.get_by_role("button", name=re.compile("^Save")).click()

    expect(page.locator(".notice.toast")).to_contain_text("The alias Night jobs is removed.")
    expect(fields).to_have_count(count - 1)
    assert page.evaluate("document.activeElement.matches('tbody button, tbody input')")
