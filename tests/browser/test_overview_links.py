"""Links of the overview, followed to the inspection page."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.filled_pool import MANAGEMENT, OWN, enter, filled_pool


def test_links_of_the_overview_lead_to_exactly_their_accounts(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        page.goto(f"{origin}/monitor/overview")
        found = client.get(f"{origin}{OWN}/pool/overview", headers=MANAGEMENT).json()["statuses"]["api_key"]
        section = page.get_by_role("region", name="Is my pool well?")
        section.get_by_role("link", name="Invalid key").first.click()

        rows = page.locator("#results tbody tr:not(.spacer)")
        expect(page.get_by_role("radio", name="API keys")).to_be_checked()
        expect(rows).to_have_count(found["invalid_key"])
        expect(rows.first).to_have_attribute("data-verdict", "invalid_key")
        page.goto(f"{origin}/monitor/inspection?source=api_key&run=1")
        expect(page.get_by_label("Show", exact=True)).to_have_value("1")
        expect(rows).to_have_count(sum(found.values()))
        page.goto("about:blank")
