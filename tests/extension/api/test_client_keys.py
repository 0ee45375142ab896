"""Client keys over real HTTP: a new one is answered once, and a revoked one comes back by undo."""

import pytest

from adapter.fake.gateway import CAPABILITIES
from adapter.port import Capability, errors
from tests.extension.running_service import KEY, OWN, Running

KEYS = f"{OWN}/config/client-keys"
ALIASES = "/v0/management/api-key-aliases"
KEYED = {"X-Management-Key": KEY}


async def created(service: Running, **body: str) -> dict[str, str]:
    answer = await service.post(KEYS, json=body, headers=KEYED)
    assert answer.status == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    new: dict[str, str] = answer.json
    return new


async def test_a_new_key_is_answered_once_with_its_name(service: Running) -> None:
    new = await created(service, alias="anna", reason="for the team")
    assert service.gateway.state.document["api-keys"] == [new["key"]]
    (alias,) = (await service.get(ALIASES, headers=KEYED)).json["aliases"]
    assert (alias["alias"], alias["fingerprint"]) == ("anna", new["fingerprint"])

    listed = await service.get(KEYS, headers=KEYED)
    assert new["key"] not in listed.text
    (key,), (action,) = listed.json["keys"], listed.json["actions"]
    assert key == {"fingerprint": new["fingerprint"], "hint": f"sk-{new['key'][3]}…{new['key'][-4:]}"}
    assert (action["action"], action["outcome"], action["reason"]) == ("create", "applied", "for the team")
    assert listed.json["undoable"] == [action["id"]]


async def test_a_revoked_key_is_gone_until_undo(service: Running) -> None:
    first, second = await created(service), await created(service)
    revoked = await service.post(f"{KEYS}/revoke", json={"fingerprint": first["fingerprint"]}, headers=KEYED)
    assert revoked.json["action"]["outcome"] == "applied", revoked.text
    assert service.gateway.state.document["api-keys"] == [second["key"]]

    last = await service.post(f"{KEYS}/revoke", json={"fingerprint": second["fingerprint"]}, headers=KEYED)
    assert (last.status, last.json["code"]) == (409, "last_client_key")

    undone = await service.post(f"{KEYS}/undo", json={"action": revoked.json["action"]["id"]}, headers=KEYED)
    assert undone.json["action"]["action"] == "restore", undone.text
    assert service.gateway.state.document["api-keys"] == [first["key"], second["key"]]
    again = await service.post(f"{KEYS}/undo", json={"action": revoked.json["action"]["id"]}, headers=KEYED)
    assert (again.status, again.json["code"]) == (409, "undo_refused")


async def test_a_key_that_is_refused_leaves_no_name(service: Running) -> None:
    await created(service, alias="anna")
    taken = await service.post(KEYS, json={"alias": "anna"}, headers=KEYED)
    assert (taken.status, taken.json["code"]) == (409, "alias_taken")
    assert len(service.gateway.state.document["api-keys"]) == 1


async def test_a_gateway_that_is_away_leaves_the_history(service: Running) -> None:
    await created(service)
    service.gateway.fail("client_keys", errors.Unavailable("The gateway is away."))
    answer = (await service.get(KEYS, headers=KEYED)).json
    assert (answer["supported"], answer["keys"], len(answer["actions"])) == (None, [], 1)


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 501)])
async def test_a_gateway_that_cannot_says_so(service: Running, method: str, status: int) -> None:
    service.gateway.capabilities = CAPABILITIES - {Capability.CLIENT_KEYS}
    body = {"json": {"alias": "anna"}} if method == "POST" else {}
    answer = await service.send(method, KEYS, headers=KEYED, **body)
    assert answer.status == status, answer.text
    assert answer.json.get("supported", False) is False
    assert (await service.get(ALIASES, headers=KEYED)).json["aliases"] == []
