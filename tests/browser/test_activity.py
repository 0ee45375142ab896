"""The action log, its undo, and deleted files."""

import re

from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService


def test_the_action_log_shows_time_actor_cause_and_result_of_each_action_and_undoes_it_once(
    operator: Page, service: StandInService
) -> None:
    record = service.follow_up.record
    record(2, "relay-401", "disable", reason="<b>dead</b> key", at=1_795_000_000_000)
    record(3, "relay-403", "disable", actor="page", cause="run", run=4, outcome="conflict", text="It was changed.")

    operator.get_by_role("link", name="Activity").click()

    action_log = operator.locator("#action-log .listing")
    expect(action_log.locator("tbody tr").nth(1).get_by_role("cell")).to_have_text(
        [
            "18 Nov, 11:06:40",
            "relay-401 #2",
            "disable",
            "Done Written to config.yaml and read back.",
            "web, manual",
            "<b>dead</b> key",
            "Undo…",
        ]
    )
    conflict = action_log.get_by_role("row", name="relay-403")
    expect(conflict).to_contain_text("Skipped It was changed.")
    expect(conflict).to_contain_text("automatic (run 4)")
    expect(conflict.get_by_role("button")).to_have_count(0)

    operator.get_by_role("button", name="Undo disable relay-401").click()
    operator.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(operator.get_by_role("dialog")).to_contain_text("Done")
    operator.get_by_role("dialog").get_by_role("button", name="Close").click()

    assert service.requests == [("POST", "pool/undo", {"actions": [1], "background": True})]
    rows = action_log.locator("tbody tr")
    expect(rows.nth(2)).to_contain_text("reverted")
    expect(rows.nth(0)).to_contain_text("undo of #1")


def test_a_long_action_log_is_read_in_pages(operator: Page, service: StandInService) -> None:
    for number in range(101):
        service.follow_up.record(2, "relay-401", "disable", text=f"Time {number}.")
    operator.get_by_role("link", name="Activity").click()
    action_log = operator.locator("#action-log")
    expect(action_log).to_contain_text("1 to 100 of 101 actions")

    action_log.get_by_role("button", name="Older").click()

    expect(action_log).to_contain_text("101 to 101 of 101 actions")
    expect(action_log).to_contain_text("Time 0.")
    action_log.get_by_role("button", name="Newer").click()
    expect(action_log).to_contain_text("Time 100.")


def test_a_batch_is_shown_alone_and_undone_as_a_whole(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable", batch=7)
    service.follow_up.record(3, "relay-403", "disable", batch=7)
    service.follow_up.record(4, "relay-429", "disable", batch=8)
    operator.get_by_role("link", name="Activity").click()

    operator.get_by_role("button", name="Show batch 7 of relay-401").click()
    action_log = operator.locator("#action-log .listing")
    expect(action_log.locator("tbody tr")).to_have_count(2)
    operator.get_by_role("button", name="Undo batch 7…").click()
    operator.get_by_role("dialog").get_by_role("button", name="Undo").click()

    expect(operator.get_by_role("dialog")).to_contain_text("2 done")
    assert service.requests == [("POST", "pool/undo", {"batch": 7, "background": True})]


def test_deleted_files_are_restored_one_by_one_by_batch_and_from_their_list(
    operator: Page, service: StandInService
) -> None:
    for account, name in enumerate(("one.json", "two.json", "three.json", "four.json"), start=21):
        service.follow_up.record(account, name, "delete", batch=7 if account > 21 else 6)
        service.follow_up.keep(account, name)
    operator.get_by_role("link", name="Activity").click()
    action_log, dialog = operator.locator("#action-log"), operator.get_by_role("dialog")

    action_log.get_by_role("button", name="Restore one.json").last.click()
    expect(dialog).to_contain_text("Restore one.json")
    dialog.get_by_role("button", name="Restore").click()
    expect(dialog).to_contain_text("Restored.")
    dialog.get_by_role("button", name="Close").click()
    expect(action_log.locator(".drawer > .listing tbody tr").last).to_contain_text("restored")

    action_log.get_by_text("3 deleted files can be restored").click()
    action_log.locator("#deleted-files").get_by_role("button", name="Restore two.json").click()
    dialog.get_by_role("button", name="Restore").click()
    dialog.get_by_role("button", name="Close").click()

    action_log.get_by_role("button", name="Show batch 7 of three.json").click()
    action_log.get_by_role("button", name="Restore the files of batch 7").click()
    expect(dialog).to_contain_text("Restore 2 deleted files?")
    expect(dialog).to_contain_text("four.json")
    dialog.get_by_role("button", name="Restore").click()

    expect(dialog).to_contain_text("2 done")
    assert [body for _, path, body in service.requests if path == "pool/restore"] == [
        {"accounts": [21], "background": True},
        {"accounts": [22], "background": True},
        {"accounts": [24, 23], "background": True},
    ]


def test_an_action_leads_to_the_row_of_its_account(operator: Page, service: StandInService) -> None:
    record = service.follow_up.record
    record(2, "relay-401", "disable", keyHint="sk-a…9f3c", place="openai-compatibility[0].api-key-entries[0]")
    record(12, "claude-first.json", "disable", place="claude-first.json")
    record(13, "claude-gone.json", "delete", place="claude-gone.json")
    operator.get_by_role("link", name="Activity").click()
    log = operator.locator("#action-log .listing")
    expect(log.get_by_role("row", name="claude-gone.json").get_by_role("link")).to_have_count(0)
    for cell in log.locator(".time").all():
        assert cell.evaluate("node => node.getClientRects().length") == 1

    log.get_by_role("link", name="claude-first.json").click()
    expect(operator).to_have_url(re.compile("source=oauth.*account=12$"))
    expect(operator.locator("dialog.drawer")).to_contain_text("claude-first.json")

    operator.go_back()
    log.get_by_role("link", name="relay-401").click()
    expect(operator.locator("dialog.drawer")).to_contain_text("relay-401")
