"""Schedules."""

from playwright.sync_api import Page, expect

from tests.browser.stand_in.service import StandInService


def saved(page: Page) -> None:
    page.get_by_role("link", name="Schedules").click()
    page.get_by_label("Name", exact=True).fill("nightly")
    page.get_by_label("Interval (minutes)").fill("90")
    page.get_by_label("Random delay (max, minutes)").fill("10")
    page.get_by_role("button", name="Save with the current run settings").click()
    expect(page.get_by_role("row", name="nightly")).to_be_visible()


def change_concurrency(page: Page, number: int) -> None:
    page.get_by_role("link", name="Accounts").click()
    page.get_by_role("button", name="Check now").click()
    page.get_by_role("dialog", name="Check now").get_by_label("Max concurrency", exact=True).fill(str(number))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Schedules").click()


def test_a_schedule_is_saved_with_a_snapshot_and_takes_new_settings_only_when_told(
    operator: Page, service: StandInService
) -> None:
    change_concurrency(operator, 7)

    saved(operator)

    (schedule,) = service.follow_up.schedules
    assert (schedule["intervalMinutes"], schedule["jitterMinutes"], schedule["enabled"]) == (90, 10, True)
    assert (schedule["settings"]["workers"], schedule["settings"]["accountSource"]) == (7, "api_key")
    row = operator.get_by_role("row", name="nightly")
    expect(row).to_contain_text("90 min, random delay up to 10 min")
    expect(row).to_contain_text("18 Nov, 12:36:40")
    row.get_by_text("Show").click()
    expect(row.locator(".facts")).to_contain_text("Max concurrency7")

    change_concurrency(operator, 9)
    operator.get_by_role("button", name="Edit schedule nightly").click()
    expect(operator.get_by_role("button", name="Save changes")).to_be_visible()
    expect(operator.get_by_label("Name", exact=True)).to_be_focused()
    operator.get_by_label("Interval (minutes)").fill("30")
    operator.get_by_role("button", name="Save changes").click()
    expect(operator.get_by_role("row", name="nightly")).to_contain_text("30 min")
    assert service.follow_up.schedules[0]["settings"]["workers"] == 7

    operator.get_by_role("button", name="Edit schedule nightly").click()
    operator.get_by_label("Use the current run settings").check()
    operator.get_by_role("button", name="Save changes").click()

    expect(operator.get_by_role("button", name="Save changes")).to_be_hidden()
    assert service.follow_up.schedules[0]["settings"]["workers"] == 9


def test_a_schedule_that_could_not_start_says_why_and_can_be_removed(operator: Page, service: StandInService) -> None:
    saved(operator)
    service.follow_up.schedules[0].update(lastAt=1_795_000_000_000, problem="Another run was active.")
    operator.get_by_role("link", name="Activity").click()
    operator.get_by_role("link", name="Schedules").click()
    expect(operator.get_by_role("row", name="nightly")).to_contain_text("Another run was active.")

    operator.get_by_role("button", name="Remove schedule nightly").click()
    dialog = operator.get_by_role("dialog", name="Remove the schedule nightly?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(operator.get_by_role("button", name="Remove schedule nightly")).to_be_focused()
    operator.get_by_role("button", name="Remove schedule nightly").click()
    dialog.get_by_role("button", name="Remove").click()

    expect(operator.locator("#schedules")).to_contain_text("No schedules yet.")
    expect(operator.locator(".notice.toast")).to_contain_text("The schedule nightly is removed.")
    expect(operator.get_by_role("heading", level=1)).to_be_focused()


def test_a_schedule_starts_at_set_times_in_a_time_zone(operator: Page, service: StandInService) -> None:
    operator.get_by_role("link", name="Schedules").click()
    operator.get_by_label("Name", exact=True).fill("nightly")
    operator.get_by_label("Starts").select_option("At set times (cron)")
    expect(operator.get_by_label("Interval (minutes)")).to_be_hidden()
    operator.get_by_label("Cron expression").fill("0 3 * * *")
    operator.get_by_label("Time zone").fill("Asia/Shanghai")
    operator.get_by_role("button", name="Save with the current run settings").click()

    expect(operator.get_by_role("row", name="nightly")).to_contain_text("0 3 * * * (Asia/Shanghai)")
    (schedule,) = service.follow_up.schedules
    assert (schedule["intervalMinutes"], schedule["cron"], schedule["timeZone"]) == (None, "0 3 * * *", "Asia/Shanghai")
