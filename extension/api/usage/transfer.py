"""`usage/export` and `usage/import`: events as a file, and the way back."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Final

from fastapi import Query, Request
from pydantic import ConfigDict, Field, ValidationError, create_model
from pydantic.alias_generators import to_camel
from starlette.responses import StreamingResponse

from extension.api.export import MEDIA_TYPES, STEERING, Format, attachment, csv_text, json_lines
from extension.api.payloads.payload import LATEST, Payload
from extension.api.problems import Problem, bad_request, request_flaw
from extension.api.routes import Routes
from extension.api.services import Served, Services
from extension.api.usage.queries import PeriodQuery
from extension.api.usage.views import UsageView
from extension.reasons.codes import ReasonCode
from extension.reasons.reason import ReasonList, because
from extension.store.usage.records import UsageFilter
from extension.usage.calendar import Period
from extension.usage.event import BUCKETS, TokenCounts, TokenQuality, UsageEvent
from extension.usage.record_form import EVERY_PART, Part
from extension.usage.record_reading import MOST_TOKENS

_PAGE: Final = 500
_EXPORT: Final = "Send an export of this service in JSON lines."


_Name = Annotated[str, Field(max_length=250)]
_Count = Annotated[int, Field(ge=0, le=MOST_TOKENS)]
_Milliseconds = Annotated[int, Field(ge=0, le=2**31 - 1)]
_NAMES: Final = ("account", "client", "model", "alias", "provider", "endpoint", "tier", "failure")


class _Lenient(Payload):
    """Members that newer versions export and this one does not know are passed over."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, validate_by_alias=True
    )


_COUNTS: dict[str, Any] = dict.fromkeys((*BUCKETS, "total"), (_Count, ...))
ImportedTokens = create_model("ImportedTokens", __base__=_Lenient, **_COUNTS)
"""Tokens by bucket."""


class ImportedEvent(_Lenient):
    """One event of an export."""

    at: Annotated[int, Field(ge=0, lt=LATEST)]
    account: _Name
    client: _Name
    model: _Name
    alias: _Name
    provider: _Name
    endpoint: _Name
    tier: _Name
    failure: _Name
    status: Annotated[int, Field(ge=0, le=999)]
    latency_ms: _Milliseconds
    ttft_ms: _Milliseconds
    request_id: Annotated[str, Field(pattern=r"^[0-9a-f]{1,15}$")]
    tokens: ImportedTokens  # type: ignore[valid-type]  # made above
    quality: TokenQuality
    searches: _Count = 0
    hidden: Annotated[int, Field(ge=0, le=EVERY_PART.value)] = EVERY_PART.value
    digest: Annotated[str, Field(pattern=r"^-?[0-9]{1,18}$|^-?[1-9][0-9]{18}$")]

    def event(self) -> UsageEvent:
        """Return the event.

        Raises:
            ValueError: quality and counts contradict each other, or the digest has more than 64 bits.
        """
        names: dict[str, Any] = {name: getattr(self, name) for name in _NAMES}
        digest = int(self.digest)
        if not -(2**63) <= digest < 2**63:
            raise ValueError("A digest has 64 bits.")
        return UsageEvent(
            at=self.at,
            **names,
            status=self.status,
            latency_ms=self.latency_ms,
            ttft_ms=self.ttft_ms,
            request_id=int(self.request_id, 16),
            tokens=TokenCounts(**dict(self.tokens), quality=self.quality),
            searches=self.searches,
            hidden=Part(self.hidden),
            digest=digest,
        )


class UsageExportQuery(PeriodQuery):
    """Events to write out, and how."""

    format: Format = Format.JSONL


class ImportAnswer(Payload):
    """Result of an import; `duplicates` were stored before.

    `too_old` events are left out: they are from before the oldest event that is kept, and the sums may count them.
    """

    stored: int
    duplicates: int
    too_old: int


_BODY: Final = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}
route = Routes("usage")


@route(
    "GET",
    "usage/export",
    response_class=StreamingResponse,
    responses={200: {"content": {media: {"schema": {"type": "string"}} for media in MEDIA_TYPES.values()}}},
)
async def export_usage(query: Annotated[UsageExportQuery, Query()], services: Served) -> StreamingResponse:
    """Write out events of a period, newest first.

    A JSON line holds all of an event, so that an import elsewhere gives the same answers. CSV has a head line; a text
    that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    pages = _pages(services, query.filter(), query.period(services.clock))
    return attachment("usage", query.format, _csv_lines(pages) if query.format is Format.CSV else json_lines(pages))


@route("POST", "usage/import", openapi_extra={"requestBody": _BODY})
async def import_usage(request: Request, services: Served) -> ImportAnswer:
    """Take in an export in JSON lines, at most 1 MB at once; events that are there already stay as they are.

    Nothing is stored when a line is no event. Costs are computed anew from the prices of this service.
    """
    events = _parsed(await request.body())
    stored = duplicates = too_old = 0
    for start in range(0, len(events), _PAGE):
        written = await services.usage.analysis.add(events[start : start + _PAGE])
        stored += written.stored
        duplicates += written.duplicates
        too_old += written.too_old
    return ImportAnswer(stored=stored, duplicates=duplicates, too_old=too_old)


def _parsed(body: bytes) -> Sequence[UsageEvent]:
    events: list[UsageEvent] = []
    for number, line in enumerate(body.splitlines(), 1):
        if line.strip():
            try:
                events.append(ImportedEvent.model_validate(json.loads(line)).event())
            except ValidationError as error:
                raise _unfit(number, error) from None
            except (ValueError, RecursionError):
                raise bad_request(_no_event(number), _EXPORT) from None
    return events


def _unfit(number: int, error: ValidationError) -> Problem:
    """Name the first field of a line that does not fit."""
    detail = error.errors()[0]
    field = ".".join(str(part) for part in detail["loc"])
    if not field:
        return bad_request(_no_event(number), _EXPORT)
    return bad_request(_no_event(number) + ReasonList((request_flaw(field, detail),)), _EXPORT, field)


def _no_event(number: int) -> ReasonList:
    return because(ReasonCode.LINE_NO_EVENT, line=number)


async def _pages(services: Services, event_filter: UsageFilter, period: Period) -> AsyncIterator[Sequence[Payload]]:
    before: tuple[int, int] | None = None
    while page := await services.usage.analysis.page(event_filter, period, before, _PAGE):
        yield [UsageView.of(event) for event in page]
        before = (page[-1].event.at, page[-1].seq)


async def _csv_lines(pages: AsyncIterator[Sequence[Payload]]) -> AsyncIterator[str]:
    fields = [str(field.alias) for name, field in UsageView.model_fields.items() if name != "tokens"]
    tokens = [str(field.alias) for field in UsageView.model_fields["tokens"].annotation.model_fields.values()]  # type: ignore[union-attr]  # it is a payload
    yield csv_text([[*fields, *tokens]])
    async for page in pages:
        rows = [event.model_dump(mode="json", by_alias=True) for event in page]
        yield csv_text(
            [[*(_cell(row[name]) for name in fields), *(_cell(row["tokens"][name]) for name in tokens)] for row in rows]
        )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(STEERING) and not value.removeprefix("-").isdigit():
        return f"'{value}"
    return str(value)
