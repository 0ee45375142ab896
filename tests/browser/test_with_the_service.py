"""The page against the whole service, with nothing behind it but a gateway in memory."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from adapter.fake import FakeGateway
from extension.cli.output.results import summary
from tests.browser.conftest import sign_in
from tests.browser.house import (
    CAPSULE,
    KEY,
    OWN,
    SECRETS,
    confirm,
    inspect,
    running_service,
    sign_out,
    switch,
)


def test_a_wrong_key_is_refused_and_the_sixth_is_banned(page: Page, service_page: Page) -> None:
    address = service_page.url
    sign_out(page)
    expect(page.get_by_label("Management key")).to_be_visible()
    for _ in range(5):
        sign_in(page, address, "wrong")
        expect(page.get_by_role("alert")).to_contain_text("nvalid management key")

    sign_in(page, address, KEY)

    expect(page.get_by_role("alert")).to_contain_text("IP banned")
    expect(page.get_by_role("alert")).to_contain_text("30 minutes")


def test_an_inspection_explains_each_account_and_no_key_reaches_the_page(service_page: Page) -> None:
    inspect(service_page)

    expect(service_page.get_by_role("row", name="relay-ok")).to_contain_text("Healthy")
    refused = service_page.get_by_role("row", name="relay-401")
    expect(refused).to_contain_text("Invalid key")
    expect(refused.get_by_role("button", name="Disable")).to_be_visible()
    expect(service_page.get_by_role("row", name="relay-silent")).to_contain_text("Unreachable")
    drawer = service_page.locator("dialog.drawer")
    refused.get_by_text("Invalid key").click()
    expect(drawer.locator("pre")).to_contain_text("<i>no such key</i>")
    expect(drawer).to_contain_text("https://refused.relay.example/v1/models")
    rows = service_page.locator("#page tr[data-id]")
    expect(rows).to_have_count(6)
    for row in rows.all():
        row.press("Enter")
        expect(row).to_have_attribute("aria-current", "true")
        expect(drawer).to_contain_text("Checked")
        assert not [secret for secret in SECRETS if secret in service_page.content()]


def test_a_disabled_provider_stays_counted_and_can_be_enabled_again(service_page: Page, gateway: FakeGateway) -> None:
    capsule = service_page.locator(CAPSULE)
    expect(capsule).to_have_text(["6", "6", "0"])

    confirm(service_page, "relay-401", "Disable")

    expect(capsule).to_have_text(["6", "5", "1"])
    expect(switch(service_page, "relay-401")).not_to_be_checked()
    assert "disabled: true" in gateway.state.text

    confirm(service_page, "relay-401", "Enable")

    expect(capsule).to_have_text(["6", "6", "0"])


def test_a_plan_is_reviewed_applied_listed_with_its_reasons_and_undone(
    service_page: Page, gateway: FakeGateway
) -> None:
    inspect(service_page)
    plan = service_page.get_by_role("region", name="Recommended changes")
    expect(plan).to_contain_text("1 to disable. 2 on hold.")  # the safety stop holds what is not refused
    plan.get_by_role("button", name="Review 1 change").click()
    dialog = service_page.get_by_role("dialog")
    expect(dialog).to_contain_text("disabled: true is set at the provider")
    dialog.get_by_role("button", name="Disable").click()
    expect(service_page.locator(".toast")).to_contain_text("Disabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "5", "1"])
    assert gateway.state.text.count("disabled: true") == 1
    (made,) = answered(service_page, "pool/actions?limit=5")["actions"]
    assert made["reason"].startswith("Invalid key")

    service_page.locator(".toast").get_by_role("button", name="Undo").click()

    expect(service_page.locator(CAPSULE)).to_have_text(["6", "6", "0"])
    assert "disabled: true" not in gateway.state.text
    assert "legacy-*" in gateway.state.text
    with service_page.expect_download() as download:
        service_page.get_by_role("button", name="Export").click()
        service_page.get_by_role("menuitem", name="Run 1 as CSV").click()
    assert "relay-401" in download.value.path().read_text()
    service_page.get_by_role("link", name="Activity").click()
    lines = service_page.get_by_role("listitem").filter(has_text="relay-401").filter(has_text="disabled")
    expect(lines.last).to_contain_text("1 undone")


def test_a_flagged_account_is_not_probed(service_page: Page) -> None:
    row = service_page.get_by_role("row", name="relay-401")
    row.get_by_text("Not checked").click()
    service_page.get_by_role("button", name="Configuration").click()
    service_page.get_by_label("Exclude from checks: relay-401").check()
    expect(row).to_contain_text("excluded from checks")
    service_page.keyboard.press("Escape")

    inspect(service_page)

    expect(row).to_contain_text("Skipped")
    expect(service_page.get_by_role("row", name="Invalid key")).to_have_count(0)


def test_an_automatic_run_is_told_of_also_where_it_did_nothing(service_page: Page, gateway: FakeGateway) -> None:
    service_page.get_by_role("button", name="Check now").click()
    drawer = service_page.get_by_role("dialog", name="Check now")
    expect(drawer).to_contain_text("The next run checks 6 of 6 accounts")
    drawer.get_by_label("Automatic actions").select_option("disable")
    drawer.get_by_role("button", name="Start with automatic actions").click()
    plan = service_page.get_by_role("region", name="Recommended changes")
    expect(plan).to_contain_text("Run 1: changed nothing by itself; 3 on hold. Nothing to change.")
    expect(plan.get_by_role("button", name="Undo")).to_have_count(0)
    assert "disabled: true" not in gateway.state.text


def test_the_page_finds_the_service_under_another_prefix(page: Page, gateway: FakeGateway, tmp_path: Path) -> None:
    with running_service(gateway, tmp_path / "data", POOLKEEPER_PREFIX="pool-house") as origin:
        sign_in(page, f"{origin}/monitor/inspection", KEY)
        expect(page.get_by_role("row", name="someone@mail.example")).to_be_visible()
        page.goto("about:blank")


@pytest.fixture
def disabled(service_page: Page, gateway: FakeGateway) -> Page:
    """Give a page on which one key has just been disabled."""
    confirm(service_page, "relay-ok", "Disable")
    expect(switch(service_page, "relay-ok")).not_to_be_checked()
    assert "disabled: true" in gateway.state.text
    return service_page


def test_a_change_is_undone_from_its_notice_and_the_last_one_by_its_key_only_once(
    disabled: Page, gateway: FakeGateway
) -> None:
    notice = disabled.locator(".notice")
    expect(notice).to_contain_text("relay-ok #2 (sk-r…0001)")
    expect(notice).to_contain_text("Disabled (verified).")
    expect(notice).to_be_in_viewport()

    notice.get_by_role("button", name="Undo").click()

    expect(switch(disabled, "relay-ok")).to_be_checked()
    expect(notice).to_contain_text("Enabled (verified).")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    assert "disabled: true" not in gateway.state.text

    confirm(disabled, "relay-ok", "Disable")
    expect(switch(disabled, "relay-ok")).not_to_be_checked()
    disabled.keyboard.press("u")

    expect(switch(disabled, "relay-ok")).to_be_checked()
    assert "disabled: true" not in gateway.state.text
    disabled.keyboard.press("u")
    expect(disabled.locator(".notice")).to_contain_text("Nothing to undo on this page.")
    expect(disabled.get_by_role("dialog")).to_be_hidden()


def test_a_deleted_file_is_restored_from_its_notice(disabled: Page, gateway: FakeGateway) -> None:
    name = "claude-someone.json"
    content = dict(gateway.state.files)[name]
    disabled.get_by_role("button", name="OAuth").click()
    disabled.get_by_role("row", name="someone@mail.example").get_by_text("Not checked").click()
    disabled.locator("dialog.drawer").get_by_role("button", name="Delete").click()
    dialog = disabled.get_by_role("dialog", name="someone@mail.example").last
    expect(dialog).to_contain_text("It can be restored for 30 days")
    dialog.get_by_role("button", name="Delete").click()
    notice = disabled.locator(".notice")
    expect(notice).to_contain_text("Deleted. The file can be restored for 30 days.")
    assert gateway.state.files == {}

    notice.get_by_role("button", name="Restore").click()

    expect(notice).to_contain_text("Restored (verified).")
    expect(notice.get_by_role("button", name="Undo")).to_have_count(0)
    expect(disabled.get_by_role("row", name="someone@mail.example")).to_be_visible()
    assert gateway.state.files[name] == content


def answered(page: Page, path: str) -> Any:
    return page.evaluate("path => fetch(path).then((answer) => answer.json())", f"{OWN}/{path}")


def test_accounts_on_hold_are_counted_alike_everywhere_and_left_out_of_a_selection(service_page: Page) -> None:
    inspect(service_page)

    (run,) = answered(service_page, "inspections")["runs"]
    findings = answered(service_page, "pool/overview")["findings"]["api_key"]
    assert (findings["toDisable"], findings["onHold"]) == (3, 2)
    assert (run["recommendations"]["disable"], run["onHold"]) == (3, 2)
    assert sum(run["recommendations"].values()) == run["done"]
    assert "; 3 keep, 3 disable (2 of these on hold)." in summary(run)
    service_page.get_by_role("button", name="On hold 2").click()
    expect(service_page.locator("#page tr[data-id]")).to_have_count(2)
    expect(service_page.get_by_role("row", name="relay-silent")).to_contain_text("on hold")
    service_page.get_by_role("button", name="Clear filters").click()

    for account in ("relay-401", "relay-silent", "claude"):
        service_page.get_by_label(f"Select {account}").check()
    service_page.get_by_role("button", name="Disable 3…").click()
    dialog = service_page.get_by_role("dialog")
    expect(dialog).to_contain_text("Disable 1 account?")
    for on_hold in ("silent.relay.example: 1 account", "quota.vendor.example: 1 account"):
        expect(dialog).to_contain_text(f"{on_hold}On hold: the only account of its base URL and proxy")
    dialog.get_by_role("button", name="Disable").click()
    expect(service_page.locator(".toast")).to_contain_text("Disabled (verified).")
    expect(service_page.locator(CAPSULE)).to_have_text(["6", "5", "1"])


def test_two_tabs_are_in_step(service_page: Page) -> None:
    other = service_page.context.new_page()
    other.goto(service_page.url)
    expect(switch(other, "relay-ok")).to_be_checked()

    confirm(service_page, "relay-ok", "Disable")

    expect(switch(other, "relay-ok")).not_to_be_checked()
    confirm(other, "relay-ok", "Enable")
    expect(switch(service_page, "relay-ok")).to_be_checked()
    other.close()
