"""The page of usage."""

import json
import re

from playwright.sync_api import Page, Route, expect

from tests.browser.house import UNPRICED, RunningService, send_unpriced


def tile(page: Page, name: str) -> str:
    """Return the figure of a tile."""
    link = page.get_by_role("link", name=name, exact=True)
    return page.get_by_role("region", name="Sums").locator(".tile", has=link).locator(".figure").inner_text()


def test_dimension_and_measure_stand_in_the_address_and_back_undoes_them(visited: RunningService) -> None:
    page = visited.open("usage", "?period=7d")
    expect(page.get_by_role("heading", name="Cost by client key")).to_be_visible()

    page.get_by_role("group", name="Group by").get_by_role("button", name="Model").click()
    page.get_by_role("group", name="Show").get_by_role("button", name="Tokens").click()

    expect(page.get_by_role("heading", name="Tokens by model")).to_be_visible()
    expect(page.get_by_role("heading", name="Most tokens")).to_be_visible()
    expect(page).to_have_url(re.compile(r"period=7d&by=model&measure=tokens$"))
    page.go_back()
    expect(page.get_by_role("heading", name="Cost by model")).to_be_visible()
    page.get_by_role("group", name="Period").get_by_role("button", name="30 d").click()
    expect(page).to_have_url(re.compile("period=30d"))


def test_a_rank_and_a_part_of_the_chart_lead_to_their_requests(visited: RunningService) -> None:
    page = visited.open("usage", "?period=7d&by=model")
    page.get_by_role("list").get_by_role("link", name="gpt-5", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Requests")).to_be_visible()
    expect(page).to_have_url(re.compile(r"requests\?period=7d&model=gpt-5$"))
    page.go_back()

    page.get_by_text("Cost by model: Table").click()
    page.get_by_role("table").filter(has_text="gpt-5").get_by_role("link").first.click()

    expect(page.get_by_role("heading", level=1, name="Requests")).to_be_visible()
    expect(page).to_have_url(re.compile(r"requests\?start=\d+&end=\d+$"))


def test_the_values_of_the_part_under_the_pointer_stand_in_the_legend(visited: RunningService) -> None:
    page = visited.open("usage", "?period=7d&by=none&measure=requests")
    legend = page.get_by_role("figure").get_by_role("list")
    expect(legend.get_by_role("listitem")).to_have_text(["Requests"])

    page.locator("figure .u-over").hover()

    expect(legend.get_by_role("listitem")).to_have_text([re.compile(r"^Requests\d"), re.compile(r"\d")])


def test_a_sum_of_costs_is_explained_in_a_drawer_with_an_address(filled: RunningService) -> None:
    send_unpriced(filled)
    page = filled.open("usage", "?period=7d&by=model")
    page.get_by_role("link", name=re.compile("why this number")).first.click()

    drawer = page.get_by_role("dialog", name="Why this number?")
    expect(drawer.get_by_role("table").first).to_be_visible()
    expect(drawer).to_contain_text(tile(page, "Cost"))
    expect(drawer).to_contain_text(UNPRICED)
    page.reload()
    expect(drawer).to_contain_text("without a known cost")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)

    ranks = page.get_by_role("region", name="Who spent most").get_by_role("listitem")
    rank = ranks.filter(has=page.get_by_role("link", name="gpt-5", exact=True))
    rank.get_by_role("link", name=re.compile("why")).click()
    expect(drawer).to_contain_text("Price of gpt-5: Built-in list.")


def with_a_gap(route: Route) -> None:
    reply = route.fetch()
    answer = reply.json()
    answer["gaps"] = [{"id": 1, "start": answer["start"], "end": answer["end"], "kind": "down", "missing": None}]
    answer["prunedBefore"] = answer["start"] + 3_600_000
    route.fulfill(response=reply, body=json.dumps(answer))


def test_each_sum_beside_a_gap_is_a_lower_bound_and_the_page_says_why(visited: RunningService) -> None:
    visited.page.route(re.compile("usage/summary"), with_a_gap)
    page = visited.open("usage", "?period=7d")

    expect(page.get_by_text("≥ marks a lower bound. 1 gap")).to_contain_text("were removed")
    assert [tile(page, name)[:2] for name in ("Cost", "Requests")] == ["≥ ", "≥ "]
    failing = page.get_by_role("table", name="Where failures come from").get_by_role("row").nth(1)
    expect(failing.get_by_role("cell").nth(1)).to_have_text(re.compile("^≥ "))
    page.get_by_role("link", name=re.compile("why this number")).first.click()
    expect(page.get_by_role("dialog")).to_contain_text("least amount")


def test_usage_is_exported_with_the_period_and_the_filters_in_view(visited: RunningService) -> None:
    page = visited.open("usage", "?period=7d&model=gpt-5")
    expect(page.get_by_role("button", name="gpt-5: remove filter")).to_be_visible()

    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Export CSV").click()

    assert download.value.suggested_filename.endswith(".csv")
    assert "model=gpt-5" in download.value.url
    page.get_by_role("button", name="gpt-5: remove filter").click()
    expect(page).to_have_url(re.compile(r"period=7d$"))
