"""Following config.yaml and auth-dir: looks at them, and notices that hasten what a look would find."""

import asyncio
from contextlib import suppress

from gateway.internal.notices import FileNotices
from gateway.internal.watching import Watcher


class Following:
    """A watcher and the notices beside it, started and stopped together."""

    def __init__(self, watcher: Watcher, notices: FileNotices) -> None:
        self._watcher = watcher
        self._notices = notices
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take what is there now as known, and begin."""
        await self._watcher.settle()
        self._watching = asyncio.create_task(self._watcher.run())
        self._notices.start()

    async def stop(self) -> None:
        """End both."""
        await self._notices.stop()
        if self._watching:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
            self._watching = None
