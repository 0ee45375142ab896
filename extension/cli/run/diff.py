"""`poolkeeper run diff`: changes of a run against an earlier one."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import print_lines
from extension.cli.output.results import status_label
from extension.cli.output.text import counted, named, print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType, number_argument


@command("diff")
@number_argument("run")
@option("--against", type=NumberType("run"), help="Earlier run. [default: the previous run of the same scope]")
@json_option
@connection_options
def diff(*, connection: ServiceConnection, run_id: int, against: int | None, as_json: bool) -> None:
    """Show the changes of a run against an earlier one."""
    query = {"run": run_id} if against is None else {"run": run_id, "against": against}
    with connection.open() as service:
        answer = service.client.get(service.paths.part("inspections/difference"), query)
    if as_json:
        print_json(answer)
        return
    if answer["against"] is None:
        click.echo("There is no earlier run of the same accounts to compare with.")
        return
    changed = counted(len(answer["changes"]), "account changed", "accounts changed")
    covered = counted(answer["covered"], "account", "accounts")
    click.echo(f"Run {answer['run']} against run {answer['against']}: {changed}, {covered} in both runs.")
    for change in answer["changes"]:
        before, after = (_short(change[side]) for side in ("before", "after"))
        print_lines(f"  {named(change)}: {before} -> {after}")


def _short(result: Mapping[str, Any] | None) -> str:
    if result is None:
        return "not in the run"
    state = {True: "enabled", False: "disabled", None: "state unknown"}[result["enabled"]]
    return f"{status_label(result['verdict']).lower()}, {state}"
