"""Runs on the page of accounts: their settings, their course, and what they did."""

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from extension.inspection.settings import InspectionSettings
from tests.browser.conftest import Console
from tests.browser.stand_in.service import DEFAULTS, StandInService

STORED = "poolkeeper.inspection.settings"


def check(page: Page) -> Locator:
    """Open the settings of the next run."""
    page.get_by_role("button", name="Check now").click()
    return page.get_by_role("dialog", name="Check now")


def start(page: Page) -> Locator:
    """Start a run; return its line."""
    check(page).get_by_role("button", name="Start").click()
    bar = page.get_by_role("region", name="Progress of the run")
    expect(bar).to_be_visible()
    return bar


def stored(page: Page) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads(page.evaluate(f"localStorage.getItem('{STORED}')"))
    return settings


def test_progress_and_evidence_appear_as_they_land(operator: Page, service: StandInService) -> None:
    bar = start(operator)
    service.land(2)
    expect(bar).to_contain_text("2 of 11")
    expect(bar.get_by_role("link")).to_have_text("1 failing account")
    expect(operator.get_by_role("row", name="relay-401")).to_contain_text("Invalid key")
    expect(operator.get_by_role("row", name="relay-500")).to_contain_text("Not checked")
    expect(operator.get_by_role("button", name="Check now")).to_be_disabled()

    service.land()

    expect(operator.get_by_role("region", name="Recommended changes")).to_contain_text("6 to disable.")
    expect(operator.get_by_role("row", name="relay-silent")).to_contain_text("no answer")


def test_a_run_is_paused_resumed_finished_early_stopped_and_goes_on_through_a_reload(
    operator: Page, service: StandInService
) -> None:
    bar = start(operator)
    service.land(3)
    bar.get_by_role("button", name="Pause").click()
    expect(bar).to_contain_text("Run 1 paused")
    bar.get_by_role("button", name="Resume").click()
    expect(bar).to_contain_text("Run 1 running")
    operator.reload()
    expect(bar).to_contain_text("3 of 11")
    bar.get_by_role("button", name="Finish early").click()
    expect(bar).to_have_count(0)
    assert [path for _, path, _ in service.requests] == [
        "inspections", "inspections/pause", "inspections/resume", "inspections/finish",
    ]  # fmt: skip

    start(operator).get_by_role("button", name="Stop").click()

    expect(operator.get_by_role("button", name="Check now")).to_be_enabled()
    assert service.runs[1]["state"] == "stopped"


def test_an_interrupted_run_says_why_and_is_resumed(operator: Page, service: StandInService) -> None:
    start(operator)
    service.land(3)
    service.end("interrupted", "the service was restarted")
    plan = operator.get_by_role("region", name="Recommended changes")
    expect(plan).to_contain_text("the service was restarted")

    plan.get_by_role("button", name="Resume").click()

    expect(operator.get_by_role("region", name="Progress of the run")).to_contain_text("3 of 11")


def test_settings_are_there_again_and_a_run_starts_with_them_after_its_cost_was_shown(
    operator: Page, service: StandInService
) -> None:
    drawer = check(operator)
    expect(drawer).to_contain_text("The next run checks 10 of 11 accounts: up to 24 requests, no tokens.")
    drawer.get_by_label("Max concurrency", exact=True).fill("7")
    drawer.get_by_label("When to disable").select_option("configurable")
    drawer.get_by_label("On HTTP 402 and 429").select_option("disable")
    drawer.get_by_label("Timeout, seconds").fill("3")
    drawer.get_by_label("Check depth").select_option("usable")
    drawer.get_by_label("Family").select_option("compat")
    operator.reload()

    expect(drawer).to_contain_text("5 changed")
    expect(drawer.get_by_label("Max concurrency", exact=True)).to_have_value("7")
    drawer.get_by_role("button", name="Start").click()
    expect(operator.get_by_role("region", name="Progress of the run")).to_be_visible()
    settings = service.runs[0]["settings"]
    assert settings["accountSource"] == "api_key"
    assert settings["targetType"] == settings["apiKeyFamily"] == "compat"
    assert (settings["workers"], settings["timeoutSeconds"], settings["onQuota"]) == (7, 3, "disable")
    assert set(stored(operator)) == set(DEFAULTS)


