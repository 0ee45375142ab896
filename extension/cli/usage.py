"""Usage on the command line: summary, ranking, export and import."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

import click

from adapter.clock import SystemClock
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.output.columns import Column, Row, print_columns, print_lines
from extension.cli.output.text import counted, plain, print_export, print_json, shown_time
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.usage.calendar import local, zone_of

usage = CommandGroup("usage", help="Show, export and import usage.")


_Function = TypeVar("_Function", bound=Callable[..., Any])
_DAY_MS: Final = 24 * 3_600_000
_MOST_DAYS: Final = 900
_DAY_COLUMNS = (Column("Day"), Column("Requests"), Column("Failed"), Column("Tokens"), Column("Cost"))
_DIMENSIONS = ("model", "account", "client", "provider", "failure")
_COLUMNS = (Column("Requests"), Column("Failed"), Column("Tokens"), Column("Cost"))
_SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {"override": "your own price", "synced": "taken over from a public list", "built_in": "built-in list"}
)
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no_price": "no list has the model",
        "no_service_tier": "no price for the service tier",
        "no_rate": "the price has no rate for the tokens",
        "unclassified": "the records do not say which kind the tokens are",
        "inconsistent": "the counts of the records contradict their total",
        "not_reported": "the gateway reports no tokens",
        "hidden": "the records do not show a part that has a price",
    }
)
_HIDDEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cache_read": "cache reads (input is rated as one)",
        "cache_write": "cache writes",
        "cache_write_1h": "which cache writes are kept for an hour",
        "audio": "audio",
        "image": "images",
        "image_tool": "what tools made, searched or ran",
        "searches": "web searches",
        "tier": "the service tier or speed",
        "end": "what was generated after an answer broke off",
    }
)
LEAST: Final = "\u2265 "
"""Mark of a lower bound."""
_MOST_BYTES = 900_000
"""Bytes of one request, below the service's limit of a body."""


def days_option(function: _Function) -> _Function:
    """Declare `--days`."""
    kind = click.IntRange(1, _MOST_DAYS)
    return option("--days", default=7, show_default=True, type=kind, help="Days up to now.")(function)


def period(days: int) -> dict[str, int]:
    """Return the query of the last days."""
    now = SystemClock().now_ms() + 1
    return {"start": now - days * _DAY_MS, "end": now}


