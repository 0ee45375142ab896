"""Our own gateway as a process of its own, forked from a server that has imported it.

A new Python that imports the gateway takes about a second of processor time, and the suite starts one for each test.
The fork server is one process for the whole session: it imports the gateway, starts nothing, and ends with the tests.
"""

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Mapping
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_PRELOADED = ["gateway.__main__", "uvicorn.loops.auto", "uvicorn.lifespan.on", __name__]


class ForkedGateway:
    """A gateway over a configuration, with an environment and a working folder of its own."""

    def __init__(self, config: Path, folder: Path, environment: Mapping[str, str]) -> None:
        self._arguments = (config, folder, dict(environment))
        self._process: ForkServerProcess | None = None

    async def start(self) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        self._process = context.Process(target=_run, args=self._arguments, daemon=True)
        self._process.start()

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            await asyncio.to_thread(self._process.join)
            self._process.close()
            self._process = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()


def _run(config: Path, folder: Path, environment: Mapping[str, str]) -> None:
    """Do in the fork what `python -m gateway --config …` does in a new process."""
    from gateway.__main__ import main

    log = os.open(folder / "gateway.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.close(log)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(main(["--config", str(config)]))
