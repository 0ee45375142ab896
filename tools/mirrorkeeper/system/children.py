"""Commands that were started and have not ended: a request to end this process ends them first."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from .signals import held_signals


class Children:
    """Running commands of one process. A signal that comes while one is started waits until it is known here."""

    def __init__(self, patience: float = 5.0) -> None:
        """Begin with none; `patience` is how many seconds a command has to end when it is asked."""
        self._patience = patience
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, make: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        """Start a command; errors are those of `make`."""
        with held_signals():
            process = make()
            self._running.append(process)
        return process

    def forget(self, process: subprocess.Popen[bytes]) -> None:
        """Take note that a command has ended; one that was ended here is forgotten already."""
        if process in self._running:
            self._running.remove(process)

    def ask_to_end(self) -> None:
        """Ask all running commands to end, so that git ends its own children; wait for nothing."""
        for process in self._running:
            process.terminate()

    def end(self) -> None:
        """End all running commands and wait for them; a command that does not end when asked is killed."""
        self.ask_to_end()
        for process in self._running:
            try:
                process.wait(self._patience)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._running.clear()


CHILDREN = Children()
"""Those of this process."""
