"""Room of the pages: no line that is half empty, no column out of sight, no word cut that has room."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import StandInService
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

NAME = "claude-apikey-of-the-research-team"
CUT = "node => node.scrollWidth > node.clientWidth"
UNFILLED = """(tiles) => {
  const ends = new Map();
  for (const tile of tiles.children) {
    const { top, right } = tile.getBoundingClientRect();
    ends.set(Math.round(top), Math.max(right, ends.get(Math.round(top)) ?? 0));
  }
  const whole = tiles.getBoundingClientRect().right;
  return [...ends.values()].filter((right) => whole - right > 1).length;
}"""


@pytest.mark.timeout(120)
def test_a_line_of_the_overview_that_is_not_full_leaves_no_room(filled: Site) -> None:
    for width in (768, 1200, 1440, 1920):
        filled.page.set_viewport_size({"width": width, "height": 900})
        filled.open("overview")
        tiles = filled.page.locator("#page .tiles")
        expect(tiles.locator(".picture").first).to_be_visible()
        assert tiles.evaluate(UNFILLED) == 0
        # As without any run: one that is not wide stands alone in the last line.
        tiles.locator("> .panel").last.evaluate("tile => tile.classList.remove('wide')")
        assert tiles.evaluate(UNFILLED) == 0


@pytest.mark.timeout(120)
def test_no_column_of_a_table_is_out_of_sight_on_a_phone(filled: Site) -> None:
    filled.page.set_viewport_size({"width": 360, "height": 740})
    for name, query in (("overview", ""), ("usage", "?period=7d")):
        page = filled.open(name, query)
        tables = page.locator("#page .tiles > .panel > .scroll")
        expect(tables.first.locator("tbody tr").first).to_be_visible()
        assert tables.evaluate_all("all => all.filter((node) => node.scrollWidth > node.clientWidth).length") == 0
    filled.page.set_viewport_size({"width": 1440, "height": 900})


def test_the_most_frequent_failure_of_a_request_is_whole(filled: Site) -> None:
    page = filled.open("requests", "?period=7d")
    pill = page.locator("#page td:nth-child(2) .pill").first
    pill.evaluate("pill => { pill.textContent = '429 rate_limit_exceeded'; }")
    assert not pill.evaluate(CUT)


def test_the_name_of_an_account_has_a_line_on_a_phone(operator: Page, service: StandInService) -> None:
    service.accounts[0].update(displayName=NAME, keyHint="sk-a…9f3c", place="openai-compatibility[12]")
    operator.get_by_role("button", name="Refresh").click()
    operator.set_viewport_size({"width": 360, "height": 740})
    row = operator.get_by_role("row").filter(has=operator.get_by_text(NAME, exact=True))
    for whole in (".account-name", ".expand", ".key-hint"):
        assert not row.locator(whole).evaluate(CUT)
    boxes = [row.locator(part).bounding_box() for part in (".place-hint", ".change button")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    operator.set_viewport_size({"width": 1440, "height": 900})


def test_a_key_hint_does_not_break_at_its_ellipsis(operator: Page, service: StandInService) -> None:
    service.accounts[0].update(displayName="relay", keyHint="sk-a…9f3c", place="openai-compatibility[12]")
    operator.get_by_role("button", name="Refresh").click()
    operator.get_by_role("button", name="Disable relay #1").click()
    heading = operator.get_by_role("dialog").get_by_role("heading").first
    expect(heading).to_contain_text("relay #1 (sk-a…9f3c)")
    heading.evaluate("node => { node.style.width = '7em'; }")
    assert heading.locator(".unbroken").evaluate("node => node.getClientRects().length") == 1


def test_the_link_of_a_missing_page_has_the_color_of_links(filled: Site, console: Console) -> None:
    console.expected.append("status of 404")
    for missing in ("no-such-page", "no/such/page", "..%2f..%2fetc"):
        filled.page.goto(f"{filled.origin}/monitor/{missing}")
        link = filled.page.get_by_role("link", name="Go to the inspection")
        expect(link).to_have_css("color", "rgb(31, 95, 139)")


def test_controls_share_their_lines_on_a_tablet(operator: Page) -> None:
    operator.set_viewport_size({"width": 768, "height": 1024})
    boxes = [operator.locator(each).bounding_box() for each in ("#family", "#refresh")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["width"] < 500
    assert boxes[1]["width"] < 200
    operator.set_viewport_size({"width": 1440, "height": 900})


def test_actions_are_printed_as_a_table(operator: Page, address: str, service: StandInService) -> None:
    service.follow_up.record(1, "relay-ok", "disable")
    operator.goto(address.replace("inspection", "activity"))
    table = operator.locator("#page .listing").last
    expect(table.locator("tbody tr").first).to_be_visible()
    operator.set_viewport_size({"width": 718, "height": 1000})
    operator.emulate_media(media="print")
    expect(table.locator("tbody td").first).to_have_css("display", "table-cell")
    assert table.locator("thead").evaluate("node => node.clientHeight") > 10
    assert table.evaluate("node => node.getBoundingClientRect().right") <= 718
    operator.emulate_media(media="screen")
    operator.set_viewport_size({"width": 1440, "height": 900})
