"""Filters of the list of requests, models without a price, and both pages on a phone."""

import re

from playwright.sync_api import Route, expect

from adapter.clock import SystemClock
from tests.browser.conftest import Console
from tests.browser.test_usage_pages import USAGE, Site, filled, site
from tools.project.demo.traffic import past_usage

__all__ = ["filled", "site"]

PHONE = {"width": 390, "height": 844}
UNPRICED = "model-without-price"


def send_unpriced(site: Site) -> None:
    # A refused request costs nothing, whatever its model.
    line = [each for each in past_usage(SystemClock().now_ms()).splitlines() if '"failure": ""' in each][-1]
    line = re.sub(r'"(model|alias)": "[^"]+"', rf'"\1": "{UNPRICED}"', line)
    site.send(f"{USAGE}/import", re.sub(r'"digest": "\d+"', '"digest": "4711"', line))


def test_requests_are_filtered_by_names_that_the_period_has(filled: Site) -> None:
    page = filled.open("requests", "?period=7d")
    names = {group["name"] for group in filled.answer(f"{USAGE}/summary?by=model")["groups"]}
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


def test_a_model_in_use_without_a_price_is_listed_and_gets_one(filled: Site) -> None:
    send_unpriced(filled)
    page = filled.open("prices")
    row = page.get_by_role("region", name="models in use").get_by_role("row", name=UNPRICED)
    expect(row).to_contain_text("no price")

    row.get_by_role("button", name="Set a price").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Model")).to_have_value(UNPRICED)
    dialog.get_by_label("Input").fill("2")
    dialog.get_by_role("button", name="Save").click()

    own = page.get_by_role("region", name="Own and taken-over prices: Table")
    expect(own.get_by_role("row", name=UNPRICED).first).to_contain_text("Input $2.00")
    expect(page.get_by_role("button", name=f"Set a price {UNPRICED}")).to_have_count(0)


def test_a_rate_says_from_how_many_tokens_another_one_counts(filled: Site) -> None:
    page = filled.open("prices", "?search=gemini-2.5-pro")

    expect(page.get_by_role("row", name="gemini-2.5-pro").first).to_contain_text(
        re.compile(r"[(][$][0-9.]+ above 200,000 tokens[)]")
    )


def test_each_value_of_a_request_and_a_price_fits_a_phone(filled: Site) -> None:
    filled.page.set_viewport_size({"width": 390, "height": 844})
    for page in (filled.open("requests", "?period=7d"), filled.open("prices", "?search=gpt-5-mini")):
        row = page.locator(".cards tbody tr").first
        expect(row).to_be_visible()
        for cell in row.locator(":scope > *").all():
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]
        assert row.locator("td").first.evaluate("node => getComputedStyle(node, '::before').content") != "none"
    filled.page.set_viewport_size({"width": 1440, "height": 900})


def test_the_parts_of_a_cost_are_explained_in_words(filled: Site) -> None:
    page = filled.open("requests", "?period=7d&model=gpt-5&failed=false")
    page.get_by_role("button", name="why this number").first.click()

    dialog = page.get_by_role("dialog")
    table = dialog.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(["Kind", "Tokens", "Rate", "Cost"])
    expect(table.get_by_role("row", name="Output")).to_contain_text("reasoning")
    expect(table.locator("tbody")).not_to_contain_text("no price")
    costs = [float(each.lstrip("$")) for each in table.locator("tr td:last-child").all_inner_texts()]
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


def test_a_sum_of_costs_is_explained_by_its_prices(filled: Site) -> None:
    send_unpriced(filled)
    page = filled.open("usage", "?period=7d")
    page.locator("dd").get_by_role("button", name=re.compile("why this number")).click()

    dialog = page.get_by_role("dialog", name="Why this number?")
    first = dialog.locator("details").first
    expect(first.get_by_role("table")).to_be_visible()
    costs = [float(each.lstrip("$≥ ")) for each in first.locator("tr td:last-child").all_inner_texts()]
    assert round(sum(costs[:-1]), 6) == round(costs[-1], 6)
    expect(dialog).to_contain_text(UNPRICED)
    expect(dialog).to_contain_text("without a known cost")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)

    row = page.get_by_role("row", name="gpt-5 ", exact=False).first
    row.get_by_role("button", name=re.compile("why this number")).click()
    expect(dialog).to_contain_text("gpt-5")


