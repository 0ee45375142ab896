"""Notifications and their channels."""

from playwright.sync_api import Page, expect

from tests.browser.stand_in.consequences import NOW
from tests.browser.stand_in.service import StandInService

CHAT = {
    "id": 1,
    "name": "night shift",
    "kind": "apprise",
    "scheme": "slack",
    "host": "",
    "topics": ["on-hold"],
    "last": None,
}
NOT_TAKEN = {
    "problem": "The service did not take the message.",
    "problems": [{"code": "delivery_not_taken", "params": {}}],
}


def opened(page: Page) -> None:
    page.get_by_role("link", name="Notifications").click()


def test_a_channel_is_added_tried_and_removed_after_a_question(operator: Page, service: StandInService) -> None:
    opened(operator)
    panel = operator.locator("#channels")
    expect(panel).to_contain_text("No channels yet.")

    operator.get_by_label("Channel", exact=True).fill("on call")
    operator.get_by_label("URL", exact=True).fill("tgram://very-secret-token/42")
    operator.get_by_label("Failures").check()
    operator.get_by_role("button", name="Add channel").click()

    row = panel.get_by_role("row", name="on call tgram")
    expect(row).to_contain_text("tgram://…")
    expect(row).to_contain_text("Failures")
    expect(operator.get_by_label("URL", exact=True)).to_have_value("")
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


def test_a_webhook_is_added_as_a_channel_of_json(operator: Page) -> None:
    opened(operator)
    operator.get_by_label("Channel", exact=True).fill("hook")
    operator.get_by_label("Kind").select_option("Webhook URL (JSON)")
    operator.get_by_label("URL", exact=True).fill("https://hooks.example/very-secret")
    operator.get_by_role("button", name="Add channel").click()

    row = operator.locator("#channels").get_by_role("row", name="hook https://hooks.example")
    expect(row).to_be_visible()
    expect(row).not_to_contain_text("very-secret")


def test_the_newest_deliveries_are_shown_as_they_arrive(operator: Page, service: StandInService) -> None:
    service.follow_up.channels.append(CHAT)
    opened(operator)
    panel = operator.locator("#channels")
    expect(panel.get_by_role("row", name="night shift")).to_contain_text("none yet")

    failed = {"channel": 1, "kind": "inspection.changed", "run": 7, "at": NOW, "taken": False, "attempts": 3}
    service.follow_up.channel_deliveries.append({**failed, **NOT_TAKEN})
    service.emit("channel", None, ids=[1])

    expect(panel.get_by_role("row", name="Run 7")).to_contain_text(
        "Failed 3 attempts. The service did not take the message."
    )
