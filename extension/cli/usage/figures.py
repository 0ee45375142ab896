"""Options and cells that the commands of usage share."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click

from adapter.clock import SystemClock
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.output.columns import print_lines
from extension.cli.output.text import counted, shown_time
from extension.cli.parsing.declarations import option

_Function = TypeVar("_Function", bound=Callable[..., Any])
_DAY_MS: Final = 24 * 3_600_000
_MOST_DAYS: Final = 900


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


def cells(figures: Mapping[str, Any]) -> list[str]:
    """Return the cells of sums: requests, failures, tokens and cost."""
    tokens = figures["tokens"]
    numbers = (figures["requests"], figures["failed"], tokens["total"])
    return [*(f"{number:,}" for number in numbers), cost(figures)]


def cost(figures: Mapping[str, Any]) -> str:
    """Return a cost in US dollars; a partial sum is a lower bound."""
    if figures["usd"] is None:
        return "unknown" if figures["requests"] else "-"
    if figures["unpriced"] and not float(figures["usd"]):
        return "unknown"
    at_least = "\u2265 " if figures["partial"] else ""
    return f"{at_least}${float(figures['usd']):,.4f}"


def print_gaps(summary: Mapping[str, Any]) -> None:
    """Print the times in which records may be missing."""
    gaps = summary["gaps"]
    if not gaps:
        return
    print_lines(f"Records may be missing in {counted(len(gaps), 'gap')}:")
    for gap in gaps:
        missing = "" if gap["missing"] is None else f", {counted(gap['missing'], 'record')} lost"
        print_lines(f"  {shown_time(gap['start'])} to {shown_time(gap['end'])}: {gap['kind']}{missing}")
