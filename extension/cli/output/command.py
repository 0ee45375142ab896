"""A command on accounts on the terminal: a progress bar on stderr, then its report."""

import sys
from collections.abc import Mapping
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from extension.cli.client.batch_follower import carried_out
from extension.cli.client.client import StoreRefused, Unreachable
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import INTERRUPTED
from extension.cli.language.texts import text
from extension.cli.output.actions import report_command


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
    bar = Progress(
        TextColumn(text("terminal.changing")),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    taken = False
    try:
        with bar:
            task = bar.add_task("changing", total=None)

            def progress(batch: Mapping[str, Any]) -> None:
                nonlocal taken
                taken = True
                bar.update(task, completed=int(batch.get("done", 0)), total=int(batch.get("total", 0)) or None)

            done = carried_out(service, path, progress, query=query, body=body)
    except KeyboardInterrupt:
        if service.lasting:
            click.echo(text("terminal.command_continues"), err=True)
        sys.exit(INTERRUPTED)
    except (Unreachable, StoreRefused):
        if taken:
            click.echo(text("terminal.command_unsettled"), err=True)
        raise
    return report_command(done, as_json=as_json, nothing=nothing or text("terminal.nothing_to_do"))
