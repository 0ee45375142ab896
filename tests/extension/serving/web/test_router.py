"""One application in front of another: who gets what, and one lifespan for both."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from extension.serving.web.router import Router, UntilClosed, stripped
from extension.store.errors import DatabaseTrouble


class House:
    """Applications that write down what they get, behind one front."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.story: list[str] = []
        self.headers: list[tuple[bytes, bytes]] = []
        self._failure = failure
        self.front = Router(
            self._open, lambda path: path.startswith("/own"), self._named("page"), lambda path: path == "/page",
            self._fallback,
        )  # fmt: skip

    def _named(self, name: str) -> ASGIApp:
        async def application(scope: Scope, _receive: Receive, send: Send) -> None:
            self.story.append(f"{name} {scope['type']} {scope.get('path')}")
            self.headers = scope["headers"]
            await send({"type": "http.response.start", "status": 200, "headers": []})

        return application

    async def _fallback(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self._named("fallback")(scope, receive, send)
            return
        await receive()
        self.story.append("fallback starts")
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.story.append("fallback stops")
        await send({"type": "lifespan.shutdown.complete"})

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[ASGIApp]:
        if self._failure:
            raise self._failure
        self.story.append("api opens")
        yield self._named("api")
        self.story.append("api closes")

    async def live(self, *requests: tuple[str, str]) -> Sequence[Message]:
        """Run the whole lifespan with requests in the middle, and answer what the server was told."""
        messages: list[Message] = []
        phases = iter(["startup", "shutdown"])

        async def receive() -> Message:
            phase = next(phases)
            if phase == "shutdown":
                for kind, path in requests:
                    await self.ask(kind, path)
            return {"type": f"lifespan.{phase}"}

        async def send(message: Message) -> None:
            messages.append(message)

        await self.front({"type": "lifespan", "state": {}}, receive, send)
        return messages

    async def ask(self, kind: str, path: str) -> int:
        statuses: list[int] = []

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def receive() -> Message:
            return {"type": "http.request", "body": b""}

        headers = [(b"cookie", b"poolkeeper_session=abc"), (b"x-poolkeeper-csrf", b"token")]
        await self.front({"type": kind, "path": path, "method": "GET", "headers": headers}, receive, send)
        return statuses[0]


async def test_each_path_goes_to_its_application_and_the_rest_behind() -> None:
    house = House()

    await house.live(("http", "/own/x"), ("http", "/page"), ("http", "/pages"), ("websocket", "/own/x"))

    assert house.story[2:6] == [
        "api http /own/x",
        "page http /page",
        "fallback http /pages",
        "fallback websocket /own/x",
    ]


async def test_what_is_behind_starts_first_and_stops_last() -> None:
    house = House()

    messages = await house.live()

    assert house.story == ["fallback starts", "api opens", "api closes", "fallback stops"]
    assert [message["type"] for message in messages] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


async def test_a_foreseen_failure_to_start_is_one_line_and_what_was_started_stops() -> None:
    house = House(DatabaseTrouble("The disk is full. Make room."))

    messages = await house.live()

    assert messages == [{"type": "lifespan.startup.failed", "message": "The disk is full. Make room."}]
    assert house.story == ["fallback starts", "fallback stops"]


async def test_an_unforeseen_failure_leaves_its_trace_in_the_log_and_a_line_for_people(
    capsys: pytest.CaptureFixture[str],
) -> None:
    messages = await House(ZeroDivisionError("details")).live()

    assert "see the log above" in messages[0]["message"]
    assert "details" not in messages[0]["message"]
    captured = capsys.readouterr()
    assert "ZeroDivisionError: details" in captured.out + captured.err


async def test_before_it_is_open_and_after_it_is_closed_the_api_says_so() -> None:
    house = House()

    before = await house.ask("http", "/own/x")
    await house.live()
    after = await house.ask("http", "/own/x")

    assert before == after == 503


@pytest.mark.parametrize(("path", "count"), [("/own/x", 2), ("/page", 2), ("/v1/models", 0)])
async def test_our_own_credentials_do_not_reach_the_gateway(path: str, count: int) -> None:
    house = House()
    await house.live(("http", path))
    assert len(house.headers) == count


@pytest.mark.parametrize(
    ("sent", "passed"),
    [
        ([(b"cookie", b"poolkeeper_session=abc")], []),
        ([(b"cookie", b"a=1; poolkeeper_session=abc;b=2")], [(b"cookie", b"a=1; b=2")]),
        ([(b"cookie", b"poolkeeper_session =abc; a=1")], [(b"cookie", b"a=1")]),
        ([(b"cookie", b'"poolkeeper_session"=abc; POOLKEEPER_SESSION=abc; a=1')], [(b"cookie", b"a=1")]),
        ([(b"cookie", b"a=1, poolkeeper_session=abc,b=2; c=3")], [(b"cookie", b"a=1,b=2; c=3")]),
        ([(b"cookie", b"a=1;poolkeeper_session=abc, b=2")], [(b"cookie", b"a=1; b=2")]),
        ([(b"cookie", b"a=1 ,POOLKEEPER_SESSION=abc")], [(b"cookie", b"a=1")]),
        ([(b"cookie", b"other_poolkeeper_session=1")], [(b"cookie", b"other_poolkeeper_session=1")]),
        ([(b"x-poolkeeper-csrf", b"token"), (b"accept", b"*/*")], [(b"accept", b"*/*")]),
        ([(b"authorization", b"Bearer client")], [(b"authorization", b"Bearer client")]),
    ],
)
def test_only_our_own_credentials_are_taken_out(
    sent: list[tuple[bytes, bytes]], passed: list[tuple[bytes, bytes]]
) -> None:
    assert stripped(sent) == passed


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
