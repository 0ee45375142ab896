"""A service that is slow to answer: buttons show that they are at work, and act once for all the clicks meanwhile."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.stand_in.service import StandInService
from tests.browser.test_usage_pages import Site, filled, site

__all__ = ["filled", "site"]

RING = """(button) => {
  const { content, animationName } = getComputedStyle(button, "::after");
  return content === "none" ? "" : animationName;
}"""


def hammer(button: Locator) -> None:
    """Press a button three times within one answer."""
    box = button.bounding_box()
    for _ in range(3):
        button.click()
    assert button.evaluate(RING) == "appear, turn"
    assert button.bounding_box() == box
    expect(button).to_have_attribute("aria-busy", "true")


def test_a_schedule_is_saved_once_however_often_its_button_is_pressed(operator: Page, service: StandInService) -> None:
    operator.get_by_role("link", name="Schedules").click()
    operator.get_by_label("Name", exact=True).fill("nightly")
    operator.get_by_label("Interval (minutes)").fill("90")
    answer = service.delays.next_answer("POST", "inspections/schedules")
    save = operator.get_by_role("button", name="Save with the current run settings")
    hammer(save)
    operator.get_by_label("Name", exact=True).press("Enter")
    answer.release()

    expect(operator.get_by_role("row", name="nightly")).to_have_count(1)
    assert [path for _, path, _ in service.requests] == ["inspections/schedules"]
    expect(save).not_to_have_attribute("aria-busy", "true")
    assert save.evaluate(RING) == ""


def test_automation_is_paused_once_and_a_start_shows_that_it_is_under_way(
    operator: Page, service: StandInService
) -> None:
    paused = service.delays.next_answer("POST", "config/automation")
    hammer(operator.get_by_role("button", name="Pause automation"))
    paused.release()
    expect(operator.get_by_role("button", name="Resume automation")).to_be_visible()

    with held(operator, "**/poolkeeper/inspections", "POST"):
        hammer(operator.get_by_role("button", name="Start inspection"))
    expect(operator.get_by_role("button", name="Stop")).to_be_visible()
    assert [path for _, path, _ in service.requests] == ["config/automation", "inspections"]


def test_a_refresh_shows_that_it_is_under_way_and_turns_nothing_for_those_who_ask_for_that(
    operator: Page, service: StandInService
) -> None:
    operator.emulate_media(reduced_motion="reduce")
    answer = service.delays.next_answer("GET", "pool")
    refresh = operator.get_by_role("button", name="Refresh")
    refresh.click()
    answer.wait_until_made()
    assert refresh.evaluate(RING) == "appear"
    operator.emulate_media(reduced_motion="no-preference")
    answer.release()
    expect(refresh).not_to_have_attribute("aria-busy", "true")


def test_a_channel_is_added_once_and_its_button_keeps_the_keyboard(operator: Page, service: StandInService) -> None:
    operator.get_by_role("link", name="Notifications").click()
    operator.get_by_label("Channel", exact=True).fill("on call")
    operator.get_by_label("URL", exact=True).fill("tgram://very-secret-token/42")
    answer = service.delays.next_answer("POST", "config/channels")
    add = operator.get_by_role("button", name="Add channel")
    hammer(add)
    expect(add).to_be_focused()
    answer.release()
    test = operator.get_by_role("button", name="Send a test to on call")
    expect(test).to_be_visible()
    answer = service.delays.next_answer("POST", "config/channels/test")
    hammer(test)
    answer.release()
    expect(operator.locator("#channels")).to_contain_text("Delivered")
    expect(test).to_be_focused()
    assert [path for _, path, _ in service.requests] == ["config/channels", "config/channels/test"]


@contextmanager
def held(page: Page, path: str, method: str) -> Iterator[list[Route]]:
    """Hold the requests of a method to a path back, until the block ends."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == method:
            routes.append(route)
        else:
            route.continue_()

    page.route(path, hold)
    yield routes
    for route in routes:
        route.continue_()
    page.unroute(path)


def test_another_measure_is_drawn_from_what_was_read(filled: Site) -> None:
    page = filled.open("usage", "?period=7d")
    expect(page.get_by_role("figure", name="Requests over time")).to_be_visible()

    with held(page, "**/usage/**", "GET"):
        page.get_by_label("Show", exact=True).select_option("usd")

        expect(page.get_by_role("figure", name="Cost over time")).to_be_visible()
        expect(page).to_have_url(re.compile("measure=usd"))


def test_names_of_keys_and_prices_are_saved_once(filled: Site) -> None:
    page = filled.open("keys")
    row = page.get_by_role("row").nth(1)
    row.get_by_role("textbox").fill("nightly jobs")
    with held(page, "**/api-key-aliases", "PUT") as puts:
        hammer(row.get_by_role("button", name="Save"))
    save = page.get_by_role("row").nth(1).get_by_role("button", name="Save")
    expect(save).not_to_have_attribute("aria-busy", "true")
    expect(save).to_be_focused()
    assert len(puts) == 1

    page = filled.open("prices")
    page.get_by_role("button", name="Add").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Model").fill("own-model")
    dialog.get_by_label("Input").fill("2")
    with held(page, "**/model-prices", "PUT") as puts:
        hammer(dialog.get_by_role("button", name="Save"))
    expect(dialog).to_have_count(0)
    assert len(puts) == 1
