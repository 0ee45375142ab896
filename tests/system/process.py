"""The service as a user starts it: a process of its own, its lines kept, killed or stopped at will."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

from tests.repository.tracked import ROOT
from tests.system.forked_service import ForkedService

READY = "inspection page"
"""Text in the log once the service can be reached."""

FRESH = (sys.executable, "-m", "extension")
"""A start in a new Python, for figures of a whole process."""

_INHERITED = ("PATH", "HOME", "LANG", "PYTHONPATH", "VIRTUAL_ENV")


NOBODY = "http://127.0.0.1:9"
"""An address of this machine that nobody answers at."""


def vendors_replaced(arguments: Sequence[str]) -> dict[str, str]:
    """Return what keeps a service from asking vendors themselves when its configuration does not."""
    texts = [Path(argument).read_text(encoding="utf-8") for argument in arguments if Path(argument).is_file()]
    return {} if any("vendor-stand-in" in text for text in texts) else {"POOLKEEPER_VENDOR_STAND_IN": NOBODY}


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The tester's environment without what would configure the service."""
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {**inherited, "PYTHONUNBUFFERED": "1", **(more or {})}


def run_command(
    *arguments: str, environment: Mapping[str, str] | None = None, timeout: float = 50
) -> subprocess.CompletedProcess[str]:
    """Run `poolkeeper …` to its end, with nothing on its standard input."""
    return subprocess.run(
        [*FRESH, *arguments],
        cwd=ROOT,
        env=clean_environment(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def _started(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


class Service:
    """A running `poolkeeper serve`; `lines` is everything it has said on either stream so far.

    `program` starts a new Python, `FRESH`, or another installation than the one the tests run in.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        program: Sequence[str] | None = None,
    ) -> None:
        self.lines: list[str] = []
        self._output: SimpleQueue[str | None] = SimpleQueue()
        variables = clean_environment({**vendors_replaced(arguments), **(environment or {})})
        self.process = (
            ForkedService(["serve", *arguments], ROOT, variables)
            if program is None
            else _started([*program, "serve", *arguments], variables)
        )
        self._reader = threading.Thread(target=self._read, name="service output")
        self._reader.start()

    def _read(self) -> None:
        stream = self.process.stdout
        if stream is not None:
            for line in stream:
                self.lines.append(line.rstrip("\n"))
                self._output.put(line)
        self._output.put(None)

    def wait_until_ready(self, seconds: float = 30) -> None:
        """Return once it can be reached; fail with what it said when it ends before that."""
        self.wait_until(READY, seconds)

    def wait_until(self, text: str, seconds: float = 30) -> None:
        """Return once it has said a text, from the line on that was waited for last."""
        while True:
            try:
                line = self._output.get(timeout=seconds)
            except Empty:
                raise AssertionError(f"the service is silent: {self.output}") from None
            assert line is not None, f"the service ended: {self.output}"
            if text in line:
                return

    @property
    def output(self) -> str:
        """Everything it has said, as one text."""
        return "\n".join(self.lines)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """Ask it to stop and return its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        try:
            return self.process.wait(timeout=20)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self._reader.join(timeout=10)
            if self.process.stdout is not None:
                self.process.stdout.close()


@contextmanager
def serving(
    config: Path, *more: str, environment: Mapping[str, str] | None = None, program: Sequence[str] | None = None
) -> Iterator[Service]:
    """Serve a configuration until the context ends."""
    service = Service(["--config", str(config), *more], environment, program)
    try:
        service.wait_until_ready()
        yield service
    finally:
        service.stop()
