"""Filters of the table: cleared at once, and those that a run would empty."""

import re

from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"


def test_one_click_clears_every_filter(operator: Page) -> None:
    clear = operator.get_by_role("button", name="Clear filters")
    expect(clear).to_be_hidden()
    operator.get_by_label("Search").fill("nothing is called so")
    operator.get_by_label("State", exact=True).select_option("enabled")
    expect(operator.locator("#empty")).to_be_visible()

    clear.click()

    expect(operator.locator(ROWS)).to_have_count(11)
    expect(operator.get_by_label("Search")).to_have_value("")
    expect(operator.get_by_label("State", exact=True)).to_have_value("")
    expect(clear).to_be_hidden()
    assert "q=" not in operator.url


def test_a_run_does_not_empty_a_list_of_accounts_that_were_never_checked(
    operator: Page, service: StandInService
) -> None:
    operator.goto(re.sub(r"[?].*", "", operator.url) + "?source=api_key&verdict=none&state=in_checks")
    expect(operator.locator(ROWS)).to_have_count(11)

    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()

    expect(operator.locator("#run-state")).to_contain_text("finished")
    expect(operator.locator(ROWS)).to_have_count(11)
    expect(operator).not_to_have_url(re.compile("verdict="))


def test_a_request_without_an_answer_is_called_so_among_the_http_statuses(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")

    expect(operator.get_by_label("HTTP status").locator("option[value='0']")).to_have_text("0, no answer (1)")
    status = operator.get_by_role("row", name="relay-silent").locator(".status")
    expect(status).to_have_text("\u2013")
    expect(status).to_have_attribute("title", "0, no answer")


def test_the_run_line_is_that_of_the_source_in_view(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · finished")

    operator.get_by_text("OAuth files", exact=True).click()

    expect(operator.locator("#run-state")).to_have_text("No run yet")
    expect(operator.locator("#follow-up")).to_be_hidden()
    operator.get_by_text("API keys", exact=True).click()
    expect(operator.locator("#run-state")).to_contain_text("Run 1 · finished")


def test_the_bar_counts_the_selected_accounts_that_the_filters_hide(operator: Page) -> None:
    for name in ("relay-401", "claude-402"):
        operator.get_by_label(f"Select {name}").check()
    operator.locator("#search").fill("claude-402")
    expect(operator.locator("#selected")).to_have_text("2 selected (1 not shown by the filters)")

    operator.locator("#search").fill("")
    expect(operator.locator("#selected")).to_have_text("2 selected")
