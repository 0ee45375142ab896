"""Application that can be replaced while the service runs."""

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send


class Replaceable:
    """Hands on (ASGI) to the `application` of the moment, which is set before the first request."""

    application: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        await self.application(scope, receive, send)


async def ended(task: asyncio.Task[None]) -> None:
    """Cancel a task and wait for its end."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
