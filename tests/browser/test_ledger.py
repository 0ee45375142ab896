from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService


def test_the_ledger_tells_who_did_what_why_when_and_what_came_of_it(operator: Page, service: StandInService) -> None:
    record = service.follow_up.record
    record(2, "relay-401", "disable", reason="<b>dead</b> key", at=1_795_000_000_000)
    record(3, "relay-403", "disable", actor="page", cause="run", run=4, outcome="conflict", text="It was changed.")

    operator.get_by_role("heading", name="Actions so far").click()

    ledger = operator.locator("#ledger .listing")
    expect(ledger.locator("tbody tr").nth(1).get_by_role("cell")).to_have_text(
        [
            "18 Nov, 11:06:40",
            "relay-401 #2",
            "disable",
            "applied Written to config.yaml and read back.",
            "page, by hand",
            "<b>dead</b> key",
            "Undo…",
        ]
    )
    conflict = ledger.get_by_role("row", name="relay-403")
    expect(conflict).to_contain_text("conflict It was changed.")
    expect(conflict).to_contain_text("by a run itself (run 4)")
    expect(conflict.get_by_role("button")).to_have_count(0)


def test_an_action_is_undone_once(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    operator.get_by_role("heading", name="Actions so far").click()

    operator.get_by_role("button", name="Undo disable relay-401").click()
    operator.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(operator.get_by_role("dialog")).to_contain_text("applied")
    operator.get_by_role("dialog").get_by_role("button", name="Close").click()

    assert service.requests == [("POST", "pool/undo", {"actions": [1]})]
    rows = operator.locator("#ledger .listing tbody tr")
    expect(rows.nth(1)).to_contain_text("undone")
    expect(rows.nth(0)).to_contain_text("undo of action 1")


def test_the_keyboard_goes_on_in_the_ledger_after_an_undo(operator: Page, service: StandInService) -> None:
    service.follow_up.record(2, "relay-401", "disable")
    operator.get_by_role("heading", name="Actions so far").click()
    operator.get_by_role("button", name="Undo disable relay-401").click()
    operator.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(operator.get_by_role("dialog")).to_contain_text("applied")

    operator.get_by_role("dialog").get_by_role("button", name="Close").press("Enter")

    expect(operator.locator("#ledger summary")).to_be_focused()


def test_a_ledger_that_is_cut_says_so(operator: Page, service: StandInService) -> None:
    for number in range(200):
        service.follow_up.record(2, "relay-401", "disable", text=f"Time {number}.")

    operator.get_by_role("heading", name="Actions so far").click()

    expect(operator.locator("#ledger")).to_contain_text("The newest 200 actions; there may be older ones.")


def test_a_ledger_without_actions_says_so(operator: Page) -> None:
    operator.get_by_role("heading", name="Actions so far").click()

    expect(operator.locator("#ledger")).to_contain_text("Nothing was done to any account yet.")


def test_an_account_is_never_probed_and_handed_over_by_switches_in_its_evidence(
    operator: Page, service: StandInService
) -> None:
    operator.get_by_role("button", name="Evidence of relay-401").click()
    operator.get_by_label("Never probe it: relay-401").check()
    expect(operator.get_by_role("rowheader", name="relay-401")).to_contain_text("never probed")
    operator.get_by_label("Hand it over to automation: relay-401").check()
    expect(operator.get_by_role("rowheader", name="relay-401")).to_contain_text("never probed, handed over")

    operator.get_by_label("Never probe it: relay-401").uncheck()

    expect(operator.get_by_role("rowheader", name="relay-401")).not_to_contain_text("never probed")
    assert service.requests == [
        ("POST", "pool/flags", {"accounts": [2], "neverProbe": True}),
        ("POST", "pool/flags", {"accounts": [2], "managed": True}),
        ("POST", "pool/flags", {"accounts": [2], "neverProbe": False}),
    ]
