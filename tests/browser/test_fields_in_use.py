"""Fields in use while a page is read again: an open list of choices stays open, and typed text stays."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import StandInService
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

MARK = "(node) => { node.isKept = true; node.list = [...node.options]; }"
KEPT = "(node) => node.isConnected && node.isKept && node.list.every((each, at) => each === node.options[at])"


def opened(select: Locator) -> None:
    """Open a list of choices, as a click does."""
    select.click()
    expect(select).to_be_focused()
    select.evaluate(MARK)


def test_an_open_list_of_a_filter_stays_while_results_come_in(operator: Page, service: StandInService) -> None:
    hosts, runs = operator.get_by_label("Host", exact=True), operator.get_by_label("Show", exact=True)
    opened(hosts)
    service.accounts.append(key_account(20, "relay-new", "compat"))
    service.emit("pool", None)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    expect(operator.get_by_role("row", name="relay-new")).to_be_visible()
    assert hosts.evaluate(KEPT)
    operator.keyboard.press("Escape")
    operator.locator("#search").focus()
    expect(runs.locator("option")).to_have_count(2)

    opened(runs)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    expect(operator.locator("#run-state")).to_contain_text("Run 2")
    assert runs.evaluate(KEPT)
    expect(runs.locator("option")).to_have_count(2)
    operator.keyboard.press("Escape")
    operator.locator("#search").focus()
    expect(runs.locator("option")).to_have_count(3)


def test_an_open_list_above_usage_and_requests_stays_when_the_page_is_read_again(filled: Site) -> None:
    for name, ids in (("usage", ("period", "by", "measure")), ("requests", ("period", "failed", "model"))):
        for each in ids:
            page = filled.open(name)
            select = page.locator(f"#page select#{each}")
            opened(select)
            with page.expect_response("**/usage/summary*"):
                page.evaluate("() => window.dispatchEvent(new PopStateEvent('popstate'))")
            page.wait_for_load_state("networkidle")
            assert select.evaluate(KEPT), f"{name}: {each}"
            page.keyboard.press("Escape")


def test_typed_text_and_an_open_list_stay_in_the_activity_when_an_action_comes(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("link", name="Activity").click()
    actor = operator.locator("#action-log-actor")
    actor.type("ann")
    service.follow_up.record(2, "relay-401", "disable")
    with operator.expect_response("**/pool/actions*"):
        service.emit("action", None)
    expect(operator.locator("#action-log")).to_contain_text("relay-401")
    expect(actor).to_be_focused()
    expect(actor).to_have_value("ann")
    actor.fill("")
    result = operator.locator("#action-log-result")
    opened(result)
    service.follow_up.record(3, "relay-402", "disable")
    with operator.expect_response("**/pool/actions*"):
        service.emit("action", None)
    expect(operator.locator("#action-log")).to_contain_text("relay-402")
    assert result.evaluate(KEPT)
