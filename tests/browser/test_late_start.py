"""A service whose gateway does not answer when the console starts: there is a page to read and to use until it does."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.stand_in.service import StandInService
from tests.browser.test_accessibility import AXE, JUDGE

REFUSAL = {"error": "the gateway does not answer", "code": "gateway_unavailable", "hint": "Check that it is running."}


class LateInfo:
    """Answers about the service: refused first, then not given at all, until it is let go."""

    def __init__(self, page: Page) -> None:
        self.asked = 0
        self.held: list[Route] = []
        page.route("**/poolkeeper/info", self.answer)

    def answer(self, route: Route) -> None:
        self.asked += 1
        if self.asked == 1:
            route.fulfill(status=503, json=REFUSAL)
        else:
            self.held.append(route)


@pytest.fixture(autouse=True)
def unrouted(page: Page, console: Console) -> Iterator[None]:
    console.expected.append("status of 503")
    yield
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_the_message_and_a_page_stay_until_the_gateway_answers(
    page: Page, address: str, service: StandInService, *, is_signed_in: bool
) -> None:
    late = LateInfo(page)
    if is_signed_in:
        service.sessions.add("prepared")
        cookie = {"name": "poolkeeper_session", "value": "prepared", "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.goto(address)
    else:
        sign_in(page, address)
    expect(page.get_by_role("alert")).to_contain_text("The gateway does not answer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for the service")
    expect(page.locator("#page")).to_be_focused()

    for _ in range(100):
        if late.held:
            break
        page.wait_for_timeout(100)

    expect(page.get_by_role("alert")).to_contain_text("The gateway does not answer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for the service")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(JUDGE) == []

    late.held[0].continue_()

    expect(page.locator("#navigation")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("Waiting for the service")


def test_a_start_without_an_answer_says_what_it_waits_for(page: Page, address: str, service: StandInService) -> None:
    late = LateInfo(page)
    late.asked = 1
    sign_in(page, address)

    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for the service")
    assert service.sessions

    late.held[0].continue_()
    expect(page.locator("#navigation")).to_be_visible()
