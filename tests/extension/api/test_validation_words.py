"""A refused request says what is wanted, not how it is checked."""

import json

import pytest

from tests.extension.running_service import KEY, Running
from tools.project.demo.traffic import past_usage

KEYED = {"X-Management-Key": KEY}
ACTIONS = "/v0/management/poolkeeper/pool/actions"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("batch=abc", "Batch: a whole number is needed."),
        ("batch=-1", "Batch: at least 1 is needed."),
        ("cause=foo", "Cause: it is one of 'request', 'run', 'apply', 'release' or 'undo'."),
        ("result=foo", "Result: it does not have the allowed form."),
        (f"actor={'x' * 201}", "Actor: at most 200 characters are allowed."),
    ],
)
async def test_an_odd_value_of_a_query_is_refused_in_words(service: Running, query: str, said: str) -> None:
    refused = await service.get(f"{ACTIONS}?{query}", headers=KEYED)

    assert (refused.status, refused.json["error"].capitalize()) == (400, said.capitalize())
    assert refused.json["hint"] == f"Correct {refused.json['field']} in the query."


async def test_an_amount_that_is_no_price_is_refused_without_a_pattern(service: Running) -> None:
    body = {"model": "gpt-5", "rates": {"output": {"amount": "two"}}}
    refused = await service.send("PUT", "/v0/management/model-prices", json=body, headers=KEYED)

    assert refused.json["error"] == (
        "rates.output.amount: an amount in US dollars such as 0.15 is needed, from 0 to 1000000."
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"requestId": "req-1"}, "requestId: 1 to 15 hexadecimal digits are needed."),
        ({"status": "ok"}, "status: a whole number is needed."),
        ({"at": None}, "at: a whole number is needed."),
    ],
)
async def test_an_import_names_the_field_that_does_not_fit(
    service: Running, line: dict[str, object], said: str
) -> None:
    event = json.loads(past_usage(1_795_000_000_000).splitlines()[0])
    body = json.dumps(event) + "\n" + json.dumps(event | line)
    refused = await service.post("/v0/management/usage/import", headers=KEYED, data=body)

    assert (refused.status, refused.json["error"]) == (400, f"Line 2 is no event of usage. {said}")
    assert refused.json["field"] == said.partition(":")[0]
