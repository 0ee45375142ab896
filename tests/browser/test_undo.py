"""Undo of the last change from the notice and by its key, against the whole service with a gateway in memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from adapter.clock import SystemClock
from adapter.fake import FakeConnection, FakeGateway
from extension.serving.composition import compose
from tests.browser.conftest import sign_in
from tests.browser.server import served
from tests.browser.test_with_the_service import CONFIGURATION, FILES, KEY


@pytest.fixture
def gateway() -> FakeGateway:
    return FakeGateway(CONFIGURATION, FILES, management_key=KEY, clock=SystemClock())


@pytest.fixture
def disabled(page: Page, gateway: FakeGateway, tmp_path: Path) -> Iterator[Page]:
    """Give a page on which one key has just been disabled."""
    data = str(tmp_path / "data")
    environment = {"POOLKEEPER_DATA_DIR": data, "POOLKEEPER_LOG_LEVEL": "error", "MANAGEMENT_PASSWORD": KEY}

    def application() -> object:
        return compose(FakeConnection(gateway), environment, authority=lambda: None)

    with served(application, with_lifespan=True) as origin:
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        page.get_by_text("API keys", exact=True).click()
        page.get_by_role("button", name="Disable relay-ok").click()
        page.get_by_role("dialog").get_by_role("button", name="Disable").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("disabled")
        assert "disabled: true" in gateway.state.text
        yield page


def confirm(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_change_is_undone_from_its_notice(disabled: Page, gateway: FakeGateway) -> None:
    notice = disabled.locator(".notice")
    expect(notice).to_contain_text("relay-ok #2 (sk-r…0001)")
    expect(notice).to_contain_text("Disabled (verified).")
    expect(notice).to_be_in_viewport()

    notice.get_by_role("button", name="Undo").click()
    expect(disabled.get_by_role("dialog")).to_contain_text("The account is skipped if it changed since.")
    confirm(disabled)

    expect(disabled.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("enabled")
    expect(disabled.get_by_role("button", name="Disable relay-ok")).to_be_focused()
    expect(notice).to_contain_text("Enabled (verified).")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    assert "disabled: true" not in gateway.state.text


def test_the_last_change_is_undone_by_its_key_and_only_once(disabled: Page, gateway: FakeGateway) -> None:
    disabled.keyboard.press("u")
    confirm(disabled)

    expect(disabled.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("enabled")
    assert "disabled: true" not in gateway.state.text
    disabled.keyboard.press("u")
    expect(disabled.locator(".notice")).to_contain_text("Nothing to undo on this page.")
    expect(disabled.get_by_role("dialog")).to_be_hidden()


def test_the_offer_to_undo_stays_when_its_question_is_canceled(disabled: Page) -> None:
    notice, dialog = disabled.locator(".notice"), disabled.get_by_role("dialog")
    for leave in ("Cancel", "Escape"):
        notice.get_by_role("button", name="Undo").click()
        expect(dialog).to_be_visible()
        if leave == "Cancel":
            dialog.get_by_role("button", name="Cancel").click()
        else:
            disabled.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(notice).to_contain_text("Disabled (verified).")
    notice.get_by_role("button", name="Undo").click()
    confirm(disabled)

    expect(disabled.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("enabled")


def test_the_offer_to_undo_leaves_with_the_page(disabled: Page) -> None:
    expect(disabled.locator(".notice")).to_have_count(1)

    disabled.get_by_role("link", name="Activity").click()

    expect(disabled.locator("#action-log")).to_contain_text("relay-ok")
    expect(disabled.locator(".notice")).to_have_count(0)


def test_a_deleted_file_is_restored_from_its_notice(disabled: Page, gateway: FakeGateway) -> None:
    name = "claude-someone.json"
    content = dict(gateway.state.files)[name]
    disabled.get_by_text("OAuth files", exact=True).click()
    disabled.get_by_role("button", name="Evidence of someone@mail.example").click()
    disabled.get_by_role("button", name="Delete someone@mail.example").click()
    dialog = disabled.get_by_role("dialog")
    expect(dialog).to_contain_text("It can be restored for 30 days")
    dialog.get_by_role("button", name="Delete").click()
    notice = disabled.locator(".notice")
    expect(notice).to_contain_text("Deleted. The file can be restored for 30 days.")
    assert gateway.state.files == {}

    notice.get_by_role("button", name="Restore").click()
    expect(dialog).to_contain_text("written back to the gateway's folder")
    dialog.get_by_role("button", name="Restore").click()

    expect(notice).to_contain_text("Restored (verified).")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    expect(disabled.get_by_role("row", name=name)).to_be_visible()
    assert gateway.state.files[name] == content
