from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.consequences import NOW
from tests.browser.stand_in.service import StandInService

CHAT = {"id": 1, "name": "night shift", "scheme": "slack", "topics": ["on-hold"], "last": None}
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


def test_a_refused_address_stays_in_the_form_with_the_reason(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/config/channels")
    opened(operator)
    operator.get_by_label("Channel", exact=True).fill("on call")
    operator.get_by_label("Apprise URL").fill("nonsense")
    operator.get_by_role("button", name="Add channel").click()

    expect(operator.get_by_role("form", name="New channel")).to_contain_text("it must be an address of the Apprise")
    expect(operator.get_by_label("Apprise URL")).to_have_value("nonsense")
    assert service.follow_up.channels == []


def test_the_newest_deliveries_are_shown_as_they_arrive(operator: Page, service: StandInService) -> None:
    service.follow_up.channels.append(CHAT)
    opened(operator)
    panel = operator.locator("#channels")
    expect(panel.get_by_role("row", name="night shift")).to_contain_text("none yet")

    failed = {"channel": 1, "kind": "inspection.changed", "run": 7, "at": NOW, "taken": False, "attempts": 3}
    service.follow_up.channel_deliveries.append({**failed, **NOT_TAKEN})
    service.emit("webhook", None, ids=[1])

    expect(panel.get_by_role("row", name="Run 7")).to_contain_text(
        "Failed 3 attempts. The service did not take the message."
    )
