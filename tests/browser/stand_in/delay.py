"""Answers of the stand-in that are held back, so that they come in another order than they were asked for."""

import asyncio
import threading

PATIENCE_SECONDS = 20.0


class Delay:
    """Holds back one answer: the next one to a method and path, made as things are then, sent when it is released."""

    def __init__(self, method: str, path: str) -> None:
        self.method = method
        self.path = path
        self._made = threading.Event()
        self._released = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def hold(self) -> None:
        """Wait for the release; called by the server with the answer made."""
        self._loop = asyncio.get_running_loop()
        self._made.set()
        await self._released.wait()

    def wait_until_made(self) -> None:
        """Wait until there is an answer that is held back; called by the test."""
        assert self._made.wait(PATIENCE_SECONDS), f"nobody asked {self.method} {self.path}"

    def release(self) -> None:
        """Let it go, once it is made; called by the test."""
        self.wait_until_made()
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._released.set)


class Delays:
    """The answers that are to be held back."""

    def __init__(self) -> None:
        self._waiting: list[Delay] = []

    def next_answer(self, method: str, path: str) -> Delay:
        """Hold back the next answer to this; the ones after it are sent at once."""
        delay = Delay(method, path)
        self._waiting.append(delay)
        return delay

    async def pass_through(self, method: str, path: str) -> None:
        """Hold an answer that is made, if it is one of those."""
        for delay in self._waiting:
            if (delay.method, delay.path) == (method, path):
                self._waiting.remove(delay)
                await delay.hold()
                return
