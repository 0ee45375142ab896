"""Requests that no schema describes: whatever is sent, the answer is an error of ours, and short."""

import pytest

from tests.extension.running_service import KEY, OWN, Running

JSON = {"X-Management-Key": KEY, "Content-Type": "application/json"}
BEYOND = 2**70
HALF = b"\\ud83d"
"""Half of a character outside the basic plane, as JSON escapes it."""


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("pool/undo", b'{"actions":[%d]}' % BEYOND, 400),
        ("pool/status", b'{"accounts":[%d],"disabled":true}' % BEYOND, 400),
        ("pool/flags", b'{"accounts":[%d],"neverProbe":true}' % BEYOND, 400),
        ("inspections", b'{"' + HALF + b'":1}', 400),
        ("inspections", b'{"' + b"x" * 500_000 + b'":1}', 400),
        ("inspections", b'{"sampleSize":' + b"9" * 400 + b"}", 400),
        ("inspections", b'{"brakeMinimum":' + b"9" * 400 + b"}", 400),
        ("inspections/schedules", b'{"name":"a","intervalMinutes":5,"settings":{"' + HALF + b'":1}}', 400),
        ("info/session", b'{"key":"' + HALF + b'"}', 400),
        ("config/channels", b'{"name":"a","kind":"json","address":"http://[x"}', 400),
        ("config/channels", '{"name":"a","kind":"json","address":"http://\u2100/"}'.encode(), 400),
        ("config/channels", b'{"name":"a","kind":"json","address":"http://a:99999999/"}', 400),
        ("config/channels", b'{"name":"a","kind":"json","address":"http://a\\u0000b/"}', 400),
    ],
)
async def test_a_hostile_body_gets_a_short_error_of_ours(service: Running, path: str, body: bytes, status: int) -> None:
    answer = await service.post(f"{OWN}/{path}", data=body, headers=JSON)

    assert (answer.status, sorted({*answer.json} - {"field", "reasons"})) == (status, ["code", "error", "hint"])
    assert len(answer.text) < 3_000


async def test_an_error_that_names_thousands_of_accounts_is_cut(service: Running) -> None:
    body = {"accounts": list(range(1_000_000, 1_020_000)), "disabled": True}

    answer = await service.post(f"{OWN}/pool/status", json=body, headers=JSON)

    assert (answer.status, answer.json["code"]) == (404, "account_unknown")
    assert len(answer.text) < 3_000


async def test_flags_that_name_no_flag_change_nothing(service: Running) -> None:
    pool = await service.get(f"{OWN}/pool?source=api_key", headers=JSON)
    number = pool.json["accounts"][0]["id"]

    answer = await service.post(f"{OWN}/pool/flags", json={"accounts": [number]}, headers=JSON)

    assert answer.status == 204
    assert (await service.get(f"{OWN}/pool?source=api_key", headers=JSON)).json["accounts"] == pool.json["accounts"]
