"""Overview, usage, requests, prices and keys."""

import re

from playwright.sync_api import Page, expect

from tests.browser.house import OWN, USAGE, RunningService


def test_the_pages_of_a_new_pool_say_what_to_do(site: RunningService) -> None:
    page = site.open("overview")

    expect(page.get_by_role("link", name="No inspection has finished yet")).to_have_count(2)  # to do, and no trend
    expect(page.get_by_text("Nothing needs you now.")).to_have_count(0)
    expect(page.get_by_text("accounts were never checked")).to_be_visible()
    expect(page.get_by_text("No requests today")).to_be_visible()
    expect(site.open("usage").get_by_text("No requests in this period")).to_be_visible()
    expect(site.open("requests").get_by_text("No requests in this period")).to_be_visible()
    expect(site.open("keys").get_by_text("No client key was used")).to_be_visible()
    expect(site.open("prices").get_by_text("No model in use takes its price from a list")).to_be_visible()


def test_each_number_of_the_overview_is_one_of_the_api(filled: RunningService) -> None:
    page = filled.open("overview")
    overview = filled.answer(f"{OWN}/pool/overview")

    entry = page.get_by_role("region", name="Is my pool well?").get_by_role("link", name="Not checked").first
    expect(entry).to_contain_text(str(sum(overview["statuses"]["api_key"].values())))
    expect(entry).to_have_attribute("href", "inspection?source=api_key&verdict=none")
    for source, name in (("api_key", "API keys"), ("oauth", "OAuth files")):
        number = overview["findings"][source]["neverChecked"]
        entry = page.get_by_role("link", name=re.compile(rf"^{name}: {number} enabled accounts? w\w+ never checked"))
        expect(entry).to_have_attribute("href", f"inspection?source={source}&verdict=none&state=in_checks")
    totals = filled.answer(f"{USAGE}/summary?start={day_start(page)}")["totals"]
    if totals["requests"]:
        expect(page.get_by_role("link", name=f"{totals['requests']:,}", exact=True).first).to_be_visible()


def day_start(page: Page) -> int:
    start: int = page.evaluate("new Date().setHours(0, 0, 0, 0)")
    return start
