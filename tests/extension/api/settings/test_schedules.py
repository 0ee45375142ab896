"""Schedules over real HTTP."""

import pytest

from tests.extension.running_service import OWN, Running

SCHEDULES = f"{OWN}/inspections/schedules"


async def test_a_schedule_is_saved_shown_changed_and_removed(service: Running) -> None:
    headers = await service.log_in()
    body = {"name": "nightly", "intervalMinutes": 1440, "jitterMinutes": 60, "settings": {"accountSource": "api_key"}}
    saved = await service.post(SCHEDULES, json=body, headers=headers)
    assert saved.status == 200, saved.text
    schedule = saved.json["schedule"]
    assert (schedule["enabled"], schedule["settings"]["timeoutSeconds"], schedule["lastRun"]) == (True, 15, None)
    assert saved.json["accountsInScope"] == 2

    off = await service.post(SCHEDULES, json={**body, "id": schedule["id"], "enabled": False}, headers=headers)
    assert off.json["schedule"]["id"] == schedule["id"]
    (shown,) = (await service.get(SCHEDULES)).json["schedules"]
    assert (shown["enabled"], shown["name"]) == (False, "nightly")

    gone = await service.send("DELETE", f"{SCHEDULES}?schedule={schedule['id']}", headers=headers)
    assert (gone.status, (await service.get(SCHEDULES)).json) == (204, {"schedules": []})
    again = await service.send("DELETE", f"{SCHEDULES}?schedule={schedule['id']}", headers=headers)
    assert (again.status, again.json["code"]) == (404, "schedule_unknown")


async def test_a_schedule_in_whose_scope_no_account_is_now_is_saved_and_says_so(service: Running) -> None:
    headers = await service.log_in()
    settings = {"accountSource": "api_key", "providerFilter": "no-such-relay"}
    saved = await service.post(
        SCHEDULES, json={"name": "later", "intervalMinutes": 60, "settings": settings}, headers=headers
    )
    assert (saved.status, saved.json["accountsInScope"]) == (200, 0)


async def test_a_schedule_with_an_unusable_setting_is_400_and_not_saved(service: Running) -> None:
    headers = await service.log_in()
    body = {"name": "bad", "intervalMinutes": 60, "settings": {"workers": 0}}
    refused = await service.post(SCHEDULES, json=body, headers=headers)
    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
    assert (await service.get(SCHEDULES)).json == {"schedules": []}


async def test_a_cron_expression_with_a_time_zone_is_saved_beside_intervals(service: Running) -> None:
    headers = await service.log_in()
    body = {"name": "nightly", "cron": " 0  3 * * * ", "timeZone": "Asia/Shanghai"}
    saved = await service.post(SCHEDULES, json=body, headers=headers)
    assert saved.status == 200, saved.text
    schedule = saved.json["schedule"]
    assert (schedule["cron"], schedule["timeZone"], schedule["intervalMinutes"]) == ("0 3 * * *", "Asia/Shanghai", None)
    assert schedule["nextAt"] % 86_400_000 == 19 * 3_600_000


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "interval"),
        ({"cron": "0 3 * * *", "intervalMinutes": 60}, "interval"),
        ({"cron": "0 3 * *"}, "cron"),
        ({"cron": "0 3 * * *", "timeZone": "Mars/Olympus"}, "timeZone"),
    ],
)
async def test_a_schedule_without_usable_times_is_400(service: Running, fields: dict[str, object], named: str) -> None:
    refused = await service.post(SCHEDULES, json={"name": "bad", **fields}, headers=await service.log_in())

    assert (refused.status, refused.json["code"]) == (400, "bad_setting")
    assert named in refused.text
