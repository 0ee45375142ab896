"""A refused request says what is wanted, not how it is checked."""

import json

import pytest

from tests.extension.running_service import KEY, Running
from tools.project.demo.traffic import past_usage

KEYED = {"X-Management-Key": KEY}
ACTIONS = "/v0/management/poolkeeper/pool/actions"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("batch=abc", "Batch: it must be a whole number."),
        ("batch=-1", "Batch: it must be at least 1."),
        ("cause=foo", "Cause: it must be one of request, run, apply, release, undo."),
        ("result=foo", "Result: it does not have the allowed form."),
        (f"actor={'x' * 201}", "Actor: it must have at most 200 characters."),
    ],
)
async def test_an_odd_value_of_a_query_is_refused_in_words(service: Running, query: str, sentence: str) -> None:
    refused = await service.get(f"{ACTIONS}?{query}", headers=KEYED)

    assert (refused.status, refused.json["error"].capitalize()) == (400, sentence.capitalize())
    assert refused.json["hint"] == f"Correct {refused.json['field']} in the query."


async def test_an_amount_that_is_no_price_is_refused_without_a_pattern(service: Running) -> None:
    body = {"model": "gpt-5", "rates": {"output": {"amount": "two"}}}
    refused = await service.send("PUT", "/v0/management/model-prices", json=body, headers=KEYED)

    assert refused.json["error"] == (
        "rates.output.amount: it must be an amount in US dollars such as 0.15, from 0 to 1000000."
    )


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({"requestId": "req-1"}, "requestId: it must be 1 to 15 hexadecimal digits."),
        ({"status": "ok"}, "status: it must be a whole number."),
        ({"at": None}, "at: it must be a whole number."),
        ({"at": 253_402_300_800_000}, "at: it must be less than 253,402,300,800,000."),
    ],
)
async def test_an_import_names_the_field_that_does_not_fit(
    service: Running, line: dict[str, object], sentence: str
) -> None:
    event = json.loads(past_usage(1_795_000_000_000).splitlines()[0])
    body = json.dumps(event) + "\n" + json.dumps(event | line)
    refused = await service.post("/v0/management/usage/import", headers=KEYED, data=body)

    assert (refused.status, refused.json["error"]) == (400, f"Line 2 is no event of usage. {sentence}")
    assert refused.json["field"] == sentence.partition(":")[0]
    assert refused.json["reasons"][0]["code"] == "line_no_event"


@pytest.mark.parametrize(
    ("cron", "zone", "code"),
    [
        ("0 3 * *", "UTC", "cron_fields"),
        ("0 25 * * *", "UTC", "cron_unreadable"),
        ("0 3 * * *", "Mars/Base", "zone_unknown"),
    ],
)
async def test_an_unusable_time_of_a_schedule_is_a_code(service: Running, cron: str, zone: str, code: str) -> None:
    body = {"name": "nightly", "cron": cron, "timeZone": zone, "settings": {}}
    refused = await service.post("/v0/management/poolkeeper/inspections/schedules", json=body, headers=KEYED)

    assert [reason["code"] for reason in refused.json["reasons"]] == [code]
    assert refused.json["error"].startswith(f"{refused.json['field']}: ")
