"""POST /api-call in the stock profile."""

import json
from pathlib import Path

import pytest

from tests.conformance.stock import stock
from tests.loopback import upstream
from tests.management.calling import MODELS, by_key, call, index_of, pool
from tests.management.serving import gateway

STOCK = "management-profile: stock\n"
FIELDS = ("auth_index", "authIndex", "AuthIndex", "method", "url", "header", "data", "proxy_url", "unknown")


async def test_a_call_carries_the_key_and_brings_back_the_answer(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        got = await call(
            served,
            auth_index=index_of(served, "ok-solo-1"),
            method="GET",
            url=f"{provider.url}/v1/models",
            header={"Authorization": "Bearer $TOKEN$"},
        )
    assert (got.status, got.json) == (
        200,
        {
            "status_code": 200,
            "header": {"Content-Length": ["69"], "Content-Type": ["application/json"]},
            "body": MODELS.decode(),
        },
    )
    assert provider.received[0].headers["authorization"] == "Bearer ok-solo-1"


@pytest.mark.parametrize("field", ["auth_index", "authIndex", "AuthIndex"])
async def test_the_index_has_three_spellings(tmp_path: Path, field: str) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        index = index_of(served, "ok-solo-1")
        await call(served, **{field: index}, method="get", url=provider.url, header={"x-api-key": "$TOKEN$"})
    assert (provider.received[0].method, provider.received[0].headers["x-api-key"]) == ("GET", "ok-solo-1")


async def test_an_upstream_error_is_still_200(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        got = await call(
            served,
            auth_index=index_of(served, "s401-bad-1"),
            method="GET",
            url=f"{provider.url}/v1/models",
            header={"Authorization": "Bearer $TOKEN$"},
        )
    assert isinstance(got.json, dict)
    assert (got.status, got.json["status_code"], got.json["body"]) == (200, 401, '{"error": "labelled 401"}')


async def test_a_file_is_called_with_its_stored_token(tmp_path: Path) -> None:
    files = {"claude-a@b.c.json": json.dumps({"type": "claude", "email": "a@b.c", "access_token": "ok-file"})}
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK), files=files) as served:
        index = next(one.auth_index for one in served.runtime.snapshot.credentials if one.is_file)
        await call(served, auth_index=index, method="GET", url=provider.url, header={"Authorization": "Bearer $TOKEN$"})
    assert provider.received[0].headers["authorization"] == "Bearer ok-file"


async def test_a_file_without_token_is_told_so(tmp_path: Path) -> None:
    files = {"claude-a@b.c.json": '{"type": "claude", "email": "a@b.c"}'}
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK), files=files) as served:
        index = next(one.auth_index for one in served.runtime.snapshot.credentials if one.is_file)
        got = await call(served, auth_index=index, method="GET", url=provider.url, header={"X": "$TOKEN$"})
    assert (got.status, got.json, provider.received) == (400, {"error": "auth token not found"}, [])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"method": ""}, "missing method"),
        ({"method": None}, "missing method"),
        ({"url": ""}, "missing url"),
        ({"url": "/relative"}, "invalid url"),
        ({"url": "http://"}, "invalid url"),
        ({"url": "http://h:port/"}, "invalid url"),
        ({"url": "http://h:-1/"}, "invalid url"),
        ({"url": "http://h/%zz"}, "invalid url"),
        ({"url": "http://h/#%z"}, "invalid url"),
        ({"url": "http://two words/"}, "invalid url"),
        ({"url": "http://h/\x07"}, "invalid url"),
        ({"proxy_url": "nonsense://x"}, "invalid proxy_url"),
        ({"method": "GE T"}, "failed to build request"),
        ({"method": 7}, "invalid body"),
        ({"header": ["a"]}, "invalid body"),
        ({"header": {"a": 1}}, "invalid body"),
        ({"data": {"a": 1}}, "invalid body"),
    ],
)
async def test_a_request_that_makes_no_sense_is_400(tmp_path: Path, change: dict[str, object], text: str) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        got = await call(served, **({"method": "GET", "url": provider.url} | change))
    assert (got.status, got.json, provider.received) == (400, {"error": text}, [])


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999/", "http://127.0.0.1:1/?%zz"])
async def test_an_address_nobody_can_be_at_is_tried_all_the_same(tmp_path: Path, url: str) -> None:
    async with stock(tmp_path) as served:
        got = await call(served, method="GET", url=url)
    assert (got.status, got.json) == (502, {"error": "request failed"})
