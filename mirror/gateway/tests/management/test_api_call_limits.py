import asyncio
from pathlib import Path

import pytest

from tests.loopback import Received, answer, upstream
from tests.management.calling import by_key, call, index_of, pool
from tests.management.serving import gateway, secured


async def test_a_refused_connection_is_502_with_its_kind(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, 'api-call-allow: ["127.0.0.1:9"]\n')) as served:
        got = await call(served, method="GET", url="http://127.0.0.1:9/none?key=hidden")
    assert (got.status, got.json) == (
        502,
        {"error": "request failed", "kind": "connect", "detail": "connection refused"},
    )


async def test_an_address_nobody_configured_is_blocked(tmp_path: Path) -> None:
    async with (
        upstream(by_key) as provider,
        upstream(by_key) as other,
        gateway(tmp_path, pool(tmp_path, provider)) as served,
    ):
        got = await call(served, method="GET", url=other.url)
    assert isinstance(got.json, dict)
    assert (got.status, got.json["error"], got.json["kind"]) == (400, "address not allowed", "blocked")
    assert other.connections == 0


async def test_the_allow_list_opens_a_network(tmp_path: Path) -> None:
    text = secured(tmp_path, 'api-call-allow: ["127.0.0.0/8"]\n')
    async with upstream(by_key) as other, gateway(tmp_path, text) as served:
        got = await call(served, method="GET", url=other.url)
    assert got.status == 200


async def test_the_caller_can_shorten_the_time(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(
            served,
            auth_index=index_of(served, "slow-1"),
            method="GET",
            url=provider.url,
            header={"Authorization": "Bearer $TOKEN$"},
            timeout_seconds=0.05,
        )
        await asyncio.wait_for(provider.hung_up.wait(), 5)
    assert isinstance(got.json, dict)
    assert (got.status, got.json["kind"]) == (502, "timeout")


@pytest.mark.parametrize("value", [0, -1, 61, "5", True])
async def test_an_impossible_time_is_refused(tmp_path: Path, value: object) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await call(served, method="GET", url="http://127.0.0.1:9/", timeout_seconds=value)
    assert (got.status, got.json) == (400, {"error": "timeout_seconds must be a number over 0 and at most 60"})


def long_answer(_: Received) -> bytes:
    return answer(body=b"x" * 5_000_000)


async def test_a_long_body_is_cut_and_says_so(tmp_path: Path) -> None:
    async with upstream(long_answer) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(served, method="GET", url=provider.url)
    assert isinstance(got.json, dict)
    assert (len(got.json["body"]), got.json["truncated"]) == (2 * 1024 * 1024, True)


async def test_an_unknown_index_is_an_error_and_nothing_is_sent(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(served, auth_index="f" * 16, method="GET", url=provider.url, header={"X": "$TOKEN$"})
        none = await call(served, method="GET", url=provider.url, header={"X": "$TOKEN$"})
    assert (got.status, got.json) == (404, {"error": "auth not found"})
    assert (none.status, none.json) == (400, {"error": "auth_index is required to replace $TOKEN$"})
    assert provider.received == []
