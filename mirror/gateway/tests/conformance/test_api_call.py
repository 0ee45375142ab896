"""POST /api-call in the stock profile."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.management.calls import call_request
from gateway.internal.management.gojson import BodyUnreadable, parse_fields
from tests.conformance.rules import row, rule
from tests.conformance.stock import stock
from tests.loopback import upstream
from tests.management.calling import API_CALL, MODELS, by_key, call, index_of, pool
from tests.management.serving import gateway

STOCK = "management-profile: stock\n"
FIELDS = ("auth_index", "authIndex", "AuthIndex", "method", "url", "header", "data", "proxy_url", "unknown")


@rule("call.answer", "call.hidden-keys")
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


@rule("call.index", "call.method")
@pytest.mark.parametrize("field", ["auth_index", "authIndex", "AuthIndex"])
async def test_the_index_has_three_spellings(tmp_path: Path, field: str) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        index = index_of(served, "ok-solo-1")
        await call(served, **{field: index}, method="get", url=provider.url, header={"x-api-key": "$TOKEN$"})
    assert (provider.received[0].method, provider.received[0].headers["x-api-key"]) == ("GET", "ok-solo-1")


@rule("call.upstream-error")
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


@rule("call.token-places")
async def test_the_placeholder_is_replaced_in_header_values_only(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        await call(
            served,
            auth_index=index_of(served, "ok-solo-1"),
            method="POST",
            url=f"{provider.url}/$TOKEN$",
            header={"X-Twice": "$TOKEN$ and $TOKEN$"},
            data="$TOKEN$",
        )
    sent = provider.received[0]
    assert (sent.target, sent.body) == ("/$TOKEN$", b"$TOKEN$")
    assert sent.headers["x-twice"] == "ok-solo-1 and ok-solo-1"


@rule("call.token-order")
async def test_a_file_is_called_with_its_stored_token(tmp_path: Path) -> None:
    files = {"claude-a@b.c.json": json.dumps({"type": "claude", "email": "a@b.c", "access_token": "ok-file"})}
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK), files=files) as served:
        index = next(one.auth_index for one in served.runtime.snapshot.credentials if one.is_file)
        await call(served, auth_index=index, method="GET", url=provider.url, header={"Authorization": "Bearer $TOKEN$"})
    assert provider.received[0].headers["authorization"] == "Bearer ok-file"


@rule("call.token-missing")
async def test_a_file_without_token_is_told_so(tmp_path: Path) -> None:
    files = {"claude-a@b.c.json": '{"type": "claude", "email": "a@b.c"}'}
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK), files=files) as served:
        index = next(one.auth_index for one in served.runtime.snapshot.credentials if one.is_file)
        got = await call(served, auth_index=index, method="GET", url=provider.url, header={"X": "$TOKEN$"})
    assert (got.status, got.json, provider.received) == (400, {"error": "auth token not found"}, [])


@rule("call.index")
async def test_without_an_index_the_callers_own_header_is_sent(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        got = await call(served, method="GET", url=provider.url, header={"Authorization": "Bearer inline"})
    assert got.status == 200
    assert provider.received[0].headers["authorization"] == "Bearer inline"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        row("call.missing-method", {"method": ""}, "missing method"),
        row("call.missing-method", {"method": None}, "missing method"),
        row("call.missing-url", {"url": ""}, "missing url"),
        row("call.invalid-url", {"url": "/relative"}, "invalid url"),
        row("call.invalid-url", {"url": "http://"}, "invalid url"),
        row("call.invalid-url", {"url": "http://h:port/"}, "invalid url"),
        row("call.invalid-url", {"url": "http://h:-1/"}, "invalid url"),
        row("call.invalid-url", {"url": "http://h/%zz"}, "invalid url"),
        row("call.invalid-url", {"url": "http://h/#%z"}, "invalid url"),
        row("call.invalid-url", {"url": "http://two words/"}, "invalid url"),
        row("call.invalid-url", {"url": "http://h/\x07"}, "invalid url"),
        row("call.invalid-proxy", {"proxy_url": "nonsense://x"}, "invalid proxy_url"),
        row("call.not-built", {"method": "GE T"}, "failed to build request"),
        row("call.invalid-body", {"method": 7}, "invalid body"),
        row("call.header", {"header": ["a"]}, "invalid body"),
        row("call.header", {"header": {"a": 1}}, "invalid body"),
        row("call.data", {"data": {"a": 1}}, "invalid body"),
    ],
)
async def test_a_request_that_makes_no_sense_is_400(tmp_path: Path, change: dict[str, object], text: str) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        got = await call(served, **({"method": "GET", "url": provider.url} | change))
    assert (got.status, got.json, provider.received) == (400, {"error": text}, [])


@rule("call.failed", "call.invalid-url")
@pytest.mark.parametrize("url", ["http://127.0.0.1:99999/", "http://127.0.0.1:1/?%zz"])
async def test_an_address_nobody_can_be_at_is_tried_all_the_same(tmp_path: Path, url: str) -> None:
    async with stock(tmp_path) as served:
        got = await call(served, method="GET", url=url)
    assert (got.status, got.json) == (502, {"error": "request failed"})


@given(st.dictionaries(st.sampled_from(FIELDS), st.none() | st.integers() | st.text() | st.lists(st.text())))
def test_any_object_is_a_call_or_an_invalid_body(document: dict[str, object]) -> None:
    def sound(name: str, value: object) -> bool:
        return name == "unknown" or value is None or (isinstance(value, str) and name != "header")

    fields = parse_fields(json.dumps(document).encode(), "invalid body")
    if all(sound(name, value) for name, value in document.items()):
        assert call_request(fields).method == str(document.get("method") or "").strip()
    else:
        with pytest.raises(BodyUnreadable, match="invalid body"):
            call_request(fields)


async def test_half_a_surrogate_pair_in_the_body_becomes_a_replacement_character(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        body = json.dumps({"method": "POST", "url": provider.url, "data": "a\ud800b"}).encode()
        got = await served.request("POST", API_CALL, data=body)
    assert (got.status, provider.received[0].body) == (200, "a\ufffdb".encode())


@rule("call.invalid-body")
async def test_a_body_that_is_not_json_is_400(tmp_path: Path) -> None:
    async with stock(tmp_path) as served:
        got = await served.request("POST", API_CALL, data=b"[")
    assert (got.status, got.json) == (400, {"error": "invalid body"})


@rule("call.unknown-index")
async def test_the_stock_profile_sends_the_placeholder_of_an_unknown_index(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, STOCK)) as served:
        got = await call(served, auth_index="f" * 16, method="GET", url=provider.url, header={"X": "a $TOKEN$"})
    assert got.status == 200
    assert provider.received[0].headers["x"] == "a $TOKEN$"
