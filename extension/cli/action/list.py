"""`poolkeeper action list`: the action history."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.actions import outcome
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import actor, ago, named, plain, print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType

_MOST = 2000
_COLUMNS = (
    Column("Action"),
    Column("Change"),
    Column("Account"),
    Column("When"),
    Column("By", optional=True),
    Column("Run", optional=True),
)


@command("list")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, _MOST), help="Number of actions.")
@option("--run", "run_id", type=NumberType("run"), help="Only actions of this run.")
@option("--account", "account_id", type=NumberType("account"), help="Only actions on this account.")
@json_option
@connection_options
def list_actions(
    *, connection: ServiceConnection, limit: int, run_id: int | None, account_id: int | None, as_json: bool
) -> None:
    """List actions, newest first.

    With --run or --account the newest 2,000 actions are searched.
    """
    filtered = run_id is not None or account_id is not None
    with connection.open() as service:
        path = service.paths.part("pool/actions")
        actions = service.client.get(path, {"limit": _MOST if filtered else limit})["actions"]
    found = [
        action for action in actions if run_id in {None, action["run"]} and account_id in {None, action["account"]}
    ][:limit]
    if as_json:
        print_json({"actions": found})
    elif found:
        print_columns(_COLUMNS, [_row(action) for action in found], "Outcome")
    else:
        click.echo("No action found." if filtered else "No action yet.")


def _row(action: Mapping[str, Any]) -> Row:
    run = "" if action["run"] is None else str(action["run"])
    result = outcome(action)
    text = plain(action["text"])
    note = f"{result.capitalize()}. {text}" if text else f"{result.capitalize()}."
    return Row(
        (str(action["id"]), plain(action["action"]), named(action), ago(action["at"]), actor(action["actor"]), run),
        note,
    )
