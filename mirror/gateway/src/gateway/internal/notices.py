"""The operating system's notices that a file changed: sooner than a look at it, but not always there.

A network disk sends none, and watches can run out. So a notice only hastens what looking finds out anyway.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog
import watchfiles
from watchfiles import Change

_log = structlog.get_logger("gateway.watching")
_TOGETHER_MILLISECONDS = 100
_STEP_MILLISECONDS = 20
_SWAPPED = "..data"
"""The link Kubernetes swaps to replace the files of a mounted ConfigMap."""


class FileNotices:
    """Calls back soon after a file was written or replaced, until it is stopped.

    The folder is watched, because a file that is replaced takes its watch along; that of the real file as well, where
    the file is a link.

    Args:
        path: The file.
        noticed: Called after a notice; whatever it raises is logged.
    """

    def __init__(self, path: Path, noticed: Callable[[], Awaitable[object]]) -> None:
        self._path = path
        self._noticed = noticed
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to listen."""
        self._stop = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End listening."""
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
