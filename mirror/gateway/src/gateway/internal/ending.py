"""An end in time, whatever still hangs."""

import logging
import os
import sys
import threading

_log = logging.getLogger("gateway")
_CUT_OFF = 1


class Deadline:
    """Ends the process when it has not ended by itself in time: a thread that waits for a disk cannot be cancelled."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        """Start the time, once."""
        if self._timer is None:
            self._timer = threading.Timer(seconds, _cut_off, (seconds,))
            self._timer.daemon = True
            self._timer.start()

    def lift(self) -> None:
        """Let the process go on."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _cut_off(seconds: float) -> None:
    _log.error("the gateway did not end within %g s of being told to, and is cut off", seconds)
    sys.stderr.flush()
    os._exit(_CUT_OFF)
