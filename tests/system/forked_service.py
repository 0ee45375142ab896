"""The service as a process of its own, forked from a server that has imported it.

A new Python that imports the service takes over a second of processor time, and hundreds of tests start one or two.
The fork server is one process for a session: it imports the service, starts nothing, and ends with the tests. What a
start by `python -m extension` or by the installed program does more is for `tests/extension/cli/test_serve.py`,
`test_wheels.py` and the long forms.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

_PRELOADED: Final = [
    "extension.__main__",
    "extension.cli.serve",
    "extension._generated_entry",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.lifespan.on",
    "pydantic.v1",
    "encodings.idna",
    __name__,
]


class ForkedService:
    """Process with the methods of `subprocess.Popen` that tests use; both its streams are `stdout`."""

    def __init__(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(_PRELOADED)
        ours, its = context.Pipe(duplex=False)
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._process = context.Process(
            target=_run, args=(its, tuple(arguments), folder, dict(environment), limits), daemon=True
        )
        self._process.start()
        its.close()
        self.stdout = os.fdopen(os.dup(ours.fileno()), encoding="utf-8")
        ours.close()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("poolkeeper", timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(
    output: Connection, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], limits: tuple[int, int]
) -> None:
    """Do in the fork what `python -m extension` does in a new process."""
    from extension.__main__ import main

    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, descriptor in ((nothing, 0), (output.fileno(), 1), (output.fileno(), 2)):
        os.dup2(source, descriptor)
    os.close(nothing)
    output.close()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(write_through=True)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["poolkeeper", *arguments]
    main()
