"""Changes of accounts, their confirmation, and what becomes of them."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.pool import key_account
from tests.browser.stand_in.service import StandInService


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def state_of(page: Page, name: str) -> Locator:
    return page.get_by_role("row", name=name).locator(".state")


def test_disabling_a_row_says_what_is_written_where_and_then_what_came_of_it(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("button", name="Disable relay-401").click()
    expect(dialog(operator)).to_contain_text("Disable relay-401 #2?")
    expect(dialog(operator)).to_contain_text("disabled: true is set at the provider")
    assert service.requests == []

    operator.get_by_label("Note").fill("dead key")
    dialog(operator).get_by_role("button", name="Disable").click()

    expect(dialog(operator)).to_contain_text("Done")
    dialog(operator).get_by_role("button", name="Close").press("Enter")
    expect(dialog(operator)).to_be_hidden()
    expect(operator.get_by_role("button", name="Enable relay-401")).to_be_focused()
    expect(state_of(operator, "relay-401")).to_have_text("disabled")
    expect(operator.locator("#capsule dd[data-count]")).to_have_text(["11", "10", "1"])
    assert service.requests == [
        (
            "POST",
            "pool/status",
            {"accounts": [2], "released": [2], "disabled": True, "reason": "dead key", "background": True},
        )
    ]


def test_cancelling_a_confirmation_changes_nothing(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Disable relay-401").click()
    expect(dialog(operator).get_by_role("button", name="Cancel")).to_be_focused()

    operator.keyboard.press("Escape")

    expect(dialog(operator)).to_be_hidden()
    assert service.requests == []


def test_a_selection_is_disabled_at_once_and_what_cannot_be_switched_stays(
    operator: Page, service: StandInService
) -> None:
    for name in ("relay-401", "claude-402", "relay-shared"):
        operator.get_by_label(f"Select {name}").check()
    expect(operator.get_by_text("3 selected")).to_be_visible()

    operator.get_by_role("button", name="Disable", exact=True).click()
    expect(dialog(operator)).to_contain_text("Disable 2 accounts?")
    expect(dialog(operator)).to_contain_text("“*” is added to excluded-models")
    expect(dialog(operator)).to_contain_text("1 account is not changed: The provider has 2 keys")
    dialog(operator).get_by_role("button", name="Disable").click()

    expect(dialog(operator).locator("li").get_by_text("Done")).to_have_count(2)
    assert service.requests == [("POST", "pool/status", {"accounts": [2, 9], "disabled": True, "background": True})]
    dialog(operator).get_by_role("button", name="Close").click()
    expect(operator.get_by_text("Nothing selected")).to_be_visible()


def test_the_outcome_of_many_is_counted_and_begins_with_what_went_wrong(
    operator: Page, service: StandInService
) -> None:
    service.accounts = [key_account(number, f"relay-{number}", "compat") for number in range(1, 301)]
    operator.get_by_role("button", name="Refresh").click()
    operator.get_by_role("button", name="Select all 300 rows").click()
    service.accounts[298].update(switch="none", switchReason="The provider has 2 keys.")
    operator.get_by_role("button", name="Disable", exact=True).click()
    expect(dialog(operator)).to_contain_text("and 288 more")

    dialog(operator).get_by_role("button", name="Disable").click()

    expect(operator.locator("#action-outcome")).to_have_text("1 refused, 299 done.")
    expect(operator.locator("#action-outcome")).to_be_in_viewport()
    expect(dialog(operator).get_by_role("listitem").first).to_contain_text("relay-299")
    expect(dialog(operator)).to_contain_text("and 100 more")
    expect(dialog(operator).get_by_role("button", name="Close")).to_be_focused()
    expect(dialog(operator).get_by_role("button")).to_have_accessible_description("1 refused, 299 done.")


def test_deleting_a_key_is_not_possible_and_says_why(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Evidence of relay-ok").click()
    delete = operator.get_by_role("button", name="Delete relay-ok")
    expect(delete).to_be_disabled()
    expect(delete).to_have_attribute("aria-description", "API keys are never deleted; disable the account instead.")
    delete.click(force=True)
    operator.keyboard.press("Escape")
    operator.get_by_label("Select relay-ok").check()
    chosen = operator.get_by_role("button", name="Delete", exact=True)
    expect(chosen).to_be_disabled()
    expect(operator.locator("#delete-reason")).to_have_text("API keys are never deleted; disable the account instead.")
    chosen.click(force=True)

    expect(dialog(operator)).to_be_hidden()
    assert service.requests == []


def test_deleting_a_file_says_that_it_can_be_restored(operator: Page, service: StandInService) -> None:
    operator.get_by_text("OAuth files", exact=True).click()
    operator.get_by_role("button", name="Evidence of claude-first.json").click()
    operator.get_by_role("button", name="Delete claude-first.json").click()
    expect(dialog(operator)).to_contain_text("It can be restored for 30 days, under Activity.")

    dialog(operator).get_by_role("button", name="Delete").click()

    expect(dialog(operator)).to_contain_text("Done")
    dialog(operator).get_by_role("button", name="Close").click()
    expect(operator.get_by_role("row", name="claude-first.json")).to_be_hidden()
    assert service.requests == [("POST", "pool/delete", {"accounts": [12], "background": True})]


def test_a_change_that_fails_as_a_whole_says_what_to_do(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected += ["/pool", "/inspections/events"]
    operator.get_by_role("button", name="Disable relay-ok").click()
    refusal = {"error": "The gateway cannot be reached.", "code": "gateway_unavailable", "hint": "Check the gateway."}
    operator.route("**/pool/status", lambda route: route.fulfill(status=503, json=refusal))

    dialog(operator).get_by_role("button", name="Disable").click()

    expect(dialog(operator).get_by_role("heading")).to_have_text("Failed")
    expect(dialog(operator).get_by_role("alert")).to_contain_text("Check the gateway.")
    assert service.accounts[0]["enabled"] is True


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


def test_an_account_is_never_probed_and_handed_over_by_switches_in_its_evidence(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("button", name="Evidence of relay-401").click()
    operator.get_by_label("Exclude from checks: relay-401").check()
    row = operator.get_by_role("row", name="relay-401")
    expect(row).to_contain_text("excluded from checks")
    operator.get_by_label("Let automation manage this account: relay-401").check()
    expect(row).to_contain_text("excluded from checks, managed by automation")

    operator.get_by_label("Exclude from checks: relay-401").uncheck()

    expect(row).not_to_contain_text("excluded from checks")
    assert service.requests == [
        ("POST", "pool/flags", {"accounts": [2], "neverProbe": True}),
        ("POST", "pool/flags", {"accounts": [2], "managed": True}),
        ("POST", "pool/flags", {"accounts": [2], "neverProbe": False}),
    ]
