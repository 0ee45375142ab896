"""`poolkeeper action batches`: the commands on accounts, newest first."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.actions import OUTCOMES
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import actor, ago, plain, print_json
from extension.cli.parsing.declarations import command, json_option, option

_MOST = 200
_COLUMNS = (
    Column("Batch"),
    Column("Cause"),
    Column("State"),
    Column("Done"),
    Column("When"),
    Column("By", optional=True),
    Column("Run", optional=True),
)


@command("batches")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, _MOST), help="Number of batches.")
@json_option
@connection_options
def batches(*, connection: ServiceConnection, limit: int, as_json: bool) -> None:
    """List batches of actions, newest first.

    A batch is all actions of one command, or of the automation of one run.
    """
    with connection.open() as service:
        answer = service.client.get(service.paths.part("pool/batches"), {"limit": limit})
    if as_json:
        print_json(answer)
    elif answer["batches"]:
        print_columns(_COLUMNS, [_row(batch) for batch in answer["batches"]], "Outcome")
    else:
        click.echo("No batch yet.")


def _row(batch: Mapping[str, Any]) -> Row:
    counts = [f"{number:,} {OUTCOMES.get(name, plain(name))}" for name, number in batch["outcomes"].items()]
    on_hold = batch["planned"]["onHold"]
    counts += [f"{on_hold:,} left on hold"] if on_hold else []
    cells = (
        str(batch["id"]),
        plain(batch["cause"]),
        plain(batch["state"]),
        f"{batch['done']:,}/{batch['total']:,}",
        ago(batch["at"]),
        actor(batch["actor"]),
        "" if batch["run"] is None else str(batch["run"]),
    )
    return Row(cells, f"{', '.join(counts) or 'no action'}. {plain(batch['reason'])}".strip())
