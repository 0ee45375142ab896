"""Views that an address names."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import RunningService

ROWS = "#page tr[data-id]"
READ_LINKS = "links => links.map((link) => [link.getAttribute('href'), link.textContent])"


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("inspection?sort=zzz.desc", "sort=zzz.desc"),
    ],
)
def test_an_odd_value_of_a_link_is_left_out_and_named(visited: RunningService, link: str, named: str) -> None:
    page = visited.page
    page.goto(f"{visited.origin}/monitor/{link}")

    notice = page.locator(".notice")
    expect(notice).to_contain_text("The link has values that cannot be used here. They were left out: " + named)
    expect(notice).to_have_count(1)
    assert named.partition("=")[0] not in page.url


def test_each_number_of_two_sources_opens_a_list_of_as_many_accounts(visited: RunningService) -> None:
    page = visited.open("overview")
    expect(page.locator(".tiles figure").first).to_be_visible()
    links = numbered_links(page)

    assert {parse_qs(urlsplit(href).query)["source"][0] for href, _ in links} == {"api_key", "oauth"}
    for href, number in links:
        page.goto(f"{visited.origin}/monitor/{href}")
        expect(page.locator(ROWS), href).to_have_count(number)


def numbered_links(page: Page) -> list[tuple[str, int]]:
    """Return the links of the overview to lists of accounts, with the number that each stands for."""
    links: list[tuple[str, int]] = [
        (href, int(number.group()))
        for href, text in page.locator(".picture-legend a, .todo a").evaluate_all(READ_LINKS)
        if href.startswith("inspection?") and "q=" not in href and (number := re.search(r"\d+", text))
    ]
    for host in page.locator("tr", has=page.locator("th small")).all():
        href = host.locator("th a").get_attribute("href") or ""
        links.append((href, int(host.locator("td.number").first.inner_text())))
    return links
