"""Plans of many accounts are short to read, and actions lead to the accounts that they changed."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.pool import file_account, judged, many_accounts
from tests.browser.stand_in.service import StandInService
from tests.browser.test_speed import LONGEST_TASK_MS
from tests.browser.tracing import traced

REASON = "60 of 64 probes failed alike."


def select_all(page: Page) -> None:
    """Select every row, once there are rows to select."""
    expect(page.locator("#results tbody tr:not(.spacer)").first).to_be_visible()
    page.get_by_role("checkbox", name="Select all").check()


def test_a_plan_says_a_reason_once_and_opens_at_its_heading(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(60)
    for number in range(1, 30):
        service.follow_up.hold(1, number, f"relay-{number:05}", REASON, "relay.example")
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    operator.get_by_role("button", name="Disable", exact=True).click()

    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_be_in_viewport()
    expect(dialog).to_contain_text("Disable 31 accounts?")
    expect(dialog).to_contain_text(f"29 accounts are not changed: relay.example: {REASON}")
    assert dialog.inner_text().count(REASON) == 1
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    operator.set_viewport_size({"width": 390, "height": 500})
    expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport(ratio=1)
    operator.set_viewport_size({"width": 1440, "height": 900})


def test_a_plan_of_accounts_on_hold_says_how_they_are_changed_and_is_no_wider_than_its_dialog(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(2)
    service.accounts[0]["displayName"] = "name" * 2_500
    service.follow_up.hold(1, 1, "relay-00001", REASON, "relay" * 200)
    service.follow_up.hold(1, 2, "relay-00002", REASON, "relay" * 200)
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    operator.get_by_role("button", name="Disable", exact=True).click()

    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Nothing to disable")
    expect(dialog).to_contain_text("An account on hold is changed with the button of its own row, or released under")
    assert dialog.evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0
    assert dialog.locator("p, li").evaluate_all("nodes => nodes.every((node) => node.scrollWidth <= node.clientWidth)")


def test_a_very_long_name_is_clipped_where_a_sentence_quotes_it(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(2)
    provider = "W" * 10_000
    said = f"The provider {provider} has 2 keys and one switch for all of them."
    reasons = [{"code": "several_keys", "params": {"provider": provider, "count": 2}}]
    refusal = {"switch": "none", "switchReason": said, "switchReasons": reasons}
    service.accounts[0].update(provider=provider, label=provider, compatName=provider, **refusal)
    service.follow_up.record(1, "relay-00001", "disable", outcome="refused", text=said)["texts"] = reasons
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    operator.get_by_role("button", name="Disable", exact=True).click()
    dialog = operator.get_by_role("dialog")
    expect(dialog).to_contain_text("has 2 keys and one switch")
    assert dialog.evaluate("node => node.scrollHeight") < 700
    dialog.get_by_role("button", name="Cancel").click()

    operator.goto(f"{address}?source=api_key&account=1")
    panel = operator.locator("#side-panel")
    expect(panel).to_contain_text("has 2 keys and one switch")
    assert panel.evaluate("node => node.scrollHeight") < 1_300
    expect(panel.locator("dd[title]").first).to_have_attribute("title", re.compile("^W{1999}…$"))

    operator.goto(address.replace("/inspection", "/activity"))
    row = operator.locator("#action-log .listing tbody tr").first
    expect(row).to_contain_text("has 2 keys and one switch")
    assert row.evaluate("node => node.clientHeight") < 300


def test_a_plan_that_takes_long_is_announced_at_once_and_can_be_left(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(3)
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    disable, dialog = operator.get_by_role("button", name="Disable", exact=True), operator.get_by_role("dialog")
    left = service.delays.next_answer("POST", "pool/plan")
    disable.click()
    expect(dialog.get_by_role("heading")).to_have_text("Planning…")
    expect(dialog.get_by_role("status")).to_have_text("The service is asked what the change will do.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(disable).to_be_focused()
    left.release()
    awaited = service.delays.next_answer("POST", "pool/plan")
    disable.click()
    awaited.wait_until_made()
    awaited.release()
    expect(dialog.get_by_role("heading")).to_have_text("Disable 3 accounts?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert not [path for _, path, _ in service.requests if path == "pool/status"]


def test_a_plan_that_cannot_be_read_is_no_question(
    operator: Page, address: str, service: StandInService, console: Console
) -> None:
    service.accounts = many_accounts(3)
    console.expected.append("pool/plan")
    operator.goto(f"{address}?source=api_key")
    operator.route("**/pool/plan", lambda route: route.abort())
    select_all(operator)
    operator.get_by_role("button", name="Disable", exact=True).click()
    dialog = operator.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text("The service does not respond.")
    expect(dialog.get_by_role("button", name="Disable")).to_have_count(0)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_a_deletion_of_several_files_speaks_of_several(operator: Page, address: str, service: StandInService) -> None:
    service.accounts = [file_account(number, f"claude-{number}.json", "claude") for number in range(1, 4)]
    operator.goto(f"{address}?source=oauth")
    select_all(operator)
    operator.get_by_role("button", name="Delete", exact=True).click()

    dialog = operator.get_by_role("dialog")
    expect(dialog).to_contain_text("Delete 3 accounts?")
    expect(dialog).to_contain_text(
        "The 3 auth files are removed from the gateway's folder. They can be restored for 30 days, under Activity."
    )


def test_an_action_leads_to_the_row_of_its_account(operator: Page, service: StandInService) -> None:
    record = service.follow_up.record
    record(2, "relay-401", "disable", keyHint="sk-a…9f3c", place="openai-compatibility[0].api-key-entries[0]")
    record(12, "claude-first.json", "disable", place="claude-first.json")
    record(13, "claude-gone.json", "delete", place="claude-gone.json")
    operator.get_by_role("link", name="Activity").click()
    log = operator.locator("#action-log .listing")
    expect(log.get_by_role("row", name="claude-gone.json").get_by_role("link")).to_have_count(0)
    for cell in log.locator(".time").all():
        assert cell.evaluate("node => node.getClientRects().length") == 1

    log.get_by_role("link", name="claude-first.json").click()
    expect(operator).to_have_url(re.compile("source=oauth.*account=12$"))
    expect(operator.get_by_role("complementary")).to_contain_text("claude-first.json")

    operator.go_back()
    log.get_by_role("link", name="relay-401").click()
    expect(operator.get_by_role("complementary")).to_contain_text("relay-401")


def test_the_rest_of_many_names_is_built_when_it_is_asked_for(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(9_000)
    operator.goto(f"{address}?source=api_key")
    expect(operator.locator("#count")).to_have_text("9,000")
    select_all(operator)
    with traced(operator) as tasks:
        operator.get_by_role("button", name="Disable", exact=True).click()
        expect(operator.get_by_role("dialog")).to_contain_text("Disable 9,000 accounts?")
        operator.wait_for_timeout(300)
    names = operator.get_by_role("dialog").locator(".names li")

    expect(names).to_have_count(13)
    assert 0 < tasks.longest <= LONGEST_TASK_MS
    operator.get_by_role("button", name="and 8,988 more").click()
    expect(names).to_have_count(213)
    expect(operator.get_by_role("button", name="and 8,788 more")).to_be_focused()


def test_a_name_from_right_to_left_leaves_the_number_behind_it(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(2)
    service.accounts[0]["displayName"] = "مفتاح"
    operator.goto(f"{address}?source=api_key")
    operator.get_by_role("checkbox", name="Select مفتاح").check()
    operator.get_by_role("button", name="Disable", exact=True).click()

    dialog = operator.get_by_role("dialog")
    for place in (dialog.get_by_role("heading"), dialog.locator(".names li").first):
        expect(place).to_contain_text("مفتاح #1")
        expect(place.locator("bdi").first).to_have_text("مفتاح")
        assert place.evaluate(
            """(node) => {
              const name = node.querySelector("bdi");
              const range = document.createRange();
              range.selectNode(name.nextSibling);
              return range.getBoundingClientRect().left >= name.getBoundingClientRect().right - 1;
            }"""
        )


def test_a_plan_begins_with_the_statuses_of_its_accounts_and_warns_of_healthy_ones(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(60)
    for account in service.accounts:
        name = {0: "relay-401", 1: "relay-403"}.get(account["id"] % 5, "relay-ok")
        result = judged({**account, "displayName": name}, account["id"], 1)
        account["lastResult"] = result
    for number in range(1, 10):
        service.follow_up.hold(1, number, f"relay-{number:05}", REASON, "relay.example")
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    dialog = operator.get_by_role("dialog")

    operator.get_by_role("button", name="Disable", exact=True).click()

    summary = dialog.locator("#action-body > *")
    expect(summary.nth(0)).to_have_text("Status at the last check: 30 Healthy, 11 Invalid key, 10 Forbidden.")
    expect(summary.nth(1)).to_have_text(re.compile("^Warning: 30 healthy accounts are among those to be disabled"))
    expect(summary.nth(2)).to_have_text("9 selected accounts are not changed (on hold: 9). The reasons are below.")
    for line in (0, 1, 2):
        expect(summary.nth(line)).to_be_in_viewport(ratio=1)


def test_a_plan_without_healthy_accounts_has_no_warning(operator: Page, address: str, service: StandInService) -> None:
    service.accounts = many_accounts(2)
    operator.goto(f"{address}?source=api_key")
    select_all(operator)
    dialog = operator.get_by_role("dialog")

    operator.get_by_role("button", name="Disable", exact=True).click()

    expect(dialog).to_contain_text("Status at the last check: 2 Not checked.")
    expect(dialog.get_by_role("note")).to_have_count(0)
