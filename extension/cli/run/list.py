"""`poolkeeper run list`: runs with their origin, age and findings."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_json, scope, trigger
from extension.cli.parsing.declarations import command, json_option, option

NO_RUN = "No run yet. Start one with: poolkeeper inspect"
_COLUMNS = (
    Column("Run"),
    Column("State"),
    Column("Accounts"),
    Column("Findings"),
    Column("Started"),
    Column("Scope", optional=True),
)


@command("list")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, 200), help="Number of runs.")
@json_option
@connection_options
def list_runs(*, connection: ServiceConnection, limit: int, as_json: bool) -> None:
    """List runs, newest first.

    Exit status: 0, or 2 when the service cannot be reached.
    """
    with connection.open() as service:
        answer = service.client.get(service.paths.inspections, {"limit": limit})
    if as_json:
        print_json(answer)
    elif answer["runs"]:
        print_columns(_COLUMNS, [_row(run) for run in answer["runs"]])
    else:
        click.echo(NO_RUN)


def _row(run: Mapping[str, Any]) -> Row:
    findings = ", ".join(
        f"{count} {action}" for action, count in run["recommendations"].items() if count and action != "keep"
    )
    return Row(
        (
            str(run["id"]),
            str(run["state"]),
            f"{run['done']:,} of {run['total']:,}",
            findings or "none",
            f"started {trigger(run)}",
            scope(run),
        ),
        plain(run["reason"]),
    )
