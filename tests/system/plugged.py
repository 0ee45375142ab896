"""A gateway process that starts the service as its plugin."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from tests.repository.tracked import ROOT
from tests.system.client import Client, path_of
from tests.system.process import clean_environment
from tools.project.demo.folder import DemoFolder
from tools.project.demo.plugin import plugin_command

PATIENCE = 45.0


@dataclass(frozen=True, slots=True)
class Plugged:
    """The gateway's process, a client with the right key, and the file of its log."""

    process: subprocess.Popen[bytes]
    client: Client
    log: Path

    def children(self) -> list[int]:
        """Return the processes that the gateway has started."""
        return children_of(self.process.pid)

    def wait_until_open(self) -> None:
        """Return once the service answers."""
        until(lambda: self.status() == 200, f"the plugin does not open: {self.log.read_text()[-3000:]}")

    def status(self) -> int:
        """Return the status of one of our own paths."""
        try:
            return self.client.ask("GET", path_of("info")).status
        except OSError:
            return 0


def until(condition: object, complaint: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition holds; what another process does has no event."""
    assert callable(condition)
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, complaint
        os.sched_yield()
        with suppress(TimeoutError):
            signal.sigtimedwait([], 0.05)


def children_of(process: int) -> list[int]:
    """Return the processes that a process has started."""
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(number) for number in text.split()]


def is_gone(process: int) -> bool:
    """Return whether a process has ended, collected by its parent or not."""
    try:
        text = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True
    return text.rpartition(")")[2].split()[0] in {"Z", "X"}


def get(port: int, path: str, **headers: str) -> tuple[int, Mapping[str, str], bytes]:
    """Read one path without a key; header names in lower case."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def started(folder: DemoFolder, environment: Mapping[str, str] | None = None, program: Sequence[str] = ()) -> Plugged:
    """Start a gateway, or another program in its place, with the service as its plugin; nothing is waited for."""
    log = folder.path / "gateway.log"
    gateway, *arguments = plugin_command(folder)
    with log.open("ab") as output:
        process = subprocess.Popen(
            [*(program or (gateway,)), *arguments],
            cwd=ROOT,
            env=clean_environment(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    return Plugged(process, Client(folder.gateway_port, folder.management_key), log)


@contextmanager
def plugged(
    folder: DemoFolder, environment: Mapping[str, str] | None = None, program: Sequence[str] = ()
) -> Iterator[Plugged]:
    """Serve a demo folder until the context ends."""
    service = started(folder, environment, program)
    try:
        service.wait_until_open()
        yield service
    finally:
        service.process.terminate()
        try:
            service.process.wait(timeout=20)
        finally:
            service.process.kill()
            service.process.wait()
