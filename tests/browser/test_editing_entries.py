"""The configuration entry of a key: edited after a plan, and put back with one press."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from adapter.fake import FakeGateway
from adapter.port import Losses
from adapter.privacy.secret import Secret
from tests.browser.conftest import Console

SECRET = "header-secret-0123456789"


@pytest.fixture
def gateway(gateway: FakeGateway) -> FakeGateway:
    text = gateway.state.text.replace(
        "  - name: relay-ok\n", f"  - name: relay-ok\n    headers: {{X-Auth-Token: {SECRET}}}\n"
    )
    gateway.state.replace_text(text)
    return gateway


def open_form(page: Page) -> Locator:
    """Open the form of the entry of an account, in its drawer."""
    page.get_by_role("row", name="relay-ok").press("Enter")
    drawer = page.locator("dialog.drawer")
    drawer.get_by_text("Configuration", exact=True).click()
    drawer.get_by_role("button", name="Edit", exact=True).click()
    dialog = page.get_by_role("dialog", name="Edit the entry")
    expect(dialog.get_by_label("Base URL")).to_have_value("https://ok.relay.example/v1")
    return dialog


def test_an_entry_is_edited_after_its_plan_and_put_back(service_page: Page, gateway: FakeGateway) -> None:
    dialog = open_form(service_page)
    expect(dialog.get_by_label("Headers")).to_have_value("X-Auth-Token: ••••")
    dialog.get_by_label("Base URL").fill("https://new.relay.example/v1")
    dialog.get_by_label("Models").fill("gpt-5 → fast")
    dialog.get_by_role("button", name="Review").click()
    expect(dialog.get_by_role("row", name=re.compile("Base URL"))).to_contain_text("https://new.relay.example/v1")
    expect(dialog.get_by_role("row", name=re.compile("Models"))).to_contain_text("gpt-5 → fast")
    expect(dialog.get_by_role("row")).to_have_count(3)
    assert "new.relay" not in gateway.state.text

    dialog.get_by_role("button", name="Write").click()

    expect(service_page.get_by_role("row", name="relay-ok")).to_contain_text("new.relay.example")
    entry = gateway.state.document["openai-compatibility"][0]
    assert entry["headers"] == {"X-Auth-Token": SECRET}
    assert SECRET not in service_page.content()
    service_page.get_by_role("button", name="Undo", exact=True).click()
    expect(service_page.get_by_role("row", name="relay-ok")).to_contain_text("ok.relay.example")
    assert gateway.state.document["openai-compatibility"][0]["base-url"] == "https://ok.relay.example/v1"


def test_a_loss_is_accepted_before_the_write_and_a_bad_line_is_said_at_its_field(
    service_page: Page, gateway: FakeGateway, console: Console
) -> None:
    console.expected.append("/pool/entry")  # refuses the address
    gateway.lossy = Losses(("codex-api-key[].foo",), Secret("text"), "mark")
    dialog = open_form(service_page)
    dialog.get_by_label("Headers").fill("no header")
    dialog.get_by_role("button", name="Review").click()
    expect(dialog.get_by_role("alert")).to_contain_text("This line is no header: no header")
    dialog.get_by_label("Headers").fill("")
    dialog.get_by_label("Base URL").fill("ftp://x")
    dialog.get_by_role("button", name="Review").click()
    expect(dialog.get_by_role("alert")).to_contain_text("baseUrl")
    dialog.get_by_label("Base URL").fill("https://ok.relay.example/v1")
    dialog.get_by_role("button", name="Review").click()
    write = dialog.get_by_role("button", name="Write")
    expect(write).to_be_disabled()
    dialog.get_by_role("checkbox").check()
    write.click()
    expect(dialog).to_have_count(0)
    expect(service_page.get_by_text("The entry is written and read back.")).to_be_visible()
    assert "headers" not in gateway.state.document["openai-compatibility"][0]
