"""Pages on paper."""

from playwright.sync_api import expect

from tests.browser.house import RunningService

ROWS = "#results tbody tr:not(.spacer)"
SMALL = 2_000_000
MOST = 2_000


def test_nothing_is_printed_that_only_a_screen_can_use(visited: RunningService) -> None:
    for name, used in (
        ("usage", ".head .button"),
        ("requests", ".head .button"),
        ("prices", ".head .primary"),
    ):
        page = visited.open(name)
        control = page.locator(f"#page {used}").first
        expect(control).to_be_visible()
        page.emulate_media(media="print")
        expect(control).to_be_hidden()
        expect(page.locator("#page table:visible").first.locator("tbody tr").first).to_be_visible()
        page.emulate_media(media="screen")


def test_no_column_of_printed_requests_is_cut(visited: RunningService) -> None:
    page = visited.open("requests", "?period=7d")
    table = page.get_by_role("table", name="Requests")
    expect(table.get_by_role("row").nth(1)).to_be_visible()
    table.locator("td > bdi").evaluate_all(
        "names => names.forEach((name) => { name.textContent = 'openrouter-and-a-long-name-'.repeat(4); })"
    )
    page.set_viewport_size({"width": 800, "height": 1000})
    page.emulate_media(media="print")
    edges = table.evaluate(
        "table => [...table.rows].slice(0, 20).flatMap((row) => [...row.cells])"
        ".map((cell) => [cell.getBoundingClientRect().right, cell.scrollWidth - cell.clientWidth])"
    )
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1440, "height": 900})

    assert edges
    assert max(right for right, _ in edges) <= 800
    assert max(hidden for _, hidden in edges) <= 0
