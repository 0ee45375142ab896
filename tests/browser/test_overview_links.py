"""Links of the overview, followed to the inspection page."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.filled_pool import MANAGEMENT, OWN, enter, filled_pool

READ_LINKS = "links => links.map((link) => [link.getAttribute('href'), link.textContent])"


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


def test_each_number_of_two_sources_opens_a_list_of_as_many_accounts(page: Page, tmp_path: Path) -> None:
    client = page.context.request
    with filled_pool(tmp_path, client) as origin:
        enter(client, origin)
        page.goto(f"{origin}/monitor/overview")
        expect(page.locator(".tiles figure").first).to_be_visible()
        links = numbered_links(page)

        assert {parse_qs(urlsplit(href).query)["source"][0] for href, _ in links} == {"api_key", "oauth"}
        for href, number in links:
            page.goto(f"{origin}/monitor/{href}")
            expect(page.locator("#results tbody tr:not(.spacer)"), href).to_have_count(number)
        page.goto("about:blank")


def numbered_links(page: Page) -> list[tuple[str, int]]:
    """Return the links of the overview to lists of accounts, with the number that each stands for."""
    found: list[tuple[str, int]] = [
        (href, int(number.group()))
        for href, said in page.locator(".picture-legend a, .todo a").evaluate_all(READ_LINKS)
        if href.startswith("inspection?") and "q=" not in href and (number := re.search(r"\d+", said))
    ]
    for host in page.locator("tr", has=page.locator("th small")).all():
        href = host.locator("th a").get_attribute("href") or ""
        found.append((href, int(host.locator("td.number").first.inner_text())))
    return found
