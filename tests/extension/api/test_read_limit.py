"""The limit of reads: what passes, waits or is refused, by a clock that stands still."""

import asyncio

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.testing import capture_logs

from adapter.clock import FakeClock
from extension.api.auth.authenticator import Principal
from extension.api.read_limit import MOST_WAITING, MOST_WAITING_OF_ONE, ReadLimit

EVENTS = "/v0/management/poolkeeper/inspections/events"
RATE = 10
BURST = 20


class Inside:
    """An application that answers at once, or takes a time, and notes whom it answered."""

    def __init__(self, clock: FakeClock, seconds: float = 0.0) -> None:
        self.clock = clock
        self.seconds = seconds
        self.answered: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        self.answered.append(scope["client"][0])
        if self.seconds:
            await self.clock.sleep(self.seconds)
        await send({"type": "http.response.start", "status": 200, "headers": []})


class Asking:
    """Requests under way, with the status and headers of their answers."""

    def __init__(self, limit: ASGIApp) -> None:
        self._limit = limit
        self.starts: list[Message] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(
        self,
        count: int = 1,
        *,
        caller: str = "one",
        method: str = "GET",
        path: str = "/p",
        accept: str = "",
        actor: str = "interface",
    ) -> None:
        headers = [(b"accept", accept.encode())]
        scope: Scope = {"type": "http", "method": method, "path": path, "client": (caller, 1), "headers": headers}
        scope["state"] = {"principal": Principal(actor, caller)}
        self.tasks += [asyncio.create_task(self._one(dict(scope))) for _ in range(count)]

    async def _one(self, scope: Scope) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.starts.append(message)

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        await self._limit(scope, receive, send)

    def count(self, status: int) -> int:
        return sum(start["status"] == status for start in self.starts)


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def limited(seconds: float = 0.0) -> tuple[FakeClock, Inside, Asking]:
    clock = FakeClock()
    inside = Inside(clock, seconds)
    return clock, inside, Asking(ReadLimit(inside, clock, RATE, EVENTS))


async def end(asking: Asking) -> None:
    for task in asking.tasks:
        task.cancel()
    await asyncio.gather(*asking.tasks, return_exceptions=True)


async def test_a_burst_passes_and_the_next_reads_wait_for_their_turn() -> None:
    clock, _, asking = limited()

    asking.ask(BURST + 5)
    await settled()
    assert asking.count(200) == BURST
    await clock.advance(0.5)
    await settled()

    assert asking.count(200) == BURST + 5
    assert asking.count(429) == 0


async def test_five_hundred_readers_get_the_rate_and_the_others_429_with_retry_after() -> None:
    clock, _, asking = limited()
    for _ in range(10):
        for number in range(500):
            asking.ask(caller=f"reader-{number}")
        await settled()
        for _ in range(20):
            await clock.advance(0.1)
            await settled()

    assert BURST + 10 * 2 * RATE - 2 * MOST_WAITING <= asking.count(200) <= BURST + 10 * 2 * RATE
    assert asking.count(429) >= 4_500
    waits = [dict(start["headers"])[b"retry-after"] for start in asking.starts if start["status"] == 429]
    assert {int(wait) for wait in waits} <= set(range(1, 7))
    await end(asking)


async def test_callers_take_turns_so_that_a_crowd_leaves_the_page_its_share() -> None:
    clock, inside, asking = limited()
    asking.ask(BURST + MOST_WAITING, caller="crowd")
    await settled()
    assert asking.count(429) == MOST_WAITING - MOST_WAITING_OF_ONE

    asking.ask(3, caller="page")
    await settled()
    for _ in range(8):
        await clock.advance(0.1)
        await settled()

    assert inside.answered[BURST:].count("page") == 3
    await end(asking)


async def test_a_long_read_counts_for_many() -> None:
    clock, inside, asking = limited(seconds=1.0)
    asking.ask(2)
    await settled()
    await clock.advance(1.0)
    await settled()
    inside.seconds = 0.0

    asking.ask(BURST)
    await settled()

    assert asking.count(200) == 2, "two reads of a second owe the tokens of two seconds each"
    await end(asking)


async def test_a_read_that_waits_too_long_is_refused() -> None:
    clock, inside, asking = limited(seconds=10.0)
    asking.ask(BURST)
    await settled()
    await clock.advance(10.0)
    await settled()
    inside.seconds = 0.0

    asking.ask(10)
    await settled()
    for _ in range(25):
        await clock.advance(0.1)
        await settled()

    assert sorted({start["status"] for start in asking.starts[BURST:]}) == [200, 429]
    assert len(asking.starts) == BURST + 10


async def test_a_caller_that_leaves_takes_no_turn() -> None:
    clock, _, asking = limited()
    asking.ask(BURST + 10)
    await settled()
    for task in asking.tasks[BURST:]:
        task.cancel()
    asking.ask(caller="later")
    await settled()
    await clock.advance(0.1)
    await settled()

    assert asking.count(200) == BURST + 1


@pytest.mark.parametrize(
    ("method", "path", "accept"), [("POST", "/p", ""), ("DELETE", "/p", ""), ("GET", EVENTS, "text/event-stream")]
)
async def test_commands_and_streams_are_not_limited(method: str, path: str, accept: str) -> None:
    _, _, asking = limited()

    asking.ask(3 * BURST, method=method, path=path, accept=accept)
    await settled()

    assert asking.count(200) == 3 * BURST


@pytest.mark.parametrize(("path", "accept"), [(EVENTS, "application/json"), ("/p", "text/event-stream")])
async def test_every_other_read_is_limited_whatever_it_accepts(path: str, accept: str) -> None:
    _, _, asking = limited()

    asking.ask(2 * BURST, path=path, accept=accept)
    await settled()

    assert asking.count(200) == BURST
    await end(asking)


async def test_refused_reads_are_reported_once_a_minute_with_their_number() -> None:
    clock, _, asking = limited()
    with capture_logs() as lines:
        for pause in (1, 1, 59, 1):
            asking.ask(200)
            await settled()
            await clock.advance(pause)
            await settled()

    told = [line["count"] for line in lines if line["event"] == "reads refused"]
    assert len(told) == 2
    assert told[0] == 1
    assert 400 <= told[1] <= asking.count(429)
    await end(asking)


async def test_while_too_many_wait_a_read_is_refused_before_its_key_is_checked() -> None:
    clock = FakeClock()
    limit = ReadLimit(Inside(clock), clock, RATE, EVENTS)
    checked: list[str] = []

    async def authenticated(scope: Scope, receive: Receive, send: Send) -> None:
        checked.append(scope["client"][0])
        await limit(scope, receive, send)

    asking = Asking(limit.before(authenticated))
    asking.ask(BURST + MOST_WAITING_OF_ONE)
    await settled()
    asking.ask(5)
    asking.ask(caller="page")
    asking.ask(method="POST", caller="commands")
    await settled()

    assert checked == ["one"] * (BURST + MOST_WAITING_OF_ONE) + ["page", "commands"]
    assert asking.count(429) == 5
    await end(asking)
