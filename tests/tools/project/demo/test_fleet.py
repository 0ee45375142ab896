"""The demo of a fleet: what it starts, and that one Ctrl-C ends all of it."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from aiohttp import ClientSession

from adapter.contract.expectations import own
from tools.mirror.errors import ToolError
from tools.project.demo.fleet import DATABASE, GATEWAYS, WORKERS, database, open_fleet, serve_fleet

pytestmark = pytest.mark.timeout(150)


async def test_three_gateways_two_workers_and_a_console_stand_on_one_database(
    tmp_path: Path, postgresql_address: str
) -> None:
    lines = asyncio.Queue[str]()
    serving = asyncio.create_task(serve_fleet(tmp_path, lines.put_nowait, {**os.environ, DATABASE: postgresql_address}))
    line = asyncio.ensure_future(lines.get())
    await asyncio.wait({serving, line}, return_when=asyncio.FIRST_COMPLETED)
    assert line.done(), serving.exception()
    *_, address, key = line.result().splitlines()
    origin, token = address.split()[-1].rpartition("/monitor")[0], key.split()[-1]

    async with ClientSession(headers={"X-Management-Key": token}) as session:
        async with session.get(origin + own("fleet/gateways")) as answer:
            gateways = {gateway["name"]: gateway["labels"] for gateway in (await answer.json())["gateways"]}
        async with asyncio.timeout(60):
            workers = 0
            while workers < WORKERS + 1:
                async with session.get(origin + own("fleet/workers")) as answer:
                    workers = len((await answer.json())["workers"])
    assert gateways == GATEWAYS

    os.kill(os.getpid(), signal.SIGINT)
    await serving
    with pytest.raises(OSError, match="Connect"):
        await asyncio.open_connection("127.0.0.1", int(origin.rpartition(":")[2]))


def test_the_gateways_share_one_stand_in_and_no_port(tmp_path: Path) -> None:
    folders = open_fleet(tmp_path)

    assert len({folder.providers_port for folder in folders.values()}) == 1
    assert len({folder.gateway_port for folder in folders.values()}) == len(GATEWAYS)


def test_a_machine_without_postgresql_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.project.demo.fleet.find_postgresql", lambda _: None)
    with pytest.raises(ToolError, match="no PostgreSQL"), database({}):
        pass
