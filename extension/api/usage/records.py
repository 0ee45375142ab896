"""`usage` and `usage/stream`: single events page by page, and new ones as server-sent events."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Annotated, Final

import anyio
from fastapi import Header, Query, Response
from pydantic import Field
from sse_starlette import ServerSentEvent

from extension.api.events import STREAM, cursor_of, streamed
from extension.api.payloads.payload import Cursor, Payload
from extension.api.routes import Routes
from extension.api.services import Served, Services
from extension.api.streams.fan_out import FRAME_SECONDS
from extension.api.usage.queries import FilterQuery, PeriodQuery
from extension.api.usage.views import GapView, UsageView
from extension.store.usage.records import StoredEvent, UsageFilter

_MOST: Final = 1_000
_CURSOR: Final = r"^[0-9]{1,15}-[0-9]{1,18}$"


class UsageQuery(PeriodQuery):
    """A page of events; `before` is the `next` of the page before."""

    before: Annotated[str, Field(pattern=_CURSOR)] | None = None
    limit: Annotated[int, Field(ge=1, le=_MOST)] = 100


class UsageAnswer(Payload):
    """Events, newest first, and the gaps of the period; `next` is null on the last page."""

    events: tuple[UsageView, ...]
    next: str | None
    gaps: tuple[GapView, ...]


route = Routes("usage")


@route("GET", "usage")
async def read_usage(query: Annotated[UsageQuery, Query()], services: Served) -> UsageAnswer:
    """Answer events of a period that pass the filters, newest first."""
    analysis, period = services.usage.analysis, query.period(services.clock)
    events = await analysis.page(query.filter(), period, _place(query.before), query.limit)
    return UsageAnswer(
        events=tuple(UsageView.of(event) for event in events),
        next=cursor(events[-1]) if len(events) == query.limit else None,
        gaps=tuple(GapView.of(gap) for gap in await analysis.gaps(period)),
    )


def cursor(record: StoredEvent) -> str:
    """Return the place of an event among those of a page."""
    return f"{record.event.at}-{record.seq}"


def _place(before: str | None) -> tuple[int, int] | None:
    if before is None:
        return None
    at, seq = re.split("-", before)
    return int(at), int(seq)


_BATCH: Final = 500


class StreamQuery(FilterQuery):
    """Events stored after a number.

    `heartbeat` asks a stream for an event `heartbeat` without a number every 10 s, as that of `inspections/events`.
    """

    after: Cursor = 0
    limit: Annotated[int, Field(ge=1, le=_BATCH)] = _BATCH
    heartbeat: bool = False


class StreamAnswer(Payload):
    """Events in the order in which they were stored; ask again with `after=next` for those that follow."""

    events: tuple[UsageView, ...]
    next: int


@route(
    "GET",
    "usage/stream",
    response_model=StreamAnswer,
    responses={200: {"content": {STREAM: {"schema": {"type": "string"}}}}},
)
async def read_stream(
    query: Annotated[StreamQuery, Query()],
    services: Served,
    accept: Annotated[str, Header()] = "",
    last_event_id: Annotated[str, Header()] = "",
) -> Response | StreamAnswer:
    """Answer a stream when `Accept` asks for one, else the events there are.

    Each message of the stream holds a list of events, at most ten a second; its id is the number to go on from, which
    wins over `after` when a browser sends it as `Last-Event-ID`.
    """
    after = cursor_of(last_event_id, query.after)
    if STREAM not in accept:
        events, following = await services.usage.analysis.after(after, query.filter(), query.limit)
        return StreamAnswer(events=tuple(UsageView.of(event) for event in events), next=following)
    closing = anyio.Event()
    return streamed(_messages(services, closing, after, query.filter()), closing, heartbeat=query.heartbeat)


async def _messages(
    services: Services, closing: anyio.Event, after: int, event_filter: UsageFilter
) -> AsyncIterator[ServerSentEvent]:
    analysis = services.usage.analysis
    while not closing.is_set():
        events, following = await analysis.after(after, event_filter, _BATCH)
        if events:
            answer = StreamAnswer(events=tuple(UsageView.of(event) for event in events), next=following)
            yield ServerSentEvent(answer.model_dump_json(by_alias=True), event="usage", id=str(following))
            await services.clock.sleep(FRAME_SECONDS)
        if following == after and not await _woken(services, closing, after):
            return
        after = following


async def _woken(services: Services, closing: anyio.Event, after: int) -> bool:
    """Wait for an event; false when the service closes first."""
    waiting = asyncio.ensure_future(services.usage.analysis.wait(after))
    leaving = asyncio.ensure_future(closing.wait())
    try:
        await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return waiting.done() and waiting.result()
    finally:
        for task in (waiting, leaving):
            task.cancel()
        await asyncio.gather(waiting, leaving, return_exceptions=True)
