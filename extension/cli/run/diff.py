"""`poolkeeper run diff`: changes of a run against an earlier one."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.texts import text
from extension.cli.output.account_name import named
from extension.cli.output.columns import print_lines
from extension.cli.output.results import status_label
from extension.cli.output.text import listed, print_json
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
        click.echo(text("terminal.no_earlier_run"))
        return
    runs = {name: str(answer[name]) for name in ("run", "against")}
    covered = text("count.accounts", n=answer["covered"])
    click.echo(text("terminal.difference", n=len(answer["changes"]), covered=covered, **runs))
    for change in answer["changes"]:
        before, after = (_short(change[side]) for side in ("before", "after"))
        print_lines(text("terminal.changed_to", account=named(change), before=before, after=after))


def _short(result: Mapping[str, Any] | None) -> str:
    if result is None:
        return text("terminal.not_in_run")
    keys = {True: "state.enabled", False: "state.disabled", None: "terminal.state_unknown"}
    return listed([status_label(result["verdict"]).lower(), text(keys[result["enabled"]])])
