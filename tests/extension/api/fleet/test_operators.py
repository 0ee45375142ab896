"""Operators, tokens and the audit over the interface."""

import csv
import io
import json

import pytest

from adapter.privacy.secret import Redactor
from extension.engine.operators.permission import Role
from extension.store.errors import DatabaseUnavailable
from tests.extension.api.fleet.house import OWN_POOL, PATHS, House

OPERATORS = PATHS.part("fleet/operators")
TOKENS = PATHS.part("fleet/tokens")
AUDIT = PATHS.part("fleet/audit")
EXPORT = PATHS.part("fleet/audit/export")
STATUS = PATHS.part("pool/status")


async def test_an_operator_is_added_changed_and_removed(house: House) -> None:
    key = {"X_Management_Key": await house.token_of("admin", Role.ADMIN)}
    body = {"name": "ann", "role": "operator", "labels": {"region": "eu"}}

    added = await house.send("POST", OPERATORS, body=body, **key)
    issued = await house.send("POST", TOKENS, body={"operator": "ann", "days": 30, "note": "laptop"}, **key)
    await house.send("PUT", OPERATORS, body={"name": "ann", "role": "viewer"}, **key)
    listed = await house.send("GET", OPERATORS, **key)
    removed = await house.send("DELETE", OPERATORS, query="name=ann", **key)

    assert (added.status, issued.status, removed.status) == (200, 201, 204)
    ann = listed.json["operators"][1]
    assert (ann["name"], ann["role"], ann["labels"], ann["addedBy"]) == ("ann", "viewer", {"region": "eu"}, "admin")
    assert [token["note"] for token in ann["tokens"]] == ["laptop"]
    assert [row[0] for row in await house.records()] == ["admin"] * 4


@pytest.mark.parametrize(
    ("method", "query", "body", "code"),
    [
        ("POST", "", {"name": "admin", "role": "viewer"}, "operator_exists"),
        ("POST", "", {"name": "ann", "role": "admin", "labels": {"region": "eu"}}, "admin_limited"),
        ("POST", "", {"name": "=ann", "role": "viewer"}, "bad_request"),
        ("PUT", "", {"name": "nobody", "role": "viewer"}, "operator_unknown"),
        ("PUT", "", {"name": "admin", "role": "viewer"}, "last_admin"),
        ("DELETE", "name=admin", None, "last_admin"),
    ],
)
async def test_what_would_leave_a_fleet_without_order_is_refused(
    house: House, method: str, query: str, body: object, code: str
) -> None:
    token = await house.token_of("admin", Role.ADMIN)

    answer = await house.send(method, OPERATORS, query=query, body=body, X_Management_Key=token)

    assert answer.code == code
    assert (await house.records())[-1][3:] == ("failed", code)


async def test_a_token_is_in_no_database_log_answer_or_export(
    house: House, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    admin = await house.token_of("admin", Role.ADMIN)
    key = {"X_Management_Key": admin}
    token = (await house.send("POST", TOKENS, body={"operator": "admin"}, **key)).json["token"]
    await house.send("POST", STATUS, query=f"pool={OWN_POOL}&x={token}", body={"reason": f"with {token}"}, **key)
    await house.send("GET", f"{STATUS}/{token}", **key)
    page = await house.signed_in(token)

    answers = [await house.send("GET", path, **key) for path in (OPERATORS, AUDIT, EXPORT)]
    await house.database.close()
    texts = [answer.text for answer in answers] + [caplog.text, *capsys.readouterr(), page["Cookie"]]
    stored = b"".join(file.read_bytes() for file in house.folder.rglob("*") if file.is_file())

    assert all(text not in shown for text in (token, admin) for shown in texts)
    assert token.encode() not in stored
    assert admin.encode() not in stored
    assert token not in Redactor().redact(f"a log line that repeats {token}")


async def test_the_audit_is_filtered_paged_and_exported_so_that_no_spreadsheet_calculates(house: House) -> None:
    key = {"X_Management_Key": await house.token_of("admin", Role.ADMIN)}
    viewer = {"X_Management_Key": await house.token_of("viewer", Role.VIEWER)}
    for sender in (key, viewer):
        await house.send("POST", STATUS, query=f"pool={OWN_POOL}", body={"reason": "=1+1"}, **sender)

    refused = (await house.send("GET", AUDIT, query="outcome=refused&path=status", **key)).json
    first = (await house.send("GET", AUDIT, query="limit=1", **key)).json
    second = (await house.send("GET", AUDIT, query=f"limit=1&before={first['next']}", **key)).json
    table = list(csv.DictReader(io.StringIO((await house.send("GET", EXPORT, **key)).text)))
    lines = (await house.send("GET", EXPORT, query="format=jsonl&operator=admin", **key)).text.splitlines()

    assert [(row["operator"], row["code"]) for row in refused["records"]] == [("viewer", "role_insufficient")]
    assert [page["records"][0]["operator"] for page in (first, second)] == ["viewer", "admin"]
    assert [(row["operator"], row["reason"]) for row in table] == [("viewer", ""), ("admin", "'=1+1")]
    assert [json.loads(line)["reason"] for line in lines] == ["=1+1"]
    assert json.loads(lines[0]) | {"id": 0, "at": 0, "endedAt": 0} == {
        "id": 0, "at": 0, "operator": "admin", "credential": "token 1", "address": "10.0.0.1", "pool": OWN_POOL,
        "method": "POST", "path": STATUS, "reason": "=1+1", "outcome": "done", "status": 200, "code": "", "endedAt": 0,
    }  # fmt: skip


async def test_nothing_is_changed_while_no_record_can_be_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    token = await house.token_of("admin", Role.ADMIN)

    async def refuse(*_: object) -> None:
        raise DatabaseUnavailable("The database is away.")

    monkeypatch.setattr(house.access.audit, "begin", refuse)
    answer = await house.send("POST", STATUS, query=f"pool={OWN_POOL}", X_Management_Key=token)

    assert (answer.status, answer.code) == (503, "store")
    assert house.carried_out == []


async def test_a_change_that_asks_for_a_stream_is_recorded_all_the_same(house: House) -> None:
    token = await house.token_of("admin", Role.ADMIN)

    await house.send("POST", STATUS, query=f"pool={OWN_POOL}", X_Management_Key=token, Accept="text/event-stream")

    assert [row[3] for row in await house.records()] == ["done"]


async def test_a_change_without_json_or_with_deep_json_is_recorded(house: House) -> None:
    token = await house.token_of("admin", Role.ADMIN)
    deep: object = []
    for _ in range(900):
        deep = [deep]

    for body in (None, "text", {"reason": 7}, deep):
        await house.send("POST", STATUS, query=f"pool={OWN_POOL}", body=body, X_Management_Key=token)

    assert [row[3] for row in await house.records()] == ["done"] * 4
