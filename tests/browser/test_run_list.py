"""The list of runs: one with its results and files, and two side by side."""

import re

from playwright.sync_api import expect

from adapter.fake import FakeGateway, by_url, reply
from tests.browser.house import OWN, RunningService, check_all_keys, post


def test_a_run_shows_its_results_by_status_and_saves_them(visited: RunningService) -> None:
    page = visited.open("runs")
    row = page.get_by_role("row").filter(has_text="#1")
    expect(row).to_contain_text("finished")
    row.get_by_text("#1").click()
    drawer = page.get_by_role("dialog", name="Run 1")
    results = drawer.get_by_role("table", name="Results").get_by_role("row")
    expect(results).to_have_count(7)
    drawer.get_by_role("button", name="Invalid key 1").click()
    expect(results).to_have_count(2)
    expect(results.last).to_contain_text("relay-401")
    with page.expect_download() as download:
        drawer.get_by_role("button", name="Run 1 as CSV").click()
    assert "relay-401" in download.value.path().read_text()
    page.reload()
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(row.get_by_text(re.compile("^finished · "))).to_be_visible()


def test_the_newest_runs_are_compared_in_one_press_and_any_two_in_three(
    site: RunningService, gateway: FakeGateway
) -> None:
    client = site.page.request
    check_all_keys(client, site.origin)
    gateway.upstream = by_url({"": reply()})  # also to a wrong key, which says nothing about a right one
    settings = {"accountSource": "api_key", "autoActionMode": "none"}
    post(client, f"{site.origin}{OWN}/inspections", settings)
    page = site.open("runs")
    expect(page.get_by_role("row").filter(has_text="#2")).to_contain_text("finished")
    compare = page.get_by_role("button", name="Compare", exact=True)
    compare.click()
    drawer = page.get_by_role("dialog", name="Run 2 against run 1")
    expect(drawer).to_contain_text("relay-401")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()

    page.get_by_role("checkbox", name="Select Run 1").check()
    page.get_by_role("checkbox", name="Select Run 2").check()
    compare.click()

    change = drawer.get_by_role("listitem").filter(has_text="relay-401")
    expect(change).to_contain_text("Invalid key, enabled, recommended: disable")
    expect(change).to_contain_text("→ Inconclusive, enabled, recommended: keep")
    expect(drawer.get_by_role("listitem").filter(has_text="relay-ok")).to_have_count(0)
    page.go_back()
    expect(drawer).to_be_hidden()


def test_runs_are_shown_by_source_and_lead_to_their_changes(visited: RunningService) -> None:
    page = visited.open("runs", "?source=oauth")
    expect(page.get_by_text("No run yet")).to_be_visible()
    page.get_by_role("button", name="API keys").click()
    page.get_by_role("row").filter(has_text="#1").press("Enter")
    page.get_by_role("link", name="Changes of this run").click()
    expect(page).to_have_url(f"{visited.origin}/monitor/activity?run=1")
    expect(page.get_by_text("No change found.")).to_be_visible()
