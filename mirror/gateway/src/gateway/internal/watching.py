"""Detection of changed files, by polling and, for config.yaml, by the operating system's notices.

Polling sees a file that was replaced by a rename, a bind-mounted one, one behind a chain of links and one on a network
disk alike. A change counts when two polls in a row saw the same, so that a file being written is left alone. A network
disk sends no notices, and watches can run out: a notice only hastens what polling detects anyway.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from pathlib import Path

import structlog
import watchfiles
from watchfiles import Change

_log = structlog.get_logger("gateway.watching")
SECONDS = 0.25
_SHARE = 20


class Watcher:
    """Calls back when the polled value has changed and come to rest.

    Args:
        look: Returns the current value; called in a thread.
        changed: Called after a change; its errors are logged.
        seconds: Minimum time between two polls; it grows with the time a poll takes.
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
        """Take the current value as known."""
        self._settled = self._last = await asyncio.to_thread(self._look)

    async def check(self) -> bool:
        """Poll once; return whether that led to a call."""
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
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await self.check()
            await asyncio.sleep(max(self._seconds, (loop.time() - began) * _SHARE))


_TOGETHER_MILLISECONDS = 100
_STEP_MILLISECONDS = 20
_SWAPPED = "..data"
"""Link that Kubernetes swaps to replace the files of a mounted ConfigMap."""


class FileNotices:
    """Calls back soon after a file was written or replaced, until it is stopped; errors of ``noticed`` are logged.

    The folder is watched, because replacing a file removes its own watch; for a link also the folder of the real file.
    """

    def __init__(self, path: Path, noticed: Callable[[], Awaitable[object]]) -> None:
        self._path = path
        self._noticed = noticed
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._stop = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        places = {self._path.absolute(), self._path.resolve()}
        names = {place.name for place in places} | {_SWAPPED}

        def concerns(_: Change, changed: str) -> bool:
            return Path(changed).name in names

        try:
            async for _ in watchfiles.awatch(
                *sorted({place.parent for place in places}),
                watch_filter=concerns,
                debounce=_TOGETHER_MILLISECONDS,
                step=_STEP_MILLISECONDS,
                stop_event=self._stop,
                recursive=False,
            ):
                await self._call()
        except Exception as error:  # noqa: BLE001 - the library raises what the system says, in errors of many types
            _log.info("no notices of changes: config.yaml is looked at instead", problem=type(error).__name__)

    async def _call(self) -> None:
        try:
            await self._noticed()
        except Exception as error:  # noqa: BLE001 - one failure must not end the listening
            _log.error("a change of config.yaml could not be looked at early", problem=type(error).__name__)


class Following:
    """A watcher and the notices beside it, started and stopped together."""

    def __init__(self, watcher: Watcher, notices: FileNotices) -> None:
        self._watcher = watcher
        self._notices = notices
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take the current state as known, and start."""
        await self._watcher.settle()
        self._watching = asyncio.create_task(self._watcher.run())
        self._notices.start()

    async def stop(self) -> None:
        await self._notices.stop()
        if self._watching:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
            self._watching = None
