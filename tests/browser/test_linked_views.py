"""Views of the table that a link names: statuses, host, hold, source, run, account and order."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"


@pytest.fixture
def inspected(operator: Page, service: StandInService) -> Page:
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    expect(operator.get_by_role("button", name="Healthy 3")).to_be_visible()
    return operator


def follow(page: Page, query: str) -> None:
    page.goto(f"{page.url.split('?', maxsplit=1)[0]}?{query}")


def shown(page: Page, *names: str) -> None:
    expect(page.locator("#results tbody .account-name")).to_have_text(list(names))


def test_a_list_of_statuses_shows_the_accounts_of_each(inspected: Page) -> None:
    follow(inspected, "verdict=invalid_key,forbidden")

    shown(inspected, "relay-401", "relay-403")
    expect(inspected.get_by_role("button", name="Forbidden 1")).to_have_attribute("aria-pressed", "true")
    expect(inspected.get_by_role("button", name="All 11")).to_have_attribute("aria-pressed", "false")


def test_accounts_that_were_never_checked_have_a_link(inspected: Page, service: StandInService) -> None:
    service.accounts[4]["lastResult"] = None

    follow(inspected, "source=api_key&verdict=none")

    shown(inspected, "relay-500")


def test_a_host_shows_its_accounts(inspected: Page, service: StandInService) -> None:
    service.accounts[2]["baseUrl"] = "https://elsewhere.example/v1"

    follow(inspected, "host=elsewhere.example")

    shown(inspected, "relay-403")
    expect(inspected.get_by_role("combobox", name="Host")).to_have_value("elsewhere.example")


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


def test_a_source_shows_all_its_accounts_until_another_scope_is_chosen(inspected: Page) -> None:
    inspected.get_by_role("combobox", name="Family").select_option("vendor-b-apikey")
    expect(inspected.locator(ROWS)).to_have_count(3)

    follow(inspected, "source=oauth")
    shown(inspected, "claude-first.json", "codex-second.json")
    follow(inspected, "source=api_key")
    expect(inspected.locator(ROWS)).to_have_count(11)

    inspected.get_by_role("combobox", name="Family").select_option("vendor-b-apikey")
    expect(inspected.locator(ROWS)).to_have_count(3)
    inspected.reload()
    expect(inspected.locator(ROWS)).to_have_count(3)


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


def test_a_link_with_an_unknown_family_shows_all_keys(inspected: Page) -> None:
    follow(inspected, "source=api_key&family=nothing-of-ours")

    expect(inspected.locator(ROWS)).to_have_count(11)
    expect(inspected.get_by_role("combobox", name="Family")).to_have_value("all")


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


def test_the_oldest_results_come_first_and_their_time_is_shown(inspected: Page, service: StandInService) -> None:
    expect(inspected.get_by_role("columnheader", name="Checked")).to_have_count(0)
    service.accounts[3]["lastResult"]["at"] -= 86_400_000
    service.accounts[8]["lastResult"]["at"] -= 3_600_000

    follow(inspected, "sort=at")

    expect(inspected.get_by_role("columnheader", name="Checked")).to_have_attribute("aria-sort", "ascending")
    names = inspected.locator("#results tbody .account-name")
    expect(names.nth(0)).to_have_text("relay-429")
    expect(names.nth(1)).to_have_text("claude-402")


def test_an_address_that_names_nothing_known_shows_the_whole_pool(inspected: Page) -> None:
    follow(inspected, "sort=nothing&run=x&account=-1&source=both&state=constructor")

    expect(inspected.locator(ROWS)).to_have_count(11)


def test_an_account_that_is_not_there_is_named_with_a_way_to_clear_it(inspected: Page) -> None:
    follow(inspected, "source=api_key&account=99999")

    notice = inspected.locator(".notice")
    expect(notice).to_contain_text("The link names account 99999, which is not among these accounts.")
    expect(inspected.locator(ROWS)).to_have_count(11)
    notice.get_by_role("button", name="Clear").click()
    expect(inspected).to_have_url(re.compile(r"\?source=api_key$"))
    expect(notice).to_have_count(0)


def test_a_type_that_no_file_has_is_named_with_a_way_to_all_files(inspected: Page) -> None:
    follow(inspected, "source=oauth&family=zzz")

    notice = inspected.locator(".notice")
    expect(notice).to_contain_text("No account matches family=zzz of the link.")
    notice.get_by_role("button", name="Show all accounts").click()
    shown(inspected, "claude-first.json", "codex-second.json")
    expect(inspected).to_have_url(re.compile(r"\?source=oauth$"))


def test_a_name_that_no_page_knows_and_an_unknown_family_are_named(inspected: Page) -> None:
    follow(inspected, "source=api_key&family=zzz&from=zzz")

    expect(inspected.locator(".notice")).to_contain_text("They were left out: from=zzz, family=zzz")
    expect(inspected.locator(ROWS)).to_have_count(11)
    expect(inspected).to_have_url(re.compile(r"\?source=api_key$"))


def test_a_vendor_in_place_of_a_host_is_named_as_one(inspected: Page, service: StandInService) -> None:
    service.accounts[1] |= {"baseUrl": "", "provider": "Claude"}
    follow(inspected, "source=api_key")

    host = inspected.get_by_role("combobox", name="Host")
    expect(host.locator("option[value=claude]")).to_have_text("claude (vendor's own address) (2)")
    host.select_option("claude")
    expect(inspected.locator(ROWS)).to_have_count(2)


def test_the_panel_of_an_account_on_hold_says_why_and_what_to_do(inspected: Page, service: StandInService) -> None:
    name = "relay-403"
    service.accounts[2]["onHold"] = True
    service.follow_up.hold(
        1, service.accounts[2]["id"], name, "More than half of the checks of this host failed alike."
    )
    follow(inspected, "source=api_key")

    inspected.get_by_role("button", name=f"Evidence of {name}").click()

    evidence = inspected.locator(".evidence")
    expect(evidence.get_by_role("heading", name="On hold")).to_be_visible()
    expect(evidence).to_contain_text(
        "The recommended change (disable) is not made automatically."
        " More than half of the checks of this host failed alike."
    )
    expect(evidence).to_contain_text("release the change under Recommended actions")
    inspected.get_by_role("button", name="Evidence of relay-401").click()
    expect(evidence.get_by_role("heading", name="On hold")).to_have_count(0)
