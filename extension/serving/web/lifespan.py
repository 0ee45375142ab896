"""The lifespan of an application behind ours: a server speaks only to the outermost one, so we pass it on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.types import ASGIApp, Message, Scope

from extension.serving.errors import NotStarted


class _Conversation:
    """The lifespan protocol from the server's side: one application, started and stopped."""

    def __init__(self, application: ASGIApp, scope: Scope) -> None:
        self._inbox: asyncio.Queue[Message] = asyncio.Queue()
        self._answers: asyncio.Queue[Message] = asyncio.Queue()
        self._task = asyncio.ensure_future(self._run(application, dict(scope)))

    async def _run(self, application: ASGIApp, scope: Scope) -> None:
        await application(scope, self._inbox.get, self._answers.put)

    async def send(self, phase: str) -> Message | None:
        """Send a phase (startup, shutdown) and return the answer; None when the application is not listening."""
        await self._inbox.put({"type": f"lifespan.{phase}"})
        answer = asyncio.ensure_future(self._answers.get())
        await asyncio.wait({answer, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        answer.cancel()
        return self._answers.get_nowait() if not self._answers.empty() else None

    async def end(self) -> None:
        """Let the application's task go; its exception is in its answer already, or means that it has no lifespan."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def lifespan_of(application: ASGIApp, scope: Scope) -> AsyncIterator[None]:
    """Run an application's lifespan around the block; one that has none is left alone.

    `scope` is the server's lifespan scope: its state is shared, so that the application's entries arrive.

    Raises:
        NotStarted: the application says that it failed to start or to stop.
    """
    conversation = _Conversation(application, scope)
    try:
        started = await conversation.send("startup")
        _refuse_failure(started, "lifespan.startup.failed")
        yield
        if started is not None:
            _refuse_failure(await conversation.send("shutdown"), "lifespan.shutdown.failed")
    finally:
        await conversation.end()


def _refuse_failure(answer: Message | None, failure: str) -> None:
    if answer is not None and answer["type"] == failure:
        lines = str(answer.get("message", "")).strip().splitlines()
        raise NotStarted(lines[-1] if lines else "The gateway did not say why. Look at its log.")
