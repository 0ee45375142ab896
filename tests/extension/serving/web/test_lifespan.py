"""The lifespan of what is behind us is run inside ours, whatever it does with it."""

import asyncio
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extension.serving.errors import NotStarted
from extension.serving.web.lifespan import lifespan_of

SCOPE: dict[str, Any] = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}


def recording(story: list[str]) -> ASGIApp:
    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "lifespan.startup"
        scope["state"]["from"] = "behind"
        story.append("started")
        await send({"type": "lifespan.startup.complete"})
        assert (await receive())["type"] == "lifespan.shutdown"
        story.append("stopped")
        await send({"type": "lifespan.shutdown.complete"})

    return application


def answering(*answers: Message) -> ASGIApp:
    async def application(_scope: Scope, receive: Receive, send: Send) -> None:
        for answer in answers:
            await receive()
            await send(answer)

    return application


async def test_it_starts_before_the_block_and_stops_after_it_and_shares_its_state() -> None:
    story: list[str] = []
    scope: dict[str, Any] = {**SCOPE, "state": {}}

    async with lifespan_of(recording(story), scope):
        assert story == ["started"]
        assert scope["state"] == {"from": "behind"}

    assert story == ["started", "stopped"]


async def test_it_stops_when_the_block_fails_too() -> None:
    async def application(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    ended = asyncio.Event()

    with pytest.raises(ZeroDivisionError):
        async with lifespan_of(application, SCOPE):
            raise ZeroDivisionError
    assert ended.is_set()


async def test_an_application_without_a_lifespan_is_left_alone() -> None:
    async def refusing(scope: Scope, _receive: Receive, _send: Send) -> None:
        raise AssertionError(scope["type"])

    async def silent(_scope: Scope, _receive: Receive, _send: Send) -> None:
        return

    for application in (refusing, silent):
        async with lifespan_of(application, SCOPE):
            pass


async def test_a_failed_start_is_told_by_its_last_line() -> None:
    failing = answering({"type": "lifespan.startup.failed", "message": "Traceback\nThe port is taken."})

    with pytest.raises(NotStarted, match=r"^The port is taken\.$"):
        async with lifespan_of(failing, SCOPE):
            pytest.fail("it did not start")


async def test_a_failed_stop_is_told() -> None:
    failing = answering({"type": "lifespan.startup.complete"}, {"type": "lifespan.shutdown.failed"})

    with pytest.raises(NotStarted):
        async with lifespan_of(failing, SCOPE):
            pass
