"""Answers to connections that are closed already.

The server closes a connection on an invalid request behind a valid one, and uvloop then raises RuntimeError for the
answer to the first, which is no error of the application: the rest of such an answer is dropped.
"""

from typing import Final

from starlette.types import Message, Send

_CLOSED: Final = "the handler is closed"
"""Part of the text of uvloop's error."""


class UntilClosed:
    """Sends messages (ASGI) until the connection is closed, and drops those after it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._closed = False

    async def __call__(self, message: Message) -> None:
        """Send a message, or drop it."""
        if self._closed:
            return
        try:
            await self._send(message)
        except RuntimeError as error:
            if _CLOSED not in str(error):
                raise
            self._closed = True
