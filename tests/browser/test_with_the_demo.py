"""The whole house: page, service, gateway and demo providers, with the configuration on disk as proof."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.house import confirm, inspect
from tests.system.conftest import Walk, demo, walk
from tests.system.test_switching import comments, provider

__all__ = ["demo", "walk"]


def open_page(page: Page, walk: Walk) -> None:
    sign_in(page, walk.folder.page, walk.folder.management_key)
    page.get_by_role("button", name="API keys").click()
    expect(page.get_by_role("row", name="wrong-key").first).to_be_visible()


def test_an_operator_inspects_and_disables_what_is_broken_and_enables_it_again(page: Page, walk: Walk) -> None:
    before = walk.config
    open_page(page, walk)
    page.get_by_label("Provider filter").fill("/wrong-key/")
    expect(page.locator("#page tr[data-id]")).to_have_count(1)

    inspect(page)
    row = page.get_by_role("row", name="wrong-key")
    expect(row).to_contain_text("401")

    confirm(page, "wrong-key", "Disable")
    assert provider(walk, "wrong-key")["disabled"] is True
    assert comments(walk.config) == comments(before)

    confirm(page, "wrong-key", "Enable")
    assert provider(walk, "wrong-key").get("disabled", False) is False
