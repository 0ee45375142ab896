"""An end in time, whatever still hangs."""

import asyncio
import logging
import os
import sys
import threading

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("gateway")
_CUT_OFF = 1


class Deadline:
    """Ends the process when it has not ended by itself in time: a thread that waits for a disk cannot be cancelled."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def set(self, seconds: float) -> None:
        """Start the time, once."""
        if self._timer is None:
            self._timer = threading.Timer(seconds, _cut_off, (seconds,))
            self._timer.daemon = True
            self._timer.start()

    def lift(self) -> None:
        """Let the process go on."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Ending:
    """An application whose requests may be cut off at the end: uvicorn cancels them, and would log a traceback each."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on; answer 503 where a request is cut off before its answer has begun."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._application(scope, receive, sent)
        except asyncio.CancelledError:
            if not begun:
                answer = JSONResponse({"error": "the gateway is ending; try again"}, 503, {"Connection": "close"})
                await answer(scope, receive, send)


def _cut_off(seconds: float) -> None:
    _log.error("the gateway did not end within %g s of being told to, and is cut off", seconds)
    sys.stderr.flush()
    os._exit(_CUT_OFF)
