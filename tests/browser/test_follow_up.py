"""Consequences of a run: plans, holds, undo, differences, exports."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.stand_in.consequences import planned
from tests.browser.stand_in.service import StandInService


def opened(page: Page, service: StandInService) -> Locator:
    """Inspect, then open what follows from the run."""
    page.get_by_role("button", name="Start inspection").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(page.locator("#run-state")).to_contain_text("finished")
    page.get_by_role("heading", name="Recommended actions · Run 1").click()
    return page.locator("#follow-up .drawer")


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def confirm(page: Page, verb: str) -> None:
    dialog(page).get_by_role("button", name=verb).click()
    expect(dialog(page).get_by_role("heading")).to_have_text("Result")


def test_a_run_is_applied_to_the_accounts_that_the_confirmation_names(operator: Page, service: StandInService) -> None:
    refusal = planned(2, "relay-401", "disable", "The provider refuses the key (401).")
    service.follow_up.plan("disable", refusal, planned(1, "relay-ok", "enable", "It works again."))
    report = opened(operator, service)

    report.get_by_role("button", name="Apply: Disable and enable as recommended").click()
    expect(dialog(operator)).to_contain_text("relay-401 #2: The provider refuses the key (401).")
    expect(dialog(operator)).to_contain_text("Enable 1 account.")
    confirm(operator, "Apply")

    expect(dialog(operator).get_by_text("Done", exact=True)).to_have_count(2)
    assert service.requests[-1] == (
        "POST",
        "inspections/apply",
        {"mode": "disable", "accounts": [2, 1], "background": True},
    )
    dialog(operator).get_by_role("button", name="Close").click()
    expect(report.get_by_role("button", name="Apply: Disable and enable as recommended")).to_be_disabled()


def test_actions_on_hold_are_one_line_and_one_button_for_each_host(operator: Page, service: StandInService) -> None:
    reason = "60 of 64 probes of the host failed alike."
    for number, name, host in ((4, "relay-429", "a"), (5, "relay-500", "a"), (6, "relay-silent", "b")):
        service.follow_up.hold(1, number, name, reason, f"{host}.example")
    report = opened(operator, service)
    expect(report.get_by_role("row", name="a.example")).to_contain_text(f"2 accounts{reason}")

    report.get_by_role("button", name="Release 2 at a.example").click()
    confirm(operator, "Release")
    dialog(operator).get_by_role("button", name="Close").click()

    assert service.requests[-1] == ("POST", "inspections/release", {"accounts": [4, 5], "background": True})
    expect(report.get_by_role("row", name="a.example")).to_contain_text("released")
    report.get_by_role("button", name="Release 1 at b.example").click()
    confirm(operator, "Release")
    assert service.requests[-1] == ("POST", "inspections/release", {"accounts": [6], "background": True})


def test_a_run_is_undone_after_a_confirmation(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable", run=1, cause="apply")
    report = opened(operator, service)

    report.get_by_role("button", name="Undo run 1…").click()
    expect(dialog(operator)).to_contain_text("Deleted files are restored under Activity.")
    expect(dialog(operator)).to_contain_text("This account is enabled again:")
    expect(dialog(operator)).to_contain_text("relay-401")
    confirm(operator, "Undo")

    expect(dialog(operator)).to_contain_text("relay-401 #2")
    assert service.requests[-1] == ("POST", "inspections/undo", {"background": True})


def test_the_difference_to_the_run_before_is_shown_account_by_account(operator: Page, service: StandInService) -> None:
    before = {"verdict": "healthy", "action": "keep", "enabled": True, "status": 200, "reason": ""}
    after = {**before, "verdict": "out_of_quota", "action": "disable", "enabled": False}
    twin = {"keyHint": "sk-a…9f3c", "place": "claude-api-key[5]"}
    change = {"account": 9, "displayName": "claude-402", **twin, "before": before, "after": after}
    new = {"account": 3, "displayName": "relay-403", "before": None, "after": after}
    service.follow_up.difference = {"against": 7, "covered": 9, "changes": [change, new]}

    report = opened(operator, service)

    expect(report.get_by_role("heading", name="Changes since run 7")).to_be_visible()
    expect(report.get_by_role("row", name="claude-402").get_by_role("cell")).to_have_text(
        [
            "claude-402 #9 (sk-a…9f3c), claude-api-key[5]",
            "Healthy, enabled, recommended: keep",
            "Out of quota, disabled, recommended: disable",
        ]
    )
    expect(report.get_by_role("row", name="relay-403")).to_contain_text("not in that run")


def test_results_are_downloaded_by_a_plain_link(operator: Page, service: StandInService) -> None:
    report = opened(operator, service)
    expect(report).to_contain_text("When a run starts, the newest 200 ended runs are kept. Older runs are deleted.")

    with operator.expect_download() as download:
        report.get_by_role("link", name="Run 1 as CSV").click()

    assert download.value.suggested_filename == "inspection.csv"
    assert download.value.path().read_text() == "results of run 1\n"


def test_what_follows_from_a_run_waits_for_its_end(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    operator.get_by_role("heading", name="Recommended actions · Run 1").click()
    report = operator.locator("#follow-up .drawer")
    expect(report).to_contain_text("The run is in progress.")

    service.land()

    expect(report.get_by_role("button", name="Undo run 1…")).to_be_visible()


def test_the_dialog_of_a_plan_includes_what_is_on_hold_by_host(operator: Page, service: StandInService) -> None:
    why = "On hold: none of the 2 accounts of this base URL and proxy worked in this run."
    on_hold = [{**planned(2, "relay-401", "disable", "Invalid key."), "against": why, "host": "relay.example"}]
    service.follow_up.plan("disable", planned(1, "relay-ok", "enable", "It works again."), on_hold=tuple(on_hold))
    report = opened(operator, service)

    report.get_by_role("button", name="Apply: Disable and enable as recommended").click()
    row = dialog(operator).get_by_role("row", name="relay.example")
    expect(row).to_contain_text("1 account")
    expect(row).to_contain_text(why)
    include = row.get_by_role("button", name="Include the accounts on hold at relay.example")
    include.click()
    expect(include).to_have_attribute("aria-pressed", "true")
    dialog(operator).get_by_role("button", name="Apply", exact=True).click()

    expect(dialog(operator).get_by_role("heading", name="Result")).to_be_visible()
    _, _, body = service.requests[-1]
    assert body == {"mode": "disable", "accounts": [1, 2], "background": True, "releasedHosts": ["relay.example"]}
