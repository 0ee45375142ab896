"""`poolkeeper/inspections/events`: the event log, as a stream of server-sent events or page by page as JSON."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

import anyio
from fastapi import Header, Query, Response
from pydantic import Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from extension.api.payloads.payload import MOST, Cursor, Payload, QueriedId
from extension.api.payloads.runs import EventsAnswer, EventView
from extension.api.routes import Routes
from extension.api.services import Served
from extension.api.streams.fan_out import BATCH

STREAM = "text/event-stream"
HEARTBEAT_SECONDS = 10.0
_LAST_WORDS_SECONDS = 2.0
_DIGITS = len(str(MOST))


class EventsQuery(Payload):
    """Events after a cursor: of one run, or of all.

    `heartbeat` asks a stream for an event `heartbeat` without a number every 10 s: a browser tells a page nothing of
    the comments that keep a stream open otherwise.
    """

    after: Cursor = 0
    run: QueriedId | None = None
    limit: Annotated[int, Field(ge=1, le=BATCH)] = BATCH
    heartbeat: bool = False


route = Routes("inspections")


@route(
    "GET",
    "inspections/events",
    response_model=EventsAnswer,
    responses={200: {"content": {STREAM: {"schema": {"type": "string"}}}}},
)
async def read_events(
    query: Annotated[EventsQuery, Query()],
    services: Served,
    accept: Annotated[str, Header()] = "",
    last_event_id: Annotated[str, Header()] = "",
) -> Response | EventsAnswer:
    """Answer a stream when `Accept` asks for one, else the events there are.

    `Last-Event-ID`, which a browser sends by itself when it reconnects, wins over `after`. A cursor the log cannot
    serve is answered by one event of kind `reset`: read everything again and go on from its number. While the
    database refuses, the answer is its refusal, although the newest events are in memory: no other would arrive.
    """
    services.streams.require_store()
    after = cursor_of(last_event_id, query.after)
    if STREAM not in accept:
        events = await services.inspector.event_log.events(after, query.run, query.limit)
        return EventsAnswer(
            events=tuple(EventView.showing(event) for event in events), next=events[-1].seq if events else after
        )
    closing = anyio.Event()
    return streamed(services.streams.stream(closing, after, query.run), closing, heartbeat=query.heartbeat)


def streamed(messages: AsyncIterator[Any], closing: anyio.Event, *, heartbeat: bool) -> EventSourceResponse:
    """Answer a stream that ends when `closing` is set, with a sign of life at intervals where it is asked for."""
    return EventSourceResponse(
        messages,
        shutdown_event=closing,
        shutdown_grace_period=_LAST_WORDS_SECONDS,
        ping=HEARTBEAT_SECONDS if heartbeat else None,
        ping_message_factory=(lambda: ServerSentEvent(event="heartbeat", data="{}")) if heartbeat else None,
    )


def cursor_of(last_event_id: str, after: int) -> int:
    """Return the number after which a stream goes on: that of `Last-Event-ID` if it is one, else `after`."""
    known = last_event_id.isascii() and last_event_id.isdigit() and len(last_event_id) <= _DIGITS
    return int(last_event_id) if known and int(last_event_id) <= MOST else after
