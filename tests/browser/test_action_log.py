from playwright.sync_api import Page, expect

from tests.browser.broken_words import broken_words
from tests.browser.stand_in.service import StandInService


def test_the_action_log_shows_time_actor_cause_and_result_of_each_action(
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


def test_a_long_result_breaks_no_word_of_the_other_columns(operator: Page, service: StandInService) -> None:
    record = service.follow_up.record
    said = (
        "The provider " + "W" * 160 + " has 2 keys and one switch for all of them: manage it in the provider settings."
    )
    record(2, "relay-401", "disable", outcome="refused", text=said, actor="terminal", cause="run", run=4)
    record(3, "relay-403", "disable", reason="Confirmed by the team", actor="automation", cause="run", run=4)
    record(3, "relay-403", "enable", undoes=2)
    for width in (1024, 1440):
        operator.set_viewport_size({"width": width, "height": 900})
        operator.get_by_role("link", name="Activity").click()
        rows = operator.locator("#action-log .listing tbody tr")
        expect(rows).to_have_count(3)
        assert broken_words(rows.locator("td:is(:nth-child(2), :nth-child(n + 5))")) == []
        assert operator.evaluate("document.documentElement.scrollWidth") <= width
    operator.set_viewport_size({"width": 1440, "height": 900})


def test_words_of_a_printed_action_log_are_whole(operator: Page, service: StandInService) -> None:
    said = "Disabled (verified). " * 8
    for _ in range(3):
        name = "a-name-of-an-account-that-is-quite-long-" * 3
        undone = service.follow_up.record(2, name, "disable", text=said, reason="Confirmed by an earlier check " * 3)
        service.follow_up.record(2, name, "enable", undoes=undone["id"])
    operator.get_by_role("link", name="Activity").click()
    rows = operator.locator("#action-log .listing tbody tr")
    expect(rows).to_have_count(6)
    operator.set_viewport_size({"width": 718, "height": 1000})
    operator.emulate_media(media="print")
    broken = broken_words(rows.locator("td:is(:nth-child(1), :nth-child(n + 3))"))
    width = operator.evaluate("document.documentElement.scrollWidth")
    operator.emulate_media(media="screen")
    operator.set_viewport_size({"width": 1440, "height": 900})

    assert broken == []
    assert width <= 718


def test_an_action_is_undone_once(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    operator.get_by_role("link", name="Activity").click()

    operator.get_by_role("button", name="Undo disable relay-401").click()
    operator.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(operator.get_by_role("dialog")).to_contain_text("Done")
    operator.get_by_role("dialog").get_by_role("button", name="Close").click()

    assert service.requests == [("POST", "pool/undo", {"actions": [1], "background": True})]
    rows = operator.locator("#action-log .listing tbody tr")
    expect(rows.nth(1)).to_contain_text("reverted")
    expect(rows.nth(0)).to_contain_text("undo of #1")


def test_the_keyboard_goes_on_in_the_action_log_after_an_undo(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    operator.get_by_role("link", name="Activity").click()
    operator.get_by_role("button", name="Undo disable relay-401").click()
    operator.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(operator.get_by_role("dialog")).to_contain_text("Done")

    operator.get_by_role("dialog").get_by_role("button", name="Close").press("Enter")

    expect(operator.locator("#action-log-heading")).to_be_focused()


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


def test_the_action_log_is_filtered_by_result(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    service.follow_up.record(3, "relay-403", "disable", outcome="conflict")
    operator.get_by_role("link", name="Activity").click()
    operator.get_by_label("Result", exact=True).select_option("conflict")
    rows = operator.locator("#action-log .listing tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("relay-403")


def test_the_action_log_shows_what_automation_did(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    service.follow_up.record(3, "relay-403", "disable", cause="run", actorKind="automation")
    operator.get_by_role("link", name="Activity").click()
    operator.get_by_label("Cause", exact=True).select_option("automatic")
    rows = operator.locator("#action-log .listing tbody tr")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("relay-403")


def test_an_action_log_without_actions_says_so(operator: Page) -> None:
    operator.get_by_role("link", name="Activity").click()

    expect(operator.locator("#action-log")).to_contain_text("No actions yet.")


def test_an_account_is_never_probed_and_handed_over_by_switches_in_its_evidence(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("button", name="Evidence of relay-401").click()
    operator.get_by_label("Exclude from checks: relay-401").check()
    row = operator.get_by_role("row", name="relay-401")
    expect(row).to_contain_text("excluded from checks")
    operator.get_by_label("Let automation manage this account: relay-401").check()
    expect(row).to_contain_text("excluded from checks, managed by automation")

    operator.get_by_label("Exclude from checks: relay-401").uncheck()

    expect(row).not_to_contain_text("excluded from checks")
    assert service.requests == [
        ("POST", "pool/flags", {"accounts": [2], "neverProbe": True}),
        ("POST", "pool/flags", {"accounts": [2], "managed": True}),
        ("POST", "pool/flags", {"accounts": [2], "neverProbe": False}),
    ]


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


def test_a_word_of_the_action_log_is_not_broken(operator: Page, service: StandInService) -> None:
    operator.set_viewport_size({"width": 1000, "height": 700})
    service.follow_up.record(2, "relay-401", "disable", batch=7, text="A long sentence about it. " * 20)
    operator.get_by_role("link", name="Activity").click()

    token = operator.locator("#action-log .token")

    expect(token).to_have_text("disable")
    assert token.evaluate("node => node.getClientRects().length") == 1


def test_a_name_leaves_its_number_and_its_row_as_they_are(operator: Page, service: StandInService) -> None:
    arabic, marked = "حساب", "relay" + "\u0300" * 200
    service.follow_up.record(6, arabic, "disable", keyHint="sk-a…9f3c", place="claude-api-key[5]")
    service.follow_up.record(7, marked, "disable")

    operator.get_by_role("link", name="Activity").click()

    row = operator.locator("#action-log .listing tbody tr").filter(has_text=arabic)
    expect(row.locator(".placed bdi")).to_have_text([arabic, "claude-api-key[5]"])
    cell = operator.locator("#action-log .listing tbody tr").filter(has_text="relay").locator("td").nth(1)
    expect(cell).to_have_css("overflow-y", "clip")
