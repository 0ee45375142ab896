"""The limit of reads: what passes, waits or is refused."""

import asyncio

import pytest
from starlette.types import Scope
from structlog.testing import capture_logs

from extension.api.auth.authenticator import ADMITTED_BY_HOST, COOKIE, PAGE_ACTOR
from extension.api.auth.read_limit import ReadLimit, ReadPlaces
from extension.api.problems import Problem

EVENTS = "/v0/management/poolkeeper/inspections/events"
PROGRAM = "interface"


def scope(*headers: tuple[str, str], method: str = "GET", path: str = "/p") -> Scope:
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
    return {"type": "http", "method": method, "path": path, "client": ("192.0.2.1", 1), "headers": encoded}


class Reads:
    """Reads that end when they are let go of, and the statuses of their answers."""

    def __init__(self, limit: ReadLimit) -> None:
        self._limit = limit
        self.end = asyncio.Event()
        self.statuses: list[int] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, count: int, actor: str = PROGRAM, request: Scope | None = None) -> None:
        self._tasks += [asyncio.create_task(self._read(request or scope(), actor)) for _ in range(count)]
        for _ in range(5):
            await asyncio.sleep(0)

    async def _read(self, request: Scope, actor: str) -> None:
        try:
            self._limit.require_room(request)
            async with self._limit.place(request, actor):
                self.statuses.append(200)
                await self.end.wait()
        except Problem as problem:
            self.statuses.append(problem.status)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def test_a_burst_passes_others_wait_and_more_are_refused_at_once() -> None:
    reads = Reads(ReadLimit(20, EVENTS))
    await reads.begin(3 + 40 + 5)
    assert reads.statuses == [200] * 3 + [429] * 5
    await reads.stop()


async def test_a_read_that_waits_gets_the_place_of_one_that_has_ended() -> None:
    places = ReadPlaces(100, 0.5, 10, 5.0)
    async with asyncio.timeout(5):
        for _ in range(120):
            async with places.place() as admitted:
                assert admitted


async def test_a_place_rests_after_its_read_so_that_the_rate_is_kept() -> None:
    places = ReadPlaces(2, 0.5, 10, 0.01)
    async with places.place() as first:
        pass
    async with places.place() as second:
        pass
    assert (first, second) == (True, False)


async def test_a_reader_that_leaves_takes_no_place() -> None:
    places = ReadPlaces(4, 0.5, 10, 5.0)
    async with places.place(), places.place():
        waiting = asyncio.create_task(places.place().__aenter__())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait({waiting})
    async with asyncio.timeout(5), places.place() as admitted:
        assert admitted


async def test_programs_leave_the_console_its_own_places() -> None:
    reads = Reads(ReadLimit(20, EVENTS))
    await reads.begin(60)
    refused = reads.statuses.count(429)
    for request in (
        scope(("Cookie", f"{COOKIE}=a")),
        {**scope(("Sec-Fetch-Site", "x")), "extensions": {ADMITTED_BY_HOST: {}}},
    ):
        await reads.begin(1, PAGE_ACTOR, request)
    assert reads.statuses[-2:] == [200, 200]
    assert refused == reads.statuses.count(429)
    await reads.stop()


@pytest.mark.parametrize(
    "request_scope", [scope(method="POST"), scope(("Accept", "text/event-stream"), path=EVENTS)], ids=["POST", "stream"]
)
async def test_commands_and_streams_are_not_limited(request_scope: Scope) -> None:
    reads = Reads(ReadLimit(20, EVENTS))
    await reads.begin(200, request=request_scope)
    assert reads.statuses == [200] * 200
    await reads.stop()


@pytest.mark.parametrize(("path", "accept"), [(EVENTS, "application/json"), ("/p", "text/event-stream")])
async def test_every_other_read_is_limited_whatever_it_accepts(path: str, accept: str) -> None:
    reads = Reads(ReadLimit(20, EVENTS))
    await reads.begin(20, request=scope(("Accept", accept), path=path))
    assert reads.statuses == [200] * 3
    await reads.stop()


async def test_refused_reads_are_reported_once_a_minute_and_told_when_to_come_again() -> None:
    limit = ReadLimit(20, EVENTS)
    reads = Reads(limit)
    with capture_logs() as lines:
        await reads.begin(100)
        with pytest.raises(Problem) as refusal:
            limit.require_room(scope())
    assert int(refusal.value.headers["Retry-After"]) > 0
    assert [line["count"] for line in lines if line["event"] == "reads refused"] == [1]
    await reads.stop()
