"""Upstreams of a stock gateway that answer with a bomb, or with 200 and no answer of their interface."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Final

from tests.attack.conftest import in_front
from tests.contract.provider import LARGE
from tests.stock.gateway import KEY, stock_gateway
from tests.system.client import Client
from tests.system.raw_provider import raw_provider

BLANKS: Final = b" " * (128 * 1024 * 1024)
MODELS: Final = b'{"object":"list","data":[{"id":"a-model","object":"model"}'


def _packed(body: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        body = gzip.compress(body, compresslevel=6)
    encoding = ", ".join(["gzip"] * times)
    return f"Content-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def _plain(body: bytes) -> bytes:
    return f"Content-Length: {len(body)}\r\n\r\n".encode() + body


BOMBS: Final = {
    "blanks": _packed(b"{" + BLANKS + b"}"),
    "blanks-in-a-list": _packed(b'{"data":[' + BLANKS + b"]}"),
    "blanks-after-a-model": _packed(MODELS + BLANKS + b"]}"),
    "brackets": _packed(b"[" * (64 * 1024 * 1024)),
    "nested": _packed(b"{" + BLANKS + b"}", times=2),
}
OTHERS: Final = {
    "long-blanks": _plain(b"{" + b" " * LARGE + b"}"),
    "long-filler": _plain(b'{"filler":"' + b"x" * LARGE + b'"}'),
    "number": _plain(b'{"data":17}'),
    "greeting": _plain(b'{"status":"ok"}'),
    "text": _plain(b"pong"),
    "nothing": _plain(b""),
}
GOOD: Final = {
    "models": _plain(MODELS + b"]}"),
    "many-models": _plain(MODELS + b',{"id":"another","object":"model"}' * (LARGE // 32) + b"]}"),
}


async def test_no_bomb_and_no_other_body_proves_a_key(tmp_path: Path) -> None:
    ways = {**BOMBS, **OTHERS, **GOOD}

    def respond(head: str) -> bytes:
        way = head.split(" ", 2)[1].split("/")[1]
        if f"sk-{way}-of-these-tests" not in head:
            body = json.dumps({"error": {"message": "no such key", "code": "invalid_api_key"}}).encode()
            return b"HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nConnection: close\r\n" + _plain(
                body
            )
        return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n" + ways[way]

    with raw_provider(respond) as upstream:
        entries = [
            {"name": way, "base-url": f"http://127.0.0.1:{upstream}/{way}/v1"}
            | {"api-key-entries": [{"api-key": f"sk-{way}-of-these-tests"}], "models": [{"name": "m", "alias": way}]}
            for way in ways
        ]
        async with stock_gateway(tmp_path, {"openai-compatibility": entries}, {}) as stock:
            with in_front(int(stock.address.rpartition(":")[2]), KEY, tmp_path) as (_, port):
                client = Client(port, KEY, patience=120)
                run = await asyncio.to_thread(client.inspect, timeoutSeconds=30, workers=2)
                names = {account["id"]: account["baseUrl"].split("/")[3] for account in client.accounts()}
                results = {names[row["account"]]: row for row in client.results(run["id"])}
    verdicts = {way: row["verdict"] for way, row in results.items()}
    assert verdicts == {
        **dict.fromkeys(BOMBS, "blocked"),
        **dict.fromkeys(OTHERS, "inconclusive"),
        **dict.fromkeys(GOOD, "healthy"),
    }, {way: row["reason"] for way, row in results.items()}
    assert {way for way in BOMBS if way != "nested" and "decompression bomb" not in str(results[way])} == set()
    assert "longer than 1 MiB" in str(results["long-blanks"])
