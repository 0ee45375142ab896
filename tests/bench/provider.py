"""The demo providers in a process of their own, which prints a line once it listens.

Start it with `python -m tests.bench.provider PORT`.
"""

from __future__ import annotations

import asyncio
import sys

from tools.demo.providers import start_providers


async def main(port: int) -> None:
    """Serve until the process is ended."""
    async with start_providers(port) as providers:
        print(providers.address, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
