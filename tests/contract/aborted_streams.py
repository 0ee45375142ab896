"""Streams that break off at the client or at the upstream, and refusals, with the costs that are stored for them."""

import asyncio
import json
from pathlib import Path

import aiohttp

from adapter.clock import SystemClock
from adapter.privacy.secret import Redactor
from extension.engine.usage.service import UsageService
from extension.store import prices
from extension.store.data_folder import DataFolder
from extension.store.database.database import Database
from extension.store.prices import NewPrice
from extension.store.usage.records import StoredEvent, UsageFilter
from tests.contract.provider import Ending, Provider, Received, Sent
from tests.contract.stock_stage import ProcessStage, until

_RATES = {"input": {"amount": "2.5", "per": 1_000_000}, "output": {"amount": "10", "per": 1_000_000}}
REFUSED = "refused"


class BreakingProvider(Provider):
    """Begins every stream and ends it as its message says, or refuses it."""

    async def answer(self, request: Received) -> Sent:
        if not request.path.endswith("/chat/completions"):
            return await super().answer(request)
        ending = json.loads(request.body)["messages"][0]["content"]
        if ending == REFUSED:
            return Sent(400, b'{"error":{"message":"as asked"}}', {"Content-Type": "application/json"})
        delta = {"index": 0, "delta": {"role": "assistant", "content": "hi"}, "finish_reason": None}
        chunk = {"id": "c", "object": "chat.completion.chunk", "model": "demo-model", "choices": [delta]}
        body = f"data: {json.dumps(chunk)}\n\n".encode()
        return Sent(200, body, {"Content-Type": "text/event-stream"}, Ending(ending))


async def stored_after(stage: ProcessStage, folder: Path, endings: list[str]) -> list[StoredEvent]:
    """Send one stream for each ending, and return the events that were stored, in their order."""
    stage._server._provider = BreakingProvider()
    with DataFolder.open(folder) as opened:
        database = await Database.open(opened)
        price = NewPrice("", "demo-model", "standard", None, _RATES, "override", "", "anna", 0)
        await database.write(lambda transaction: prices.put_price(transaction, price))
        usage = UsageService(stage.gateway, database, SystemClock(), Redactor(), installation_key=b"k" * 32)
        await usage.open()
        await usage.collector.switch(on=True)
        for count, ending in enumerate(endings, 1):
            await _ask(stage, ending)

            async def stored(count: int = count) -> bool:
                return usage.collector.status.stored >= count

            await until(stored)
        events, _ = await usage.analysis.after(0, UsageFilter(), 100)
        await usage.close()
        await database.close()
    return list(events)


async def _ask(stage: ProcessStage, ending: str) -> None:
    body = {"model": "demo-alias", "stream": True, "messages": [{"role": "user", "content": ending}]}
    async with aiohttp.ClientSession() as client:
        try:
            async with asyncio.timeout(10), client.post(f"{stage._url}/v1/chat/completions", json=body) as answer:
                await answer.content.readany()
                if ending != Ending.WAITING:
                    await answer.read()
        except aiohttp.ClientError:
            pass  # the answer broke off, as asked
