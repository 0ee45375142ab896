"""Series for charts and failing accounts over real HTTP."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from adapter.clock import SystemClock
from extension.usage.calendar import HOUR_MS, MOST_PARTS
from tests.extension.api.usage.test_usage import BASE, DAY, START, collected, filled, spent
from tests.extension.cli.command_line import typed
from tests.extension.running_service import Running


@pytest.mark.parametrize(("days", "length"), [(1, "5m"), (3, "15m"), (30, "3h"), (366, "1d"), (3_000, "1M")])
async def test_a_series_sums_to_the_totals_and_keeps_to_its_points(service: Running, days: int, length: str) -> None:
    headers = await filled(service)
    query = {"start": START - 10 * 3_600_000, "end": START - 10 * 3_600_000 + days * DAY, "by": "model"}
    answer = (await service.get(f"{BASE}/series", headers=headers, params={**query, "zone": "-03:30"})).json
    summed = (await service.get(f"{BASE}/summary", headers=headers, params=query)).json

    assert answer["length"] == length
    assert len(answer["starts"]) == len(answer["totals"]["p95"]) <= MOST_PARTS
    assert sum(answer["totals"]["requests"]) == summed["totals"]["requests"] == (24 if days == 1 else 30)
    assert sum(answer["totals"]["tokens"]) == summed["totals"]["tokens"]["total"]
    assert {group["name"]: sum(group["points"]["requests"]) for group in answer["groups"]} == {
        group["name"]: group["figures"]["requests"] for group in summed["groups"]
    }
    (latency,) = {value for value in answer["totals"]["p50"] if value is not None}
    assert latency == pytest.approx(1530, rel=0.05)


async def test_failing_accounts_come_with_their_reasons(service: Running) -> None:
    headers = await filled(service)
    query = {"start": START - DAY, "end": START + 3 * DAY}
    (account,) = (await service.get(f"{BASE}/failures", headers=headers, params=query)).json["accounts"]

    assert (account["requests"], account["failed"]) == (30, 3)
    assert [(reason["failure"], reason["requests"]) for reason in account["reasons"]] == [("429", 3)]
    assert account["reasons"][0]["lastAt"] == START - 10 * 3_600_000 + 29 * 3_600_000 + 15 * 60_000


@pytest.mark.parametrize("zone", ["UTC", "+14:00", "-03:30"])
@pytest.mark.parametrize("end", [START + 3 * DAY, 253_402_300_800_000])
async def test_a_series_over_everything_is_narrowed_to_the_hours_with_requests(
    service: Running, zone: str, end: int
) -> None:
    headers = await filled(service)
    query = {"start": 0, "end": end, "by": "model", "zone": zone}
    reply = await service.get(f"{BASE}/series", headers=headers, params=query)

    assert reply.status == 200, reply.text
    answer = reply.json
    assert answer["length"] == "5m"
    assert (answer["starts"][0], answer["end"]) == (START - 10 * 3_600_000, START + 20 * 3_600_000)
    assert sum(answer["totals"]["requests"]) == 30


async def test_a_series_over_everything_without_a_request_has_no_points(service: Running) -> None:
    headers = await service.log_in()
    query = {"start": 0, "end": 253_402_300_800_000, "zone": "+14:00"}
    reply = await service.get(f"{BASE}/series", headers=headers, params=query)

    assert (reply.status, reply.json["starts"]) == (200, [])


def unrecorded(service: Running, start: int, end: int) -> None:
    insert = "INSERT INTO usage_gaps (pool_id, start_at, end_at, kind, missing) VALUES (1, ?, ?, 'unrecorded', 2)"
    with closing(sqlite3.connect(service.folder / "poolkeeper.db")) as raw:
        raw.execute(insert, (start, end))
        raw.commit()


async def test_requests_without_a_record_make_every_cost_of_their_time_a_lower_bound(service: Running) -> None:
    headers = await service.log_in()
    await service.post(f"{BASE}/collection", headers=headers, json={"recording": True})
    for hour in (1, 5):
        at = f"2026-08-22T{hour:02}:15:00Z"
        spent(service, timestamp=at, request_id=f"{hour}", provider="groq", model="llama-3.3-70b-versatile")
    await collected(service, headers, 2)
    first = START - 10 * HOUR_MS
    unrecorded(service, first + HOUR_MS + 600_000, first + HOUR_MS + 1_200_000)

    query = {"start": first, "end": first + 6 * HOUR_MS, "by": "model"}
    summary = (await service.get(f"{BASE}/summary", headers=headers, params=query | {"step": "hour"})).json
    series = (await service.get(f"{BASE}/series", headers=headers, params=query)).json

    (group,), (points,) = summary["groups"], series["groups"]
    assert (summary["totals"]["partial"], group["figures"]["partial"]) == (True, True)
    hours = [part["groups"][group["name"]]["partial"] for part in summary["series"] if part["groups"]]
    assert [part["figures"]["partial"] for part in summary["series"] if part["groups"]] == hours == [True, False]
    assert series["totals"]["partial"] == points["points"]["partial"]
    assert points["points"]["partial"].count(True) == 1


async def test_the_terminal_names_requests_without_a_record_and_marks_every_row(service: Running) -> None:
    headers = await filled(service)
    now = SystemClock().now_ms()
    spent(service, timestamp=datetime.fromtimestamp(now / 1000, UTC).isoformat(), request_id="a")
    await collected(service, headers, 32)
    unrecorded(service, now - 60_000, now)

    shown = (await typed(service, "usage", "top")).output
    assert "unrecorded, 2 requests without a record (such as token counts)" in shown
    assert "\u2265 1 " in shown
