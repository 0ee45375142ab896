import asyncio
from pathlib import Path

import pytest

from tests.loopback import Received, answer, upstream
from tests.management.calling import MODELS, by_key, call, index_of, pool
from tests.management.serving import gateway, secured


async def test_a_refused_connection_is_502_with_its_kind(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, 'api-call-allow: ["127.0.0.1:9"]\n')) as served:
        got = await call(served, method="GET", url="http://127.0.0.1:9/none?key=hidden")
    assert (got.status, got.json) == (
        502,
        {"error": "request failed", "kind": "connect", "detail": "connection refused"},
    )


async def test_the_stock_profile_says_no_more_than_the_stock_gateway(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path, "management-profile: stock\n")) as served:
        got = await call(served, method="GET", url="http://127.0.0.1:9/none")
    assert (got.status, got.json) == (502, {"error": "request failed"})


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


async def test_a_caller_who_hangs_up_ends_the_call(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        waiting = asyncio.create_task(
            call(
                served,
                auth_index=index_of(served, "slow-1"),
                method="GET",
                url=provider.url,
                header={"Authorization": "Bearer $TOKEN$"},
            )
        )
        await provider.waiting.wait()
        waiting.cancel()
        await asyncio.wait_for(provider.hung_up.wait(), 5)


def long_answer(_: Received) -> bytes:
    return answer(body=b"x" * 5_000_000)


async def test_a_long_body_is_cut_and_says_so(tmp_path: Path) -> None:
    async with upstream(long_answer) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(served, method="GET", url=provider.url)
    assert isinstance(got.json, dict)
    assert (len(got.json["body"]), got.json["truncated"]) == (2 * 1024 * 1024, True)


async def test_the_stock_profile_hands_on_a_body_of_any_length(tmp_path: Path) -> None:
    text = secured(tmp_path, "management-profile: stock\n")
    async with upstream(long_answer) as provider, gateway(tmp_path, text) as served:
        got = await call(served, method="GET", url=provider.url)
    assert isinstance(got.json, dict)
    assert (len(got.json["body"]), "truncated" in got.json) == (5_000_000, False)


async def test_a_configured_proxy_is_used_and_direct_goes_round_it(tmp_path: Path) -> None:
    async with upstream(lambda _: answer(body=b"via")) as middle, upstream(by_key) as provider:
        text = pool(tmp_path, provider, f'proxy-url: "http://127.0.0.1:{middle.port}"\n')
        async with gateway(tmp_path, text) as served:
            through = await call(served, method="GET", url=provider.url)
            direct = await call(served, method="GET", url=provider.url, proxy_url="direct")
    assert isinstance(through.json, dict)
    assert isinstance(direct.json, dict)
    assert (through.json["body"], direct.json["body"]) == ("via", MODELS.decode())


async def test_a_credentials_own_proxy_comes_before_the_global_one(tmp_path: Path) -> None:
    async with upstream(lambda _: answer(body=b"own")) as own, upstream(lambda _: answer(body=b"global")) as middle:
        entry = f'claude-api-key:\n  - api-key: "ok-c"\n    proxy-url: "http://127.0.0.1:{own.port}"\n'
        text = secured(tmp_path, f'{entry}proxy-url: "http://127.0.0.1:{middle.port}"\n')
        async with gateway(tmp_path, text) as served:
            index = index_of(served, "ok-c")
            got = await call(served, auth_index=index, method="GET", url="http://far.invalid/", header={})
    assert isinstance(got.json, dict)
    assert got.json["body"] == "own"
