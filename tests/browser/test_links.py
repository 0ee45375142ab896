"""Views that an address names."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.house import RunningService
from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"
READ_LINKS = "links => links.map((link) => [link.getAttribute('href'), link.textContent])"


def follow(page: Page, query: str) -> None:
    page.goto(f"{page.url.split('?', maxsplit=1)[0]}?{query}")


def shown(page: Page, *names: str) -> None:
    expect(page.locator("#results tbody .account-name")).to_have_text(list(names))


def test_accounts_on_hold_have_a_chip_and_a_link(inspected: Page, service: StandInService) -> None:
    expect(inspected.get_by_role("button", name="On hold")).to_have_count(0)
    service.accounts[1]["onHold"] = service.accounts[2]["onHold"] = True
    inspected.get_by_role("button", name="Refresh").click()

    inspected.get_by_role("button", name="On hold 2").click()

    shown(inspected, "relay-401", "relay-403")
    inspected.get_by_role("button", name="Forbidden 1").click()
    shown(inspected, "relay-403")
    inspected.reload()
    shown(inspected, "relay-403")
    expect(inspected.get_by_role("button", name="On hold 2")).to_have_attribute("aria-pressed", "true")
    inspected.get_by_role("button", name="All 11").click()
    expect(inspected.locator(ROWS)).to_have_count(11)
    follow(inspected, "onHold=true")
    shown(inspected, "relay-401", "relay-403")


def test_the_address_names_the_accounts_in_view_so_that_a_copy_opens_the_same(inspected: Page) -> None:
    expect(inspected).to_have_url(re.compile(r"[?]source=api_key$"))
    inspected.get_by_role("combobox", name="Family").select_option("vendor-b-apikey")
    inspected.get_by_label("Provider filter").fill("claude")
    inspected.get_by_label("Provider filter").press("Enter")
    expect(inspected).to_have_url(re.compile(r"source=api_key&family=vendor-b-apikey&provider=claude$"))
    copied = inspected.url
    expect(inspected.locator(ROWS)).to_have_count(3)
    names = inspected.locator("#results tbody .account-name").all_inner_texts()
    inspected.get_by_text("OAuth files", exact=True).click()
    shown(inspected, "claude-first.json", "codex-second.json")
    expect(inspected).to_have_url(re.compile(r"[?]source=oauth$"))

    inspected.goto(copied)

    shown(inspected, *names)
    expect(inspected.get_by_role("combobox", name="Family")).to_have_value("vendor-b-apikey")
    expect(inspected.get_by_label("Provider filter")).to_have_value("claude")


def test_back_and_forward_go_through_sources_families_and_filters(inspected: Page) -> None:
    inspected.get_by_role("combobox", name="Family").select_option("vendor-b-apikey")
    expect(inspected.locator(ROWS)).to_have_count(3)
    inspected.get_by_role("combobox", name="HTTP status").select_option("402")
    expect(inspected.locator(ROWS)).to_have_count(1)
    inspected.get_by_text("OAuth files", exact=True).click()
    expect(inspected.locator(ROWS)).to_have_count(0)

    inspected.go_back()
    shown(inspected, "claude-402")
    expect(inspected.get_by_role("combobox", name="HTTP status")).to_have_value("402")
    inspected.go_back()
    expect(inspected.locator(ROWS)).to_have_count(3)
    inspected.go_back()
    expect(inspected.locator(ROWS)).to_have_count(11)
    expect(inspected.get_by_role("combobox", name="Family")).to_have_value("all")
    inspected.go_forward()
    expect(inspected.locator(ROWS)).to_have_count(3)


def test_a_run_shows_its_results_and_stays_in_the_address(inspected: Page, service: StandInService) -> None:
    service.start({"accountSource": "oauth", "targetType": "all", "providerFilter": ""})
    service.land()

    follow(inspected, "source=oauth&run=2")

    shown(inspected, "claude-first.json", "codex-second.json")
    expect(inspected.get_by_label("Show")).to_have_value("2")
    inspected.get_by_label("Show").select_option("1")
    expect(inspected.locator(ROWS)).to_have_count(11)
    inspected.reload()
    expect(inspected.get_by_label("Show")).to_have_value("1")


def test_a_run_that_is_gone_is_named_in_a_notice_and_leaves_the_address(inspected: Page, console: Console) -> None:
    console.expected.append("status of 404")
    follow(inspected, "source=api_key&run=77")

    notice = inspected.locator(".notice")
    expect(notice).to_have_text(re.compile("^Run 77 does not exist any more. The latest results are shown."))
    expect(inspected.locator(ROWS)).to_have_count(11)
    expect(inspected).to_have_url(re.compile(r"\?source=api_key$"))
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)


def test_an_account_is_opened_by_its_address_and_closed_with_it(inspected: Page) -> None:
    follow(inspected, "source=api_key&account=3")

    expect(inspected.get_by_role("complementary", name="relay-403")).to_contain_text("The provider forbids this key")
    expect(inspected.locator("tr[data-account='3']")).to_be_in_viewport()
    inspected.get_by_role("complementary").get_by_role("button", name="Close").click()
    expect(inspected.get_by_role("complementary")).to_have_count(0)
    inspected.get_by_role("button", name="Evidence of relay-401").click()
    inspected.reload()
    expect(inspected.get_by_role("complementary", name="relay-401")).to_be_visible()


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("requests?start=1&end=99999999999999999999&period=7d", "end=99999999999999999999, start=1"),
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
    expect(page.locator("#page .problem:visible")).to_have_count(0)


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
