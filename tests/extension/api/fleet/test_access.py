"""Tokens, sessions and the trusted proxy of a fleet."""

import asyncio

import pytest
from starlette.requests import HTTPConnection

from extension.api.auth.authenticator import Principal
from extension.engine.operators.permission import Role
from tests.extension.api.fleet.house import EVENTS, FOREIGN_POOL, OWN_POOL, PATHS, PROXY, SESSION, House

POOL = PATHS.part("pool")
STATUS = PATHS.part("pool/status")
OPERATORS = PATHS.part("fleet/operators")
TOKENS = PATHS.part("fleet/tokens")
QUERY = f"pool={OWN_POOL}"


async def principal_of(house: House, token: str) -> Principal:
    scope = {
        "type": "http", "method": "GET", "path": POOL, "query_string": QUERY.encode(), "client": ("10.0.0.1", 1),
        "headers": [(b"x-management-key", token.encode())],
    }  # fmt: skip
    return await house.access.identify(HTTPConnection(scope), "GET")


async def test_a_revoked_token_is_out_at_once_with_its_session_and_stream(house: House) -> None:
    admin = await house.token_of("admin", Role.ADMIN)
    token = await house.token_of("person", Role.VIEWER)
    page, principal = await house.signed_in(token), await principal_of(house, token)
    assert (await house.send("GET", POOL, query=QUERY, **page)).status == 200
    assert await house.access.loss(principal) is None

    assert (await house.send("DELETE", TOKENS, query="token=2", X_Management_Key=admin)).status == 204

    assert (await house.send("GET", POOL, query=QUERY, X_Management_Key=token)).code == "wrong_token"
    assert (await house.send("GET", POOL, query=QUERY, **page)).code == "no_session"
    assert (await house.send("GET", SESSION, **page)).code == "no_session"
    await house.clock.advance(1)
    assert (await house.access.loss(principal)) is not None


@pytest.mark.parametrize("change", ["revoked", "other labels"])
async def test_a_stream_ends_within_a_second_of_the_change(house: House, change: str) -> None:
    token = await house.token_of("person", Role.VIEWER, region="eu")
    headers = {"X_Management_Key": token, "Accept": "text/event-stream"}
    stream = asyncio.create_task(house.send("GET", EVENTS, query=QUERY, **headers))
    await house.clock.sleeping()

    await (house.operators.revoke(1) if change == "revoked" else house.operators.edit("person", None, {"region": "us"}))
    assert not stream.done()
    await house.clock.advance(1)

    assert (await asyncio.wait_for(stream, 5)).status == 200


async def test_a_removed_operator_and_an_expired_token_are_out(house: House) -> None:
    await house.token_of("admin", Role.ADMIN)
    removed, expired = await house.token_of("one", Role.VIEWER), await house.token_of("two", Role.VIEWER)

    await house.operators.remove("one")
    assert (await house.send("GET", POOL, query=QUERY, X_Management_Key=removed)).code == "wrong_token"
    await house.clock.advance(86_401)
    assert (await house.send("GET", POOL, query=QUERY, X_Management_Key=expired)).code == "wrong_token"


async def test_other_labels_and_another_role_count_from_the_next_request_on(house: House) -> None:
    token = await house.token_of("person", Role.VIEWER, region="eu")
    page, principal = await house.signed_in(token), await principal_of(house, token)

    await house.operators.edit("person", Role.OPERATOR, {"region": "us"})

    assert (await house.send("GET", POOL, query=QUERY, **page)).code == "pool_unknown"
    assert (await house.send("POST", STATUS, query=f"pool={FOREIGN_POOL}", **page)).status == 200
    loss = await house.access.loss(principal)
    assert loss is not None
    assert loss.view.code == "pool_unknown"


async def test_a_session_changes_nothing_without_its_csrf_token_and_the_attempt_is_recorded(house: House) -> None:
    page = await house.signed_in(await house.token_of("person", Role.OPERATOR))

    answer = await house.send("POST", STATUS, query=QUERY, Cookie=page["Cookie"])

    assert answer.code == "csrf"
    assert house.carried_out == []
    assert await house.records() == [("person", OWN_POOL, "poolkeeper/pool/status", "refused", "csrf")]


async def test_five_wrong_tokens_ban_an_address_and_no_other(house: House) -> None:
    token = await house.token_of("person", Role.VIEWER)
    for _ in range(5):
        assert (await house.send("POST", SESSION, body={"key": "pk_wrong"})).code == "wrong_token"

    banned = await house.send("GET", POOL, query=QUERY, X_Management_Key=token)
    other = await house.send("GET", POOL, query=QUERY, X_Management_Key=token, peer="10.0.0.2")

    assert (banned.code, banned.headers["retry-after"], other.status) == ("banned", "1800", 200)


async def test_a_request_without_credentials_is_refused_and_reveals_no_path(house: House) -> None:
    answers = [await house.send("GET", path, query=QUERY) for path in (POOL, f"{POOL}/nothing", OPERATORS)]

    assert {(answer.status, answer.code) for answer in answers} == {(401, "no_session")}


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        (PROXY, {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "watchers"}, 200),
        (PROXY, {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "others, watchers"}, 200),
        (PROXY, {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "others"}, 403),
        (PROXY, {"X_Forwarded_Groups": "watchers"}, 401),
        ("10.0.0.1", {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "watchers"}, 401),
        ("127.0.0.1", {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "watchers"}, 401),
    ],
)
async def test_a_user_is_taken_from_a_trusted_proxy_alone(
    house: House, peer: str, headers: dict[str, str], status: int
) -> None:
    assert (await house.send("GET", POOL, query=QUERY, peer=peer, **headers)).status == status


async def test_a_user_of_a_proxy_changes_something_with_a_csrf_token_alone(house: House) -> None:
    user = {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "keepers", "X_Forwarded_For": "8.8.8.8, 192.0.2.7"}
    csrf = (await house.send("GET", SESSION, peer=PROXY, **user)).json["csrf"]

    without = await house.send("POST", STATUS, query=QUERY, peer=PROXY, **user)
    with_token = await house.send("POST", STATUS, query=QUERY, peer=PROXY, **user, X_Poolkeeper_CSRF=csrf)

    assert (without.code, with_token.status) == ("csrf", 200)
    records = (await house.send("GET", PATHS.part("fleet/audit"), X_Management_Key=await admin_of(house))).json
    assert [(r["operator"], r["credential"], r["address"]) for r in records["records"]] == [
        ("ann", "proxy", "192.0.2.7")
    ] * 2


async def admin_of(house: House) -> str:
    return await house.token_of("admin", Role.ADMIN)


async def test_an_operator_who_was_added_has_his_own_role_whatever_the_groups(house: House) -> None:
    await house.token_of("ann", Role.VIEWER, region="us")
    user = {"X_Forwarded_User": "ann", "X_Forwarded_Groups": "keepers"}

    assert (await house.send("GET", POOL, query=QUERY, peer=PROXY, **user)).code == "pool_unknown"