def read_summary(service: ServiceLocation, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary."""
    return service.client.get(service.paths.part("usage/summary"), query)


def cells(figures: Mapping[str, Any], *, missing: bool = False) -> list[str]:
    """Return the cells of sums: requests, failures, tokens and cost; lower bounds where records are `missing`."""
    tokens = figures["tokens"]
    numbers = (figures["requests"], figures["failed"], tokens["total"])
    least = LEAST if missing else ""
    return [*(f"{least}{number:,}" for number in numbers), cost({**figures, "partial": figures["partial"] or missing})]


def lacks_records(gaps: Iterable[Mapping[str, Any]], start: int, end: int) -> bool:
    """Return whether a gateway counted requests of a period that it gave no record of."""
    return any(gap["missing"] and gap["start"] < end and gap["end"] > start for gap in gaps)


def cost(figures: Mapping[str, Any]) -> str:
    """Return a cost in US dollars; a partial sum is a lower bound."""
    if figures["usd"] is None:
        return "unknown" if figures["requests"] else "-"
    if figures["unpriced"] and not float(figures["usd"]):
        return "unknown"
    at_least = LEAST if figures["partial"] else ""
    return f"{at_least}${float(figures['usd']):,.4f}"


def print_gaps(summary: Mapping[str, Any]) -> None:
    """Print the times in which records may be missing."""
    gaps = summary["gaps"]
    if not gaps:
        return
    print_lines(f"Records may be missing in {counted(len(gaps), 'gap')}:")
    for gap in gaps:
        print_lines(f"  {shown_time(gap['start'])} to {shown_time(gap['end'])}: {gap['kind']}{_missing(gap)}")


def _missing(gap: Mapping[str, Any]) -> str:
    if gap["missing"] is None:
        return ""
    if gap["kind"] == "unrecorded":
        return f", {counted(gap['missing'], 'request')} without a record (such as token counts)"
    return f", {counted(gap['missing'], 'record')} lost"


@usage.command("summary")
@days_option
@option("--zone", default="UTC", show_default=True, metavar="ZONE", help="Time zone, such as Asia/Shanghai or +08:00.")
@json_option
@connection_options
def summary(*, days: int, zone: str, connection: ServiceConnection, as_json: bool) -> None:
    """Show requests, tokens and cost by day.

    Times in which records may be missing are listed below.
    """
    with connection.open() as service:
        answer = read_summary(service, {**period(days), "step": "day", "zone": zone})
    if as_json:
        print_json(answer)
        return
    place = zone_of(zone)
    gaps = answer["gaps"]
    rows = [
        Row(
            [
                f"{local(part['start'], place):%Y-%m-%d}",
                *cells(part["figures"], missing=lacks_records(gaps, part["start"], part["end"])),
            ]
        )
        for part in answer["series"]
    ]
    total = cells(answer["totals"], missing=lacks_records(gaps, answer["start"], answer["end"]))
    print_columns(_DAY_COLUMNS, [*rows, Row(["Total", *total])])
    print_gaps(answer)


@usage.command("top")
@option("--by", default="model", show_default=True, type=click.Choice(_DIMENSIONS), help="Dimension to list.")
@option("--limit", default=10, show_default=True, type=click.IntRange(1, 1_000), help="Number of rows.")
@days_option
@option("--explain", "explains", is_flag=True, help="Show what each cost is made of: counts, rates, their source.")
@json_option
@connection_options
def top(*, by: str, limit: int, days: int, explains: bool, connection: ServiceConnection, as_json: bool) -> None:
    """Show the names with the most requests.

    Names are those of models, accounts, client keys, providers or failures.
    """
    days_query = period(days)
    with connection.open() as service:
        answer = read_summary(service, {**days_query, "by": by, "limit": limit})
        names = [group["name"] for group in answer["groups"]] if explains else []
        path = service.paths.part("usage/explanation")
        explained = [service.client.get(path, {**days_query, by: name}) for name in names]
    if as_json:
        print_json({**answer, "explanations": explained} if explains else answer)
        return
    missing = lacks_records(answer["gaps"], answer["start"], answer["end"])
    rows = [
        Row([plain(group["label"] or group["name"] or "-"), *cells(group["figures"], missing=missing)])
        for group in answer["groups"]
    ]
    if not rows:
        click.echo("No usage is stored for this period.")
    else:
        print_columns((Column(by.capitalize()), *_COLUMNS), rows)
    for row, explanation in zip(rows, explained, strict=False):
        click.echo("\n  ".join((f"{row.cells[0]}:", *explanation_lines(explanation))))
    print_gaps(answer)


def explanation_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an explanation: each price with its parts, then the requests without a cost."""
    if answer["prunedBefore"]:
        yield f"Requests since {shown_time(answer['prunedBefore'])} alone: earlier ones were removed."
    for use in answer["prices"]:
        yield _price(use)
        for part in use["parts"]:
            per = "" if part["per"] == 1 else f" per {part['per']:,}"
            rate_of = "" if part["rateOf"] == part["unit"] else f" (rate of {part['rateOf']})"
            yield f"  {part['count']:,} {part['unit']} x ${part['amount']}{per}{rate_of} = ${_amount(part['usd'])}"
        if use["hidden"]:
            yield f"  \u2265: the records do not show {', '.join(_HIDDEN[part] for part in use['hidden'])}"
        if use["unclassified"]:
            yield f"  {use['unclassified']:,} tokens of no known kind: not included"
    if answer["leftOff"]:
        yield f"{counted(answer['leftOff'], 'more price')}: see --json and narrow the period."
    for use in answer["unpriced"]:
        hint = "; rate again: poolkeeper price rerate" if use["pricedNow"] else ""
        model = plain(f"{use['provider']}/{use['model']}")
        reason = "rated before there was a price" if use["pricedNow"] else _REASONS[use["reason"]]
        yield f"{counted(use['requests'], 'request')} of {model} without a cost: {reason}{hint}"


def _price(use: Mapping[str, Any]) -> str:
    requests = counted(use["requests"], "request")
    if not use["version"]:
        return f"{requests} refused without any token: $0"
    model = plain(f"{use['provider']}/{use['model']}" if use["provider"] else use["model"])
    tier = "" if use["serviceTier"] == "standard" else f", tier {use['serviceTier']}"
    above = "" if use["above"] is None else f", above {use['above']:,} input tokens"
    since = f", from {use['validFrom']}" if use["validFrom"] else ""
    source = f"{_SOURCES[use['source']]}{since}, version {use['version']}"
    mark = LEAST if use["incomplete"] else ""
    return f"{requests} by {model}{tier}{above} ({source}): {mark}${_amount(use['usd'])}"


def _amount(text: str) -> str:
    return format(Decimal(text).normalize(), "f")


@usage.command("export")
@days_option
@option(
    "--format", "as_format", default="jsonl", show_default=True, type=click.Choice(("jsonl", "csv")), help="Format."
)
@connection_options
def export(*, days: int, as_format: str, connection: ServiceConnection) -> None:
    """Write events of usage to standard output.

    `poolkeeper usage import` takes in JSON lines.
    """
    with connection.open() as service:
        query = {**period(days), "format": as_format}
        print_export(service.client.text(service.paths.part("usage/export"), query))


def parts(lines: Iterable[bytes], most: int = _MOST_BYTES) -> Iterator[bytes]:
    """Join lines to pieces of at most that many bytes; a longer line is a piece of its own."""
    piece = bytearray()
    for line in lines:
        if piece and len(piece) + len(line) > most:
            yield bytes(piece)
            piece.clear()
        piece += line
    if piece:
        yield bytes(piece)


@usage.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@json_option
@connection_options
def import_file(*, file: Path, connection: ServiceConnection, as_json: bool) -> None:
    """Take in an export in JSON lines.

    Events that are stored already stay as they are. Those from before the oldest event that is kept are left out.
    """
    stored = duplicates = too_old = 0
    with connection.open() as service, file.open("rb") as source:
        for part in parts(source):
            answer = service.client.post_text(service.paths.part("usage/import"), part)
            stored += answer["stored"]
            duplicates += answer["duplicates"]
            too_old += answer["tooOld"]
    if as_json:
        print_json({"stored": stored, "duplicates": duplicates, "tooOld": too_old})
        return
    click.echo(f"{counted(stored, 'event')} imported, {duplicates:,} stored before.")
    if too_old:
        click.echo(f"{counted(too_old, 'event')} left out: older than the events that are kept, and maybe counted.")
