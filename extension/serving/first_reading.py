"""First reading of the pool, made as soon as the service has started.

The first reading of ten thousand accounts takes seconds: every entry is recognized, redacted and stored. Without it the
first sign-in waits that long.
"""

import asyncio
from contextlib import suppress
from typing import Final

from adapter.port import GatewayError
from extension.engine.inspector import Inspector
from extension.store.errors import StoreError

FIRST_READING: Final = "first reading of the pool"
"""Name of the task that reads."""


def read_ahead(inspector: Inspector) -> "asyncio.Task[None]":
    """Begin to read the pool; a gateway or store that cannot be read now is none of its business."""
    return asyncio.create_task(_read(inspector), name=FIRST_READING)


async def _read(inspector: Inspector) -> None:
    with suppress(GatewayError, StoreError):
        await inspector.overview.read()
