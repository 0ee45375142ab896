"""The page against the whole service, with nothing behind it but a gateway in memory."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from adapter.fake import FakeGateway
from extension.cli.output.results import summary
from tests.browser.conftest import sign_in
from tests.browser.house import CAPSULE, KEY, OWN, SECRETS, confirm, inspect, running_service


def test_a_wrong_key_is_refused_and_the_sixth_is_banned(page: Page, service_page: Page) -> None:
    address = service_page.url
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Management key")).to_be_visible()
    for _ in range(5):
        sign_in(page, address, "wrong")
        expect(page.get_by_role("alert")).to_contain_text("nvalid management key")

    sign_in(page, address, KEY)

    expect(page.get_by_role("alert")).to_contain_text("IP banned")
    expect(page.get_by_role("alert")).to_contain_text("30 minutes")


def test_an_inspection_explains_each_account_and_no_key_reaches_the_page(service_page: Page) -> None:
    inspect(service_page)

    expect(service_page.locator("#progress-text")).to_have_text("6 of 6")
    expect(service_page.get_by_role("row", name="relay-ok")).to_contain_text("Healthy")
    refused = service_page.get_by_role("row", name="relay-401")
    expect(refused).to_contain_text("Invalid key")
    expect(refused).to_contain_text("disable")
    expect(service_page.get_by_role("row", name="relay-silent")).to_contain_text("Unreachable")
    service_page.get_by_role("button", name="Evidence of relay-401").click()
    expect(service_page.locator(".evidence pre")).to_contain_text("<i>no such key</i>")
    expect(service_page.locator(".evidence")).to_contain_text("https://refused.relay.example/v1/models")
    service_page.keyboard.press("Escape")
    expect(rows := service_page.get_by_role("button", name="Evidence of")).to_have_count(6)
    for row in rows.all():
        row.press("Enter")
        expect(row).to_have_attribute("aria-expanded", "true")
        expect(service_page.locator(".evidence")).to_contain_text("Checked")
        assert not [secret for secret in SECRETS if secret in service_page.content()]


def test_a_disabled_provider_stays_counted_and_can_be_enabled_again(service_page: Page, gateway: FakeGateway) -> None:
    capsule = service_page.locator(CAPSULE)
    expect(capsule).to_have_text(["6", "6", "0"])

    confirm(service_page, "relay-401", "Disable")

    expect(capsule).to_have_text(["6", "5", "1"])
    expect(service_page.get_by_role("row", name="relay-401").locator(".state")).to_have_text("disabled")
    assert "disabled: true" in gateway.state.text

    confirm(service_page, "relay-401", "Enable")

    expect(capsule).to_have_text(["6", "6", "0"])


def test_a_run_is_applied_listed_in_the_action_log_and_undone(service_page: Page, gateway: FakeGateway) -> None:
    expect(service_page.locator("#cost")).to_contain_text("The next run checks 6 of 6 accounts")
    inspect(service_page)
    service_page.get_by_role("heading", name="Recommended actions · Run 1").click()
    service_page.get_by_role("button", name="Apply: Disable and enable as recommended").click()
    service_page.get_by_role("dialog").get_by_role("button", name="Apply").click()
    expect(service_page.locator(".toast")).to_contain_text("Disabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "5", "1"])  # the brake holds what is not refused
    assert gateway.state.text.count("disabled: true") == 1
    service_page.get_by_role("button", name="Undo run 1…").click()
    service_page.get_by_role("dialog").get_by_role("button", name="Undo").click()

    expect(service_page.locator(".toast")).to_contain_text("Enabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "6", "0"])
    assert "disabled: true" not in gateway.state.text
    assert "legacy-*" in gateway.state.text
    with service_page.expect_download() as download:
        service_page.get_by_role("link", name="Run 1 as CSV").click()
    assert "relay-401" in download.value.path().read_text()
    service_page.get_by_role("link", name="Activity").click()
    lines = service_page.get_by_role("listitem").filter(has_text="1 account disabled")
    expect(lines).to_contain_text("plan applied")


def test_a_flagged_account_is_not_probed(service_page: Page) -> None:
    service_page.get_by_role("button", name="Evidence of relay-401").click()
    service_page.get_by_label("Exclude from checks: relay-401").check()
    expect(service_page.get_by_role("row", name="relay-401")).to_contain_text("excluded from checks")

    inspect(service_page)

    expect(service_page.locator("tr[data-verdict=skipped]")).to_contain_text("relay-401")
    expect(service_page.locator("tr[data-verdict=invalid_key]")).to_have_count(0)


def test_the_page_finds_the_service_under_another_prefix(page: Page, gateway: FakeGateway, tmp_path: Path) -> None:
    with running_service(gateway, tmp_path / "data", POOLKEEPER_PREFIX="pool-house") as origin:
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        expect(page.get_by_role("row", name="claude-someone.json")).to_be_visible()
        page.goto("about:blank")


@pytest.fixture
def disabled(service_page: Page, gateway: FakeGateway) -> Page:
    """Give a page on which one key has just been disabled."""
    confirm(service_page, "relay-ok", "Disable")
    expect(service_page.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("disabled")
    assert "disabled: true" in gateway.state.text
    return service_page


def confirm_undo(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_change_is_undone_from_its_notice_and_the_last_one_by_its_key_only_once(
    disabled: Page, gateway: FakeGateway
) -> None:
    notice = disabled.locator(".notice")
    expect(notice).to_contain_text("relay-ok #2 (sk-r…0001)")
    expect(notice).to_contain_text("Disabled (verified).")
    expect(notice).to_be_in_viewport()

    notice.get_by_role("button", name="Undo").click()
    expect(disabled.get_by_role("dialog")).to_contain_text("The account is skipped if it changed since.")
    confirm_undo(disabled)

    expect(disabled.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("enabled")
    expect(disabled.get_by_role("button", name="Disable relay-ok")).to_be_focused()
    expect(notice).to_contain_text("Enabled (verified).")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    assert "disabled: true" not in gateway.state.text

    confirm(disabled, "relay-ok", "Disable")
    expect(disabled.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("disabled")
    disabled.keyboard.press("u")
    confirm_undo(disabled)

    expect(disabled.get_by_role("row", name="relay-ok").locator(".state")).to_have_text("enabled")
    assert "disabled: true" not in gateway.state.text
    disabled.keyboard.press("u")
    expect(disabled.locator(".notice")).to_contain_text("Nothing to undo on this page.")
    expect(disabled.get_by_role("dialog")).to_be_hidden()


def test_a_deleted_file_is_restored_from_its_notice(disabled: Page, gateway: FakeGateway) -> None:
    name = "claude-someone.json"
    content = dict(gateway.state.files)[name]
    disabled.get_by_text("OAuth files", exact=True).click()
    disabled.get_by_role("button", name="Evidence of someone@mail.example").click()
    disabled.get_by_role("button", name="Delete someone@mail.example").click()
    dialog = disabled.get_by_role("dialog")
    expect(dialog).to_contain_text("It can be restored for 30 days")
    dialog.get_by_role("button", name="Delete").click()
    notice = disabled.locator(".notice")
    expect(notice).to_contain_text("Deleted. The file can be restored for 30 days.")
    assert gateway.state.files == {}

    notice.get_by_role("button", name="Restore").click()
    expect(dialog).to_contain_text("written back to the gateway's folder")
    dialog.get_by_role("button", name="Restore").click()

    expect(notice).to_contain_text("Restored (verified).")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    expect(disabled.get_by_role("row", name=name)).to_be_visible()
    assert gateway.state.files[name] == content


def answered(page: Page, path: str) -> Any:
    return page.evaluate("path => fetch(path).then((answer) => answer.json())", f"{OWN}/{path}")


@pytest.mark.usefixtures("gateway")
def test_accounts_on_hold_are_among_the_recommendations_and_left_out_of_a_disabled_selection(
    service_page: Page,
) -> None:
    inspect(service_page)

    (run,) = answered(service_page, "inspections")["runs"]
    findings = answered(service_page, "pool/overview")["findings"]["api_key"]
    assert (findings["toDisable"], findings["onHold"]) == (3, 2)
    assert (run["recommendations"]["disable"], run["onHold"]) == (3, 2)
    assert sum(run["recommendations"].values()) == run["done"]
    assert "; 3 keep, 3 disable (2 of these on hold)." in summary(run)
    heading = service_page.locator("#follow-up-summary")
    expect(heading).to_have_text("Recommended at the end of the run: disable 3 · Of these on hold: 2")
    expect(service_page.get_by_role("button", name="Select 1 recommended for disabling")).to_be_visible()
    recommendation = service_page.get_by_role("combobox", name="Recommendation")
    expect(recommendation.locator("option")).to_have_text(
        ["Any recommendation", "disable (3)", "keep (3)", "on hold (2)"]
    )
    recommendation.select_option("on_hold")
    advice = service_page.locator("#results tbody .action")
    expect(advice).to_have_text(["on hold", "on hold"])
    expect(advice.first).to_have_attribute("title", "The recommended change (disable) is not made automatically.")
    expect(service_page.get_by_role("button", name="On hold 2")).to_have_attribute("aria-pressed", "true")
    expect(recommendation.locator("option[value=disable]")).to_have_text("disable (3)")

    service_page.get_by_role("button", name="All 6").click()
    service_page.get_by_role("button", name="Select 1 recommended for disabling").click()
    for on_hold in ("relay-silent", "claude"):
        service_page.get_by_label(f"Select {on_hold}").check()
    service_page.get_by_role("button", name="Disable", exact=True).click()
    dialog = service_page.get_by_role("dialog")
    for host in ("silent.relay.example", "quota.vendor.example"):
        alone = f"1 account is not changed: {host}: On hold: the only account of its base URL and proxy"
        expect(dialog).to_contain_text(alone)
    dialog.get_by_role("button", name="Disable").click()
    expect(service_page.locator(".toast")).to_contain_text("Disabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "5", "1"])
