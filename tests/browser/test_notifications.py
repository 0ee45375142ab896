from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Console
from tests.browser.stand_in.service import StandInService


def opened(page: Page) -> None:
    page.get_by_role("link", name="Notifications").click()


def test_an_address_is_set_tried_and_removed(operator: Page, service: StandInService) -> None:
    opened(operator)
    panel = operator.locator("#webhook")
    expect(panel).to_contain_text("No notifications configured.")
    expect(panel.get_by_role("button", name="Send a test")).to_be_hidden()

    operator.get_by_label("Webhook URL", exact=True).fill("https://hooks.example/services?token=secret")
    operator.get_by_role("button", name="Save", exact=True).click()

    expect(panel).to_contain_text("Notifying https://hooks.example.")
    expect(operator.get_by_label("New webhook URL")).to_have_value("")
    panel.get_by_role("button", name="Send a test").click()
    expect(panel).to_contain_text("Failed Test message, 18 Nov, 11:06:40. It answered HTTP 500.")
    panel.get_by_role("button", name="Remove the webhook").click()
    expect(panel).to_contain_text("No notifications configured.")
    assert [path for _, path, _ in service.requests] == ["config/webhook", "config/webhook/test", "config/webhook"]


def test_what_became_of_a_message_is_shown_as_soon_as_it_is_known(operator: Page, service: StandInService) -> None:
    service.follow_up.webhook.update(setBy="person", host="https://hooks.example")
    opened(operator)
    panel = operator.locator("#webhook")
    expect(panel).to_contain_text("Notifying https://hooks.example.")
    operator.get_by_label("New webhook URL").press_sequentially("https://elsewh")

    last = {"kind": "inspection.changed", "run": 4, "at": 1_795_000_000_000, "taken": False, "attempts": 3}
    service.follow_up.webhook["last"] = {**last, "problem": "No connection to it.", "problems": []}
    service.emit("webhook", None, ids=[1])

    expect(panel).to_contain_text("Failed Changes of run 4, 18 Nov, 11:06:40 after 3 attempts. No connection to it.")
    operator.keyboard.type("ere.example")
    expect(operator.get_by_label("New webhook URL")).to_have_value("https://elsewhere.example")


def test_the_keyboard_stays_at_the_button_that_was_pressed(operator: Page, service: StandInService) -> None:
    service.follow_up.webhook.update(setBy="person", host="https://hooks.example")
    opened(operator)

    operator.get_by_role("button", name="Send a test").press("Enter")

    expect(operator.locator("#webhook")).to_contain_text("It answered HTTP 500.")
    expect(operator.get_by_role("button", name="Send a test")).to_be_focused()


def test_a_page_that_loads_slowly_leaves_the_keyboard_where_a_person_put_it(
    operator: Page, service: StandInService
) -> None:
    service.follow_up.webhook.update(setBy="person", host="https://hooks.example")
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    operator.route("**/config/channels", hold)
    opened(operator)
    button = operator.get_by_role("button", name="Send a test")
    button.focus()

    waiting[0].continue_()

    expect(operator.locator("#channels")).to_contain_text("Add")
    expect(button).to_be_focused()


def test_what_is_no_address_stays_in_the_form_with_what_to_do(
    operator: Page, service: StandInService, console: Console
) -> None:
    console.expected.append("/config/webhook")
    opened(operator)
    operator.get_by_label("Webhook URL", exact=True).fill("ftp://hooks.example/")
    operator.get_by_role("button", name="Save", exact=True).click()

    expect(operator.get_by_role("alert")).to_contain_text("It must be an http or https address".removeprefix("It "))
    expect(operator.get_by_label("Webhook URL", exact=True)).to_have_value("ftp://hooks.example/")
    assert service.follow_up.webhook["setBy"] == ""


def test_an_address_of_the_services_settings_is_shown_and_not_offered_for_change(
    operator: Page, service: StandInService
) -> None:
    last = {
        "kind": "inspection.changed",
        "run": 4,
        "at": 1_795_000_000_000,
        "taken": True,
        "attempts": 2,
        "problem": "",
        "problems": [],
    }
    service.follow_up.webhook.update(setBy="settings", host="https://hooks.example", last=last)
    opened(operator)

    panel = operator.locator("#webhook")
    expect(panel).to_contain_text("The webhook is set in the service's settings and can only be changed there.")
    expect(panel).to_contain_text("Delivered Changes of run 4, 18 Nov, 11:06:40 after 2 attempts.")
    expect(panel.get_by_role("textbox")).to_have_count(0)
    expect(panel.get_by_role("button", name="Remove the webhook")).to_be_hidden()
