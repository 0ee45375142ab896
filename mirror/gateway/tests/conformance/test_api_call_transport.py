"""POST /api-call in the stock profile: how a request is sent, and what goes wrong on the way."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.conformance.stock import stock
from tests.loopback import Script, answer, upstream
from tests.management.calling import by_key, call, index_of, pool
from tests.management.serving import gateway

STOCK = "management-profile: stock\n"


def saying(name: str) -> Script:
    """Return a script that answers with its name."""
    return lambda _: answer(body=name.encode())


async def test_bytes_that_are_no_text_become_replacement_characters(tmp_path: Path) -> None:
    async with upstream(lambda _: answer(body=b"a\xff\xfeb")) as provider, stock(tmp_path) as served:
        got = await call(served, method="GET", url=provider.url)
    assert isinstance(got.json, dict)
    assert got.json["body"] == "a\ufffd\ufffdb"


async def test_a_host_header_sets_the_host_of_the_request(tmp_path: Path) -> None:
    async with upstream(by_key) as provider, stock(tmp_path) as served:
        await call(served, method="GET", url=provider.url, header={"Host": "other.example"})
    assert provider.received[0].headers["host"] == "other.example"


@pytest.mark.parametrize("profile", ["stock", "extended"])
@pytest.mark.parametrize("header", [{"X Mine": "1"}, {"": "1"}, {"X-Mine:": "1"}, {"X-Mine": "a\r\nX-Other: b"}])
async def test_a_header_that_cannot_be_written_ends_the_call_before_anything_is_sent(
    tmp_path: Path, profile: str, header: dict[str, str]
) -> None:
    settings = f"management-profile: {profile}\n"
    async with upstream(by_key) as provider, gateway(tmp_path, pool(tmp_path, provider, settings)) as served:
        got = await call(served, method="GET", url=provider.url, header=header)
    assert isinstance(got.json, dict)
    assert (got.status, got.json["error"], provider.received) == (502, "request failed", [])


async def test_an_answer_that_breaks_off_could_not_be_read(tmp_path: Path) -> None:
    async with upstream(lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort") as provider:
        provider.hang_up = True
        async with stock(tmp_path) as served:
            got = await call(served, method="GET", url=provider.url)
    assert (got.status, got.json) == (502, {"error": "failed to read response"})


@pytest.mark.parametrize(
    ("asked", "own", "everywhere", "through"),
    [
        ("asked", "own", "global", "asked"),
        ("", "own", "global", "own"),
        ("", "", "global", "global"),
        ("direct", "own", "global", "nobody"),
        ("none", "own", "global", "nobody"),
        ("", "", "", "nobody"),
        ("", "nonsense://x", "global", "global"),
        ("", "", "nonsense", "nobody"),
    ],
)
async def test_a_call_goes_through_the_first_proxy_that_is_named(
    tmp_path: Path, asked: str, own: str, everywhere: str, *, through: str
) -> None:
    async with AsyncExitStack() as stack:
        servers = {
            name: await stack.enter_async_context(upstream(saying(name)))
            for name in ("asked", "own", "global", "nobody")
        }
        address = {name: f"http://127.0.0.1:{server.port}" for name, server in servers.items()}
        text = (
            f"proxy-url: '{address.get(everywhere, everywhere)}'\n"
            f"claude-api-key:\n  - api-key: k\n    proxy-url: '{address.get(own, own)}'\n"
        )
        served = await stack.enter_async_context(stock(tmp_path, text))
        index = index_of(served, "k")
        target, proxy_url = address["nobody"], address.get(asked, asked)
        got = await call(served, auth_index=index, method="GET", url=target, proxy_url=proxy_url)
    assert isinstance(got.json, dict)
    assert got.json["body"] == through


async def test_a_caller_who_hangs_up_ends_the_call(tmp_path: Path) -> None:
    async with upstream(lambda _: None) as provider, stock(tmp_path) as served:
        calling = asyncio.create_task(call(served, method="GET", url=provider.url))
        await provider.waiting.wait()
        calling.cancel()
        await asyncio.wait_for(provider.hung_up.wait(), 10)
    assert calling.cancelled()
