"""The page of accounts: its list, its drawer and its keys."""

import re

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.pool import key_account, many_accounts
from tests.browser.stand_in.service import StandInService

ROWS = "#page tr[data-id]"
PLACE_OF_ROWS = """() => {
  const rows = [...document.querySelectorAll("#page tr[data-id]")].map((row) => row.getBoundingClientRect());
  return [rows[0].top, rows.filter(({ bottom }) => bottom <= innerHeight).length];
}"""
WHOLE_EVIDENCE = """() => [...document.querySelectorAll("#page .evidence")]
  .every((node) => node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1)"""
WIDTHS_OF_COLUMNS = "() => [...document.querySelectorAll('#page thead th')].map((cell) => cell.offsetWidth)"
FIRST_ROW_AT = 220
ROWS_IN_SIGHT = 18
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe" + "A" * 150
CODE = "a_code_of_the_provider_much_longer_than_usual"


def drawer(page: Page) -> Locator:
    return page.locator("dialog.drawer")


def opened(page: Page, address: str, query: str = "") -> Page:
    page.goto(f"{address}{query}")
    expect(page.locator(ROWS).first).to_be_visible()
    return page


def test_the_first_row_is_near_the_top_and_many_are_in_sight(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(60)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    for account in service.accounts[:9]:
        account["lastResult"] = {**account["lastResult"], "verdict": "invalid_key", "action": "disable"}
        account["onHold"] = account["id"] < 4
    page = opened(operator, address)
    expect(page.get_by_role("button", name="Review 6 changes")).to_be_visible()

    first, in_sight = page.evaluate(PLACE_OF_ROWS)

    assert first <= FIRST_ROW_AT
    assert in_sight >= ROWS_IN_SIGHT


def test_evidence_is_never_cut_and_nothing_is_wider_than_the_screen(
    inspected: Page, address: str, service: StandInService
) -> None:
    details = {"code": "key_refused", "params": {"details": f"(HTTP 403, {CODE})"}}
    for account in service.accounts[:3]:
        account["displayName"] = HOSTILE
        account["lastResult"] = {**account["lastResult"], "status": 403, "reasons": [details]}
    page = opened(inspected, address)
    expect(page.get_by_text(f"403 {CODE}").first).to_be_visible()

    for width in (1280, 1440, 1920, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(WHOLE_EVIDENCE)
    for width in (320, 390, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_drawer_has_its_own_address_and_never_squeezes_the_table(inspected: Page, service: StandInService) -> None:
    before = inspected.evaluate(WIDTHS_OF_COLUMNS)
    row = inspected.get_by_role("row", name="relay-401")
    row.get_by_text("Invalid key").click()

    panel = drawer(inspected)
    expect(panel).to_contain_text("GET https://api.relay.example/relay-401/v1/models")
    expect(panel.locator("pre")).to_have_text('{"error": {"message": "<b>invalid</b> key"}}')
    assert inspected.evaluate(WIDTHS_OF_COLUMNS) == before
    expect(inspected).to_have_url(re.compile("account=2"))
    panel.get_by_role("button", name="Configuration").click()
    panel.get_by_label("Exclude from checks").check()
    expect(row).to_contain_text("excluded from checks")
    assert service.requests == [("POST", "pool/flags", {"accounts": [2], "neverProbe": True})]

    inspected.reload()

    expect(panel.get_by_label("Exclude from checks")).to_be_checked()
    panel.get_by_role("button", name="History").click()
    expect(panel.get_by_role("row", name="Invalid key")).to_contain_text("401")
    inspected.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    inspected.go_back()
    expect(panel.get_by_role("row", name="Invalid key")).to_be_visible()


def test_tabs_family_and_provider_filter_stand_in_the_address_and_are_there_again(operator: Page, address: str) -> None:
    page = opened(operator, address)
    tabs = page.get_by_role("group", name="Source")
    expect(tabs.get_by_role("button", name="All")).to_contain_text("13")
    page.get_by_label("Provider filter").fill("claude")
    expect(page.locator(ROWS)).to_have_count(3)
    page.get_by_label("Family").select_option("api_key/vendor-b-apikey")
    expect(page).to_have_url(re.compile(r"source=api_key&provider=claude&family=vendor-b-apikey"))
    expect(page.locator(".capsule dd")).to_have_text(["3", "3", "0"])

    tabs.get_by_role("button", name="OAuth").click()
    expect(page.locator(ROWS)).to_have_count(2)
    expect(page.get_by_label("Provider filter")).to_have_count(0)
    tabs.get_by_role("button", name="API keys").click()
    expect(page.get_by_label("Provider filter")).to_have_value("claude")
    expect(page.locator(ROWS)).to_have_count(3)
    page.go_back()
    expect(page.locator(ROWS)).to_have_count(2)

    page.goto(address)

    expect(page.locator(ROWS)).to_have_count(3)
    expect(page.get_by_role("button", name="Check now")).to_be_enabled()


def test_a_chip_opens_as_many_rows_as_it_promises(inspected: Page, address: str) -> None:
    page = opened(inspected, address, "?source=api_key&q=relay")
    for name in ("Healthy", "Dead", "Waiting", "Provider trouble"):
        chip = page.get_by_role("button", name=re.compile(f"^{name} \\d"))
        promised = int(chip.locator("b").inner_text())
        chip.click()
        expect(page.locator(ROWS)).to_have_count(promised)
        chip.click()
    page.get_by_role("button", name="Filters", exact=True).click()
    page.get_by_label("HTTP status").select_option("403")
    expect(page.locator(ROWS)).to_have_count(1)
    page.get_by_role("button", name="Clear filters").click()
    expect(page).to_have_url(re.compile(r"\?source=api_key$"))


def test_a_pasted_whole_key_finds_its_account_by_its_tail_and_is_never_sent(
    operator: Page, address: str, service: StandInService
) -> None:
    key = f"sk-live-{'demo' * 6}9f3c"
    service.accounts[4]["keyHint"] = "sk-l…9f3c"
    page = opened(operator, address)
    asked: list[str] = []

    def hear(request: Request) -> None:
        asked.append(request.url + (request.post_data or ""))

    page.on("request", hear)
    page.get_by_role("searchbox", name="Name, key tail").fill(key)

    expect(page.locator(ROWS)).to_have_count(1)
    expect(page.get_by_role("row", name="relay-500")).to_be_visible()
    expect(page).to_have_url(re.compile("q=9f3c"))
    page.remove_listener("request", hear)
    assert not [address for address in [*asked, page.url] if key in address]


def test_the_keyboard_alone_goes_selects_changes_and_helps(operator: Page, service: StandInService) -> None:
    page = operator
    page.keyboard.press("j")
    first = page.locator(ROWS).first
    expect(first).to_be_focused()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(first).to_be_focused()
    for _ in range(2):
        page.keyboard.press("j")
    page.keyboard.press("Shift+X")
    bar = page.get_by_role("region", name="Actions on the selection")
    expect(bar).to_contain_text("3 selected")
    page.keyboard.press("d")
    dialog = page.get_by_role("dialog", name="Disable 3 accounts?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_contain_text("Undo the last change")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    search = page.get_by_role("searchbox", name="Name, key tail")
    expect(search).to_be_focused()
    page.keyboard.press("j")
    expect(search).to_have_value("j")
    assert service.requests == []


def test_a_selection_is_changed_at_once_also_what_the_filters_hide(operator: Page, service: StandInService) -> None:
    bar = operator.get_by_role("region", name="Actions on the selection")
    expect(bar).to_have_count(0)
    for name in ("relay-401", "claude-402", "relay-shared"):
        operator.get_by_label(f"Select {name}").check()
    operator.get_by_role("searchbox", name="Name, key tail").fill("compatible")
    expect(bar).to_contain_text("3 selected (1 not shown by the filters)")
    bar.get_by_role("button", name="Disable 3…").click()
    dialog = operator.get_by_role("dialog")
    expect(dialog).to_contain_text("Disable 2 accounts?")
    expect(dialog).to_contain_text("1 account is not changed: The provider has 2 keys")
    dialog.get_by_label("Note").fill("asked for by Anna")
    dialog.get_by_role("button", name="Disable").click()

    expect(dialog).to_contain_text("2 done.")
    body = {"accounts": [2, 9], "reason": "asked for by Anna", "disabled": True, "background": True}
    assert service.requests == [("POST", "pool/status", body)]
    dialog.get_by_role("button", name="Close").click()
    expect(bar).to_have_count(0)


def test_many_healthy_accounts_are_disabled_only_after_their_number_was_typed(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(300)
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    service.follow_up.losses = ["comments"]
    page = opened(operator, address)
    page.get_by_label("Select all rows").check()
    page.get_by_role("button", name="Disable 300…").click()
    dialog = page.get_by_role("dialog")
    confirm = dialog.get_by_role("button", name="Disable")
    expect(dialog).to_contain_text("300 healthy accounts are among those to be disabled")
    dialog.get_by_role("button", name="and 288 more").click()
    expect(dialog.locator(".names li")).to_have_count(213)
    expect(confirm).to_be_disabled()
    dialog.get_by_label("type the number of accounts that no check found failing").fill("300")
    expect(confirm).to_be_disabled()
    dialog.get_by_label("The gateway drops parts of config.yaml").check()
    confirm.click()

    expect(dialog).to_contain_text("300 done.")
    assert service.requests[-1][2]["acceptLoss"] is True


def test_what_is_on_hold_is_disabled_anyway_after_it_was_said_what_that_does(
    operator: Page, address: str, service: StandInService
) -> None:
    for number, name in ((4, "relay-429"), (5, "relay-500")):
        service.follow_up.hold(1, number, name, "60 of 64 probes failed alike.")
    service.start({"accountSource": "api_key", "targetType": "all", "providerFilter": ""})
    service.land()
    for account in service.accounts[3:5]:
        account["onHold"] = True
    page = opened(operator, address)
    plan = page.get_by_role("region", name="Recommended changes")
    expect(plan).to_contain_text("4 to disable. 2 on hold.")
    plan.get_by_role("button", name="Show what is on hold").click()
    expect(page.locator(ROWS)).to_have_count(2)

    plan.get_by_role("button", name="Disable 2 anyway…").click()
    dialog = page.get_by_role("dialog", name="Disable 2 accounts?")
    expect(dialog).to_contain_text("They are made now all the same; each can be undone.")
    # The question gives way to the result while the service is still asked.
    with page.expect_response("**/pool/status*"):
        dialog.get_by_role("button", name="Disable").click()

    expect(dialog).to_have_count(0)
    assert service.requests[-1][2] == {"accounts": [5, 4], "released": [4, 5], "disabled": True, "background": True}


def test_accounts_that_cannot_be_checked_or_are_not_there_are_named(
    operator: Page, address: str, service: StandInService, console: Console
) -> None:
    console.expected.append("status of 404")
    service.skipped = [{"name": "codex-old.json", "reason": "no auth_index"}]
    page = opened(operator, address, "?account=77&run=9")
    notices = page.get_by_role("region", name="Notices")

    expect(notices).to_contain_text("entries of the gateway's list cannot be checked")
    expect(notices).to_contain_text("The link names account 77")
    expect(notices).to_contain_text("Run 9 does not exist any more.")
    notices.get_by_role("button", name="Clear").click()
    expect(page).to_have_url(re.compile("inspection$"))


def test_a_change_elsewhere_is_seen_and_a_row_that_goes_leaves_the_keyboard_in_the_list(
    operator: Page, address: str, service: StandInService
) -> None:
    page = opened(operator, address, "?source=api_key&state=enabled")
    row = page.get_by_role("row", name="relay-401")
    row.focus()
    service.switch([2], disabled=True)
    expect(row).to_have_count(0)
    expect(page.locator(f"{ROWS}:focus")).to_have_count(1)

    service.accounts.append(key_account(20, "relay-new", "compat"))
    service.emit("pool", None)

    expect(page.get_by_role("row", name="relay-new")).to_be_visible()


@pytest.mark.usefixtures("own_tab")
def test_the_first_of_many_are_shown_before_the_rest_is_read(
    operator: Page, address: str, service: StandInService
) -> None:
    service.accounts = many_accounts(300)
    answers = [service.delays.next_answer("GET", "pool") for _ in range(3)]
    operator.goto(address)
    for answer in answers[:2]:
        answer.wait_until_made()
        answer.release()
    answers[2].wait_until_made()
    expect(operator.locator(ROWS).first).to_be_visible()
    expect(operator.get_by_role("button", name="Healthy")).not_to_contain_text("0")

    answers[2].release()

    expect(operator.get_by_role("group", name="Source").get_by_role("button", name="All")).to_contain_text("300")
