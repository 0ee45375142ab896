"""Lines in a stock gateway's log: of an idle service beside it, and of one Disable.

Usage: POOLKEEPER_STOCK_GATEWAY=BINARY python -m tests.bench.gateway_calls [SECONDS]
"""

import asyncio
import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import aiohttp
import yaml

from adapter.contract.expectations import own
from tests.stock.plugin.stock import KEY, PluginGateway, until
from tools.project.demo.ports import free_port

_LINE = re.compile(r'(GET|PUT|PATCH|POST|DELETE)\s+"(/[^"?]*)')
KEYS = [{"api-key": f"sk-{number:04d}-not-a-real-key", "base-url": "http://127.0.0.1:9"} for number in range(5)]


def lines(log: Path, offset: int) -> Counter[str]:
    """Count the lines of requests behind an offset by method and path."""
    return Counter(" ".join(match) for match in _LINE.findall(log.read_bytes()[offset:].decode("utf-8", "replace")))


def show(name: str, counted: Counter[str]) -> None:
    print(f"{name}: {counted.total()} calls", *(f"  {times} {call}" for call, times in counted.most_common()), sep="\n")


async def measured(seconds: float) -> None:
    """Print both figures."""
    with tempfile.TemporaryDirectory() as folder:
        gateway = PluginGateway(Path(folder) / "gateway")
        values = yaml.safe_load(gateway.config.read_text("utf-8"))
        gateway.config.write_text(yaml.safe_dump({**values, "claude-api-key": KEYS}), "utf-8")
        await gateway.start()
        port = free_port()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("POOLKEEPER_")},
            "POOLKEEPER_DATA_DIR": f"{folder}/data",
            "POOLKEEPER_MANAGEMENT_KEY": KEY,
            "POOLKEEPER_LISTEN": f"127.0.0.1:{port}",
        }
        command = (sys.executable, "-m", "extension", "serve", "--gateway", gateway.address)
        service = await asyncio.create_subprocess_exec(*command, env=environment)
        try:
            headers = {"X-Management-Key": KEY}
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", headers=headers) as client:
                await _steps(client, gateway, seconds)
        finally:
            service.terminate()
            await service.wait()
            await gateway.close()


async def _steps(client: aiohttp.ClientSession, gateway: PluginGateway, seconds: float) -> None:
    async def answers() -> bool:
        try:
            async with client.get(own("pool") + "?source=api_key") as answer:
                return answer.status == 200
        except aiohttp.ClientError:
            return False

    await until(answers, step=0.2)
    await asyncio.sleep(15)
    offset = gateway.log.stat().st_size
    await asyncio.sleep(seconds)
    show(f"idle for {seconds:.0f} s", lines(gateway.log, offset))
    async with client.get(own("pool") + "?source=api_key") as answer:
        row = (await answer.json())["accounts"][2]
    await asyncio.sleep(3)
    offset = gateway.log.stat().st_size
    account = {"accounts": [row["id"]], "disabled": True}
    async with client.post(own("pool/status"), json=account) as answer:
        print(answer.status, (await answer.text())[:400])
    await asyncio.sleep(6)
    show("one Disable", lines(gateway.log, offset))


if __name__ == "__main__":
    asyncio.run(measured(float(sys.argv[1]) if len(sys.argv) > 1 else 180.0))
