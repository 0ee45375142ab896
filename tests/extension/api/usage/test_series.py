"""Series for charts and failing accounts over real HTTP."""

import pytest

from extension.usage.calendar import MOST_PARTS
from tests.extension.api.usage.test_usage import BASE, DAY, START, filled
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
