"""Runs from their settings to their results."""

import json

from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import StandInService

STORED = "poolkeeper.inspection.settings"


def start(page: Page) -> None:
    page.get_by_role("button", name="Start inspection").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def test_progress_and_reasons_appear_as_they_land_and_the_evidence_is_shown_as_text(
    operator: Page, service: StandInService
) -> None:
    start(operator)
    service.land(2)
    expect(operator.locator("#failing")).to_have_text("1 failing account")

    expect(operator.locator("#progress-text")).to_have_text("2 of 11")
    expect(operator.get_by_role("progressbar")).to_have_js_property("value", 2)
    refused = operator.get_by_role("row", name="relay-401")
    expect(refused).to_contain_text("Invalid key")
    expect(refused).to_contain_text("The provider refuses the key (401).")
    expect(operator.get_by_role("row", name="relay-500")).to_contain_text("Not checked")

    service.land()

    expect(operator.locator("#run-state")).to_contain_text("Run 1 · finished")
    expect(operator.locator("#progress-text")).to_have_text("11 of 11")
    expect(operator.get_by_role("row", name="relay-silent")).to_contain_text("No answer within 15 s.")
    expect(operator.get_by_role("button", name="Start inspection")).to_be_visible()
    operator.get_by_role("button", name="Evidence of relay-401").click()
    evidence = operator.locator(".evidence")
    expect(evidence).to_contain_text("GET https://api.relay.example/relay-401/v1/models")
    expect(evidence.locator("pre")).to_have_text('{"error": {"message": "<b>invalid</b> key"}}')

    operator.get_by_role("button", name="Evidence of relay-429").click()
    expect(evidence).to_contain_text("retry-after")


def test_a_run_can_be_paused_resumed_finished_early_and_stopped(operator: Page, service: StandInService) -> None:
    start(operator)
    service.land(3)

    operator.get_by_role("button", name="Pause", exact=True).click()

    expect(operator.locator("#run-state")).to_contain_text("Run 1 · paused")
    expect(operator.get_by_role("button", name="Pause", exact=True)).to_be_hidden()
    expect(operator.get_by_role("button", name="Start inspection")).to_be_hidden()
    operator.get_by_role("button", name="Resume", exact=True).click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")
    service.land(2)
    expect(operator.locator("#progress-text")).to_have_text("5 of 11")
    service.requests.clear()
    operator.get_by_role("button", name="Finish early").click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · finished")
    expect(operator.locator("#progress-text")).to_have_text("5 of 11")
    assert [path for _, path, _ in service.requests] == ["inspections/finish"]

    start(operator)
    service.land(3)
    operator.get_by_role("button", name="Stop").click()

    expect(operator.locator("#run-state")).to_contain_text("Run 2 · stopped")
    expect(operator.get_by_role("button", name="Start inspection")).to_be_focused()


def test_an_interrupted_run_can_be_resumed(operator: Page, service: StandInService) -> None:
    start(operator)
    service.land(3)
    service.end("interrupted", "the service was restarted")
    expect(operator.locator("#run-state")).to_contain_text("interrupted")
    expect(operator.locator("#run-state")).to_contain_text("the service was restarted")

    operator.get_by_role("button", name="Resume", exact=True).click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()

    expect(operator.locator("#progress-text")).to_have_text("11 of 11")


def test_a_run_goes_on_while_the_page_is_reloaded(operator: Page, service: StandInService) -> None:
    start(operator)
    service.land(4)
    operator.reload()
    expect(operator.locator("#progress-text")).to_have_text("4 of 11")

    service.land()

    expect(operator.locator("#run-state")).to_contain_text("finished")
    expect(operator.get_by_role("row", name="relay-silent")).to_contain_text("Unreachable")


def test_an_earlier_run_can_be_looked_at(operator: Page, service: StandInService) -> None:
    operator.get_by_label("Provider filter").fill("claude")
    operator.get_by_label("Provider filter").press("Enter")
    expect(operator.get_by_role("row", name="relay-ok")).to_be_hidden()
    start(operator)
    service.land()
    operator.get_by_label("Provider filter").fill("")
    operator.get_by_label("Provider filter").press("Enter")
    expect(operator.get_by_role("row", name="relay-ok")).to_be_visible()

    operator.get_by_label("Show").select_option("1")

    expect(operator.get_by_role("row", name="relay-ok")).to_be_hidden()
    expect(operator.locator("#results tbody tr:not(.spacer)")).to_have_count(3)


