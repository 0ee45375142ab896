"""Overview, usage, requests, prices and keys."""

import re

from playwright.sync_api import Page, expect

from adapter.clock import SystemClock
from tests.browser.house import OWN, USAGE, RunningService
from tools.project.demo.traffic import past_usage

COUNT_STREAMS = """() => {
  const Plain = window.EventSource;
  window.openStreams = [];
  window.EventSource = class extends Plain {
    constructor(address) {
      super(address);
      if (String(address).includes("usage/stream")) window.openStreams.push(this);
    }
    close() {
      super.close();
      window.openStreams = window.openStreams.filter((each) => each !== this);
    }
  };
}"""
SHOW = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


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


def test_requests_are_filtered_by_names_that_the_period_has(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    names = {group["name"] for group in visited.answer(f"{USAGE}/summary?by=model")["groups"]}
    offered = page.get_by_label("Model", exact=True).get_by_role("option")
    expect(offered).not_to_have_count(1)
    assert set(offered.all_inner_texts()[1:]) <= names

    page.get_by_label("Model", exact=True).select_option("gpt-5")

    expect(page).to_have_url(re.compile("model=gpt-5$"))
    expect(page.get_by_role("button", name="gpt-5", exact=True).first).to_be_visible()
    models = page.locator("td[data-label=Model]")
    expect(models.filter(has_not_text=re.compile("^gpt-5$"))).to_have_count(0)
    expect(models).not_to_have_count(0)
    expect(page.get_by_label("Account", exact=True).get_by_role("option")).not_to_have_count(1)
    page.go_back()
    expect(page.get_by_label("Model", exact=True)).to_have_value("")


def test_the_parts_of_a_cost_are_explained_in_words(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d&model=gpt-5&failed=false")
    page.get_by_role("button", name="why this number").first.click()

    dialog = page.get_by_role("dialog")
    table = dialog.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Kind", "Tokens", "Rate", "Cost"])
    expect(table.get_by_role("row", name="Output")).to_contain_text("reasoning")
    expect(table.locator("tbody")).not_to_contain_text("no price")
    costs = [float(amount.lstrip("≥ $")) for amount in table.locator("tr td:last-child").all_inner_texts()]
    assert round(sum(costs[:-1]), 8) == costs[-1]
    overflowing = "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.innerText)"
    assert table.locator("td").evaluate_all(overflowing) == []
    write = "(nodes, text) => { for (const node of nodes) node.textContent = text; }"
    table.locator("tbody td:nth-child(2)").evaluate_all(write, "12,345,678")
    table.locator("tbody td:last-child").evaluate_all(write, "$10.0405243")
    page.set_viewport_size({"width": 360, "height": 740})
    assert dialog.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(dialog).to_contain_text("Price of gpt-5: Built-in list.")
    expect(dialog).not_to_contain_text(re.compile("built_in|[0-9a-f]{16}"))


def test_the_list_of_requests_scrolls_with_the_page_and_back_returns_to_its_place(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    rows = page.locator("td[data-label=Model]")
    expect(rows).to_have_count(100)
    heights = page.locator(".scroll").evaluate("node => [node.scrollHeight, node.clientHeight]")
    assert heights[0] == heights[1]
    page.evaluate("window.scrollTo(0, 1200)")
    expect(rows.nth(35)).to_be_in_viewport()
    expect(page.get_by_role("columnheader", name="Model")).to_be_in_viewport()

    page.get_by_role("link", name="Usage").click()
    expect(page.get_by_role("heading", level=1, name="Usage")).to_be_visible()
    page.wait_for_function("window.scrollY === 0")
    page.go_back()

    expect(rows).to_have_count(100)
    expect(rows.nth(35)).to_be_in_viewport()
    page.wait_for_function("window.scrollY === 1200")


def test_a_hidden_tab_keeps_no_stream_of_requests_open_and_catches_up(site: RunningService) -> None:
    lines = past_usage(SystemClock().now_ms()).splitlines(keepends=True)[-3:]
    site.send(f"{USAGE}/import", lines[0])
    page = site.open("requests", "?period=7d")
    page.evaluate(COUNT_STREAMS)
    rows = page.locator("#page tbody tr")
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Live").click()
    expect(page.get_by_text("Live: new requests appear")).to_be_visible()
    site.send(f"{USAGE}/import", lines[1])
    expect(rows).to_have_count(2)

    page.evaluate(SHOW, True)
    assert page.evaluate("window.openStreams.length") == 0
    site.send(f"{USAGE}/import", lines[2])
    expect(rows).to_have_count(2)

    page.evaluate(SHOW, False)
    expect(rows).to_have_count(3)
    assert page.evaluate("window.openStreams.length") == 1
