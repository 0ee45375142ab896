"""Answers to closed connections are dropped; other errors of the server are raised."""

import pytest
from starlette.types import Message

from extension.serving.web.router import UntilClosed

START: Message = {"type": "http.response.start", "status": 200, "headers": []}


async def test_an_answer_to_a_closed_connection_is_dropped() -> None:
    tried: list[Message] = []

    async def closed(message: Message) -> None:
        tried.append(message)
        raise RuntimeError("unable to perform operation on <TCPTransport closed=True>; the handler is closed")

    send = UntilClosed(closed)
    await send(START)
    await send({"type": "http.response.body", "body": b"a"})

    assert tried == [START]


async def test_other_errors_are_raised() -> None:
    async def broken(_message: Message) -> None:
        raise RuntimeError("Invalid HTTP header value.")

    with pytest.raises(RuntimeError, match="header value"):
        await UntilClosed(broken)(START)