def test_the_list_of_requests_scrolls_with_the_page_and_back_returns_to_its_place(filled: Site) -> None:
    page = filled.open("requests", "?period=7d")
    rows = page.locator("td[data-label=Model]")
    expect(rows).to_have_count(100)
    heights = page.locator(".scroll").evaluate("node => [node.scrollHeight, node.clientHeight]")
    assert heights[0] == heights[1]
    page.evaluate("window.scrollTo(0, 1200)")
    expect(rows.nth(35)).to_be_in_viewport()
    expect(page.get_by_role("columnheader", name="Model")).to_be_in_viewport()

    page.get_by_role("link", name="Prices").click()
    expect(page.get_by_role("heading", level=1, name="Prices")).to_be_visible()
    assert page.evaluate("window.scrollY") == 0
    page.go_back()

    expect(rows).to_have_count(100)
    expect(rows.nth(35)).to_be_in_viewport()
    assert page.evaluate("window.scrollY") == 1200


def test_the_keys_page_shows_cost_and_save_on_a_phone(filled: Site) -> None:
    page = filled.open("keys")
    page.set_viewport_size({"width": 390, "height": 844})
    row = page.get_by_role("row").filter(has=page.get_by_role("textbox")).first

    for part in (row.get_by_text("$"), row.get_by_role("button", name="Save")):
        expect(part).to_be_visible()
        assert part.evaluate("node => node.getBoundingClientRect().right <= window.innerWidth")
    expect(row.locator("td[data-label=Cost]")).to_contain_text("$")


def test_a_public_list_that_cannot_be_read_is_told_of_beside_its_button(filled: Site, console: Console) -> None:
    console.expected.append("/model-prices/sync")
    page = filled.open("prices")
    told = {"error": "The list cannot be read.", "code": "list_unreadable", "hint": "Check the proxy."}
    page.route("**/model-prices/sync", lambda route: route.fulfill(status=400, json=told))
    comparison = page.get_by_role("region", name="Differences between lists")

    comparison.get_by_role("button", name="Preview").click()

    expect(comparison.get_by_role("alert")).to_contain_text("The list cannot be read.")
    expect(comparison.get_by_role("button", name="Preview")).to_be_enabled()
    page.unroute_all(behavior="wait")


def test_the_printed_pictures_make_a_small_document(filled: Site) -> None:
    page = filled.open("usage", "?period=7d")
    expect(page.locator("svg").first).to_be_visible()

    document = page.pdf(format="A4")

    assert len(document) < 2_000_000


def test_models_that_only_a_public_list_has_can_be_taken_over(filled: Site) -> None:
    page = filled.open("prices")
    theirs = {"amount": "3", "per": 1_000_000, "above": []}
    unit = {"unit": "input", "ours": None, "theirs": theirs, "factor": None}
    added = [
        {"provider": "openai", "model": f"new-model-{number}", "source": None, "units": [unit]} for number in range(3)
    ]
    shown = {"list": "litellm", "revision": "r1", "fetchedAt": 1, "compared": 5, "differing": 0, "new": 40}
    answer = {**shown, "differences": [], "additions": added, "applied": [], "effect": None}
    sent = []

    def sync(route: Route) -> None:
        sent.append(route.request.post_data_json)
        route.fulfill(json=answer)

    page.route("**/model-prices/sync", sync)
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("40 models that only the list has").click()
    expect(page.get_by_text("Only the first 3 models are shown.")).to_be_visible()
    page.get_by_role("checkbox", name="new-model-1").check()
    page.get_by_role("button", name="Take over 1 price").click()

    expect(page.get_by_role("button", name="Take over 0 prices")).to_be_disabled()
    taken = sent[1]
    assert taken is not None
    assert (taken["apply"], taken["models"]) == (True, ["openai/new-model-1"])
    page.unroute_all(behavior="wait")
