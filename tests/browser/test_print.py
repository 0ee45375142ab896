"""Pages on paper: everything that matches, in a small document, and the screen as before afterwards."""

import re

from playwright.sync_api import Page, expect

from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService
from tests.browser.test_table import ROWS
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

SMALL = 2_000_000
MOST = 2_000


def printed(page: Page) -> tuple[int, str, int]:
    """Print; return the rows and the sentence about the rest as they are printed, and the size of the document."""
    page.evaluate(
        """(rows) => window.addEventListener("beforeprint", () => {
          const rest = document.querySelector("#left-unprinted");
          window.onPaper = [document.querySelectorAll(rows).length, rest.hidden ? "" : rest.textContent];
        }, { once: true })""",
        ROWS,
    )
    size = len(page.pdf(format="A4"))
    rows, rest = page.evaluate("window.onPaper")
    return rows, rest, size


def shown(page: Page, service: StandInService, address: str, accounts: int) -> None:
    service.accounts = many_accounts(accounts)
    page.goto(f"{address}?source=api_key")
    expect(page.locator("#count")).to_have_text(f"{accounts:,}")


def test_all_matching_rows_are_printed_and_a_few_drawn_again_afterwards(
    operator: Page, address: str, service: StandInService
) -> None:
    shown(operator, service, address, 300)
    drawn = operator.locator(ROWS).count()
    assert drawn < 100

    assert printed(operator)[:2] == (300, "")
    expect(operator.locator(ROWS)).to_have_count(drawn)

    operator.get_by_label("Search").fill("relay-0012")
    expect(operator.locator("#count")).to_have_text("10 of 300")
    assert printed(operator)[:2] == (10, "")


def test_a_printed_list_says_which_accounts_it_is_of_and_has_its_head_on_each_sheet(
    operator: Page, address: str, service: StandInService
) -> None:
    shown(operator, service, address, 300)
    operator.goto(f"{address}?source=api_key&q=relay-0012&state=enabled")
    expect(operator.locator("#count")).to_have_text("10 of 300")
    printed(operator)
    said = operator.locator("#printed-scope")
    expect(said).to_have_text("API keys · State: enabled · Search: relay-0012")
    expect(said).to_be_hidden()

    operator.emulate_media(media="print")
    expect(said).to_be_visible()
    # A button in a head is left out on every sheet but the first.
    assert operator.locator("#results thead button").evaluate_all(
        "nodes => nodes.every((node) => getComputedStyle(node).display === 'contents')"
    )
    operator.emulate_media(media="screen")


def test_a_print_of_a_very_long_list_says_what_is_left_out(
    operator: Page, address: str, service: StandInService
) -> None:
    shown(operator, service, address, MOST + 500)

    rows, rest, size = printed(operator)

    assert rows == MOST
    assert rest == "500 more accounts are not printed: at most 2,000 are. Filter the list to print the others."
    assert size < SMALL
    expect(operator.locator("#left-unprinted")).to_be_hidden()
    operator.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(operator.get_by_role("row", name="relay-02500")).to_be_visible()


def test_a_printed_row_has_recommendation_and_reason(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    operator.set_viewport_size({"width": 718, "height": 1000})
    operator.emulate_media(media="print")

    row = operator.get_by_role("row", name="relay-401")
    expect(row.locator(".action")).to_be_visible()
    expect(row.locator(".reason")).to_be_visible()
    assert row.evaluate("node => [...node.cells].every((cell) => cell.scrollWidth <= cell.clientWidth)")
    operator.emulate_media(media="screen")
    operator.set_viewport_size({"width": 1440, "height": 900})


def test_a_printed_state_with_a_mark_stands_on_one_line(operator: Page, service: StandInService) -> None:
    long = (
        "The provider answered as it should, and this is a long reason that takes all the room that there is on paper."
    )
    for account in service.accounts:
        account.update(onHold=True, displayName="relay-and-a-name-of-some-length")
        result = {"run": 1, "at": 1_795_000_000_000, "verdict": "forbidden", "action": "disable", "status": 403}
        account["lastResult"] = {**result, "latencyMs": 10, "reason": long, "reasons": []}
    operator.get_by_role("button", name="Refresh").click()
    marks = operator.locator("#results .marks")
    expect(marks.first).to_have_text("on hold")
    operator.set_viewport_size({"width": 718, "height": 1000})
    operator.emulate_media(media="print")
    tops = operator.locator("#results td.enabled").evaluate_all(
        "cells => cells.map((cell) => [...cell.children].map((node) => node.getBoundingClientRect().bottom))"
    )
    operator.emulate_media(media="screen")
    operator.set_viewport_size({"width": 1440, "height": 900})

    assert tops
    assert all(max(each) - min(each) < 8 for each in tops), tops


def test_printed_usage_and_requests_say_of_which_period_and_filters_they_are(filled: Site) -> None:
    for name in ("usage", "requests"):
        page = filled.open(name, "?period=7d&model=gpt-5&failed=true")
        said = page.locator("#page .only-printed").first
        expect(said).to_be_hidden()
        page.emulate_media(media="print")
        expect(said).to_be_visible()
        expect(said).to_have_text(re.compile(r"^Last 7 days · .+ to .+ · Model: gpt-5 · Failed only$"))
        page.emulate_media(media="screen")


def test_each_sum_of_printed_usage_has_its_number(filled: Site) -> None:
    page = filled.open("usage", "?period=7d")
    values = page.locator("#page .figures dd")
    expect(values.first).to_be_visible()
    page.emulate_media(media="print")
    said = values.evaluate_all("nodes => nodes.map((node) => node.innerText)")
    page.emulate_media(media="screen")

    # The cost is a button, which asks why it is what it is.
    assert len(said) == 5
    assert "$" in said[3]


def test_printed_usage_loses_no_row_and_leaves_no_gap(filled: Site) -> None:
    page = filled.open("usage", "?period=7d")
    expect(page.locator("#page .plot svg").first).to_be_visible()
    page.emulate_media(media="print")
    # Rows of a grid that reach over the end of a sheet are covered by what follows.
    expect(page.locator("#page .tiles")).to_have_css("display", "block")
    page.set_viewport_size({"width": 500, "height": 1000})
    heights = page.locator("#page .plot svg").evaluate_all(
        "nodes => nodes.map((node) => [node.clientHeight, node.clientWidth * node.viewBox.baseVal.height"
        " / node.viewBox.baseVal.width])"
    )
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1440, "height": 900})

    assert heights
    assert all(abs(height - wanted) <= 2 for height, wanted in heights)


