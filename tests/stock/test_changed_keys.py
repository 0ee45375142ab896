"""The management key of a stock gateway is changed: this service finds out by one refusal, and nothing is banned."""

import asyncio
import json
import re
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest

from adapter.contract.expectations import management, own
from adapter.management.client.http import HttpTransport
from adapter.management.client.transport import Request
from adapter.privacy.secret import Secret
from tests.attack.conftest import in_front
from tests.contract.stock_stage import until
from tests.stock.gateway import KEY, Stock, stock_gateway
from tests.stock.round_trip import FILES, pool_of_every_family

NEW_KEY = "another management key"
NOWHERE = "http://127.0.0.1:9"
PATIENCE = 45


def _status(port: int, headers: dict[str, str], path: str = own("info")) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status


def _signed_in(port: int) -> dict[str, str]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        body = json.dumps({"key": KEY})
        connection.request("POST", own("info/session"), body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200
        return {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}


def _end_of_stream(port: int, headers: dict[str, str]) -> None:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", own("inspections/events"), headers={**headers, "Accept": "text/event-stream"})
        stream = connection.getresponse()
        assert stream.status == 200
        while stream.read1():
            pass


async def _shown(stock: Stock, key: str) -> int:
    transport = HttpTransport(stock.address, Secret(key))
    status = (await transport.send(Request("GET", management("debug")))).status
    await transport.close()
    return status


async def _change_key(stock: Stock, *, restarted: bool) -> None:
    if restarted:
        await stock.process.stop()
    text = stock.config.read_text(encoding="utf-8")
    stock.config.write_text(re.sub(r"secret-key: .*", f"secret-key: {NEW_KEY}", text, count=1), encoding="utf-8")
    if restarted:
        await stock.process.start()
        return

    async def refused() -> bool:
        return await _shown(stock, KEY) == 401

    await until(refused)


@pytest.mark.parametrize("restarted", [False, True], ids=["edited", "restarted"])
async def test_a_changed_key_ends_its_session_and_streams_within_half_a_minute(tmp_path: Path, restarted: bool) -> None:
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES, bcrypt=True) as stock:
        with in_front(int(stock.address.rpartition(":")[2]), KEY, tmp_path) as (_, port):
            session, key = await asyncio.to_thread(_signed_in, port), {"X-Management-Key": KEY}
            streams = [asyncio.to_thread(_end_of_stream, port, headers) for headers in (session, key)]
            ending = asyncio.gather(*streams)
            await _change_key(stock, restarted=restarted)
            await ending
            for headers in (session, *[key] * 10):
                assert await asyncio.to_thread(_status, port, headers) == 401
            assert await _shown(stock, NEW_KEY) == 200


async def test_a_gateway_that_is_away_ends_no_session(tmp_path: Path) -> None:
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES, bcrypt=True) as stock:
        with in_front(int(stock.address.rpartition(":")[2]), KEY, tmp_path) as (_, port):
            session = await asyncio.to_thread(_signed_in, port)
            await stock.process.stop()
            for headers in (session, {"X-Management-Key": KEY}):
                assert await asyncio.to_thread(_status, port, headers) == 200


async def test_a_key_presented_as_the_gateway_refuses_it_is_refused_here(tmp_path: Path) -> None:
    # four, as the gateway bans after five
    wrong: list[dict[str, str]] = [
        {"Authorization": f"Bearer  {KEY}"},
        {"Authorization": f"Bearer\t{KEY}"},
        {"X_Management_Key": KEY},
        {},
    ]
    right = [{"Authorization": f"bearer {KEY}"}, {"Authorization": KEY}, {"X-Management-Key": KEY}]
    path = f"{management('debug')}?key={quote(KEY)}"
    async with stock_gateway(tmp_path, pool_of_every_family(NOWHERE), FILES, bcrypt=True) as stock:
        gateway = int(stock.address.rpartition(":")[2])
        with in_front(gateway, KEY, tmp_path) as (_, port):
            for at in (gateway, port):
                assert [await asyncio.to_thread(_status, at, presented, path) for presented in wrong] == [401] * 4
                assert [await asyncio.to_thread(_status, at, presented, path) for presented in right] == [200] * 3
