"""Usage over real HTTP: collected, summed, streamed, exported and taken in elsewhere."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapter.rules.usage_record import usage_records
from tests.extension.running_service import Running, gateway_of_two, running
from tests.extension.usage.samples import breakdown, record

BASE = "/v0/management/usage"
START = 1_787_392_800_000
"""22 August 2026, 10:00 UTC."""
DAY = 24 * 3_600_000


def spent(service: Running, **changes: Any) -> None:
    raw = record(**changes)
    (summary,) = usage_records([raw])
    service.gateway.usage.spend(replace(summary, raw=raw))


async def collected(service: Running, headers: dict[str, str], count: int) -> None:
    for _ in range(400):
        state = (await service.get(f"{BASE}/collection", headers=headers)).json
        if state["stored"] + state["duplicates"] + state["unreadable"] >= count:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(state)


async def filled(service: Running) -> dict[str, str]:
    headers = await service.log_in()
    switched = await service.post(f"{BASE}/collection", headers=headers, json={"recording": True})
    assert switched.json["recording"] is True
    for hour in range(30):
        at = f"2026-08-{22 + hour // 24:02}T{hour % 24:02}:15:00Z"
        failed = hour % 10 == 9
        spent(
            service,
            timestamp=at,
            request_id=f"{hour:08x}",
            model=f"model-{hour % 3}",
            failed=failed,
            fail={"status_code": 429 if failed else 200, "body": ""},
            token_breakdown=breakdown(hour, 1, read=2),
        )
    spent(service, timestamp="never")
    await collected(service, headers, 31)
    return headers


async def test_nothing_is_answered_without_authentication(service: Running) -> None:
    for path in ("", "/summary", "/stream", "/export", "/collection"):
        assert (await service.get(f"{BASE}{path}")).status == 401
    assert (await service.post(f"{BASE}/import")).status == 401


async def test_events_come_page_by_page_and_without_secrets(service: Running) -> None:
    headers = await filled(service)
    period = {"start": START - DAY, "end": START + 3 * DAY}
    pages, before = [], None
    while True:
        query = {**period, "limit": 7, **({} if before is None else {"before": before})}
        page = await service.get(BASE, headers=headers, params=query)
        pages += page.json["events"]
        before = page.json["next"]
        for secret in ("upstream-secret", "client-key", "203.0.113", "curl"):
            assert secret not in page.text
        if before is None:
            break

    assert [event["requestId"] for event in pages] == [f"{hour:x}" for hour in reversed(range(30))]
    assert {event["usd"] for event in pages} == {None}
    letters = (await service.get(f"{BASE}/collection", headers=headers)).json["letters"]
    assert [letter["reason"] for letter in letters] == ["no_time"]
    assert "upstream-secret" not in json.dumps(letters)


@pytest.mark.parametrize(
    ("zone", "days"), [("UTC", [24, 6]), ("+08:00", [16, 14]), ("-03:30", [4, 24, 2]), ("Asia/Kathmandu", [18, 12])]
)
async def test_days_are_those_of_the_reader(service: Running, zone: str, days: list[int]) -> None:
    headers = await filled(service)
    query = {"start": START - 10 * 3_600_000, "end": START + 2 * DAY, "step": "day", "zone": zone, "by": "model"}
    summary = (await service.get(f"{BASE}/summary", headers=headers, params=query)).json

    assert [part["figures"]["requests"] for part in summary["series"] if part["figures"]["requests"]] == days
    assert summary["totals"]["requests"] == sum(map(sum, summary["heat"])) == 30
    assert summary["totals"]["failed"] == 3
    assert summary["totals"]["tokens"]["cacheRead"] == 60
    assert summary["totals"]["tokens"]["total"] == sum(range(30)) + 90
    assert (summary["totals"]["usd"], summary["totals"]["unpriced"]) == (None, 30)
    assert summary["totals"]["latency"]["p50"] == pytest.approx(1530, rel=0.05)
    assert {group["name"]: group["figures"]["requests"] for group in summary["groups"]} == {
        f"model-{number}": 10 for number in range(3)
    }


async def test_a_filter_applies_to_sums_and_events_alike(service: Running) -> None:
    headers = await filled(service)
    query = {"start": START - DAY, "end": START + 3 * DAY, "model": "model-0", "failed": "true"}
    summed = (await service.get(f"{BASE}/summary", headers=headers, params=query)).json
    listed = (await service.get(BASE, headers=headers, params=query)).json

    assert summed["totals"]["requests"] == len(listed["events"]) == 1
    assert listed["events"][0]["failure"] == "429"


async def test_client_keys_are_shown_by_their_aliases(service: Running) -> None:
    headers = await filled(service)
    query = {"start": START - DAY, "end": START + 3 * DAY, "by": "client"}
    (group,) = (await service.get(f"{BASE}/summary", headers=headers, params=query)).json["groups"]
    assert group["label"] == ""

    body = {"fingerprint": group["name"], "alias": "Anna"}
    reply = await service.send("PUT", "/v0/management/api-key-aliases", headers=headers, json=body)
    assert reply.status == 200

    (group,) = (await service.get(f"{BASE}/summary", headers=headers, params=query)).json["groups"]
    assert group["label"] == "Anna"


async def test_new_events_are_streamed_and_a_number_goes_on(service: Running) -> None:
    headers = await filled(service)
    first = (await service.get(f"{BASE}/stream", headers=headers, params={"limit": 20})).json
    rest = (await service.get(f"{BASE}/stream", headers=headers, params={"after": first["next"]})).json
    none = (await service.get(f"{BASE}/stream", headers=headers, params={"after": rest["next"]})).json

    assert [event["seq"] for event in first["events"] + rest["events"]] == list(range(1, 31))
    assert none == {"events": [], "next": 30}


async def test_a_stream_that_asks_for_it_has_a_heartbeat(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extension.api.events.HEARTBEAT_SECONDS", 0.1)
    headers = {**await service.log_in(), "Accept": "text/event-stream"}

    async with service.browser.get(f"{service.address}{BASE}/stream?heartbeat=true", headers=headers) as answer:
        line = await asyncio.wait_for(answer.content.readline(), 5)

    assert line == b"event: heartbeat\r\n"


async def test_an_export_imported_elsewhere_gives_identical_answers(service: Running, tmp_path: Path) -> None:
    headers = await filled(service)
    period = {"start": START - DAY, "end": START + 3 * DAY}
    exported = await service.get(f"{BASE}/export", headers=headers, params=period)
    table = await service.get(f"{BASE}/export", headers=headers, params={**period, "format": "csv"})
    queries = [
        {**period, "by": by, "step": "day", "zone": "-03:30"} for by in ("model", "account", "client", "failure")
    ]
    answers = [(await service.get(f"{BASE}/summary", headers=headers, params=query)).json for query in queries]
    assert len(table.text.splitlines()) == 31

    async with running(tmp_path / "elsewhere", gateway_of_two()) as other:
        there = await other.log_in()
        for result in ({"stored": 30, "duplicates": 0, "tooOld": 0}, {"stored": 0, "duplicates": 30, "tooOld": 0}):
            taken = await other.post(f"{BASE}/import", headers=there, data=exported.text)
            assert taken.json == result
        for query, answer in zip(queries, answers, strict=True):
            summary = (await other.get(f"{BASE}/summary", headers=there, params=query)).json
            assert {**summary, "gaps": []} == {**answer, "gaps": []}
        bad = await other.post(f"{BASE}/import", headers=there, data=exported.text + '{"at": -1}\n')
        assert (bad.status, bad.json["code"]) == (400, "bad_request")


@pytest.mark.parametrize(
    "query",
    [
        {"zone": "Nowhere"},
        {"start": 5, "end": 4},
        {"step": "hour", "start": 0, "end": START},
        {"before": "x"},
        {"odd": "1"},
    ],
)
async def test_a_query_that_cannot_be_answered_is_refused(service: Running, query: dict[str, Any]) -> None:
    headers = await service.log_in()

    answer = await service.get(f"{BASE}/summary", headers=headers, params=query)

    assert (answer.status, answer.json["code"]) == (400, "bad_request")


@pytest.mark.parametrize("end", [START + 3 * DAY, 253_402_300_800_000])
async def test_sums_without_a_step_take_a_period_of_any_length(service: Running, end: int) -> None:
    headers = await filled(service)
    exact = {"start": START - DAY, "end": START + 3 * DAY, "by": "model", "zone": "-03:30"}
    expected = (await service.get(f"{BASE}/summary", headers=headers, params=exact)).json
    reply = await service.get(f"{BASE}/summary", headers=headers, params={**exact, "start": 0, "end": end})

    assert reply.status == 200, reply.text
    for name in ("totals", "groups", "heat", "series"):
        assert reply.json[name] == expected[name]
    assert (reply.json["start"], reply.json["end"]) == (0, min(end, 253_339_228_800_000))


async def test_a_step_that_is_too_short_for_the_period_names_the_choices(service: Running) -> None:
    headers = await service.log_in()
    reply = await service.get(f"{BASE}/summary", headers=headers, params={"step": "hour", "start": 0, "end": START})

    assert reply.status == 400
    assert "parts of one hour" in reply.json["error"]
    assert "at most 41 days" in reply.json["hint"]
    assert "leave step out" in reply.json["hint"]


async def test_the_end_of_the_calendar_is_a_period_as_any(service: Running) -> None:
    headers = await service.log_in()
    last = {"start": 253_402_300_800_000 - 300 * DAY, "end": 253_402_300_800_000, "zone": "+14:00"}
    for path, more in (("summary", {"step": "day"}), ("summary", {"step": "month"}), ("series", {})):
        assert (await service.get(f"{BASE}/{path}", headers=headers, params={**last, **more})).status == 200
