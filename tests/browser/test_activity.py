"""Activity: a line a command below its day, its accounts, and a way back in one press."""

import pytest
from playwright.sync_api import Locator, Page, expect

from adapter.fake import FakeGateway
from tests.browser.conftest import Console
from tests.browser.house import OWN, RunningService, post, requests_held

DELETED = "someone@mail.example deleted"


def line(page: Page, title: str) -> Locator:
    return page.get_by_role("listitem").filter(has=page.get_by_text(title, exact=True))


def command(site: RunningService, path: str, **values: object) -> None:
    post(site.page.request, f"{site.origin}{OWN}/{path}", values)


def accounts(site: RunningService, source: str) -> list[int]:
    return [account["id"] for account in site.answer(f"{OWN}/pool?view=slim&source={source}")["accounts"]]


@pytest.fixture
def changed(site: RunningService) -> RunningService:
    """Give a service on which a person disabled two keys, and deleted a file."""
    command(site, "pool/status", accounts=accounts(site, "api_key")[:2], disabled=True, reason="<b>dead</b> key")
    command(site, "pool/delete", accounts=accounts(site, "oauth"))
    return site


def disabled_keys(site: RunningService) -> int:
    count: int = site.answer(f"{OWN}/pool?view=slim&source=api_key")["statistics"]["disabled"]
    return count


def test_a_command_is_one_line_with_its_accounts_and_undone_in_one_press(changed: RunningService) -> None:
    page = changed.open("activity")
    expect(page.get_by_role("heading", level=2, name="Today")).to_be_visible()
    disabled = line(page, "2 accounts disabled")
    expect(disabled).to_contain_text("manual")
    disabled.get_by_role("button", name="Show the accounts").click()
    rows = page.get_by_role("list", name="2 accounts disabled").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Done · <b>dead</b> key")
    assert disabled_keys(changed) == 2

    disabled.get_by_role("button", name="Undo 2").press("Enter")

    expect(line(page, "Undo: 2 accounts enabled")).to_be_visible()
    expect(disabled).to_contain_text("2 undone")
    expect(disabled.get_by_role("button", name="Undo")).to_have_count(0)
    assert disabled_keys(changed) == 0


def test_one_account_of_a_command_is_taken_back_and_leads_to_its_row(changed: RunningService) -> None:
    page = changed.open("activity", "?batch=1")
    rows = page.get_by_role("list", name="2 accounts disabled").get_by_role("listitem")
    rows.first.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Drop the filter Batch").click()
    expect(page.get_by_role("listitem").filter(has_text="Undo: ")).to_contain_text("enabled")
    line(page, "2 accounts disabled").get_by_role("button", name="Show the accounts").click()
    expect(rows.get_by_role("button", name="Undo")).to_have_count(1)
    href = rows.first.get_by_role("link").get_attribute("href") or ""
    assert href.startswith("inspection?source=api_key&account=")


def test_a_deleted_file_is_restored_in_one_press(changed: RunningService, gateway: FakeGateway) -> None:
    page = changed.open("activity")
    page.get_by_role("button", name="Deleted files 1").click()
    expect(page.get_by_role("list").filter(has_text=DELETED).get_by_role("listitem")).to_have_count(1)
    assert "claude-someone.json" not in gateway.state.files

    line(page, DELETED).get_by_role("button", name="Restore 1").click()

    page.get_by_role("button", name="Everything").click()
    expect(line(page, "someone@mail.example restored")).to_be_visible()
    assert "claude-someone.json" in gateway.state.files


def test_lines_are_searched_filtered_and_saved(changed: RunningService) -> None:
    page = changed.open("activity")
    page.get_by_role("searchbox").fill("someone")
    expect(line(page, DELETED)).to_be_visible()
    expect(line(page, "2 accounts disabled")).to_have_count(0)
    expect(page.get_by_role("button", name="Everything 1")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert download.value.path().read_text().count("claude-someone.json") == 1
    page.get_by_role("searchbox").fill("nothing-is-called-so")
    expect(page.get_by_text("No change found.")).to_be_visible()


def test_an_undo_that_would_drop_parts_of_the_configuration_asks_first(
    changed: RunningService, console: Console
) -> None:
    console.expected.append("/pool/undo")
    page = changed.open("activity")
    refusal = {"error": "It would drop: anchors.", "code": "loss_not_accepted", "hint": "", "reasons": []}
    page.route(
        f"**{OWN}/pool/undo",
        lambda route: (
            route.continue_()
            if "acceptLoss" in (route.request.post_data or "")
            else route.fulfill(status=409, json=refusal)
        ),
    )
    line(page, "2 accounts disabled").get_by_role("button", name="Undo 2").click()
    question = page.get_by_role("dialog", name="Undo")
    expect(question).to_contain_text("It would drop: anchors.")
    question.get_by_role("button", name="Accept the loss").click()
    expect(line(page, "Undo: 2 accounts enabled")).to_be_visible()


def test_a_batch_is_undone_once_however_often_its_button_is_pressed(changed: RunningService) -> None:
    page = changed.open("activity")
    undo = line(page, "2 accounts disabled").get_by_role("button", name="Undo 2")
    with requests_held(page, f"**{OWN}/pool/undo", "POST") as posts:
        for _ in range(3):
            undo.click()
        expect(undo).to_have_attribute("aria-busy", "true")
    expect(line(page, "Undo: 2 accounts enabled")).to_have_count(1)
    assert len(posts) == 1
