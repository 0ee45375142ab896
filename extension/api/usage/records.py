"""`usage`: single events, newest first, page by page."""

import re
from typing import Annotated, Final

from fastapi import Query
from pydantic import Field

from extension.api.payloads.payload import Payload
from extension.api.routes import Routes
from extension.api.services import Served
from extension.api.usage.queries import PeriodQuery
from extension.api.usage.views import GapView, UsageView
from extension.store.usage.records import StoredEvent

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
