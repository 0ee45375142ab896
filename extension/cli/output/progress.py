"""Progress bars on stderr for runs and for commands on accounts, and the report at the end."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from adapter.contract.expectations import PAGE
from extension.cli.client.client import RequestRefused, StoreRefused, Unreachable
from extension.cli.client.followers import automatic_batches, carried_out, follow, read_results
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import INTERRUPTED
from extension.cli.language.texts import text
from extension.cli.output.actions import automatic_lines, report_command
from extension.cli.output.columns import print_lines
from extension.cli.output.results import exit_status, left_out, on_hold, print_results, summary
from extension.cli.output.text import print_json


def perform(
    service: ServiceLocation,
    path: str,
    *,
    body: Mapping[str, Any],
    query: Mapping[str, Any] | None = None,
    as_json: bool,
    nothing: str = "",
) -> int:
    """Carry out a command, report it, and return the exit status: 0 all done, 1 something was not.

    Ctrl-C leaves the command going at a service that stays.
    """
    bar = _bar(text("terminal.changing"), TimeRemainingColumn())
    accepted = False
    try:
        with bar:
            task = bar.add_task("changing", total=None)

            def progress(batch: Mapping[str, Any]) -> None:
                nonlocal accepted
                accepted = True
                bar.update(task, completed=int(batch.get("done", 0)), total=int(batch.get("total", 0)) or None)

            done = carried_out(service, path, progress, query=query, body=body)
    except KeyboardInterrupt:
        if service.lasting:
            click.echo(text("terminal.command_continues"), err=True)
        sys.exit(INTERRUPTED)
    except (Unreachable, StoreRefused):
        if accepted:
            click.echo(text("terminal.command_unsettled"), err=True)
        raise
    return report_command(done, as_json=as_json, nothing=nothing or text("terminal.nothing_to_do"))


def watch_run(service: ServiceLocation, run: Mapping[str, Any]) -> dict[str, Any]:
    """Follow a run to its end with a progress bar on stderr; Ctrl-C leaves it going."""
    bar = _bar(text("terminal.inspecting"))
    try:
        with bar:
            task = bar.add_task("inspecting", total=run["total"])
            return follow(service, run["id"], lambda now: bar.update(task, completed=now["done"], total=now["total"]))
    except KeyboardInterrupt:
        if service.lasting:
            address = f"{service.client.address}{PAGE}"
            click.echo(text("terminal.run_continues", run=str(run["id"]), address=address), err=True)
        sys.exit(INTERRUPTED)


@contextmanager
def naming_run_that_is_not_read(run: Mapping[str, Any]) -> Iterator[None]:
    """Say which run has started when what it found cannot be read: it goes on, and may change accounts."""
    try:
        yield
    except (Unreachable, RequestRefused):
        click.echo(text("terminal.run_not_read", run=str(run["id"])), err=True)
        raise


def outcome_of(service: ServiceLocation, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return run, results, changes since the previous run, automatic changes, and the exit status."""
    results = read_results(service, run["id"])
    difference = service.client.get(service.paths.part("inspections/difference"), {"run": run["id"]})
    return {
        "run": run,
        "results": results,
        "difference": difference,
        "automatic": automatic_batches(service, run),
        "exitStatus": exit_status(run, results),
    }


def print_outcome(outcome: Mapping[str, Any], *, all_rows: bool) -> None:
    """Print the results of a run, the changes since the previous run, and what the run changed by itself."""
    results = outcome["results"]
    print_results(results, all_rows=all_rows)
    run = outcome["run"]
    for line in (left_out(results, all_rows=all_rows), summary(run), _changes(outcome["difference"]), on_hold(run)):
        if line:
            print_lines(line)
    for line in [line for batch in outcome["automatic"] for line in automatic_lines(batch)]:
        print_lines(line)


def report(service: ServiceLocation, run: Mapping[str, Any], *, as_json: bool, all_rows: bool) -> int:
    """Print the outcome of a run; return the exit status."""
    outcome = outcome_of(service, run)
    if as_json:
        print_json(outcome)
    else:
        print_outcome(outcome, all_rows=all_rows)
    return int(outcome["exitStatus"])


def _bar(label: str, *columns: ProgressColumn) -> Progress:
    """Return a progress bar on stderr, which shows nothing where that is no terminal."""
    return Progress(
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *columns,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )


def _changes(difference: Mapping[str, Any]) -> str:
    if difference["against"] is None:
        return ""
    return text("terminal.since_run", against=str(difference["against"]), n=len(difference["changes"]))
