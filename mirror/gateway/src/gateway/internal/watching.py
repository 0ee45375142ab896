"""Noticing that files changed, by looking at them again and again.

Looking beats being told here: it sees a file that was replaced by a rename, a bind-mounted one, one behind a chain of
links and one on a network disk alike. A change counts when two looks in a row saw the same, so that a file somebody is
still writing is left alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable

import structlog

_log = structlog.get_logger("gateway.watching")
SECONDS = 0.25
_SHARE = 20


class Watcher:
    """Calls back when what it looks at has changed and come to rest.

    Args:
        look: Returns what is there now; called in a thread.
        changed: Called after a change; whatever is raised is logged, and watching goes on.
        seconds: Least time between two looks; it grows with the time a look takes.
    """

    def __init__(
        self, look: Callable[[], Hashable], changed: Callable[[], Awaitable[None]], seconds: float = SECONDS
    ) -> None:
        self._look = look
        self._changed = changed
        self._seconds = seconds
        self._settled: Hashable = None
        self._last: Hashable = None

    async def settle(self) -> None:
        """Take what is there now as known."""
        self._settled = self._last = await asyncio.to_thread(self._look)

    async def check(self) -> bool:
        """Look once; return whether that led to a call."""
        try:
            now: Hashable = await asyncio.to_thread(self._look)
        except OSError as error:
            now = ("unreadable", error.errno)
        resting, self._last = now == self._last, now
        if now == self._settled or not resting:
            return False
        self._settled = now
        try:
            await self._changed()
        except Exception as error:  # noqa: BLE001 - one failing reload must not end the watching
            # No traceback: some loggers print the variables of every frame, and these hold keys.
            _log.error("reload failed; what was loaded before stays in use", problem=f"{type(error).__name__}: {error}")
        return True

    async def run(self) -> None:
        """Look until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await self.check()
            await asyncio.sleep(max(self._seconds, (loop.time() - began) * _SHARE))
