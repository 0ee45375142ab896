"""`poolkeeper/inspections/export`: the results of a run as a file, in CSV or as one JSON object a line."""

import csv
import io
from collections.abc import AsyncIterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from fastapi import Query
from starlette.responses import StreamingResponse

from extension.api.payloads.payload import Payload, QueriedId
from extension.api.payloads.results import ResultView
from extension.api.routes import Routes
from extension.api.services import Served
from extension.engine.history.reader import History
from extension.reasons.reason import shown_time

_PAGE: Final = 500
_NOT_IN_CSV: Final = frozenset({"attempts", "headers", "reasons"})
STEERING: Final = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of texts that a spreadsheet takes for formulas."""


class Format(StrEnum):
    """File format of an export."""

    CSV = "csv"
    JSONL = "jsonl"


MEDIA_TYPES: Final[Mapping[Format, str]] = {Format.CSV: "text/csv", Format.JSONL: "application/jsonl"}


class ExportQuery(Payload):
    """The run to write out, and how."""

    run: QueriedId
    format: Format = Format.CSV


route = Routes("inspections")


@route("GET", "inspections/export", response_class=StreamingResponse)
async def export(query: Annotated[ExportQuery, Query()], services: Served) -> StreamingResponse:
    """Write out all results of a run, in the order they landed.

    CSV has a head line, leaves out attempts, headers and codes of reasons, and puts the windows of a quota into one
    cell, in words; a text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    history = services.inspector.history
    await history.get(query.run)  # so that an unknown run is an error, not an empty file
    pages = _pages(history, query.run)
    written = csv_lines(pages, ResultView) if query.format is Format.CSV else json_lines(pages)
    return attachment(f"inspection-{query.run}", query.format, written)


def attachment(name: str, file_format: Format, written: AsyncIterator[str]) -> StreamingResponse:
    """Answer a file as it is written."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{file_format}"', "Cache-Control": "no-store"}
    return StreamingResponse(written, media_type=MEDIA_TYPES[file_format], headers=headers)


async def _pages(history: History, run_id: int) -> AsyncIterator[Sequence[Payload]]:
    after = 0
    while page := await history.results(run_id, after, _PAGE):
        yield [ResultView.of(result) for result in page]
        after = page[-1].seq


async def json_lines(pages: AsyncIterator[Sequence[Payload]]) -> AsyncIterator[str]:
    """Write rows as one JSON object a line."""
    async for page in pages:
        yield "".join(f"{row.model_dump_json(by_alias=True)}\n" for row in page)


async def csv_lines(pages: AsyncIterator[Sequence[Payload]], shape: type[Payload]) -> AsyncIterator[str]:
    """Write rows of one shape in CSV with a head line, each text so that no spreadsheet takes it for a formula."""
    columns = [str(field.alias) for name, field in shape.model_fields.items() if name not in _NOT_IN_CSV]
    yield csv_text([columns])
    async for page in pages:
        rows = [row.model_dump(mode="json", by_alias=True) for row in page]
        yield csv_text([[_cell(row[column]) for column in columns] for row in rows])


def csv_text(rows: list[list[str]]) -> str:
    """Write rows in CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue()


def _window(window: Mapping[str, Any]) -> str:
    use = "use unknown" if window["used"] is None else f"{window['used']:g} % used"
    threshold = "" if window["threshold"] is None else f" of {window['threshold']} %"
    end = "" if window["resetsAt"] is None else f", resets {shown_time(window['resetsAt'])}"
    return f"{' '.join((window['pool'], window['name'])).strip()}: {use}{threshold}{end}"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return _cell("; ".join(_window(window) for window in value))
    if isinstance(value, str) and value.startswith(STEERING):
        return f"'{value}"
    return str(value)
