"""`poolkeeper run list`: runs with their origin, age and findings."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.reasons import reasons_text
from extension.cli.language.texts import text
from extension.cli.output.columns import Column, Row, print_columns, print_lines
from extension.cli.output.results import on_hold, recommended, run_state
from extension.cli.output.text import plain, print_json, scope, trigger
from extension.cli.parsing.declarations import command, json_option, option


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
        print_columns(_columns(), [_row(run) for run in answer["runs"]])
        if held := on_hold(answer["runs"][0]):
            print_lines(held)
    else:
        click.echo(text("terminal.no_run"))


def _columns() -> tuple[Column, ...]:
    return (
        Column(text("table_head.run")),
        Column(text("table_head.state")),
        Column(text("table_head.accounts")),
        Column(text("table_head.findings")),
        Column(text("table_head.started")),
        Column(text("table_head.scope"), optional=True),
    )


def _row(run: Mapping[str, Any]) -> Row:
    findings = recommended(run, *(action for action in run["recommendations"] if action != "keep"))
    return Row(
        (
            str(run["id"]),
            run_state(run),
            text("terminal.done_of", done=run["done"], n=run["total"]),
            findings or text("terminal.no_findings"),
            text("run.started", origin=trigger(run)),
            scope(run),
        ),
        plain(reasons_text(run.get("reasons", ()), run["reason"])),
    )
