"""Schedules: rows that say when and what, and a form that shows all that it will store."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Console
from tests.browser.house import OWN, RunningService, post, requests_held

SCHEDULES = f"{OWN}/inspections/schedules"
STORED = {"accountSource": "oauth", "targetType": "all", "workers": 9, "autoActionMode": "strategy4"}
"""Settings of another page, as it keeps them in the browser."""


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=name)


def save(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()


def stored_schedule(site: RunningService, **values: object) -> None:
    settings = {"accountSource": "api_key", "autoActionMode": "disable", "workers": 7}
    schedule = {"name": "nightly", "cron": "0 3 * * *", "settings": settings, **values}
    post(site.page.request, f"{site.origin}{SCHEDULES}", schedule)


def test_a_nightly_schedule_over_all_accounts_stores_what_the_form_shows_and_says_that_it_acts(
    site: RunningService,
) -> None:
    page = site.open("schedules")
    page.evaluate("(all) => localStorage.setItem('poolkeeper.inspection.settings', JSON.stringify(all))", STORED)
    page.goto(f"{site.origin}/monitor/schedules?source=oauth&edit=new")
    drawer = page.get_by_role("dialog", name="New schedule")
    drawer.get_by_label("Name").fill("nightly")
    expect(drawer.get_by_text("Only report")).to_have_attribute("aria-pressed", "true")
    drawer.get_by_role("button", name="Change accounts by itself").click()
    expect(drawer).to_contain_text("API keys Checks 6 accounts")
    save(page)

    expect(row(page, "nightly · API keys")).to_contain_text("Disables and enables by itself")
    expect(row(page, "nightly · OAuth files")).to_contain_text("Every day at 03:00")
    settings = [schedule["settings"] for schedule in site.answer(SCHEDULES)["schedules"]]
    shown = [(each["accountSource"], each["autoActionMode"], each["workers"], each["keepAtLeast"]) for each in settings]
    assert shown == [("api_key", "disable", 32, 1), ("oauth", "disable", 32, 1)]


def test_a_schedule_over_both_sources_that_is_run_now_checks_one_after_the_other(site: RunningService) -> None:
    page = site.open("schedules", "?edit=new")
    drawer = page.get_by_role("dialog", name="New schedule")
    drawer.get_by_label("Name").fill("nightly")
    drawer.get_by_role("button", name="Save and run now").click()
    expect(page.get_by_text("Run 1 has started.")).to_be_visible()
    for name in ("nightly · API keys", "nightly · OAuth files"):
        expect(row(page, name).get_by_role("link", name="Run")).to_be_visible(timeout=20_000)
    runs = site.answer(f"{OWN}/inspections")["runs"]
    assert [(run["schedule"], run["accountSource"]) for run in runs] == [(2, "oauth"), (1, "api_key")]


def test_a_changed_schedule_keeps_its_other_settings_and_is_turned_off_and_removed(site: RunningService) -> None:
    stored_schedule(site)
    page = site.open("schedules")
    page.get_by_role("link", name="nightly").click()
    drawer = page.get_by_role("dialog", name="nightly")
    drawer.get_by_text("Safety limits and check details").click()
    expect(drawer.get_by_label("Max concurrency", exact=True)).to_have_value("7")
    drawer.get_by_role("button", name="Every … minutes").click()
    drawer.get_by_label("Interval (minutes)").fill("90")
    save(page)
    expect(row(page, "nightly")).to_contain_text("Every 90 minutes")
    (schedule,) = site.answer(SCHEDULES)["schedules"]
    assert (schedule["intervalMinutes"], schedule["settings"]["workers"]) == (90, 7)

    page.get_by_role("switch", name="Schedule nightly is on").click()
    expect(row(page, "nightly")).to_contain_text("off")
    assert site.answer(SCHEDULES)["schedules"][0]["settings"] == schedule["settings"]

    page.get_by_role("button", name="Edit schedule nightly").click()
    drawer.get_by_role("button", name="Remove").click()
    question = page.get_by_role("dialog", name="Remove the schedule nightly?")
    question.get_by_role("button", name="Cancel").click()
    expect(drawer.get_by_role("button", name="Remove")).to_be_focused()
    drawer.get_by_role("button", name="Remove").click()
    question.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No schedules yet.")).to_be_visible()
    expect(page.get_by_text("The schedule nightly is removed.")).to_be_visible()


def test_a_refused_value_is_said_at_its_field_and_what_was_typed_stays(site: RunningService, console: Console) -> None:
    console.expected.append("/inspections/schedules")
    page = site.open("schedules")
    page.get_by_role("button", name="New schedule").click()
    drawer = page.get_by_role("dialog", name="New schedule")
    save(page)
    expect(drawer.get_by_role("alert")).to_have_text("Enter a name.")
    expect(drawer.get_by_label("Name")).to_be_focused()
    drawer.get_by_label("Name").fill("nightly")
    drawer.get_by_role("button", name="Cron").click()
    cron = drawer.get_by_label("Cron expression")
    cron.fill("0 3 * *")
    save(page)
    expect(drawer.get_by_role("alert")).to_contain_text("it must have five fields")
    expect(cron).to_be_focused()
    expect(cron).to_have_value("0 3 * *")

    cron.fill("0 3 * * *")
    drawer.get_by_text("Safety limits and check details").click()
    drawer.get_by_label("Retries").fill("99")
    drawer.get_by_text("Safety limits and check details").click()
    save(page)
    expect(drawer.get_by_label("Retries")).to_be_focused()
    expect(drawer.get_by_label("Name")).to_have_value("nightly")


def test_a_schedule_is_saved_once_however_often_its_button_is_pressed(site: RunningService) -> None:
    page = site.open("schedules", "?edit=new")
    drawer = page.get_by_role("dialog", name="New schedule")
    drawer.get_by_label("Name").fill("keys")
    drawer.get_by_role("button", name="API keys").click()
    with requests_held(page, f"**{SCHEDULES}", "POST") as saves:
        for _ in range(3):
            save(page)
        drawer.get_by_label("Name").press("Enter")
        expect(drawer.get_by_role("button", name="Save", exact=True)).to_have_attribute("aria-busy", "true")
    expect(row(page, "keys")).to_have_count(1)
    assert len(saves) == 1


def test_a_schedule_runs_now_with_its_settings_and_says_why_it_did_not_start(site: RunningService) -> None:
    stored_schedule(site, settings={"accountSource": "api_key", "workers": 3, "timeoutSeconds": 1, "retries": 0})
    page = site.open("schedules")
    page.get_by_role("button", name="Run now: nightly").click()
    expect(page.get_by_text("Run 1 has started.")).to_be_visible()
    (run,) = site.answer(f"{OWN}/inspections")["runs"]
    assert (run["settings"]["workers"], run["settings"]["autoActionMode"]) == (3, "none")
    assert run["schedule"] == 1

    (schedule,) = site.answer(SCHEDULES)["schedules"]
    missed = {**schedule, "lastAt": schedule["savedAt"], "problem": "Another run was active."}
    page.route(f"**{SCHEDULES}", lambda route: route.fulfill(json={"schedules": [missed]}))
    page.reload()
    expect(row(page, "nightly")).to_contain_text("Another run was active.")
