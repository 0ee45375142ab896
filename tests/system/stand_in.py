"""The demo providers in a thread of their own, so that a test that waits does not stop them from answering."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

from tools.project.demo.providers import Providers, start_providers


@contextmanager
def providers_at(port: int, *, slow_seconds: float = 0.1) -> Iterator[Providers]:
    """Serve the stand-in on a loopback port until the context ends."""
    started: SimpleQueue[tuple[Providers, asyncio.AbstractEventLoop, asyncio.Event] | OSError] = SimpleQueue()

    async def serve() -> None:
        stop = asyncio.Event()
        try:
            async with start_providers(port, slow_seconds=slow_seconds) as providers:
                started.put((providers, asyncio.get_running_loop(), stop))
                await stop.wait()
        except OSError as error:
            started.put(error)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="providers")
    thread.start()
    answer = started.get(timeout=30)
    if isinstance(answer, OSError):
        thread.join()
        raise answer
    providers, loop, stop = answer
    try:
        yield providers
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(timeout=30)


def counted(providers: Providers) -> Counter[str]:
    """Return the number of requests that each key has had so far."""
    return Counter(providers.requests)
