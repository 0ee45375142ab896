import pytest
from playwright.sync_api import Page, expect

from tests.browser.stand_in.pool import ROWS, VERDICTS
from tests.browser.stand_in.service import StandInService

WINDOWS = (
    "The quota is used up to its threshold: 5 hours (5 hours 100 %, weekly 40 %). It resets 18 Nov 2026, 15:00 UTC."
)
NOT_TOLD = "\N{EN DASH}"
FOUND = [
    ("claude-first.json", "", "relogin_needed", "disable", 401, "The log-in has ended: log in again."),
    ("codex-second.json", "", "out_of_quota", "disable", 200, WINDOWS),
]


@pytest.fixture
def files(page: Page, operator: Page, service: StandInService, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Give the page after an inspection of the files."""
    monkeypatch.setattr("tests.browser.stand_in.pool.ROWS", [*ROWS, *FOUND])
    labels = [{"token": "relogin_needed", "label": "Re-login needed", "meaning": "The log-in of the file has ended."}]
    monkeypatch.setattr("tests.browser.stand_in.application.VERDICTS", [*VERDICTS, *labels])
    page.reload()
    page.get_by_text("OAuth files", exact=True).click()
    expect(page.get_by_role("row", name="claude-first.json")).to_be_visible()
    page.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    return page


def test_a_file_that_needs_a_new_login_says_so_in_colour_and_words(files: Page) -> None:
    pill = files.get_by_role("row", name="claude-first.json").locator(".verdict .pill")

    expect(pill).to_have_text("Re-login needed")
    expect(pill).to_have_attribute("data-tone", "bad")


def test_each_window_is_in_the_evidence_with_use_threshold_and_reset_time(files: Page) -> None:
    files.get_by_role("button", name="Evidence of codex-second.json").click()

    quota = files.locator(".evidence section", has=files.get_by_role("heading", name="Quota", exact=True))
    rows = quota.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0).locator("td")).to_have_text(["5 h", "100 %", "90 %", "18 Nov, 15:00:00"])
    expect(rows.nth(1).locator("td")).to_have_text(["weekly", "40.3 %", "100 %", NOT_TOLD])
    expect(rows.nth(2).locator("td")).to_have_text(["code review weekly", "unknown", "none", NOT_TOLD])
    expect(quota).to_contain_text("Usable again from 18 Nov, 15:00:00.")
    expect(quota.locator("meter")).to_have_count(2)
    bars = quota.locator("meter").evaluate_all("bars => bars.map(({ value, high }) => [value, high])")
    assert bars == [[100, 90], [40.26, 100]]


def test_used_up_windows_are_told_with_their_use_and_their_reset_time(files: Page) -> None:
    expect(files.get_by_role("row", name="codex-second.json")).to_contain_text("It resets 18 Nov 2026, 15:00 UTC.")
    expect(files.get_by_role("row", name="codex-second.json")).to_contain_text("weekly 40 %")


def test_files_with_long_names_and_reasons_fit_the_screen(files: Page) -> None:
    for width in (1440, 1340, 1180, 1000, 900, 600, 380):
        files.set_viewport_size({"width": width, "height": 800})
        assert files.evaluate("document.documentElement.scrollWidth") <= width
    files.set_viewport_size({"width": 1440, "height": 900})
    row = files.get_by_role("row", name="codex-second.json")
    expect(row.locator(".family")).to_have_text("codex")
