"""A server of a database that goes away during a batch: the running service settles it, and does nothing twice."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapter.port import Change, Outcome
from extension.store.database import health
from tests.extension.running_service import OWN, Running, running
from tests.postgresql.server import running_server


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "TRY_SECONDS", 0.05)


async def settled(service: Running, headers: dict[str, str]) -> Any:
    """Wait for the end of the newest batch, by its state as a client reads it."""
    async with asyncio.timeout(60):
        while True:
            answer = await service.get(f"{OWN}/pool/batches?limit=1", headers=headers)
            if answer.status == 200 and (batch := answer.json["batches"][0])["state"] not in {"running", "waiting"}:
                return batch
            await asyncio.sleep(0.05)


async def test_a_batch_that_was_going_on_is_settled_without_a_restart(tmp_path: Path) -> None:
    with running_server(durable=True) as server:  # another one loses commits when it is killed
        address = server.address(server.create())
        async with running(tmp_path / "data", POOLKEEPER_DATABASE_URL=address) as service:
            headers = await service.log_in()
            path = f"{OWN}/pool?source=api_key&family=all&view=slim&sort=id&limit=10"
            accounts = [row["id"] for row in (await service.get(path, headers=headers)).json["accounts"]]
            switch, sent, away = service.gateway.set_disabled, 0, asyncio.Event()

            async def during_the_outage(changes: Sequence[Change]) -> tuple[Outcome, ...]:
                nonlocal sent
                sent += 1
                await asyncio.to_thread(server.stop, "immediate")
                away.set()
                return await switch(changes)

            service.gateway.set_disabled = during_the_outage  # type: ignore[method-assign]
            body = {"accounts": accounts, "disabled": True, "released": [], "background": True}
            answer = await service.post(f"{OWN}/pool/status", json=body, headers=headers)
            assert answer.status in {200, 202}, answer.text
            await away.wait()
            assert (await service.get(f"{OWN}/pool/batches?limit=1", headers=headers)).status == 503
            await asyncio.to_thread(server.start)

            batch = await settled(service, headers)
            assert (batch["state"], batch["done"], batch["total"]) == ("done", len(accounts), len(accounts))
            actions = (await service.get(f"{OWN}/pool/actions?limit=10", headers=headers)).json["actions"]
            assert [action["outcome"] for action in actions] == ["applied"] * len(accounts)
            assert all("after the database was away" in action["text"] for action in actions)
            assert sent == 1
