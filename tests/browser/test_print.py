"""Pages on paper."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import RunningService
from tests.browser.stand_in.pool import many_accounts
from tests.browser.stand_in.service import StandInService

ROWS = "#results tbody tr:not(.spacer)"
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


@pytest.mark.soak
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


def test_nothing_is_printed_that_only_a_screen_can_use(visited: RunningService) -> None:
    for name, used in (
        ("usage", ".head .button"),
        ("overview", ".figures button"),
        ("requests", "button:text('Show more')"),
        ("keys", "th:text('Actions')"),
        ("prices", ".head .primary"),
    ):
        page = visited.open(name)
        control = page.locator(f"#page {used}").first
        expect(control).to_be_visible()
        page.emulate_media(media="print")
        expect(control).to_be_hidden()
        expect(page.locator("#page table").first.locator("tbody tr").first).to_be_visible()
        page.emulate_media(media="screen")


def test_no_column_of_printed_requests_is_cut(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
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
