"""Progress of a run on the terminal, and its report at the end."""

import sys
from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from adapter.contract.expectations import PAGE
from extension.cli.client.run_follower import follow, read_results
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import INTERRUPTED
from extension.cli.output.columns import print_lines
from extension.cli.output.results import exit_status, left_out, print_results, summary
from extension.cli.output.text import counted, print_json


def watch(service: ServiceLocation, run_id: int, after: int, total: int) -> dict[str, Any]:
    """Follow a run to its end with a progress bar on stderr; Ctrl-C leaves it going."""
    bar = Progress(
        TextColumn("Inspecting"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    try:
        with bar:
            task = bar.add_task("inspecting", total=total)
            return follow(service, run_id, after, lambda done, total: bar.update(task, completed=done, total=total))
    except KeyboardInterrupt:
        if service.lasting:
            address = f"{service.client.address}{PAGE}"
            click.echo(f"Run {run_id} continues. Stop it with: poolkeeper run stop. Page: {address}", err=True)
        sys.exit(INTERRUPTED)


def report(service: ServiceLocation, run: Mapping[str, Any], *, as_json: bool, all_rows: bool) -> int:
    """Print run, results and changes since the previous run; return the exit status."""
    results = read_results(service, run["id"])
    difference = service.client.get(service.paths.part("inspections/difference"), {"run": run["id"]})
    status = exit_status(run, results)
    if as_json:
        print_json({"run": run, "results": results, "difference": difference, "exitStatus": status})
        return status
    print_results(results, all_rows=all_rows)
    for line in (left_out(results, all_rows=all_rows), summary(run), _changes(difference)):
        if line:
            print_lines(line)
    return status


def _changes(difference: Mapping[str, Any]) -> str:
    if difference["against"] is None:
        return ""
    changed = counted(len(difference["changes"]), "account changed", "accounts changed")
    return f"Since run {difference['against']}: {changed}."
