"""Forms that the service refuses: the answer stands at its field, and the input stays."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Console
from tests.browser.house import RunningService


def refused_at(form: Locator, field: Locator, text: str, value: str) -> None:
    """Expect a refusal that stands with the field, is announced with it, and leaves its input alone."""
    beside = field.locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' field ')][1]").get_by_role("alert")
    expect(beside).to_contain_text(text)
    expect(form.get_by_role("alert")).to_have_count(1)
    expect(field).to_be_focused()
    expect(field).to_have_value(value)
    expect(field).to_have_attribute("aria-invalid", "true")
    described = field.get_attribute("aria-describedby") or ""
    assert (beside.get_attribute("id") or "-") in described.split()


def opened(site: RunningService, name: str) -> Page:
    page = site.page
    page.goto(f"{site.origin}/monitor/{name}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def test_an_alias_in_use_is_refused_at_its_field(site: RunningService, console: Console) -> None:
    console.expected.append("/api-key-aliases")
    page = opened(site, "keys")
    form = page.get_by_role("form", name="Name a client key")
    for key in ("sk-client-first-0123456789", "sk-client-second-0123456789"):
        form.get_by_label("Client key").fill(key)
        form.get_by_label("Alias").fill("team")
        form.get_by_role("button", name="Save").click()
        if "first" in key:
            expect(form.get_by_label("Alias")).to_have_value("")
    refused_at(form, form.get_by_label("Alias"), "Another client key is called", "team")
    expect(form.get_by_label("Client key")).to_have_value("sk-client-second-0123456789")
