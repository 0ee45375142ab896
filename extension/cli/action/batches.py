"""`poolkeeper action batches`: the commands on accounts, newest first."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.reasons import joined, reasons_text
from extension.cli.language.texts import text, token_text
from extension.cli.output.actions import batch_state, outcome_name, rest_of
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import actor, ago, listed, plain, print_json
from extension.cli.parsing.declarations import command, json_option, option

_MOST = 200


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
        print_columns(_columns(), [_row(batch) for batch in answer["batches"]], text("table_head.outcome"))
    else:
        click.echo(text("terminal.no_batch"))


def _columns() -> tuple[Column, ...]:
    return (
        Column(text("table_head.batch")),
        Column(text("table_head.cause")),
        Column(text("table_head.state")),
        Column(text("table_head.done")),
        Column(text("table_head.when")),
        Column(text("table_head.by"), optional=True),
        Column(text("table_head.run"), optional=True),
    )


def _row(batch: Mapping[str, Any]) -> Row:
    counts = [
        text("terminal.count_of", n=number, name=outcome_name(name)) for name, number in batch["outcomes"].items()
    ]
    on_hold = batch["planned"]["onHold"]
    counts += [text("terminal.left_on_hold", n=on_hold)] if on_hold else []
    cells = (
        str(batch["id"]),
        token_text("cause", str(batch["cause"]), plain(batch["cause"])),
        batch_state(batch),
        f"{batch['done']:,}/{batch['total']:,}",
        ago(batch["at"]),
        actor(batch["actor"]),
        "" if batch["run"] is None else str(batch["run"]),
    )
    outcomes = listed(counts) or text("terminal.no_action_in_batch")
    reason = plain(reasons_text(batch.get("reasons", ()), batch["reason"]))
    more = joined([reason, rest_of(batch)])
    return Row(cells, text("terminal.sentence", text=outcomes, more=more).strip())
