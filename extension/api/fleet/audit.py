"""`poolkeeper/fleet/audit` and `fleet/audit/export`: the audit of changes, refused ones too."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Final

from fastapi import Query
from pydantic import Field
from starlette.responses import StreamingResponse

from extension.api.export import Format, attachment, csv_lines, json_lines
from extension.api.fleet.operators import Fleet
from extension.api.payloads.operators import AuditAnswer, AuditView
from extension.api.payloads.payload import Payload, QueriedId
from extension.api.routes import Routes
from extension.engine.operators.audit import AuditLog
from extension.store.operators.audit import AuditFilter, AuditOutcome

_PAGE: Final = 500


class AuditConditions(Payload):
    """Conditions on records: a name of an operator, a gateway, a part of the path, an outcome, and a time in ms UTC."""

    operator: Annotated[str, Field(max_length=200)] = ""
    gateway: Annotated[str, Field(max_length=200)] = ""
    path: Annotated[str, Field(max_length=200)] = ""
    outcome: AuditOutcome | None = None
    since: Annotated[int, Field(ge=0, le=2**53)] = 0

    def as_filter(self) -> AuditFilter:
        """Return the conditions for the store."""
        return AuditFilter(self.operator, self.gateway, self.path, self.outcome, self.since)


class AuditQuery(AuditConditions):
    """A page of at most `limit` records with numbers below `before`, newest first."""

    limit: Annotated[int, Field(ge=1, le=_PAGE)] = 100
    before: QueriedId | None = None


class AuditExport(AuditConditions):
    """The records to write out, and how."""

    format: Format = Format.CSV


route = Routes("fleet")


@route("GET", "fleet/audit")
async def read_audit(query: Annotated[AuditQuery, Query()], access: Fleet) -> AuditAnswer:
    """Answer requests to change something, the newest first."""
    records = await access.audit.page(query.as_filter(), before=query.before, limit=query.limit)
    following = records[-1].id if len(records) == query.limit else None
    return AuditAnswer(records=tuple(map(AuditView.of, records)), next=following)


@route("GET", "fleet/audit/export", response_class=StreamingResponse)
async def export(query: Annotated[AuditExport, Query()], access: Fleet) -> StreamingResponse:
    """Write out the audit, the newest first, as CSV or one JSON object a line.

    In CSV a text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    pages = _pages(access.audit, query.as_filter())
    written = csv_lines(pages, AuditView) if query.format is Format.CSV else json_lines(pages)
    return attachment("audit", query.format, written)


async def _pages(audit: AuditLog, conditions: AuditFilter) -> AsyncIterator[Sequence[Payload]]:
    before = None
    while page := await audit.page(conditions, before=before, limit=_PAGE):
        yield [AuditView.of(record) for record in page]
        before = page[-1].id