def test_where_streams_do_not_get_through_the_page_reads_events_as_json(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/inspections/events")
    service.streams = False
    operator.reload()
    expect(operator.locator("#live")).to_have_text("Live (polling)")
    start(operator)

    service.land()

    expect(operator.locator("#run-state")).to_contain_text("finished")
    expect(operator.get_by_role("row", name="relay-403")).to_contain_text("Forbidden")


def test_what_is_on_hold_is_one_click_from_the_run_line(operator: Page, service: StandInService) -> None:
    service.follow_up.hold(1, 4, "relay-429", "Failed alike.", "a.example")
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    service.runs[-1].update(onHold=1)
    expect(operator.locator("#run-state")).to_contain_text("finished")
    operator.reload()

    operator.get_by_role("button", name="Show what is on hold").click()

    expect(operator.get_by_role("row", name="a.example")).to_be_visible()


def stored(page: Page) -> dict[str, object]:
    settings: dict[str, object] = json.loads(page.evaluate(f"localStorage.getItem('{STORED}')"))
    return settings


def test_settings_are_there_again_after_a_reload_and_a_run_starts_with_them(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("combobox", name="Family").select_option("compat")
    operator.get_by_label("Provider filter").fill("relay")
    operator.get_by_label("Provider filter").press("Enter")
    operator.get_by_text("Run settings").click()
    operator.get_by_label("Max concurrency", exact=True).fill("7")
    operator.get_by_label("Decision policy").select_option("configurable")
    operator.get_by_label("On HTTP 402 and 429").select_option("disable")
    operator.get_by_label("Use the vendor's public base URL").check()
    operator.get_by_label("Probe model").fill("small-model")
    operator.get_by_label("Timeout, seconds").fill("3")
    operator.reload()

    expect(operator.get_by_role("radio", name="API keys")).to_be_checked()
    expect(operator.get_by_role("combobox", name="Family")).to_have_value("compat")
    expect(operator.get_by_label("Provider filter")).to_have_value("relay")
    operator.get_by_text("Run settings").click()
    expect(operator.get_by_label("Max concurrency", exact=True)).to_have_value("7")
    expect(operator.get_by_label("On HTTP 402 and 429")).to_have_value("disable")
    expect(operator.get_by_label("Use the vendor's public base URL")).to_be_checked()
    expect(operator.locator("#settings-summary")).to_have_text("6 changed")
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")
    settings = service.runs[0]["settings"]
    assert settings["accountSource"] == "api_key"
    assert settings["targetType"] == settings["apiKeyFamily"] == "compat"
    assert (settings["probeModel"], settings["timeoutSeconds"]) == ("small-model", 3)


def test_a_value_out_of_range_is_explained_not_kept_and_keeps_a_run_from_starting(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_text("Run settings").click()
    operator.get_by_label("Max concurrency", exact=True).fill("500")

    expect(operator.get_by_text("Max concurrency must be a whole number from 1 to 256.")).to_be_visible()
    assert stored(operator)["workers"] == 32
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_label("Max concurrency", exact=True)).to_be_focused()
    assert service.runs == []


def options(page: Page, label: str) -> list[str]:
    values: list[str] = (
        page.get_by_label(label).locator("option").evaluate_all("nodes => nodes.map(({value}) => value)")
    )
    return values


def test_each_source_offers_its_own_automatic_actions_and_keys_none_that_deletes(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_text("Run settings").click()
    assert options(operator, "Automatic actions") == ["none", "disable"]
    expect(operator.get_by_label("Disable", exact=True)).to_be_disabled()
    start = operator.locator("#start")
    expect(start).to_have_text("Start inspection")
    operator.get_by_label("Automatic actions").select_option("disable")
    expect(start).to_have_text("Start inspection with automatic actions")
    expect(operator.get_by_role("checkbox", name="Delete", exact=True)).to_be_disabled()
    operator.get_by_role("checkbox", name="Enable", exact=True).uncheck()

    start.click()

    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")
    settings = service.runs[0]["settings"]
    assert settings["autoActionMode"] == "disable"
    assert settings["realtimeAutoActions"] == {"disable": True, "enable": False, "delete": False}

    operator.get_by_text("OAuth files", exact=True).click()
    expect(operator.get_by_label("Automatic actions")).to_have_value("none")
    assert options(operator, "Automatic actions")[2:] == ["delete", "strategy4", "strategy5", "strategy6"]
