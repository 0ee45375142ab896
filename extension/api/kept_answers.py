"""Kept answers: those that many readers ask for are encoded once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

Encoded = tuple[bytes, str]
"""Body of an answer, and its encoding."""

MOST_BYTES: Final = 4 * 1024 * 1024


class KeptAnswers:
    """The newest encoded answers by their entity tag, up to `most_bytes` together."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: dict[str, Encoded] = {}
        self._bytes = 0
        self._under_way: dict[str, asyncio.Task[Encoded]] = {}

    async def of(self, tag: str, encode: Callable[[], Awaitable[Encoded]]) -> Encoded:
        """Return the answer of a tag, encoded now unless it is kept or under way for another reader."""
        found = self._kept.get(tag)
        if found is not None:
            return found
        task = self._under_way.get(tag)
        if task is None:
            task = self._under_way[tag] = asyncio.ensure_future(encode())
            task.add_done_callback(lambda done: self._ended(tag, done))
        return await asyncio.shield(task)

    def _ended(self, tag: str, task: asyncio.Task[Encoded]) -> None:
        del self._under_way[tag]
        if task.cancelled() or task.exception() is not None or len(task.result()[0]) > self._most_bytes:
            return
        self._kept[tag] = task.result()
        self._bytes += len(task.result()[0])
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.pop(next(iter(self._kept)))[0])
