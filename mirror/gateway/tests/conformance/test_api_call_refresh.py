"""POST /api-call with a file whose token has to be refreshed first."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from gateway.internal.configuration.model import Profile
from tests.conformance.stock import profiled
from tests.loopback import Upstream, answer, upstream
from tests.management.calling import by_key, call
from tests.management.serving import Answer, Served, gateway

PAST, FUTURE = "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
NEW = answer(200, b'{"access_token": "ok-new", "refresh_token": "r-2", "expires_in": 3600}')


@asynccontextmanager
async def expired(
    folder: Path, response: bytes, profile: Profile = Profile.STOCK, **fields: object
) -> AsyncIterator[tuple[Served, Upstream, Upstream]]:
    """Serve one file whose token ran out: the gateway, the provider, and what issues tokens."""
    async with upstream(by_key) as provider, upstream(lambda _: response) as issuer:
        held = {"type": "antigravity", "access_token": "ok-old", "refresh_token": "r-1", "expired": PAST}
        content = held | {"token_endpoint": f"{issuer.url}/token", "client_id": "c"} | fields
        files = {"a.json": json.dumps({name: value for name, value in content.items() if value is not None})}
        text = profiled(folder, "api-call-allow: [127.0.0.1]\n", profile)
        async with gateway(folder, text, files=files) as served:
            yield served, provider, issuer


async def ask(served: Served, provider: Upstream, header: str = "Bearer $TOKEN$") -> Answer:
    index = served.runtime.snapshot.credentials[0].auth_index
    return await call(served, auth_index=index, method="GET", url=provider.url, header={"Authorization": header})


@pytest.mark.parametrize("profile", list(Profile))
async def test_a_token_that_ran_out_is_refreshed_kept_and_used(tmp_path: Path, profile: Profile) -> None:
    async with expired(tmp_path, NEW, profile) as (served, provider, issuer):
        assert [(await ask(served, provider)).status for _ in range(2)] == [200, 200]
        assert [each.headers["authorization"] for each in provider.received] == ["Bearer ok-new"] * 2
        (asked,) = issuer.received
        form = parse_qs(asked.body.decode())
        assert form == {"grant_type": ["refresh_token"], "refresh_token": ["r-1"], "client_id": ["c"]}
        held = json.loads((tmp_path / "auths" / "a.json").read_text())
        assert (held["access_token"], held["refresh_token"], held["expires_in"]) == ("ok-new", "r-2", 3600)


async def test_many_calls_refresh_a_token_once(tmp_path: Path) -> None:
    async with expired(tmp_path, NEW, access_token=None) as (served, provider, issuer):
        answers = await asyncio.gather(*(ask(served, provider) for _ in range(8)))
        assert {each.status for each in answers} == {200}
        assert len(issuer.received) == 1


@pytest.mark.parametrize("response", [answer(400, b'{"error": "invalid_grant"}'), answer(200, b"{}"), b""])
async def test_a_refresh_that_fails_is_400_and_nothing_is_sent(tmp_path: Path, response: bytes) -> None:
    async with expired(tmp_path, response) as (served, provider, _):
        got = await ask(served, provider)
        assert (got.status, got.json, provider.received) == (400, {"error": "auth token refresh failed"}, [])


@pytest.mark.parametrize(("kind", "header"), [("claude", "Bearer $TOKEN$"), ("antigravity", "Bearer inline")])
async def test_no_other_token_is_refreshed_and_none_that_nobody_asked_for(
    tmp_path: Path, kind: str, header: str
) -> None:
    async with expired(tmp_path, NEW, type=kind) as (served, provider, issuer):
        assert (await ask(served, provider, header)).status == 200
        assert issuer.received == []


async def test_a_call_waits_for_a_refresh_no_longer_than_it_was_told_to(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, upstream(lambda _: None) as issuer:
        file = {"type": "antigravity", "expired": PAST, "refresh_token": "r", "token_endpoint": issuer.url}
        async with gateway(
            tmp_path, profiled(tmp_path, "", Profile.EXTENDED), files={"a.json": json.dumps(file)}
        ) as served:
            got = await call(
                served,
                auth_index=served.runtime.snapshot.credentials[0].auth_index,
                method="GET",
                url=provider.url,
                header={"X": "$TOKEN$"},
                timeout_seconds=0.2,
            )
    assert isinstance(got.json, dict)
    assert (got.status, got.json["kind"]) == (502, "timeout")
