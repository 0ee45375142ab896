"""Names of accounts and file names in the table, where there is not enough room for both."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService

CUT = "node => node.scrollWidth > node.clientWidth"
NAME = "a.person.with.a.long.name@example.com"


@pytest.fixture
def files(operator: Page, service: StandInService) -> Page:
    file = next(account for account in service.accounts if account["accountSource"] == "oauth")
    file.update(displayName=NAME, fileName=f"claude-{NAME}.json")
    operator.set_viewport_size({"width": 1920, "height": 900})
    operator.get_by_text("OAuth files", exact=True).click()
    expect(operator.get_by_text(NAME, exact=True)).to_be_visible()
    return operator


def test_the_file_name_gives_way_before_the_name_of_its_account(files: Page) -> None:
    row = files.get_by_role("row").filter(has=files.get_by_text(NAME, exact=True))

    assert row.locator(".file-name").evaluate(CUT)
    assert not row.locator(".account-name").evaluate(CUT)
    expect(row.locator(".file-name")).to_have_attribute("title", f"claude-{NAME}.json")


def test_a_key_hint_is_never_cut_beside_a_long_name(operator: Page, service: StandInService) -> None:
    service.accounts[0].update(displayName="relay-ok with a name that has no room in its column", keyHint="sk-a…9f3c")
    operator.set_viewport_size({"width": 1440, "height": 900})
    operator.get_by_role("button", name="Refresh").click()

    hint = operator.locator("#results .key-hint")
    expect(hint).to_have_text("sk-a…9f3c")
    assert not hint.evaluate(CUT)


def test_a_row_shows_the_place_of_a_key_and_cuts_it_at_its_beginning(operator: Page, service: StandInService) -> None:
    service.accounts[0].update(displayName="claude-apikey", keyHint="sk-a…9f3c", place="claude-api-key[12]")
    operator.set_viewport_size({"width": 1440, "height": 900})
    operator.get_by_role("button", name="Refresh").click()

    row = operator.get_by_role("row").filter(has=operator.get_by_text("sk-a…9f3c"))
    place = row.locator(".place-hint")
    expect(place).to_be_visible()
    expect(place).to_have_attribute("title", "claude-api-key[12]")
    right = "node => node.getBoundingClientRect().right"
    assert place.locator("bdi").evaluate(right) <= place.evaluate(right) + 1
    for whole in (".key-hint", ".account-name"):
        assert not row.locator(whole).evaluate(CUT)


def test_a_name_from_right_to_left_leaves_number_and_hint_in_the_title_of_the_panel(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts[0].update(displayName="\u05de\u05e4\u05ea\u05d7", keyHint="sk-a…9f3c")
    operator.goto(f"{address}?source=api_key&account=1")
    title = operator.locator("#side-panel h2")

    expect(title).to_have_text("\u05de\u05e4\u05ea\u05d7 #1 (sk-a…9f3c)")
    expect(title.locator("bdi")).to_have_text("\u05de\u05e4\u05ea\u05d7")


@pytest.mark.parametrize("text", [15, 16, 20])
@pytest.mark.parametrize("width", [768, 1024, 1280, 1440])
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
    boxes = [row.locator(each).bounding_box() for each in (".place-hint", ".name")]
    cut = [row.locator(each).evaluate(CUT) for each in (".key-hint", ".account-name", ".expand")]
    height = row.evaluate("row => row.offsetHeight - getComputedStyle(row).getPropertyValue('--row-height')")
    operator.set_viewport_size({"width": 1440, "height": 900})
    operator.evaluate("document.documentElement.style.fontSize = ''")

    assert cut == [False, False, False]
    assert height == 0
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + boxes[1]["width"]


def test_a_row_without_a_key_is_told_apart_by_its_place(operator: Page, service: StandInService) -> None:
    service.accounts[0].update(displayName="claude-apikey", keyHint="", place="claude-api-key[7]")
    operator.set_viewport_size({"width": 1920, "height": 900})
    operator.get_by_role("button", name="Refresh").click()

    row = operator.get_by_role("row").filter(has=operator.get_by_text("claude-api-key[7]"))
    expect(row.locator(".place-hint")).to_have_text("claude-api-key[7]")
    expect(row).not_to_contain_text("#")


@pytest.mark.parametrize(("width", "hint"), [(1440, False), (1920, True)])
def test_beside_the_panel_a_row_keeps_the_place_of_its_key(
    operator: Page, service: StandInService, *, width: int, hint: bool
) -> None:
    service.accounts[0].update(displayName="claude-apikey", keyHint="sk-a…9f3c", place="claude-api-key[7]")
    operator.set_viewport_size({"width": width, "height": 900})
    operator.get_by_role("button", name="Refresh").click()
    operator.get_by_role("button", name="Evidence of claude-apikey").click()

    row = operator.locator("#results tr", has=operator.get_by_text("claude-apikey", exact=True))
    expect(operator.locator("#side-panel h2")).to_be_visible()
    expect(row.locator(".place-hint")).to_be_visible()
    expect(row.locator(".key-hint")).to_be_visible(visible=hint)
