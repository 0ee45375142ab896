"""End of the process in time: a thread that waits for a disk cannot be canceled."""

import os
import sys
import threading
from typing import Final

import structlog

END_SECONDS: Final = 15.0
"""Longest time between a signal to end and the end of the process."""
_CUT_OFF: Final = 1

_log = structlog.get_logger("poolkeeper.serving")


class Deadline:
    """Ends the process when it has not ended by itself in time."""

    def __init__(self, seconds: float = END_SECONDS) -> None:
        self._seconds = seconds
        self._timer: threading.Timer | None = None

    def set(self) -> None:
        """Start the time; a second call changes nothing."""
        if self._timer is None:
            self._timer = threading.Timer(self._seconds, _cut_off, (self._seconds,))
            self._timer.daemon = True
            self._timer.start()

    def lift(self) -> None:
        """Stop the time: the process has ended its work."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _cut_off(seconds: float) -> None:
    _log.error("the service did not end in time and is cut off", seconds=seconds)
    sys.stderr.flush()
    os._exit(_CUT_OFF)
