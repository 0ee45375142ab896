"""The page of notifications: channels of services with fields of their own."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Console
from tests.browser.house import OWN, RunningService

CHANNELS = f"{OWN}/config/channels"
TELEGRAM = {"Bot token": "7012345678:AAF-very-secret-token-0123456789ab", "Chat ID": "-1001234567890"}


@pytest.fixture
def webhook() -> Iterator[str]:
    """Yield the address of a server that takes every message."""

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Taking) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/very-secret"
        server.shutdown()
        thread.join()


def adding(page: Page, service: str) -> Locator:
    """Open the form of a service."""
    page.get_by_role("button", name="Add channel").click()
    drawer = page.get_by_role("dialog", name="Add a channel")
    drawer.get_by_role("radio", name=service).check(force=True)
    return drawer


def test_telegram_is_set_up_with_token_and_chat_and_changed_later(site: RunningService) -> None:
    page = site.open("notifications")
    expect(page.get_by_text("No channel yet.")).to_be_visible()
    drawer = adding(page, "Telegram")
    drawer.get_by_label("Name").fill("ops")
    for label, value in TELEGRAM.items():
        drawer.get_by_label(label).fill(value)
    drawer.get_by_label("Collisions with edits by others").uncheck()
    drawer.get_by_role("button", name="Add channel").click()

    row = page.get_by_role("listitem").filter(has_text="ops")
    expect(row).to_contain_text("Telegram · Changed accounts, Automatic actions, On hold, Failures, Budgets, Quotas")
    expect(page.locator("body")).not_to_contain_text("very-secret")
    (stored,) = site.answer(CHANNELS)["channels"]
    assert (stored["scheme"], stored["topics"]) == (
        "tgram",
        ["changes", "actions", "on-hold", "failures", "budgets", "quotas"],
    )

    page.get_by_role("button", name="Edit ops").click()
    address = page.url
    page.reload()
    assert page.url == address
    drawer = page.get_by_role("dialog", name="Edit ops")
    drawer.get_by_label("Collisions with edits by others").check()
    drawer.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_role("listitem").filter(has_text="ops")).to_contain_text("Telegram · everything")


def test_a_webhook_is_tried_before_it_is_stored_tried_again_and_removed(site: RunningService, webhook: str) -> None:
    page = site.open("notifications")
    drawer = adding(page, "Webhook")
    drawer.get_by_label("Name").fill("pager")
    drawer.get_by_label("Webhook URL").fill(webhook)
    drawer.get_by_role("button", name="Send test").click()
    expect(drawer.get_by_role("status")).to_have_text("The test message was delivered.")
    assert site.answer(CHANNELS)["channels"] == []
    drawer.get_by_role("button", name="Add channel").click()

    page.get_by_role("button", name="Send test to pager").press("Enter")
    expect(page.get_by_role("row", name="Test message")).to_contain_text("Delivered")
    expect(page.get_by_role("button", name="Send test to pager")).to_be_focused()

    page.get_by_role("button", name="Remove pager").click()
    question = page.get_by_role("dialog", name="Remove the channel pager?")
    question.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Remove pager")).to_be_focused()
    page.get_by_role("button", name="Remove pager").click()
    question.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No channel yet.")).to_be_visible()
    expect(page.get_by_role("row", name="Test message")).to_contain_text("removed channel")
    expect(page.locator("body")).not_to_contain_text("very-secret")


def test_what_is_wrong_is_said_at_its_field_and_what_was_typed_stays(site: RunningService, console: Console) -> None:
    console.expected.append("/config/channels")
    page = site.open("notifications")
    drawer = adding(page, "Telegram")
    save = drawer.get_by_role("button", name="Add channel")
    save.click()
    expect(drawer.get_by_label("Name")).to_be_focused()
    drawer.get_by_label("Name").fill("ops")
    drawer.get_by_label("Bot token").fill("no token")
    drawer.get_by_label("Chat ID").fill("42")
    save.click()
    expect(drawer.get_by_role("alert")).to_have_text(
        "Bot token: this is not what the service gives out. Copy it again."
    )
    expect(drawer.get_by_label("Bot token")).to_be_focused()

    drawer.get_by_role("radio", name="Other").check(force=True)
    drawer.get_by_label("Apprise URL").fill("nonsense")
    save.click()
    expect(drawer.get_by_role("alert")).to_contain_text("Apprise library")
    expect(drawer.get_by_label("Apprise URL")).to_be_focused()
    expect(drawer.get_by_label("Name")).to_have_value("ops")


def test_without_the_library_the_form_says_the_command_and_takes_webhooks_alone(site: RunningService) -> None:
    page = site.page
    page.route(f"**{CHANNELS}", lambda route: route.fulfill(json={"library": False, "channels": [], "deliveries": []}))
    page.goto(f"{site.origin}/monitor/notifications?edit=new")
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("alert")).to_contain_text("pip install 'poolkeeper[notifications]'")
    expect(drawer.get_by_role("radio", name="Telegram")).to_be_disabled()
    expect(drawer.get_by_role("radio", name="Webhook")).to_be_checked()
