"""Answers of the real gateway pass through our server unchanged."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from tests.adapter.management.served import served
from tests.stock.gateway import KEY, Stock, stock_gateway
from tests.stock.round_trip import FILES, pool_of_every_family

NOWHERE = "http://127.0.0.1:9"
WITH_KEY = {"X-Management-Key": KEY}
CLIENT = {"Authorization": "Bearer a-client-key"}
VOLATILE = frozenset({"date", "server", "x-cpa-trace-id", "x-request-id"})
"""Headers that differ from answer to answer, or that each server writes for itself."""


@pytest.fixture
async def stock(tmp_path: Path) -> AsyncIterator[Stock]:
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES) as running:
        yield running


async def _asked(base: str, method: str, path: str, header: Mapping[str, str], body: bytes | None) -> object:
    url = URL(f"{base}{path}", encoded=True)
    async with (
        aiohttp.ClientSession(auto_decompress=False) as client,
        client.request(method, url, headers=header, data=body, allow_redirects=False) as answer,
    ):
        lasting = sorted(
            (name.lower(), value) for name, value in answer.headers.items() if name.lower() not in VOLATILE
        )
        return answer.status, lasting, await answer.read()


@pytest.mark.parametrize(
    ("method", "path", "header", "body"),
    [
        ("GET", "/v0/management/nobody-knows-this", WITH_KEY, None),
        ("DELETE", "/v0/management/debug", WITH_KEY, None),
        ("PROPFIND", "/v0/management/debug", WITH_KEY, None),
        ("GET", "/v0/management/debug/", WITH_KEY, None),
        ("GET", "/v0/management/debug?a=%2F&b", WITH_KEY, None),
        ("PUT", "/v0/management/debug", WITH_KEY, b'{"value": "no boolean"}'),
        ("PATCH", "/v0/management/auth-files/status", WITH_KEY, b'{"name": "nobody", "disabled": true}'),
        ("GET", "/v0/management/claude-api-key", WITH_KEY, None),
        ("GET", "/v0/management/config.yaml", WITH_KEY, None),
        ("OPTIONS", "/v0/management/debug", {}, None),
        ("GET", "/v1/models", CLIENT, None),
        ("GET", "/v1/models", {"Authorization": "Bearer wrong"}, None),
        ("GET", "/v1/models", {}, None),
        ("POST", "/v1/chat/completions", CLIENT, b"{"),
        ("GET", "/nothing/is/here", {}, None),
        ("HEAD", "/healthz", {}, None),
        ("GET", "/healthz", {}, None),
    ],
)
async def test_an_answer_is_the_gateways_own(
    stock: Stock, method: str, path: str, header: Mapping[str, str], body: bytes | None
) -> None:
    direct = await _asked(stock.address, method, path, header, body)
    async with served(stock.connection.fallback) as front:
        assert await _asked(front, method, path, header, body) == direct
