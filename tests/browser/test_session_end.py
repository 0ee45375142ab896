"""A session that ends asks for the key above everything else, and keeps the work."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import KEY, StandInService


def sign_in_again(page: Page) -> None:
    form = page.get_by_role("dialog", name="Sign in")
    expect(form).to_contain_text("Session expired. Sign in again.")
    expect(form.get_by_label("Management key")).to_be_focused()
    form.get_by_label("Management key").fill(KEY)
    form.get_by_role("button", name="Sign in").click()
    expect(form).to_have_count(0)


def test_an_open_question_stays_with_its_note_and_the_selection(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("401")
    for name in ("relay-401", "claude-402"):
        operator.get_by_label(f"Select {name}").check()
    operator.get_by_role("button", name="Disable", exact=True).click()
    question = operator.get_by_role("dialog", name="Disable 2 accounts?")
    question.get_by_label("Note (optional)").fill("asked for by Anna")
    service.sessions.clear()
    question.get_by_role("button", name="Disable").click()

    expect(operator.get_by_role("dialog", name="Sign in")).to_be_visible()
    operator.keyboard.press("Escape")
    sign_in_again(operator)

    assert service.requests == []
    expect(question.get_by_label("Note (optional)")).to_have_value("asked for by Anna")
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    question.get_by_role("button", name="Disable").click()
    expect(operator.get_by_role("dialog").locator("li").get_by_text("Done")).to_have_count(2)
    assert service.requests == [
        (
            "POST",
            "pool/status",
            {"accounts": [2, 9], "disabled": True, "reason": "asked for by Anna", "background": True},
        )
    ]


def test_a_form_keeps_what_was_typed(operator: Page, service: StandInService, console: Console) -> None:
    console.expected.append("401")
    operator.get_by_role("link", name="Schedules").click()
    name = operator.get_by_label("Name")
    name.fill("every night")
    service.sessions.clear()
    operator.get_by_role("button", name="Save with the current run settings").click()

    sign_in_again(operator)

    expect(name).to_have_value("every night")
    operator.get_by_role("link", name="Inspection").click()
    expect(operator.get_by_role("row", name="relay-ok")).to_be_visible()


def test_the_keyboard_is_back_on_the_button_of_a_form(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("401")
    operator.get_by_role("link", name="Notifications").click()
    operator.get_by_label("Channel", exact=True).fill("on call")
    operator.get_by_label("URL", exact=True).fill("tgram://very-secret-token/42")
    service.sessions.clear()
    operator.get_by_role("button", name="Add channel").press("Enter")

    sign_in_again(operator)

    expect(operator.get_by_label("URL", exact=True)).to_have_value("tgram://very-secret-token/42")
    expect(operator.get_by_role("button", name="Add channel")).to_be_focused()


def test_the_page_is_read_again_after_the_sign_in(operator: Page, service: StandInService, console: Console) -> None:
    console.expected.append("401")
    service.sessions.clear()
    operator.evaluate("document.getElementById('refresh')?.click()")
    expect(operator.get_by_role("button", name="Start inspection")).to_be_hidden()
    service.accounts[0]["enabled"] = False

    sign_in_again(operator)

    expect(operator.locator("#capsule dd[data-count]")).to_have_text(["11", "10", "1"])
    expect(operator.locator("#live")).to_contain_text("Live")
