import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.internal.management.calls import call_request
from gateway.internal.management.gojson import BodyUnreadable, parse_fields
from tests.loopback import upstream
from tests.management.calling import API_CALL, MODELS, by_key, call, index_of, pool
from tests.management.serving import gateway, secured

FIELDS = ("auth_index", "authIndex", "AuthIndex", "method", "url", "header", "data", "proxy_url", "unknown")


async def test_a_call_carries_the_key_and_brings_back_the_answer(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
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
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        index = index_of(served, "ok-solo-1")
        await call(served, **{field: index}, method="get", url=provider.url, header={"x-api-key": "$TOKEN$"})
    assert (provider.received[0].method, provider.received[0].headers["x-api-key"]) == ("GET", "ok-solo-1")


async def test_an_upstream_error_is_still_200(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(
            served,
            auth_index=index_of(served, "s401-bad-1"),
            method="GET",
            url=f"{provider.url}/v1/models",
            header={"Authorization": "Bearer $TOKEN$"},
        )
    assert isinstance(got.json, dict)
    assert (got.status, got.json["status_code"], got.json["body"]) == (200, 401, '{"error": "labelled 401"}')


async def test_the_placeholder_is_replaced_in_header_values_only(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
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


async def test_a_file_is_called_with_its_stored_token(tmp_path: Path) -> None:
    files = {"claude-a@b.c.json": json.dumps({"type": "claude", "email": "a@b.c", "access_token": "ok-file"})}
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider), files=files) as served:
        index = next(one.auth_index for one in served.runtime.snapshot.credentials if one.is_file)
        await call(served, auth_index=index, method="GET", url=provider.url, header={"Authorization": "Bearer $TOKEN$"})
    assert provider.received[0].headers["authorization"] == "Bearer ok-file"


async def test_a_file_without_token_is_told_so(tmp_path: Path) -> None:
    files = {"claude-a@b.c.json": '{"type": "claude", "email": "a@b.c"}'}
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider), files=files) as served:
        index = next(one.auth_index for one in served.runtime.snapshot.credentials if one.is_file)
        got = await call(served, auth_index=index, method="GET", url=provider.url, header={"X": "$TOKEN$"})
    assert (got.status, got.json, provider.received) == (400, {"error": "auth token not found"}, [])


async def test_without_an_index_the_callers_own_header_is_sent(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(served, method="GET", url=provider.url, header={"Authorization": "Bearer inline"})
    assert got.status == 200
    assert provider.received[0].headers["authorization"] == "Bearer inline"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"method": ""}, "missing method"),
        ({"method": None}, "missing method"),
        ({"url": ""}, "missing url"),
        ({"url": "/relative"}, "invalid url"),
        ({"url": "http://"}, "invalid url"),
        ({"url": "http://h:port/"}, "invalid url"),
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
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(served, **({"method": "GET", "url": provider.url} | change))
    assert (got.status, got.json, provider.received) == (400, {"error": text}, [])


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
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        body = json.dumps({"method": "POST", "url": provider.url, "data": "a\ud800b"}).encode()
        got = await served.request("POST", API_CALL, data=body)
    assert (got.status, provider.received[0].body) == (200, "a\ufffdb".encode())


async def test_a_body_that_is_not_json_is_400(tmp_path: Path) -> None:
    async with gateway(tmp_path, secured(tmp_path)) as served:
        got = await served.request("POST", API_CALL, data=b"[")
    assert (got.status, got.json) == (400, {"error": "invalid body"})


async def test_an_unknown_index_is_an_error_and_nothing_is_sent(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider)) as served:
        got = await call(served, auth_index="f" * 16, method="GET", url=provider.url, header={"X": "$TOKEN$"})
        none = await call(served, method="GET", url=provider.url, header={"X": "$TOKEN$"})
    assert (got.status, got.json) == (404, {"error": "auth not found"})
    assert (none.status, none.json) == (400, {"error": "auth_index is required to replace $TOKEN$"})
    assert provider.received == []


async def test_the_stock_profile_sends_the_placeholder_of_an_unknown_index(tmp_path: Path) -> None:
    async with upstream(by_key) as provider:
        text = pool(tmp_path, provider, "management-profile: stock\n")
        async with gateway(tmp_path, text) as served:
            got = await call(served, auth_index="f" * 16, method="GET", url=provider.url, header={"X": "a $TOKEN$"})
    assert got.status == 200
    assert provider.received[0].headers["x"] == "a $TOKEN$"
