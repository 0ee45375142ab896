"""A silent gateway holds up no page, and a change that was called off meanwhile is not made."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import StandInService
from tests.browser.test_slow_answers import held
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]


RUN = {
    "id": 7, "state": "finished", "accountSource": "api_key", "startedAt": 1_795_000_000_000,
    "verdicts": {"healthy": 2, "invalid_key": 1},
}  # fmt: skip
WAITING = "Waiting for the gateway's list of accounts."
INSPECTION_OFF = {"error": "the data folder is damaged; inspection is off", "code": "inspection_off", "hint": ""}


def confirm(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Disable {name}").click()
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()


def changes(service: StandInService) -> list[str]:
    return [path for _, path, _ in service.requests]


def test_a_change_that_waits_for_the_gateway_can_be_called_off(operator: Page, service: StandInService) -> None:
    dialog = operator.get_by_role("dialog")
    for leave in ("Cancel", "Escape"):
        answer = service.delays.next_answer("GET", "pool")
        confirm(operator, "relay-401")
        answer.wait_until_made()
        expect(dialog.get_by_role("status")).to_have_text(
            "Waiting for the service to reach the gateway. Nothing is sent until the gateway answers."
        )
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        if leave == "Cancel":
            dialog.get_by_role("button", name="Cancel").click()
        else:
            operator.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(operator.get_by_role("button", name="Disable relay-401")).to_be_focused()
        expect(operator.locator(".notice.toast")).to_contain_text("Canceled. Nothing was sent to the gateway.")
        operator.get_by_role("button", name="Dismiss").click()
        answer.release()
    confirm(operator, "relay-ok")
    expect(dialog).to_contain_text("Done")
    dialog.get_by_role("button", name="Close").click()

    assert changes(service) == ["pool/status"]
    assert service.accounts[1]["enabled"] is True


def test_a_change_that_was_sent_goes_on_in_a_closed_dialog_and_is_told_of(
    operator: Page, service: StandInService
) -> None:
    dialog, notice = operator.get_by_role("dialog"), operator.locator(".notice.toast")
    answer = service.delays.next_answer("POST", "pool/status")
    confirm(operator, "relay-401")
    answer.wait_until_made()
    expect(dialog.get_by_role("status")).to_have_text("The change was sent. Waiting for the gateway to confirm it.")
    expect(dialog).to_contain_text("The service goes on with it when this dialog or the page is closed.")
    operator.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    operator.get_by_role("button", name="Disable relay-ok").click()
    expect(dialog.get_by_role("heading")).to_have_text("Disable relay-ok #1?")
    answer.release()

    expect(notice).to_contain_text("relay-401 #2: Written to config.yaml and read back.")
    expect(dialog.get_by_role("heading")).to_have_text("Disable relay-ok #1?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(operator.get_by_role("button", name="Enable relay-401")).to_be_visible()
    assert changes(service) == ["pool/status"]


def test_the_inspection_says_what_it_waits_for_and_no_number_that_it_does_not_know(
    operator: Page, service: StandInService
) -> None:
    answer = service.delays.next_answer("GET", "pool")
    operator.reload()
    answer.wait_until_made()
    expect(operator.locator("#empty")).to_have_text("Waiting for the gateway's list of accounts.", timeout=3_000)
    expect(operator.locator("#live")).to_have_text("Waiting for the gateway")
    expect(operator.locator("#live")).to_have_attribute("data-state", "lost")
    expect(operator.locator("#count")).to_have_text("\u2013")
    expect(operator.locator("#verdicts")).to_have_text("All \u2013")
    answer.release()
    expect(operator.locator("#live")).to_have_text("Live")
    known = len(service.in_scope("api_key", "all", ""))
    expect(operator.locator("#count")).to_have_text(str(known))
    expect(operator.locator("#verdicts")).to_contain_text(f"All {known}")


def test_a_linked_list_counts_nothing_before_all_accounts_are_there(operator: Page, service: StandInService) -> None:
    key = service.in_scope("api_key", "all", "")[0]
    service.accounts.extend({**key, "id": 1_000 + at, "displayName": f"more-{at}"} for at in range(289))
    count, chips = operator.locator("#count"), operator.locator("#verdicts")
    with held(operator, "**/pool?*limit=2500*", "GET"):
        operator.goto(f"{operator.url.split('?')[0]}?verdict=invalid_key")
        expect(chips).to_have_text(re.compile("^All 300"))
        expect(chips).to_have_text(re.compile("Invalid key \u2013"))
        expect(count).to_have_text("\u2013")
        expect(operator.get_by_label("Host").locator("option")).to_have_count(1)
        operator.get_by_role("button", name="All 300").click()
        expect(count).to_have_text("200 of 300")
        operator.go_back()
        expect(count).to_have_text("\u2013")
    expect(count).to_have_text(re.compile(r"^\d+ of 300$"))
    expect(chips).to_have_text(re.compile(r"Invalid key \d"))


def test_the_overview_shows_what_is_known_while_it_waits_for_the_gateway(filled: Site) -> None:
    page = filled.page
    page.route("**/inspections?limit=*", lambda route: route.fulfill(json={"runs": [RUN]}))
    with held(page, "**/pool/overview*", "GET") as reads, held(page, "**/inspections/cost", "POST"):
        page.goto(f"{filled.origin}/monitor/overview")
        usage = page.get_by_role("region", name="What is being used, and what does it cost today?")
        expect(usage).to_contain_text("Cost of yesterday by client key")
        expect(page.get_by_role("region", name="Results of the last runs")).to_be_visible()
        pool = page.get_by_role("region", name="Is my pool well?")
        expect(pool.get_by_role("status")).to_have_text(WAITING)
        for name in ("What needs me now?", "What did automation do?", "Is anything blind?", "Health by host"):
            expect(page.get_by_role("region", name=name)).to_contain_text(WAITING)
        expect(page.locator("#live")).to_have_text("Waiting for the gateway")
        expect(page.get_by_text("Loading…")).to_have_count(0)
        usage.get_by_role("link", name="Cost of yesterday").focus()
        assert len(reads) == 1

    expect(pool.get_by_role("link", name="Not checked 6")).to_be_visible()
    expect(usage.get_by_role("link", name="Cost of yesterday")).to_be_focused()
    expect(page.locator(".tiles > section")).to_have_count(7)
    expect(page.get_by_text(WAITING)).to_have_count(0)
    expect(page.locator("#live")).to_have_text("Live")


def test_a_page_that_nothing_answers_says_so(filled: Site) -> None:
    page = filled.page
    with held(page, "**/usage/*", "GET"):
        page.get_by_role("link", name="Usage", exact=True).click()
        expect(page.get_by_text("Loading… The service has not answered yet.")).to_be_visible(timeout=3_000)
        page.get_by_role("link", name="Overview").click()
        usage = page.get_by_role("region", name="What is being used, and what does it cost today?")
        expect(usage).to_have_text(re.compile("Waiting for the service to answer.$"))
        expect(page.get_by_role("region", name="Is my pool well?").get_by_role("link").first).to_be_visible()
    expect(usage).to_contain_text("Cost of yesterday by client key")


def test_one_trouble_that_fails_several_reads_is_said_once(
    page: Page, service: StandInService, address: str, console: Console
) -> None:
    console.expected.append("status of 503")
    service.sessions.add("prepared")
    page.context.add_cookies([{"name": "poolkeeper_session", "value": "prepared", "domain": "127.0.0.1", "path": "/"}])
    for path in ("config/automation", "inspections/events*"):
        page.route(f"**/{path}", lambda route: route.fulfill(status=503, json=INSPECTION_OFF))
    with page.expect_response("**/inspections/events*"), page.expect_response("**/config/automation"):
        page.goto(address)
    expect(page.locator(".notice")).to_have_text([re.compile("^The data folder is damaged; inspection is off.")])
    page.unroute_all(behavior="wait")
