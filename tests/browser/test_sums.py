"""Each cost explains itself, and beside a gap in the records each sum says that it is a least one."""

import json
import re

from playwright.sync_api import Route, expect

from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

UNKNOWN = "unknown"


def with_a_gap(route: Route) -> None:
    reply = route.fetch()
    answer = reply.json()
    end = answer["gaps"][-1]["end"] if answer["gaps"] else 2**43
    answer["gaps"] = [{"start": end - 3_600_000, "end": end, "kind": "down", "missing": None}]
    route.fulfill(response=reply, body=json.dumps(answer))


def test_each_sum_of_usage_beside_a_gap_is_a_least_one(filled: Site) -> None:
    filled.page.route(re.compile("usage/summary"), with_a_gap)
    page = filled.open("usage", "?period=7d")

    sums = page.get_by_role("region", name="Sums").locator("dd")
    rows = page.get_by_role("region", name="Usage: Model: Table").locator("tbody tr")
    expect(rows).not_to_have_count(0)
    for row in rows.all():
        cells = row.locator("td").all_inner_texts()[:4]
        assert all(cell.startswith(("≥ ", UNKNOWN)) for cell in cells), cells
    assert all(text.startswith("≥ ") for text in sums.all_inner_texts()[:4])
    failing = page.locator(".failing tbody tr").first
    assert [text[:2] for text in failing.locator("td").all_inner_texts()[:2]] == ["≥ ", "≥ "]
    sums.get_by_role("button", name=re.compile("why this number")).click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile(r"≥ \$.*least amount", re.DOTALL))
    filled.page.unroute_all(behavior="wait")


def test_usage_of_client_keys_beside_a_gap_is_a_least_one(filled: Site) -> None:
    filled.page.route(re.compile("usage/summary"), with_a_gap)
    page = filled.open("keys")

    row = page.locator("tbody tr").first
    for name in ("Requests", "Failed", "Tokens", "Cost"):
        expect(row.locator(f"td[data-label={name}]")).to_contain_text("≥ ")
    filled.page.unroute_all(behavior="wait")


def test_the_cost_of_a_client_key_explains_itself(filled: Site) -> None:
    page = filled.open("keys")
    row = page.locator("tbody tr").first
    cost = row.locator("td[data-label=Cost]").inner_text()
    row.get_by_role("button", name=re.compile("why this number")).click()

    dialog = page.get_by_role("dialog", name="Why this number?")
    expect(dialog).to_contain_text(cost)
    expect(dialog.locator("tfoot tr").first).to_be_visible()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_the_cost_of_today_on_the_overview_explains_itself(filled: Site) -> None:
    page = filled.open("overview")
    cost = page.locator("dd").filter(has=page.get_by_role("button", name="Why this number?"))
    amount = cost.get_by_role("link").inner_text()
    cost.get_by_role("button").click()

    dialog = page.get_by_role("dialog", name="Why this number?")
    expect(dialog).to_contain_text(amount)


def test_the_cost_of_yesterday_by_client_key_is_one_click_from_the_overview(filled: Site) -> None:
    page = filled.open("overview")
    page.get_by_role("link", name="Cost of yesterday by client key").click()
    expect(page).to_have_url(re.compile(r"/usage\?period=yesterday&by=client&measure=usd$"))
    expect(page.get_by_role("columnheader", name="Client key").first).to_be_visible()
