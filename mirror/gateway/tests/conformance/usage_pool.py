"""A gateway in the stock profile before a stand-in for the upstreams, and a request to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.inference import pools
from tests.inference.pools import CHAT, CLIENT
from tests.inference.providers import Providers
from tests.management.serving import Served


@asynccontextmanager
async def pool(folder: Path, text: str | None = None, *, rest: str = "") -> AsyncIterator[tuple[Served, Providers]]:
    """Serve a gateway in the stock profile before a stand-in for the upstreams."""
    async with pools.pool(folder, text, rest=f"{rest}management-profile: stock\n") as running:
        yield running


async def chat(served: Served, **more: object) -> None:
    await served.request("POST", "/v1/chat/completions", headers=CLIENT, json=CHAT | more)
