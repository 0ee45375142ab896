"""Reads that fail, streams that stall, and keys that wait, by the clock of the test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.conftest import Console, new_context, sign_in
from tests.browser.house import RunningService, requests_held
from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import KEY, StandInService

TROUBLE = '{"error": "trouble", "code": "internal", "hint": ""}'
MARK = "(node) => { node.isKept = true; }"
KEPT = "(node) => node.isKept === true"
#: A read of each page, and what stands there once it has been read.
FIRST_READS = {
    "overview": ("pool/overview", ".hosts"),
    "usage": ("usage/failures", "section[aria-label]"),
    "prices": ("model-prices", "section[aria-label] :is(table, .empty:not([role]))"),
    "activity": ("pool/actions", ".card .listing, .card .empty:not([role])"),
}
SILENCE_MS = 25_000
OFF = {"error": "Inspection is off: no room.", "code": "store_unavailable", "hint": "Free some space."}


WAITING = "Waiting for the gateway's list of accounts."


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Keep the clock of a test away from the pages of others."""
    with new_context(browser) as context:
        yield context


class Failing:
    """Reads of one path that the service fails to answer, as often as a test says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.failures: dict[str, int] = {}
        self.status, self.body = 500, TROUBLE
        page.route("**/v0/management/**", self._answer)

    def _answer(self, route: Route) -> None:
        path = next((part for part in self.failures if part in route.request.url), "")
        if route.request.method == "GET" and self.failures.get(path, 0) > 0:
            self.failures[path] -= 1
            route.fulfill(status=self.status, body=self.body, content_type="application/json")
        else:
            route.fallback()


@pytest.fixture
def failing(page: Page, console: Console) -> Failing:
    console.expected += ["status of 500", "status of 503"]
    page.clock.install()
    return Failing(page)


def later(page: Page, seconds: int) -> None:
    page.clock.run_for(seconds * 1000)


@pytest.mark.parametrize("name", FIRST_READS)
def test_a_page_whose_first_read_fails_fills_by_itself(visited: RunningService, failing: Failing, name: str) -> None:
    path, content = FIRST_READS[name]
    failing.failures[path] = 1
    page = visited.page
    page.goto(f"{visited.origin}/monitor/{name}")
    expect(page.get_by_role("alert")).to_contain_text("Trouble.")
    later(page, 3)
    expect(page.locator("#page").locator(content).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("path", ["info/session", "inspections/events"])
def test_a_page_whose_beginning_fails_is_shown_when_the_service_answers(
    visited: RunningService, failing: Failing, path: str
) -> None:
    page = visited.page
    failing.failures[f"poolkeeper/{path}"] = 1
    page.goto(f"{visited.origin}/monitor/overview")
    expect(page.get_by_role("alert").filter(has_text="Trouble.")).to_have_count(1)
    later(page, 3)
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_label("Management key")).to_be_hidden()


def marked(notice: Locator) -> Locator:
    expect(notice).to_be_visible()
    notice.evaluate(MARK)
    return notice


def live_sign(page: Page, address: str) -> Locator:
    """Sign in with a clock that the test moves; return the sign of the connection, once it is live."""
    page.clock.install()
    sign_in(page, f"{address}?source=api_key")
    sign = page.locator(".side-bar .live")
    expect(sign).to_have_text("Live")
    return sign


def test_a_service_that_stands_still_is_told_in_25_seconds_and_followed_when_it_goes_on(
    page: Page, address: str, service: StandInService
) -> None:
    live = live_sign(page, address)
    service.stall(reads=True)
    service.emit("pool", None)

    page.clock.run_for(SILENCE_MS)
    expect(live).to_have_text("Connection lost. Reconnecting…")
    page.clock.run_for(5_000)
    expect(live).to_have_text("Connection lost. Reconnecting…")

    service.accounts.append(key_account(20, "relay-new", "compat"))
    service.go_on()
    expect(live).to_have_text("Live (polling)")
    page.clock.run_for(1_000)
    expect(page.get_by_role("row", name="relay-new")).to_be_visible()
    for _ in range(400):
        if live.inner_text() == "Live":
            break
        page.clock.run_for(1_500)
        page.wait_for_timeout(50)
    expect(live).to_have_text("Live")


def refuse_for_a_while(page: Page, address: str, console: Console, key: str) -> list[str]:
    """Sign in to a service that is not ready; return the bodies of the tries."""
    console.expected.append("status of 503")
    tries: list[str] = []

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        tries.append(route.request.post_data or "")
        route.fulfill(status=503, json=OFF)

    page.route("**/info/session", refuse)
    sign_in(page, address, key)
    expect(page.get_by_role("alert")).to_contain_text("Inspection is off: no room.")
    expect(page.get_by_role("alert")).to_contain_text("Sign-in is retried automatically.")
    return tries


def test_a_waiting_key_that_is_wrong_is_tried_once(
    page: Page, address: str, console: Console, service: StandInService
) -> None:
    page.clock.install()
    refuse_for_a_while(page, address, console, "not-the-key")
    page.unroute("**/info/session")

    page.clock.run_for(4_000)
    expect(page.get_by_role("alert")).to_contain_text("The management key is wrong.")
    page.clock.run_for(120_000)

    expect(page.get_by_role("alert")).not_to_contain_text("retried")
    assert service.refused_log_ins == 1


def test_the_accounts_say_what_they_wait_for_and_no_number_that_they_do_not_know(
    operator: Page, service: StandInService
) -> None:
    answer = service.delays.next_answer("GET", "pool")
    operator.clock.install()
    operator.reload()
    answer.wait_until_made()
    operator.clock.run_for(4_000)
    expect(operator.get_by_text(WAITING)).to_be_visible()
    sign = operator.locator(".side-bar .live")
    expect(sign).to_have_text("Waiting for the gateway")
    expect(operator.locator(".capsule, .chip, .plan-line")).to_have_count(0)
    answer.release()
    expect(sign).to_have_text("Live")
    operator.clock.run_for(1_000)
    expect(operator.locator(".capsule dd").first).to_have_text("11")


def test_the_overview_shows_what_is_known_while_it_waits_for_the_gateway(filled: RunningService) -> None:
    page = filled.page
    page.clock.install()
    with requests_held(page, "**/pool/overview*", "GET") as reads:
        page.goto(f"{filled.origin}/monitor/overview")
        traffic = page.get_by_role("region", name="Requests today")
        expect(traffic.get_by_role("figure").or_(traffic.get_by_text("No requests today."))).to_be_visible()
        page.clock.run_for(4_000)
        for name in ("Needs attention", "Health by host", "Coverage"):
            expect(page.get_by_role("region", name=name).get_by_role("status")).to_be_visible()
        expect(page.get_by_text(WAITING)).to_be_visible()
        expect(page.get_by_role("region", name="Automation, last 24 h")).to_contain_text("No schedule is enabled")
        expect(page.get_by_text("Waiting for the gateway", exact=True)).to_be_visible()
        assert len(reads) == 1

    expect(page.get_by_role("region", name="Health by host").get_by_role("listitem")).not_to_have_count(0)
    expect(page.get_by_text(WAITING)).to_have_count(0)
    expect(page.locator(".state").get_by_role("status")).to_have_text("Live")


def test_a_service_that_answers_again_lets_the_waiting_key_in(page: Page, address: str, console: Console) -> None:
    page.clock.install()
    refuse_for_a_while(page, address, console, KEY)

    page.unroute("**/info/session")
    page.clock.run_for(4_000)

    expect(page.get_by_role("button", name="Check now")).to_be_visible()
