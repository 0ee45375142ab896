import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.stand_in.service import StandInService

STORED = "poolkeeper.inspection.settings"


def stored(page: Page) -> dict[str, object]:
    settings: dict[str, object] = json.loads(page.evaluate(f"localStorage.getItem('{STORED}')"))
    return settings


def store(page: Page, text: str) -> None:
    script = f"localStorage.setItem({json.dumps(STORED)}, {json.dumps(text)})"
    page.add_init_script(f"if (location.protocol !== 'about:') {script}")


def test_the_source_is_oauth_until_another_is_chosen(page: Page, address: str) -> None:
    sign_in(page, address)

    expect(page.get_by_role("row", name="claude-first.json")).to_be_visible()
    expect(page.get_by_role("radio", name="OAuth files")).to_be_checked()
    expect(page.get_by_label("Provider filter")).to_be_hidden()


def test_settings_are_there_again_after_a_reload(operator: Page) -> None:
    operator.get_by_role("combobox", name="Family").select_option("compat")
    operator.get_by_label("Provider filter").fill("relay")
    operator.get_by_label("Provider filter").press("Enter")
    operator.get_by_text("Run settings").click()
    operator.get_by_label("Max concurrency", exact=True).fill("7")
    operator.get_by_label("Decision policy").select_option("configurable")
    operator.get_by_label("On HTTP 402 and 429").select_option("disable")
    operator.get_by_label("Use the vendor's public base URL").check()
    operator.reload()

    expect(operator.get_by_role("radio", name="API keys")).to_be_checked()
    expect(operator.get_by_role("combobox", name="Family")).to_have_value("compat")
    expect(operator.get_by_label("Provider filter")).to_have_value("relay")
    operator.get_by_text("Run settings").click()
    expect(operator.get_by_label("Max concurrency", exact=True)).to_have_value("7")
    expect(operator.get_by_label("On HTTP 402 and 429")).to_have_value("disable")
    expect(operator.get_by_label("Use the vendor's public base URL")).to_be_checked()
    expect(operator.locator("#settings-summary")).to_have_text("4 changed")


@pytest.mark.usefixtures("own_tab")
@pytest.mark.parametrize("text", ["{not json", "[1, 2]", '"text"', "null"])
def test_stored_settings_that_cannot_be_read_are_ignored_with_a_notice(page: Page, address: str, text: str) -> None:
    store(page, text)

    sign_in(page, address)

    expect(page.locator(".notice")).to_contain_text("are invalid")
    expect(page.get_by_role("radio", name="OAuth files")).to_be_checked()


@pytest.mark.usefixtures("own_tab")
def test_a_browser_that_refuses_storage_still_inspects(page: Page, address: str, service: StandInService) -> None:
    refusing = (
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})"
    )
    page.add_init_script(f"if (location.protocol !== 'about:') {refusing}")
    sign_in(page, address)
    page.get_by_text("API keys", exact=True).click()

    page.get_by_role("button", name="Start inspection").click()

    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    assert service.runs[0]["settings"]["accountSource"] == "api_key"


@pytest.mark.usefixtures("own_tab")
def test_of_foreign_settings_only_the_sound_ones_are_used(page: Page, address: str) -> None:
    foreign = {
        "workers": 9,
        "retries": "many",
        "autoActionMode": "everything",
        "theme": "<b>dark</b>",
        "apiKeyFamily": "x",
    }
    store(page, json.dumps(foreign))

    sign_in(page, address)

    page.locator(".notice summary").click()
    expect(page.locator(".notice li")).to_have_text(
        [
            "Retries must be a whole number from 0 to 5.",
            "Automatic actions is not one of the known values.",
            "“theme” is not a setting of this page.",
            "Family of API keys is not known.",
        ]
    )
    page.get_by_text("Run settings").click()
    expect(page.get_by_label("Max concurrency", exact=True)).to_have_value("9")
    expect(page.get_by_label("Retries")).to_have_value("1")


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


@pytest.mark.usefixtures("own_tab")
def test_a_stored_mode_that_the_stored_source_does_not_know_is_off_again(page: Page, address: str) -> None:
    store(page, json.dumps({"accountSource": "api_key", "autoActionMode": "strategy4"}))

    sign_in(page, address)

    page.locator(".notice summary").click()
    expect(page.locator(".notice li")).to_have_text(
        ["Automatic actions: “strategy4” is not available for this source."]
    )
    page.get_by_text("Run settings").click()
    expect(page.get_by_label("Automatic actions")).to_have_value("none")


def test_the_brake_is_set_in_percent_and_only_where_it_is_on(operator: Page, service: StandInService) -> None:
    operator.get_by_text("Run settings").click()
    operator.get_by_label("Failing alike, % of a host").fill("62.5")
    operator.get_by_label("Checks before it can open").fill("8")
    operator.get_by_label("Circuit breaker", exact=True).uncheck()
    expect(operator.get_by_label("Checks before it can open")).to_be_disabled()

    operator.get_by_role("button", name="Start inspection").click()

    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")
    settings = service.runs[0]["settings"]
    assert (settings["brake"], settings["brakeShare"], settings["brakeMinimum"]) == (False, 0.625, 8)


def test_the_choices_for_quota_and_5xx_belong_to_the_configurable_policy(operator: Page) -> None:
    operator.get_by_text("Run settings").click()
    expect(operator.get_by_label("On HTTP 5xx")).to_be_disabled()

    operator.get_by_label("Decision policy").select_option("configurable")

    expect(operator.get_by_label("On HTTP 5xx")).to_be_enabled()


def test_a_run_is_started_with_the_settings_of_the_page(operator: Page, service: StandInService) -> None:
    operator.get_by_role("combobox", name="Family").select_option("vendor-b-apikey")
    operator.get_by_text("Run settings").click()
    operator.get_by_label("Probe model").fill("small-model")
    operator.get_by_label("Timeout, seconds").fill("3")

    operator.get_by_role("button", name="Start inspection").click()

    expect(operator.locator("#run-state")).to_contain_text("Run 1 · running")
    settings = service.runs[0]["settings"]
    assert settings["accountSource"] == "api_key"
    assert settings["targetType"] == settings["apiKeyFamily"] == "vendor-b-apikey"
    assert (settings["probeModel"], settings["timeoutSeconds"]) == ("small-model", 3)


def test_each_source_remembers_its_own_family(operator: Page) -> None:
    operator.get_by_role("combobox", name="Family").select_option("compat")
    operator.get_by_text("OAuth files", exact=True).click()
    expect(operator.get_by_label("Type")).to_have_value("all")
    operator.get_by_text("API keys", exact=True).click()

    expect(operator.get_by_role("combobox", name="Family")).to_have_value("compat")
    assert stored(operator)["autoActionMode"] == "none"


def test_the_defaults_come_back_with_one_click(operator: Page) -> None:
    operator.get_by_text("Run settings").click()
    operator.get_by_label("Retries").fill("4")

    operator.get_by_role("button", name="Reset to defaults").click()

    expect(operator.get_by_label("Retries")).to_have_value("1")
    expect(operator.get_by_role("radio", name="API keys")).to_be_checked()
