"""The demo providers in a process of their own, so that they share nothing with what is measured but the machine.

Start it with `python -m tests.bench.provider PORT`. It prints a line once it listens, and for every line it reads how
many requests it has had so far.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import uvloop

from tools.project.demo.providers import start_providers


class ProviderProcess:
    """The running providers, as whoever started them sees them."""

    def __init__(self, output: IO[str], input_: IO[str]) -> None:
        self._output = output
        self._input = input_

    def requests(self) -> int:
        """Ask how many requests they have had so far."""
        self._input.write("\n")
        self._input.flush()
        return int(self._output.readline())


@contextmanager
def providers_process(port: int, *, slow_seconds: float = 2.0) -> Iterator[ProviderProcess]:
    """Run the providers on a loopback port until the context ends.

    Raises:
        RuntimeError: they did not start.
    """
    command = [sys.executable, "-m", "tests.bench.provider", str(port), str(slow_seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or process.stdin is None or not process.stdout.readline():
                raise RuntimeError(f"the providers did not start on port {port}")
            yield ProviderProcess(process.stdout, process.stdin)
        finally:
            process.terminate()


async def _serve(port: int, slow_seconds: float) -> None:
    """Serve until the standard input ends."""
    async with start_providers(port, slow_seconds=slow_seconds) as providers:
        print(providers.address, flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(sum(providers.requests.values()), flush=True)


if __name__ == "__main__":
    uvloop.run(_serve(int(sys.argv[1]), float(sys.argv[2])))
