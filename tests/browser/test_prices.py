"""The page of prices."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console
from tests.browser.house import UNPRICED, RunningService, send_unpriced


@pytest.fixture
def prices(filled: RunningService) -> Page:
    send_unpriced(filled)
    page = filled.open("prices")
    expect(page.get_by_role("row", name=UNPRICED)).to_be_visible()
    return page


def save(page: Page, **amounts: str) -> None:
    for label, amount in amounts.items():
        page.get_by_role("dialog").get_by_label(label).fill(amount)
    page.get_by_role("dialog").get_by_role("button", name="Save").click()


def test_a_price_is_set_changed_and_removed(filled: RunningService, console: Console) -> None:
    console.expected.append("/model-prices")  # refuses what is no number
    page = filled.open("prices")

    page.get_by_role("button", name="Add own price").click()
    page.get_by_role("dialog").get_by_label("Model").fill("house-model")
    save(page, Input="1.5", Output="not a number")
    expect(page.get_by_role("alert")).to_contain_text("Output: enter an amount")
    expect(page.get_by_role("dialog").get_by_label("Output")).to_be_focused()
    save(page, Output="3")

    row = page.get_by_role("row", name="house-model")
    expect(row).to_contain_text("$1.50")
    expect(row).to_contain_text("$3.00")
    (stored,) = filled.answer("/v0/management/model-prices")["prices"]
    assert stored["rates"]["input"]["amount"] == "1.5"
    row.get_by_role("cell").first.click()
    address = page.url
    page.reload()
    expect(page.get_by_role("dialog").get_by_label("Model")).to_have_value("house-model")
    assert page.url == address
    page.get_by_role("button", name="Remove").click()
    expect(row).to_contain_text("Set a price")  # the model is in use


def test_a_model_without_a_price_is_on_top_and_gets_one(prices: Page) -> None:
    expect(prices.get_by_role("row").nth(1)).to_contain_text("Set a price")

    prices.get_by_role("button", name=f"Set a price {UNPRICED}").click()
    expect(prices.get_by_role("dialog").get_by_label("Model")).to_have_value(UNPRICED)
    save(prices, Input="2")

    expect(prices.get_by_role("row", name=UNPRICED)).to_contain_text("$2.00")
    expect(prices.get_by_role("button", name=f"Set a price {UNPRICED}")).to_have_count(0)


def test_a_removed_price_comes_back_with_undo_and_the_keyboard_stays(prices: Page) -> None:
    prices.get_by_role("row", name=UNPRICED).focus()
    prices.keyboard.press("Enter")
    save(prices, Input="2")
    own_price = prices.get_by_role("row", name=UNPRICED)
    expect(own_price).to_contain_text("$2.00")
    expect(own_price).to_be_focused()
    prices.keyboard.press("Enter")
    prices.get_by_role("button", name="Remove").click()
    toast = prices.locator(".toast")
    expect(toast).to_contain_text(f"The own price of {UNPRICED} is removed.")

    toast.get_by_role("button", name="Undo").click()

    expect(own_price).to_contain_text("$2.00")
    expect(toast).to_have_count(0)


def test_view_search_order_and_drawer_stand_in_the_address_and_back_undoes_the_drawer(prices: Page) -> None:
    prices.get_by_role("button", name="Model", exact=True).click()
    prices.get_by_role("searchbox").fill("gpt-5-mini")
    row = prices.get_by_role("row", name="gpt-5-mini").first
    expect(prices.get_by_role("row", name=UNPRICED)).to_have_count(0)
    row.get_by_role("cell").first.click()
    expect(prices.get_by_role("dialog")).to_be_visible()
    assert all(part in prices.url for part in ("search=gpt-5-mini", "sort=model", "edit="))

    prices.go_back()
    expect(prices.get_by_role("dialog")).to_have_count(0)
    prices.go_forward()
    expect(prices.get_by_role("dialog")).to_be_visible()
    prices.keyboard.press("Escape")
    expect(prices.get_by_role("dialog")).to_have_count(0)
    expect(prices.get_by_role("searchbox")).to_have_value("gpt-5-mini")


def test_models_that_only_a_public_list_has_can_be_taken_over(filled: RunningService) -> None:
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
    page.get_by_role("button", name="Compare with a list").click()
    page.get_by_role("button", name="Preview").click()
    page.get_by_text("40 models that only the list has").click()
    expect(page.get_by_text("Only the first 3 models are shown.")).to_be_visible()
    page.get_by_role("checkbox", name="new-model-1").check()
    page.get_by_role("button", name="Take over 1 price").click()

    expect(page.get_by_role("button", name="Take over 0 prices")).to_be_disabled()
    sent_body = sent[1]
    assert sent_body is not None
    assert (sent_body["apply"], sent_body["models"]) == (True, ["openai/new-model-1"])
