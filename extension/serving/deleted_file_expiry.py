"""Removal of the copies of deleted auth files when their 30 days are over, at the start and every hour."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from adapter.clock import Clock
from extension.store.deleted_files import DeletedFiles

_HOUR_SECONDS = 3600.0


@asynccontextmanager
async def expiring(files: DeletedFiles, clock: Clock) -> AsyncIterator[None]:
    """Remove expired copies for as long as the context is open."""
    pruning = asyncio.create_task(_prune(files, clock))
    try:
        yield
    finally:
        pruning.cancel()
        await asyncio.wait([pruning])


async def _prune(files: DeletedFiles, clock: Clock) -> None:
    while True:
        # The next hour tries again.
        with suppress(OSError):
            await files.prune()
        await clock.sleep(_HOUR_SECONDS)
