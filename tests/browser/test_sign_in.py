"""Sign-in, sessions that end, and a service that is not ready."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.house import sign_out
from tests.browser.stand_in.service import KEY, StandInService

REFUSAL = {"error": "the gateway does not answer", "code": "gateway_unavailable", "hint": "Check that it is running."}


def test_a_wrong_key_is_refused_and_the_right_one_is_kept_nowhere_in_the_browser(
    page: Page, address: str, service: StandInService
) -> None:
    sign_in(page, address, "not-the-key")

    expect(page.get_by_role("alert")).to_contain_text("The management key is wrong.")
    expect(page.get_by_role("alert")).to_contain_text("Check remote-management.secret-key.")
    expect(page.get_by_role("button", name="Check now")).to_be_hidden()

    sign_in(page, address, "a-management-key-of-the-stand-in")

    expect(page.get_by_role("button", name="Check now")).to_be_visible()
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "a-management-key" not in stored
    sign_out(page)

    expect(page.get_by_label("Management key")).to_be_visible()
    assert service.sessions == set()


def test_a_session_that_has_ended_leads_back_to_the_sign_in(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/pool")
    service.sessions.clear()

    operator.get_by_role("button", name="Refresh").dispatch_event("click")

    expect(operator.get_by_role("alert")).to_contain_text("Session expired")
    expect(operator.get_by_label("Management key")).to_be_focused()


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
    operator.get_by_role("button", name="Disable 2…").click()
    question = operator.get_by_role("dialog", name="Disable 2 accounts?")
    question.get_by_label("Note (optional)").fill("asked for by Anna")
    service.sessions.clear()
    question.get_by_role("button", name="Disable").click()

    expect(operator.get_by_role("dialog", name="Sign in")).to_be_visible()
    operator.keyboard.press("Escape")
    sign_in_again(operator)

    assert service.requests == []
    expect(question.get_by_label("Note (optional)")).to_have_value("asked for by Anna")
    expect(question.get_by_role("button", name="Disable")).to_be_focused()
    operator.keyboard.press("Enter")
    expect(operator.get_by_role("dialog")).to_contain_text("2 done.")
    assert service.requests == [
        (
            "POST",
            "pool/status",
            {"accounts": [2, 9], "disabled": True, "reason": "asked for by Anna", "background": True},
        )
    ]


class LateInfo:
    """Answers about the service: refused first, then not given at all, until it is let go."""

    def __init__(self, page: Page) -> None:
        self.reads = 0
        self.waiting: list[Route] = []
        self.page = page
        page.route("**/poolkeeper/info", self.answer)

    def answer(self, route: Route) -> None:
        self.reads += 1
        if self.reads == 1:
            route.fulfill(status=503, json=REFUSAL)
        else:
            self.waiting.append(route)

    def wait_until_held(self) -> None:
        """Wait until a read of the page is held back."""
        while not self.waiting:
            self.page.wait_for_timeout(20)


@pytest.fixture(autouse=True)
def refusals_are_expected(console: Console) -> None:
    console.expected.append("status of 503")


def test_the_message_and_a_page_stay_until_the_gateway_answers(page: Page, address: str) -> None:
    late = LateInfo(page)
    sign_in(page, address.replace("inspection", "settings"))
    expect(page.get_by_role("alert")).to_contain_text("The gateway does not answer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for the service")

    late.wait_until_held()

    expect(page.get_by_role("alert")).to_contain_text("The gateway does not answer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for the service")

    late.waiting[0].continue_()

    expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Waiting for the service")
