"""Requests that are cut off at the end of the service."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extension.api.problems import Problem


def answered_at_the_end(application: ASGIApp) -> ASGIApp:
    """Answer 503 to a request that is cut off before its answer began; the server would log a traceback for each."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await application(scope, receive, sent)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not begun:
                problem = Problem(503, "The service is ending.", "not_ready", "Try again in a moment.")
                await problem.answer()(scope, receive, send)

    return served
