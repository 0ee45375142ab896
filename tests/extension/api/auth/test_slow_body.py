"""A body without a key that trickles in is given up, as it would keep its connection for days."""

import asyncio
from typing import cast

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from extension.api.auth.authenticator import Authenticator
from extension.api.auth.middleware import AuthenticationMiddleware
from extension.api.auth.stream_guard import StreamGuard

SIGN_IN = "/v0/management/poolkeeper/info/session"


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body of a request, as a sign-in does."""
    await Request(scope, receive).body()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(("pieces", "status"), [([b"{", b"}"], 200), ([b"{"], 408)])
async def test_a_sign_in_whose_body_does_not_arrive_is_refused(pieces: list[bytes], status: int) -> None:
    authenticator = cast("Authenticator", None)  # no caller is identified here
    streams = cast("StreamGuard", None)
    middleware = AuthenticationMiddleware(reading, authenticator, frozenset({SIGN_IN}), streams, body_seconds=0.05)
    answers: list[Message] = []
    coming = iter(pieces)

    async def receive() -> Message:
        if (piece := next(coming, None)) is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": piece, "more_body": piece != b"}"}

    async def send(message: Message) -> None:
        answers.append(message)

    await middleware({"type": "http", "method": "POST", "path": SIGN_IN, "headers": []}, receive, send)
    assert answers[0]["status"] == status
