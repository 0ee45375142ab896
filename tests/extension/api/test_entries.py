"""The configuration entry of a key over the HTTP interface: shown without secrets, planned, edited and undone."""

from typing import Any

import pytest

from tests.extension.api.test_resources import accounts
from tests.extension.running_service import BAD_KEY, GOOD_KEY, OWN, Running

ENTRY = f"{OWN}/pool/entry"


async def shown(service: Running) -> dict[str, Any]:
    account = (await accounts(service))["vendor-b-apikey"]["id"]
    answer = await service.get(f"{ENTRY}?account={account}")
    assert BAD_KEY not in answer.text
    return {"account": account, "revision": answer.json["revision"], "fields": answer.json["fields"]}


async def test_an_entry_is_shown_planned_edited_and_undone(service: Running) -> None:
    headers = await service.log_in()
    body = await shown(service)
    assert body["fields"] == {
        "baseUrl": "http://127.0.0.1:7", "priority": 0, "prefix": "", "models": [], "headers": {}
    }  # fmt: skip
    body["fields"] |= {"baseUrl": "http://127.0.0.1:8", "models": [{"name": "claude", "alias": "c"}]}

    plan = (await service.post(ENTRY, json={**body, "plan": True}, headers=headers)).json
    assert plan["changes"] == [
        {"field": "base-url", "before": "http://127.0.0.1:7", "after": "http://127.0.0.1:8"},
        {"field": "models", "before": "", "after": "claude → c"},
    ]
    assert (plan["command"], plan["losses"]) == (None, [])
    edited = (await service.post(ENTRY, json={**body, "reason": "moved"}, headers=headers)).json
    assert edited["command"]["actions"][0]["outcome"] == "applied"
    now = (await accounts(service))["vendor-b-apikey"]
    assert (now["id"], now["baseUrl"]) == (edited["account"], "http://127.0.0.1:8")

    batch = edited["command"]["batch"]["id"]
    undone = await service.post(f"{OWN}/pool/undo", json={"batch": batch}, headers=headers)
    assert undone.json["actions"][0]["outcome"] == "applied"
    assert (await accounts(service))["vendor-b-apikey"]["id"] == body["account"]
    actions = (await service.get(f"{OWN}/pool/actions?action=edit")).json
    assert (actions["total"], actions["reverted"]) == (2, [edited["command"]["actions"][0]["id"]])
    assert GOOD_KEY in service.gateway.state.text


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"baseUrl": "ftp://x"}, "fields.baseUrl"),
        ({"baseUrl": "http://x/\x00"}, "fields.baseUrl"),
        ({"baseUrl": "http://[::1"}, "fields.baseUrl"),
        ({"baseUrl": "http://:80/v1"}, "fields.baseUrl"),
        ({"baseUrl": "http://x:port/"}, "fields.baseUrl"),
        ({"headers": {"no header": "1"}}, "fields.headers.no header.[key]"),
        ({"headers": {"X-A": "1\r\nX-B: 2"}}, "fields.headers.X-A"),
        ({"prefix": "a/b"}, "fields.prefix"),
        ({"prefix": "a\x00b"}, "fields.prefix"),
        ({"apiKey": "another"}, "fields.apiKey"),
    ],
)
async def test_a_field_that_no_entry_can_have_is_refused(service: Running, change: dict[str, Any], field: str) -> None:
    headers = await service.log_in()
    body = await shown(service)
    body["fields"] |= change
    refused = await service.post(ENTRY, json=body, headers=headers)
    assert (refused.status, refused.json["field"]) == (400, field)


async def test_an_entry_that_changed_since_it_was_shown_is_not_edited(service: Running) -> None:
    headers = await service.log_in()
    body = await shown(service)
    refused = await service.post(ENTRY, json={**body, "revision": "another"}, headers=headers)
    assert (refused.status, refused.json["code"]) == (409, "entry_refused")
