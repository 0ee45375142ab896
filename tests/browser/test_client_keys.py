"""Client keys: their spend, and names for them."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.house import KEY, USAGE, RunningService

ALIASES = "/v0/management/api-key-aliases"


def busiest_key(site: RunningService) -> str:
    groups = site.answer(f"{USAGE}/summary?by=client")["groups"]
    return next(str(group["name"]) for group in groups if group["name"])


def name_typed_key(page: Page, key: str, name: str) -> None:
    page.get_by_role("button", name="Name a client key").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_label("Client key").fill(key)
    drawer.get_by_label("Name").fill(name)
    drawer.get_by_role("button", name="Save").click()


def test_a_key_in_use_gets_a_name_and_loses_it(filled: RunningService) -> None:
    fingerprint = busiest_key(filled)
    page = filled.open("keys")
    row = page.locator(f"tr[data-id='{fingerprint}']")
    expect(row).to_contain_text("$")
    expect(row).to_contain_text(re.compile("ago|just now"))
    row.get_by_role("button", name="Give a name").click()
    page.get_by_role("dialog").get_by_label("Name").fill("anna of sales")
    page.get_by_role("dialog").get_by_label("Name").press("Enter")
    expect(row).to_contain_text("anna of sales")
    (alias,) = filled.answer(ALIASES)["aliases"]
    assert (alias["alias"], alias["fingerprint"]) == ("anna of sales", fingerprint)

    row.get_by_text("anna of sales").click()
    page.get_by_role("dialog", name="anna of sales").get_by_role("button", name="Remove the name").click()
    expect(row.get_by_role("button", name="Give a name")).to_be_visible()
    assert filled.answer(ALIASES)["aliases"] == []


def test_a_name_in_use_is_refused_at_its_field_and_what_was_typed_stays(site: RunningService, console: Console) -> None:
    console.expected.append("/api-key-aliases")
    page = site.open("keys")
    name_typed_key(page, "sk-client-first-0123456789", "team")
    expect(page.get_by_role("row", name="team")).to_be_visible()
    name_typed_key(page, "sk-client-second-0123456789", "team")
    drawer = page.get_by_role("dialog", name="Name a client key")
    expect(drawer.get_by_role("alert")).to_contain_text("Another client key is called")
    expect(drawer.get_by_label("Name")).to_be_focused()
    expect(drawer.get_by_label("Client key")).to_have_value("sk-client-second-0123456789")
    expect(page.locator("body")).not_to_contain_text("sk-client-first")


def test_a_name_that_is_being_typed_stays_when_another_is_given_elsewhere(filled: RunningService) -> None:
    fingerprint = busiest_key(filled)
    page = filled.open("keys")
    page.locator(f"tr[data-id]:not([data-id='{fingerprint}'])").get_by_role("button", name="Give a name").first.click()
    name = page.get_by_role("dialog").get_by_label("Name")
    name.fill("half a na")

    body = {"alias": "anna of sales", "fingerprint": fingerprint}
    answer = page.request.put(f"{filled.origin}{ALIASES}", data=body, headers={"X-Management-Key": KEY})

    assert answer.ok, answer.text()
    expect(page.locator(f"tr[data-id='{fingerprint}']")).to_contain_text("anna of sales")
    expect(name).to_be_focused()
    expect(name).to_have_value("half a na")


def test_a_created_key_is_shown_once_and_a_revoked_one_comes_back_by_undo(site: RunningService) -> None:
    page = site.open("keys")
    for name in ("anna", "ben"):
        page.get_by_role("button", name="Create a client key").click()
        drawer = page.get_by_role("dialog", name="Create a client key")
        drawer.get_by_label("Name").fill(name)
        drawer.get_by_label("Name").press("Enter")
        expect(drawer.get_by_label("New client key")).to_have_value(re.compile(r"sk-[A-Za-z0-9]{48}"))
        drawer.get_by_role("button", name="Done").click()
        row = page.locator("tr[data-id]", has_text=name)
        expect(row).to_contain_text("Accepted")

    row.get_by_text("ben").click()
    page.get_by_role("dialog", name="ben").get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog", name="Revoke ben?").get_by_role("button", name="Revoke").click()
    expect(row).to_contain_text("Not accepted")
    changes = page.get_by_role("region", name="Changes of client keys")
    changes.get_by_role("button", name="Undo: ben revoked").click()
    expect(changes).to_contain_text("brought back")
    expect(row.get_by_text("Accepted", exact=True)).to_be_visible()


def test_a_budget_of_a_key_is_set_and_removed(filled: RunningService, console: Console) -> None:
    console.expected.append("/config/budgets")
    fingerprint = busiest_key(filled)
    page = filled.open("keys")
    budgets = page.get_by_role("region", name="Budgets")
    budgets.get_by_role("button", name="Set a budget").click()
    drawer = page.get_by_role("dialog", name="Set a budget")
    drawer.get_by_role("button", name="Client key").click()
    drawer.get_by_label("Client key", exact=True).select_option(fingerprint)
    drawer.get_by_label("US dollars").fill("0")
    drawer.get_by_label("Revoke the client key at 100 %").check()
    drawer.get_by_label("US dollars").press("Enter")
    expect(drawer.get_by_role("alert")).to_contain_text("amount")
    drawer.get_by_label("US dollars").fill("1000")
    drawer.get_by_label("US dollars").press("Enter")
    expect(budgets).to_contain_text("of $1,000.00")
    expect(budgets).to_contain_text("revokes at 100 %")
    budgets.get_by_role("button", name="Remove").click()
    expect(budgets).to_contain_text("No budget yet.")
