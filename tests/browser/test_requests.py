"""The page of requests."""

import re

from playwright.sync_api import Locator, Page, expect

from adapter.clock import SystemClock
from tests.browser.house import USAGE, RunningService
from tools.project.demo.traffic import past_usage


def rows(page: Page) -> Locator:
    """Return the rows of the list, without its head."""
    return page.get_by_role("table", name="Requests", exact=True).locator("tbody tr[data-id]")


def test_a_choice_offers_the_names_of_the_period_and_filters_the_list(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    names = {group["name"] for group in visited.answer(f"{USAGE}/summary?by=model")["groups"]}
    page.get_by_role("button", name="Model", exact=True).click()
    items = page.get_by_role("menuitemradio")
    expect(items.filter(has_text=re.compile("^gpt-5$"))).to_be_visible()
    assert set(items.all_inner_texts()[1:]) <= names

    page.get_by_role("menuitemradio", name="gpt-5", exact=True).click()

    expect(page).to_have_url(re.compile("model=gpt-5$"))
    expect(page.get_by_role("button", name="Model: gpt-5")).to_be_visible()
    expect(rows(page).filter(has_not=page.get_by_role("cell", name="gpt-5", exact=True))).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("button", name="Model", exact=True)).to_be_visible()


def test_chips_count_results_and_a_search_finds_rows_by_any_word(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    totals = visited.answer(f"{USAGE}/summary?start=0")["totals"]
    chip = page.get_by_role("button", name=re.compile("^Failed"))
    expect(chip).to_have_text(f"Failed{totals['failed']:,}")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(rows(page).filter(has_text="200")).to_have_count(0)

    page.get_by_role("searchbox").fill("invalid_api_key spare-key")

    expect(page).to_have_url(re.compile("failed=true&search=invalid_api_key"))
    matching_rows = rows(page).filter(has_text="spare-key")
    expect(matching_rows.first).to_contain_text("401 invalid_api_key")
    expect(rows(page).filter(has_not_text="401 invalid_api_key")).to_have_count(0)


def test_a_part_of_the_histogram_narrows_the_list_to_its_time(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    figure = page.get_by_role("figure")
    figure.locator(".u-over").click()
    expect(page).to_have_url(re.compile(r"\?start=\d+&end=\d+$"))
    own = page.get_by_role("group", name="Period").get_by_role("button", pressed=True)
    expect(own).to_contain_text(" to ")

    figure.get_by_text("Requests over time: Table").click()
    figure.get_by_role("link").first.click()

    page.get_by_role("group", name="Period").get_by_role("button", name="7 d").click()
    expect(page).to_have_url(re.compile("period=7d$"))


def test_a_request_opens_in_a_drawer_with_an_address_and_says_what_it_cost(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d&model=gpt-5&failed=false")
    rows(page).first.focus()
    page.keyboard.press("Enter")

    drawer = page.get_by_role("dialog", name="gpt-5")
    table = drawer.get_by_role("table", name="Why this number?")
    expect(table.get_by_role("columnheader")).to_have_text(["Kind", "Tokens", "Rate", "Cost"])
    expect(table.get_by_role("row", name="Output")).to_contain_text("reasoning")
    costs = [float(amount.lstrip("≥ $")) for amount in table.locator("tr td:last-child").all_inner_texts()]
    assert round(sum(costs[:-1]), 8) == costs[-1]
    expect(drawer).to_contain_text("Price of gpt-5: Built-in list.")
    expect(drawer).not_to_contain_text(re.compile("built_in|[0-9a-f]{16}"))

    page.goto(page.url.replace("period=7d&model=gpt-5", "period=15m&model=none"))
    expect(table).to_be_visible()
    drawer.get_by_role("link", name="openai").click()
    expect(page).to_have_url(re.compile("provider=openai"))
    expect(drawer).to_have_count(0)
    page.goto(page.url + "&request=5-5")
    expect(page.get_by_role("dialog")).to_contain_text("not stored any more")


def test_the_list_scrolls_with_the_page_and_back_returns_to_its_place(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_text(re.compile(r"^1,000 of 1,\d+ requests|^(\d+|1,\d+) of \1 requests"))).to_be_visible()
    row = rows(page).and_(page.locator("[aria-rowindex='90']"))
    page.evaluate("window.scrollTo(0, 3200)")
    expect(row).to_be_in_viewport()
    expect(page.get_by_role("columnheader", name="Model")).to_be_in_viewport()
    page.get_by_role("link", name="Prices").click()
    expect(page.get_by_role("heading", level=1, name="Prices")).to_be_in_viewport()

    page.go_back()

    expect(row).to_be_in_viewport()


def test_new_requests_appear_on_top_while_they_are_followed(site: RunningService) -> None:
    lines = past_usage(SystemClock().now_ms()).splitlines(keepends=True)[-3:]
    site.send(f"{USAGE}/import", lines[0])
    page = site.open("requests", "?period=7d")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_text("Live: new requests appear")).to_be_visible()

    site.send(f"{USAGE}/import", "".join(lines[1:]))

    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Live").click()
    expect(page).to_have_url(re.compile("period=7d$"))
    expect(rows(page)).to_have_count(3)
