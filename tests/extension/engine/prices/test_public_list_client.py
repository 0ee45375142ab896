"""Public lists over real HTTP on loopback: the allowed addresses are injected."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapter.privacy.secret import Secret
from extension.engine.prices.errors import ListUnavailable
from extension.engine.prices.public_list_client import LARGEST, PublicListClient
from extension.prices.price import PriceSource
from tests.extension.prices.samples import litellm

NOW = 1_700_000_000_000
LITELLM = PriceSource.LITELLM


class Gateway:
    def __init__(self, proxy: str = "") -> None:
        self.proxy = proxy

    async def proxy_url(self) -> Secret | None:
        return Secret(self.proxy) if self.proxy else None


class Host:
    """A web server that answers as told, and keeps the requests it got."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.body: bytes = json.dumps(litellm()).encode()
        self.status = 200
        self.headers: dict[str, str] = {"ETag": '"one"'}

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append((request.path, dict(request.headers)))
        if request.headers.get("If-None-Match", "none") == self.headers.get("ETag"):
            return web.Response(status=304)
        return web.Response(status=self.status, body=self.body, headers=self.headers)


@pytest.fixture
async def host() -> AsyncIterator[tuple[Host, str]]:
    server_side = Host()
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", server_side.answer)
    server = TestServer(application, host="127.0.0.1")
    await server.start_server()
    yield server_side, f"http://127.0.0.1:{server.port}"
    await server.close()


def client(address: str, proxy: str = "") -> PublicListClient:
    return PublicListClient(Gateway(proxy), {LITELLM: f"{address}/list.json"})


async def test_an_unchanged_list_is_not_sent_again(host: tuple[Host, str]) -> None:
    web, address = host
    lists = client(address)
    first = await lists.fetch(LITELLM, NOW)
    assert len(first.prices.prices) == 12
    assert await lists.fetch(LITELLM, NOW + 1) is first
    assert [headers.get("If-None-Match") for _, headers in web.requests] == [None, '"one"']

    web.headers = {"ETag": '"two"'}
    web.body = json.dumps(litellm(more={"litellm_provider": "openai", "input_cost_per_token": 1e-06})).encode()
    changed = await lists.fetch(LITELLM, NOW + 2)
    assert changed.revision != first.revision
    assert len(changed.prices.prices) == 13


async def test_a_request_carries_no_cookie_and_no_key(host: tuple[Host, str]) -> None:
    web, address = host
    web.headers["Set-Cookie"] = "a=b"
    lists = client(address)
    await lists.fetch(LITELLM, NOW)
    web.headers["ETag"] = '"other"'
    await lists.fetch(LITELLM, NOW)
    names = {name.lower() for _, headers in web.requests for name in headers}
    assert names <= {"host", "accept", "accept-encoding", "user-agent", "if-none-match"}


async def test_the_gateways_proxy_is_used(host: tuple[Host, str]) -> None:
    web, address = host
    lists = PublicListClient(Gateway(address), {LITELLM: "http://prices.invalid/list.json"})
    assert len((await lists.fetch(LITELLM, NOW)).prices.prices) == 12
    assert web.requests[0][1]["Host"] == "prices.invalid"


async def test_a_proxy_that_refuses_shows_no_password() -> None:
    lists = PublicListClient(Gateway("http://user:very-secret@127.0.0.1:9"), {LITELLM: "http://prices.invalid/"})
    with pytest.raises(ListUnavailable) as caught:
        await lists.fetch(LITELLM, NOW)
    assert "very-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "body", "headers", "reason"),
    [
        (302, b"", {"Location": "http://127.0.0.1:9/inside"}, "HTTP 302"),
        (500, b"", {}, "HTTP 500"),
        (200, b"<html>", {}, "not valid JSON"),
        (200, b'{"a": NaN}', {}, "not valid JSON"),
        (200, b"[" * 100_000, {}, "not valid JSON"),
        (200, b"{}", {}, "no list of prices"),
        (200, b" " * (LARGEST + 1), {}, "larger than"),
    ],
)
async def test_an_answer_that_is_no_list_is_refused(
    host: tuple[Host, str], status: int, body: bytes, headers: dict[str, Any], reason: str
) -> None:
    web, address = host
    web.status, web.body, web.headers = status, body, headers
    with pytest.raises(ListUnavailable, match=reason):
        await client(address).fetch(LITELLM, NOW)
    assert len(web.requests) == 1


async def test_a_list_without_a_connection_is_refused_in_words() -> None:
    with pytest.raises(ListUnavailable) as refused:
        await client("http://127.0.0.1:9").fetch(PriceSource.LITELLM, 1)

    assert "no connection could be made" in str(refused.value)
