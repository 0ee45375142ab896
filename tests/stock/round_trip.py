"""The whole way through our own server in front of a stock gateway: list, inspect, switch everything off and on."""

import asyncio
import copy
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from adapter.management.listing.sections import canonical
from adapter.port import Section
from tests.contract.provider import Provider, ProviderServer
from tests.contract.stock_stage import until
from tests.stock.gateway import KEY, Stock, stock_gateway

OWN = "/v0/management/poolkeeper"
FILES: Mapping[str, Mapping[str, Any]] = {
    "claude-a@b.c.json": {"type": "claude", "email": "a@b.c", "access_token": "token-of-a-1111"},
    "codex-d@e.f.json": {"type": "codex", "email": "d@e.f", "access_token": "token-of-d-2222"},
}


def pool_of_every_family(address: str) -> dict[str, Any]:
    """Two keys of each of the seven families, one with patterns of the operator's, and a provider of two keys."""
    config: dict[str, Any] = {}
    for section in Section:
        if section is not Section.COMPAT:
            config[section.value] = [
                {"api-key": f"sk-{section.value}-plain-1", "base-url": address},
                {"api-key": f"sk-{section.value}-pattern-2", "base-url": address, "excluded-models": ["old-*"]},
            ]
    models = [{"name": "demo-model", "alias": "demo-model"}]
    config[Section.COMPAT.value] = [
        {
            "name": name,
            "base-url": f"{address}/v1",
            "api-key-entries": [{"api-key": f"sk-{name}-{number}"} for number in range(keys)],
            "models": models,
        }
        for name, keys in (("solo", 1), ("other", 1), ("duo", 2))
    ]
    return config


@asynccontextmanager
async def _provider() -> AsyncIterator[str]:
    server = ProviderServer(Provider())
    yield await server.start()
    await server.stop()


@asynccontextmanager
async def _service(stock: Stock, folder: Path) -> AsyncIterator[aiohttp.ClientSession]:
    """`poolkeeper serve --gateway` as a process, and a client of it."""
    data = folder / "data"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("POOLKEEPER_")}
    command = ["-m", "extension", "serve", "--gateway", stock.address, "--listen", "127.0.0.1:0"]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        "--data-dir",
        str(data),
        env={**environment, "POOLKEEPER_MANAGEMENT_KEY": KEY},
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:

        async def announced() -> bool:
            return (data / "service.json").exists()

        await until(announced)
        address = json.loads((data / "service.json").read_text(encoding="utf-8"))["address"]
        async with aiohttp.ClientSession(address, headers={"X-Management-Key": KEY}) as client:
            yield client
    finally:
        process.terminate()
        await process.wait()


async def _get(client: aiohttp.ClientSession, path: str) -> Any:
    async with client.get(f"{OWN}/{path}") as answer:
        return await answer.json()


async def _post(client: aiohttp.ClientSession, path: str, body: Any) -> Any:
    async with client.post(f"{OWN}/{path}", json=body) as answer:
        reply = await answer.json()
        assert answer.status < 300, reply
        return reply


async def go_round(folder: Path, command: Sequence[str], extra: Mapping[str, Any]) -> None:
    """List, inspect and switch a pool of every family, served by the gateway this command starts on a configuration."""
    async with (
        _provider() as address,
        stock_gateway(folder, {**pool_of_every_family(address), **extra}, FILES, command=command) as stock,
        _service(stock, folder) as client,
    ):
        keys = (await _get(client, "pool?source=api_key"))["accounts"]
        files = (await _get(client, "pool?source=oauth"))["accounts"]
        assert len(keys) == 16
        assert sorted(file["fileName"] for file in files) == sorted(FILES)
        assert {account["enabled"] for account in [*keys, *files]} == {True}

        run = (await _post(client, "inspections", {"accountSource": "api_key"}))["run"]["id"]

        async def ended() -> bool:
            return bool((await _get(client, f"inspections?run={run}"))["runs"][0]["state"] == "finished")

        await until(ended)
        results = (await _get(client, f"inspections/results?run={run}&limit=100"))["results"]
        assert len(results) == len(keys)
        assert {result["verdict"] for result in results} <= {"healthy", "inconclusive", "rejected"}

        await _switched(client, stock, keys, files, disabled=True)
        await _switched(client, stock, keys, files, disabled=False)
    assert all(json.loads((folder / "auths" / name).read_text())["disabled"] is False for name in FILES)


async def _switched(
    client: aiohttp.ClientSession, stock: Stock, keys: list[Any], files: list[Any], *, disabled: bool
) -> None:
    """Switch every account and compare config.yaml with the one before but for the intended change."""
    before = stock.sections()
    ids = [account["id"] for account in [*keys, *files]]
    actions = (await _post(client, "pool/status", {"accounts": ids, "disabled": disabled}))["actions"]
    outcomes = sorted(action["outcome"] for action in actions)
    assert outcomes == ["applied"] * (len(ids) - 2) + ["refused"] * 2, actions
    after = stock.sections()
    assert {name: after[name] for name in before} == canonical(expected(before, disabled=disabled))


def expected(before: Mapping[str, Any], *, disabled: bool) -> dict[str, Any]:
    """A parsed config.yaml of this pool after everything that can be switched has been."""
    document = copy.deepcopy(dict(before))
    for section in Section:
        for entry in document[section.value]:
            if section is Section.COMPAT:
                entry["disabled"] = disabled and entry["name"] != "duo"
            else:
                patterns = [pattern for pattern in entry.get("excluded-models", []) if pattern != "*"]
                entry["excluded-models"] = [*patterns, "*"] if disabled else patterns
    return document
