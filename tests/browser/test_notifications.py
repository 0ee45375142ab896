"""Notifications, and the webhook."""

from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService


def opened(page: Page) -> None:
    page.get_by_role("link", name="Notifications").click()


def test_an_address_is_set_tried_and_removed(operator: Page, service: StandInService) -> None:
    opened(operator)
    panel = operator.locator("#webhook")
    expect(panel).to_contain_text("No notifications configured.")
    expect(panel.get_by_role("button", name="Send a test")).to_be_hidden()

    operator.get_by_label("Webhook URL", exact=True).fill("https://hooks.example/services?token=secret")
    operator.get_by_role("button", name="Save", exact=True).click()

    expect(panel).to_contain_text("Notifying https://hooks.example.")
    expect(operator.get_by_label("New webhook URL")).to_have_value("")
    panel.get_by_role("button", name="Send a test").click()
    expect(panel).to_contain_text("Failed Test message, 18 Nov, 11:06:40. It answered HTTP 500.")
    panel.get_by_role("button", name="Remove the webhook").click()
    expect(panel).to_contain_text("No notifications configured.")
    assert [path for _, path, _ in service.requests] == ["config/webhook", "config/webhook/test", "config/webhook"]


def test_what_became_of_a_message_is_shown_as_soon_as_it_is_known(operator: Page, service: StandInService) -> None:
    service.follow_up.webhook.update(setBy="person", host="https://hooks.example")
    opened(operator)
    panel = operator.locator("#webhook")
    expect(panel).to_contain_text("Notifying https://hooks.example.")
    operator.get_by_label("New webhook URL").press_sequentially("https://elsewh")

    last = {"kind": "inspection.changed", "run": 4, "at": 1_795_000_000_000, "taken": False, "attempts": 3}
    service.follow_up.webhook["last"] = {**last, "problem": "No connection to it.", "problems": []}
    service.emit("webhook", None, ids=[1])

    expect(panel).to_contain_text("Failed Changes of run 4, 18 Nov, 11:06:40 after 3 attempts. No connection to it.")
    operator.keyboard.type("ere.example")
    expect(operator.get_by_label("New webhook URL")).to_have_value("https://elsewhere.example")


def test_a_channel_is_added_tried_and_removed_after_a_question(operator: Page, service: StandInService) -> None:
    opened(operator)
    panel = operator.locator("#channels")
    expect(panel).to_contain_text("No channels yet.")

    operator.get_by_label("Channel", exact=True).fill("on call")
    operator.get_by_label("Apprise URL").fill("tgram://very-secret-token/42")
    operator.get_by_label("Failures").check()
    operator.get_by_role("button", name="Add channel").click()

    row = panel.get_by_role("row", name="on call tgram")
    expect(row).to_contain_text("tgram://…")
    expect(row).to_contain_text("Failures")
    expect(operator.get_by_label("Apprise URL")).to_have_value("")
    expect(operator.get_by_label("Failures")).not_to_be_checked()
    expect(panel).not_to_contain_text("very-secret")

    operator.get_by_role("button", name="Send a test to on call").press("Enter")
    expect(panel.get_by_role("row", name="Test message")).to_contain_text("Delivered")
    expect(operator.get_by_role("button", name="Send a test to on call")).to_be_focused()

    operator.get_by_role("button", name="Remove on call").click()
    question = operator.get_by_role("dialog", name="Remove the channel on call?")
    question.get_by_role("button", name="Cancel").click()
    expect(row).to_be_visible()
    operator.get_by_role("button", name="Remove on call").click()
    question.get_by_role("button", name="Remove").click()

    expect(panel).to_contain_text("No channels yet.")
    expect(panel.get_by_role("row", name="Test message")).to_contain_text("removed channel")
    paths = [path for _, path, _ in service.requests]
    assert paths == ["config/channels", "config/channels/test", "config/channels/remove"]