def test_a_value_out_of_range_is_explained_not_stored_and_keeps_a_run_from_starting(
    operator: Page, service: StandInService
) -> None:
    drawer = check(operator)
    drawer.get_by_label("Max concurrency", exact=True).fill("500")

    expect(drawer.get_by_text("Max concurrency must be a whole number from 1 to 256.")).to_be_visible()
    expect(drawer.get_by_role("button", name="Start")).to_be_disabled()
    assert stored(operator)["workers"] == 32
    assert service.runs == []


def test_each_source_has_its_own_automatic_actions_and_the_button_says_that_a_run_acts(operator: Page) -> None:
    drawer = check(operator)
    mode = drawer.get_by_label("Automatic actions")
    expect(mode.locator("option")).to_have_count(2)
    mode.select_option("disable")
    expect(drawer.get_by_role("button", name="Start with automatic actions")).to_be_enabled()
    expect(drawer.get_by_role("checkbox", name="Delete")).to_be_disabled()

    drawer.get_by_role("button", name="OAuth files").click()

    expect(mode).to_have_value("none")
    expect(mode.locator("option")).to_have_count(6)
    expect(drawer.get_by_role("button", name="Start", exact=True)).to_be_enabled()


def test_after_an_automatic_run_the_page_says_what_it_did_and_takes_it_back(
    operator: Page, service: StandInService
) -> None:
    service.start({**DEFAULTS, "accountSource": "api_key", "autoActionMode": "disable"})
    service.land()
    operator.evaluate("(now) => { Date.now = () => now; }", service.runs[0]["finishedAt"])
    for number, name in ((2, "relay-401"), (3, "relay-403")):
        service.follow_up.record(number, name, "disable", run=1, cause="run")
    service.emit("run.state", 1, state="finished")
    plan = operator.get_by_role("region", name="Recommended changes")
    expect(plan).to_contain_text("Run 1: disabled 2 accounts.")

    with operator.expect_response("**/inspections/undo*"):
        plan.get_by_role("button", name="Undo").click()

    expect(plan).to_contain_text("Run 1: 2 undone.")
    expect(operator.get_by_role("dialog", name="Undo")).to_have_count(0)
    expect(plan.get_by_role("button", name="Undo")).to_have_count(0)
    assert service.requests[-1] == ("POST", "inspections/undo", {"background": True})


def test_a_run_in_the_address_shows_its_results_and_is_saved_as_a_file(
    inspected: Page, address: str, service: StandInService
) -> None:
    service.start({"accountSource": "oauth", "targetType": "all", "providerFilter": ""})
    service.land()
    inspected.goto(f"{address}?run=1")
    rows = inspected.locator("#page tr[data-id]")
    expect(rows).to_have_count(11)
    with inspected.expect_download() as saving:
        inspected.get_by_role("button", name="Export").click()
        inspected.get_by_role("menuitem", name="Run 1 as CSV").click()
    assert saving.value.path().read_text() == "results of run 1\n"

    inspected.get_by_role("button", name="Pool, latest results").click()

    expect(rows).to_have_count(13)


def test_where_streams_do_not_get_through_the_page_reads_events_as_json(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/inspections/events")
    service.streams = False
    operator.reload()
    expect(operator.get_by_text("Live (polling)")).to_be_visible()
    start(operator)

    service.land()

    expect(operator.get_by_role("row", name="relay-403")).to_contain_text("Forbidden")


def test_a_run_checks_the_source_in_view_though_the_accounts_are_not_read_yet(
    operator: Page, service: StandInService
) -> None:
    answers = [service.delays.next_answer("GET", "pool") for _ in range(2)]
    operator.reload()
    with operator.expect_response("**/inspections"):
        check(operator).get_by_role("button", name="Start").click()
    for answer in answers:
        answer.release()

    assert service.runs[-1]["settings"]["accountSource"] == "api_key"


def test_the_stand_in_knows_the_settings_of_the_service() -> None:
    assert InspectionSettings().as_stored() == DEFAULTS
