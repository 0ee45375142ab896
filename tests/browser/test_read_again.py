"""Reads that fail are repeated: no page stays empty for one failure, and none flickers where failures go on."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.conftest import Console, new_context
from tests.browser.stand_in.service import StandInService
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

TROUBLE = '{"error": "trouble", "code": "internal", "hint": ""}'
MARK = "(node) => { node.isKept = true; }"
KEPT = "(node) => node.isKept === true"
#: A read of each page, and what stands there once it has been read.
FIRST_READS = {
    "overview": ("pool/overview", "section[aria-label]"),
    "usage": ("usage/series", "section[aria-label] .figures"),
    "prices": ("model-prices", "section[aria-label]"),
    "keys": ("api-key-aliases", "tbody tr"),
    "activity": ("pool/actions", ".drawer .filters, .drawer p.quiet, .drawer p:not(.hint)"),
    "schedules": ("inspections/schedules", "form"),
    "notifications": ("config/channels", "form"),
}


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Keep the clock of a test away from the pages of others."""
    with new_context(browser) as context:
        yield context


class Failing:
    """Reads of one path that the service fails to answer, as often as a test says."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.left: dict[str, int] = {}
        self.status, self.body = 500, TROUBLE
        page.route("**/v0/management/**", self._answer)

    def _answer(self, route: Route) -> None:
        path = next((each for each in self.left if each in route.request.url), "")
        if route.request.method == "GET" and self.left.get(path, 0) > 0:
            self.left[path] -= 1
            route.fulfill(status=self.status, body=self.body, content_type="application/json")
        else:
            route.fallback()


@pytest.fixture
def failing(page: Page, console: Console) -> Iterator[Failing]:
    console.expected += ["status of 500", "status of 503"]
    page.clock.install()
    yield Failing(page)
    page.unroute_all(behavior="wait")


def later(page: Page, seconds: int) -> None:
    page.clock.run_for(seconds * 1000)


@pytest.mark.parametrize("name", FIRST_READS)
def test_a_page_whose_first_read_fails_fills_by_itself(filled: Site, failing: Failing, name: str) -> None:
    path, content = FIRST_READS[name]
    failing.left[path] = 1
    page = filled.page
    page.goto(f"{filled.origin}/monitor/{name}")
    expect(page.get_by_role("alert")).to_contain_text("Trouble.")
    later(page, 3)
    expect(page.locator("#page").locator(content).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("path", ["info/session", "info", "config", "inspections/events"])
def test_a_page_whose_beginning_fails_is_shown_when_the_service_answers(
    filled: Site, failing: Failing, path: str
) -> None:
    page = filled.page
    failing.left[f"poolkeeper/{path}"] = 1
    page.goto(f"{filled.origin}/monitor/overview")
    expect(page.get_by_role("alert").filter(has_text="Trouble.")).to_have_count(1)
    later(page, 3)
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_label("Management key")).to_be_hidden()


def marked(notice: Locator) -> Locator:
    expect(notice).to_be_visible()
    notice.evaluate(MARK)
    return notice


def test_what_is_typed_and_the_keyboard_stay_while_reads_go_on_failing(
    operator: Page, failing: Failing, service: StandInService
) -> None:
    page = operator
    page.get_by_role("link", name="Notifications").click()
    field = page.get_by_label("URL", exact=True)
    field.fill("https://hooks.example/half")
    box = page.get_by_label("Failures")
    box.focus()
    failing.left |= {"config/channels": 99}
    service.emit("channel", None)
    alerts = page.locator("#page").get_by_role("alert")
    expect(alerts).to_have_count(1)
    marked(alerts.first)
    expect(box).to_be_focused()
    for seconds in (3, 6, 12):
        with page.expect_response("**/config/channels"):
            later(page, seconds)
    expect(alerts).to_have_count(1)
    assert alerts.first.evaluate(KEPT)
    expect(box).to_be_focused()
    expect(field).to_have_value("https://hooks.example/half")
    failing.left.clear()
    later(page, 30)
    expect(alerts).to_have_count(0)
    expect(box).to_be_focused()
    expect(field).to_have_value("https://hooks.example/half")


def test_a_gateway_that_does_not_answer_is_named_and_leaves_what_is_known_on_the_overview(
    filled: Site, failing: Failing
) -> None:
    failing.status, failing.body = 503, '{"error": "the gateway is silent", "code": "gateway_unavailable"}'
    failing.left["pool/overview"] = 2
    page, live = filled.page, filled.page.locator("#live")
    page.goto(f"{filled.origin}/monitor/overview")
    expect(live).to_have_text("The gateway does not answer")
    expect(live).to_have_attribute("data-state", "lost")
    usage = page.get_by_role("region", name="What is being used")
    expect(usage).to_be_visible()
    usage.evaluate(MARK)
    with page.expect_response("**/pool/overview*"):
        later(page, 4)
    assert usage.evaluate(KEPT)
    with page.expect_response("**/pool/overview*"):
        later(page, 7)
    expect(page.get_by_role("region", name="Is my pool well?")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(live).to_have_text("Live")
    failing.left["pool/overview"] = 1
    page.reload()
    expect(live).to_have_text("The gateway does not answer")
    page.get_by_role("link", name="Settings").click()
    later(page, 61)
    # A minute without a heartbeat, to the page: it may read instead of listening by now.
    expect(live).to_have_text(re.compile("^Live"))


def test_a_filter_keeps_the_keyboard_when_its_page_is_read_again(filled: Site, failing: Failing) -> None:
    page = filled.page
    for name, path, controls in (
        ("usage", "usage/failures", ("#export-csv", "#chip-failed")),
        ("requests", "api-key-aliases", ("[aria-pressed]", "#export-csv", "#chip-failed")),
    ):
        for selector in controls:
            failing.left[path] = 1
            page.goto(f"{filled.origin}/monitor/{name}?failed=true")
            expect(page.get_by_role("alert")).to_be_visible()
            control = page.locator("#page").locator(selector)
            control.focus()
            with page.expect_response(f"**/{path}*"):
                later(page, 4)
            expect(page.get_by_role("alert")).to_have_count(0)
            expect(control).to_be_focused()


def test_a_notice_of_a_lasting_failure_neither_flickers_nor_comes_back_after_it_was_dismissed(
    filled: Site, failing: Failing
) -> None:
    page = filled.page
    failing.left["usage/failures"] = 99
    page.goto(f"{filled.origin}/monitor/usage")
    notice = marked(page.get_by_role("alert"))
    dismiss = notice.get_by_role("button", name="Dismiss")
    dismiss.focus()
    with page.expect_response("**/usage/failures*"):
        later(page, 4)
    assert notice.evaluate(KEPT)
    expect(dismiss).to_be_focused()
    dismiss.press("Enter")
    for seconds in (7, 13):
        with page.expect_response("**/usage/failures*"):
            later(page, seconds)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("link", name="Keys").click()
    page.get_by_role("link", name="Usage").click()
    expect(page.get_by_role("alert")).to_contain_text("Trouble.")
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("alert")).to_have_count(0)