def test_nothing_is_printed_that_only_a_screen_can_use(filled: Site) -> None:
    for name, used in (
        ("usage", ".collector button"),
        ("overview", ".figures button"),
        ("requests", "button:text('Show more')"),
        ("keys", "th:text('Actions')"),
        ("prices", "th:text('Actions')"),
    ):
        page = filled.open(name)
        control = page.locator(f"#page {used}").first
        expect(control).to_be_visible()
        page.emulate_media(media="print")
        expect(control).to_be_hidden()
        expect(page.locator("#page table").first.locator("tbody tr").first).to_be_visible()
        page.emulate_media(media="screen")


def test_no_column_of_printed_requests_is_cut(filled: Site) -> None:
    page = filled.open("requests", "?period=7d")
    rows = page.locator("#page tbody tr")
    expect(rows.first).to_be_visible()
    page.locator("#page td .clamped").evaluate_all(
        "names => names.forEach((name) => { name.textContent = 'openrouter-and-a-long-name-'.repeat(4); })"
    )
    page.set_viewport_size({"width": 800, "height": 1000})
    page.emulate_media(media="print")
    edges = page.locator("#page table").first.evaluate(
        "table => [...table.rows].slice(0, 20).flatMap((row) => [...row.cells])"
        ".map((cell) => [cell.getBoundingClientRect().right, cell.scrollWidth - cell.clientWidth])"
    )
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1440, "height": 900})

    assert edges
    assert max(right for right, _ in edges) <= 800
    assert max(hidden for _, hidden in edges) <= 0


def test_a_printed_page_has_its_name_and_no_box_of_a_choice(filled: Site) -> None:
    page = filled.page
    page.goto(f"{filled.origin}/monitor/inspection?source=api_key")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", level=1, name="Inspection")).to_be_visible()
    assert page.locator("#page h1").evaluate("node => node.clientWidth") > 40
    expect(page.locator("#source-switch")).to_be_hidden()
    page.emulate_media(media="screen")

    page.goto(f"{filled.origin}/monitor/settings")
    page.emulate_media(media="print")
    boxes = page.locator("#page select")
    expect(boxes.first).to_have_css("appearance", "none")
    expect(boxes.first).to_have_css("border-top-width", "0px")
    page.emulate_media(media="screen")


def test_words_of_printed_requests_are_whole(filled: Site) -> None:
    page = filled.open("requests", "?period=7d")
    expect(page.locator("#page tbody tr").first).to_be_visible()
    page.locator("#page td:nth-child(2) .pill").first.evaluate(
        "(pill) => { pill.textContent = '429 rate_limit_exceeded'; }"
    )
    page.locator("#page td.number .link").first.evaluate("(cost) => { cost.textContent = 'unknown'; }")
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    pieces = page.locator("#page td:nth-child(2) .pill, #page td.number .link").evaluate_all(
        """(nodes) => nodes.flatMap((node) => [...node.textContent.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
          const range = document.createRange();
          const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length;
        }))"""
    )
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1440, "height": 900})

    assert pieces
    assert set(pieces) == {1}
