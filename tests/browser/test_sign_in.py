from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console, sign_in
from tests.browser.stand_in.service import KEY, StandInService

OFF = {"error": "Inspection is off: no room.", "code": "store_unavailable", "hint": "Free some space."}


def refuse_for_a_while(page: Page, address: str, console: Console, key: str) -> list[str]:
    """Sign in to a service that is not ready; return the bodies of the tries."""
    console.expected.append("status of 503")
    tries: list[str] = []

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        tries.append(route.request.post_data or "")
        route.fulfill(status=503, json=OFF)

    page.route("**/info/session", refuse)
    sign_in(page, address, key)
    expect(page.get_by_role("alert")).to_contain_text("Inspection is off: no room.")
    expect(page.get_by_role("alert")).to_contain_text("Sign-in is retried automatically.")
    return tries


def test_a_service_that_answers_again_lets_the_waiting_key_in(page: Page, address: str, console: Console) -> None:
    refuse_for_a_while(page, address, console, KEY)

    page.unroute("**/info/session")

    expect(page.get_by_role("button", name="Start inspection")).to_be_visible()
    expect(page.locator("#sign-in-problem")).to_be_hidden()
    assert page.get_by_label("Management key").input_value() == ""


def test_a_waiting_key_that_is_wrong_is_tried_once(
    page: Page, address: str, console: Console, service: StandInService
) -> None:
    page.clock.install()
    refuse_for_a_while(page, address, console, "not-the-key")
    page.unroute("**/info/session")

    page.clock.run_for(4_000)
    expect(page.get_by_role("alert")).to_contain_text("The management key is wrong.")
    page.clock.run_for(120_000)

    expect(page.get_by_role("alert")).not_to_contain_text("retried")
    assert service.refused_log_ins == 1


def test_another_key_takes_the_place_of_the_waiting_one(page: Page, address: str, console: Console) -> None:
    page.clock.install()
    tries = refuse_for_a_while(page, address, console, "not-the-key")

    page.get_by_label("Management key").press_sequentially("a")

    expect(page.locator("#sign-in-problem")).to_be_hidden()
    page.clock.run_for(60_000)
    assert len(tries) == 1


def test_a_wrong_key_is_refused_with_what_to_do(page: Page, address: str) -> None:
    sign_in(page, address, "not-the-key")

    expect(page.get_by_role("alert")).to_contain_text("The management key is wrong.")
    expect(page.get_by_role("alert")).to_contain_text("Check remote-management.secret-key.")
    expect(page.get_by_role("button", name="Start inspection")).to_be_hidden()


def test_after_five_wrong_keys_the_ban_is_shown_with_its_end(page: Page, address: str) -> None:
    for _ in range(5):
        sign_in(page, address, "not-the-key")
        expect(page.get_by_role("alert")).to_contain_text("wrong")

    sign_in(page, address, "not-the-key")

    expect(page.get_by_role("alert")).to_contain_text("IP banned due to too many failed attempts")
    expect(page.get_by_role("alert")).to_contain_text("30 minutes")


def test_the_right_key_opens_the_inspection_and_is_kept_nowhere_in_the_browser(page: Page, address: str) -> None:
    sign_in(page, address, "a-management-key-of-the-stand-in")

    expect(page.get_by_role("button", name="Start inspection")).to_be_visible()
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "a-management-key" not in stored
    assert page.get_by_label("Management key").input_value() == ""


def test_a_reload_keeps_the_session(operator: Page) -> None:
    operator.reload()

    expect(operator.get_by_role("button", name="Start inspection")).to_be_visible()


def test_signing_out_ends_the_session(operator: Page, service: StandInService) -> None:
    operator.get_by_role("button", name="Sign out").click()

    expect(operator.get_by_label("Management key")).to_be_visible()
    assert service.sessions == set()


def test_a_session_that_has_ended_leads_back_to_the_sign_in(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/pool")
    # The page asks for the cost by itself, shortly after it has loaded.
    expect(operator.locator("#cost")).to_contain_text("The next run checks")
    service.sessions.clear()

    # Not by the mouse: any other read of the page may have noticed before, and the button is gone.
    operator.evaluate("document.getElementById('refresh')?.click()")

    expect(operator.get_by_role("alert")).to_contain_text("Session expired")
    expect(operator.get_by_label("Management key")).to_be_focused()
