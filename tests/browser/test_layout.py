"""Room of the pages: nothing is cut, nothing is wider than the screen."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from adapter.clock import SystemClock
from tests.browser.house import TITLES, USAGE, RunningService, confirm
from tests.browser.stand_in.pool import ROWS, VERDICTS
from tests.browser.stand_in.service import StandInService
from tools.project.demo.traffic import past_usage

CUT = "node => node.scrollWidth > node.clientWidth"
CUT_CHOICES = """() => [...document.querySelectorAll("#page select, #page input[type=search]")].flatMap((control) => {
  if (!control.checkVisibility()) return [];
  const style = getComputedStyle(control);
  const ruler = document.createElement("span");
  ruler.style.cssText = `position: absolute; white-space: pre; font: ${style.font}`;
  ruler.textContent = control.selectedOptions?.[0]?.text ?? control.placeholder;
  document.body.append(ruler);
  const wanted = ruler.offsetWidth + (control.selectedOptions ? 18 : 0);
  ruler.remove();
  const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return wanted > room ? [`${control.id} ${ruler.textContent}: ${wanted} > ${room}`] : [];
})"""
FIRST_ROW = 900
MOST = {390: 170, 1440: 100}
WIDTHS = (320, 390, 768, 1440, 1920)
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe" + "A" * 150
WINDOWS = (
    "The quota is used up to its threshold: 5 hours (5 hours 100 %, weekly 40 %). It resets 18 Nov 2026, 15:00 UTC."
)
NOT_TOLD = "\N{EN DASH}"
FOUND = [
    ("claude-first.json", "", "relogin_needed", "disable", 401, "The log-in has ended: log in again."),
    ("codex-second.json", "", "out_of_quota", "disable", 200, WINDOWS),
]
SCOPE = {"accountSource": "api_key", "targetType": "all", "providerFilter": ""}
BACKGROUND = "node => getComputedStyle(node).backgroundColor"


@pytest.mark.parametrize(("width", "text"), [(768, 20), (1440, 16)])
def test_a_name_has_room_for_twenty_letters_and_its_hint_and_place_are_in_sight(
    operator: Page, service: StandInService, width: int, text: int
) -> None:
    service.accounts[0].update(displayName="eu-west-relay.example", keyHint="sk-a…9f3c", place="claude-api-key[12]")
    operator.set_viewport_size({"width": width, "height": 900})
    operator.evaluate("size => { document.documentElement.style.fontSize = `${size}px`; }", text)
    operator.get_by_role("button", name="Refresh").click()

    row = operator.get_by_role("row").filter(has=operator.get_by_text("sk-a…9f3c"))
    expect(row.locator(".key-hint")).to_be_visible()
    expect(row.locator(".place-hint")).to_be_visible()
    boxes = [row.locator(selector).bounding_box() for selector in (".place-hint", ".name")]
    cut = [row.locator(selector).evaluate(CUT) for selector in (".key-hint", ".account-name", ".expand")]
    height = row.evaluate("row => row.offsetHeight - getComputedStyle(row).getPropertyValue('--row-height')")

    assert cut == [False, False, False]
    assert height == 0
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + boxes[1]["width"]


def test_no_choice_or_hint_is_cut_on_a_phone(operator: Page) -> None:
    for width, text in ((320, 16), (390, 16)):
        operator.set_viewport_size({"width": width, "height": 844})
        operator.evaluate("size => { document.documentElement.style.fontSize = `${size}px`; }", text)
        assert operator.evaluate(CUT_CHOICES) == []


def test_the_first_account_is_one_swipe_away_on_a_phone(visited: RunningService) -> None:
    page = visited.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{visited.origin}/monitor/inspection?source=api_key")
    row = page.locator("#results tbody tr[data-account]").first
    expect(row).to_be_visible()
    expect(page.locator("#cost")).not_to_be_empty()
    top = row.evaluate("node => node.getBoundingClientRect().top + scrollY")
    assert top < FIRST_ROW, top
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for control in ("#start", "#disable-selected", "#search"):
        expect(page.locator(control)).to_be_visible()
    for fold, control in (("scope", "#family"), ("results", "#filters select >> nth=0"), ("run", "#settings")):
        button, folded = page.locator(f"#fold-{fold}"), page.locator(control)
        expect(folded).to_be_hidden()
        button.click()
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(folded).to_be_visible()
    page.goto(f"{visited.origin}/monitor/inspection?source=api_key&state=enabled")
    expect(page.locator("#filters select").first).to_be_visible()


def test_no_column_of_a_table_is_out_of_sight_on_a_phone(visited: RunningService) -> None:
    visited.page.set_viewport_size({"width": 360, "height": 740})
    page = visited.open("overview")
    tables = page.locator("#page .tiles > .panel > .scroll")
    expect(tables.first.locator("tbody tr").first).to_be_visible()
    assert tables.evaluate_all("all => all.filter((node) => node.scrollWidth > node.clientWidth).length") == 0


def test_the_end_of_the_page_can_be_scrolled_clear_of_a_notice(service_page: Page) -> None:
    disabled = service_page
    confirm(disabled, "relay-ok", "Disable")
    toast = disabled.locator(".toast")
    expect(toast.locator(".notice-body")).to_have_attribute("title", toast.locator("p").inner_text())
    toast.locator("p").evaluate("node => { node.textContent = 'a provider of a very long name '.repeat(10); }")
    for width, most in MOST.items():
        disabled.set_viewport_size({"width": width, "height": 600})
        disabled.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        bottom = disabled.locator("#page").evaluate("node => node.getBoundingClientRect().bottom")
        box = toast.bounding_box()
        assert box is not None
        assert bottom <= box["y"]
        assert box["height"] <= most


def test_no_page_scrolls_sideways_at_any_width_with_hostile_names(filled: RunningService) -> None:
    line = past_usage(SystemClock().now_ms()).splitlines()[-1]
    hostile = HOSTILE.replace("\u202e", "\\u202e")
    line = re.sub(r'"(model|account|alias)": "[^"]+"', lambda match: f'"{match[1]}": "{hostile}"', line)
    filled.send(f"{USAGE}/import", re.sub(r'"digest": "\d+"', '"digest": "999"', line))
    for name in TITLES:
        page = filled.open(name, "?period=7d")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = (
                "() => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(() => "
                "end(document.documentElement.scrollWidth - innerWidth))))"
            )
            assert page.evaluate(wide) <= 0, (name, width)


@pytest.fixture
def inspected_files(page: Page, operator: Page, service: StandInService, monkeypatch: pytest.MonkeyPatch) -> Page:
    """Give the page after an inspection of the files."""
    monkeypatch.setattr("tests.browser.stand_in.pool.ROWS", [*ROWS, *FOUND])
    labels = [{"token": "relogin_needed", "label": "Re-login needed", "meaning": "The log-in of the file has ended."}]
    monkeypatch.setattr("tests.browser.stand_in.application.VERDICTS", [*VERDICTS, *labels])
    page.reload()
    page.get_by_text("OAuth files", exact=True).click()
    expect(page.get_by_role("row", name="claude-first.json")).to_be_visible()
    page.get_by_role("button", name="Start inspection").click()
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    service.land()
    expect(operator.locator("#run-state")).to_contain_text("finished")
    return page


def test_each_window_is_in_the_evidence_with_use_threshold_and_reset_time(inspected_files: Page) -> None:
    inspected_files.get_by_role("button", name="Evidence of codex-second.json").click()

    quota = inspected_files.locator(
        ".evidence section", has=inspected_files.get_by_role("heading", name="Quota", exact=True)
    )
    rows = quota.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0).locator("td")).to_have_text(["5 h", "100 %", "90 %", "18 Nov, 15:00:00"])
    expect(rows.nth(1).locator("td")).to_have_text(["weekly", "40.3 %", "100 %", NOT_TOLD])
    expect(rows.nth(2).locator("td")).to_have_text(["code review weekly", "unknown", "none", NOT_TOLD])
    expect(quota).to_contain_text("Usable again from 18 Nov, 15:00:00.")
    expect(quota.locator("meter")).to_have_count(2)
    for number, (value, high) in enumerate(((100, 90), (40.26, 100))):
        expect(quota.locator("meter").nth(number)).to_have_js_property("value", value)
        expect(quota.locator("meter").nth(number)).to_have_js_property("high", high)


@pytest.fixture
def forced(operator: Page) -> Page:
    operator.emulate_media(forced_colors="active")
    return operator


def background(node: Locator) -> str:
    color: str = node.evaluate(BACKGROUND)
    return color


def test_the_chosen_source_and_the_progress_of_a_run_are_seen_in_forced_colors(
    forced: Page, service: StandInService
) -> None:
    chosen, other = forced.get_by_text("API keys", exact=True), forced.get_by_text("OAuth files", exact=True)
    assert background(chosen) != background(other)
    service.start(SCOPE)
    service.land(5)
    bar = forced.locator("#progress-bar")
    expect(bar).to_have_js_property("value", 5)
    assert bar.evaluate("node => getComputedStyle(node).forcedColorAdjust") == "none"
    assert bar.evaluate("node => getComputedStyle(node).borderTopWidth") == "1px"
    service.land()
    chip = forced.get_by_role("button", name="Healthy 3")
    plain = background(chip)
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert background(chip) != plain
