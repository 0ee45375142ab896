"""`poolkeeper run release`: apply the changes of a run that are on hold."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.texts import text
from extension.cli.output.command import perform
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType, number_argument


@command("release")
@number_argument("run")
@option("--account", "accounts", multiple=True, type=NumberType("account"), help="Only this account; repeatable.")
@option("--host", "hosts", multiple=True, help="Only accounts at this host, as --dry-run shows it; repeatable.")
@json_option
@connection_options
def release(
    *, connection: ServiceConnection, run_id: int, accounts: tuple[int, ...], hosts: tuple[str, ...], as_json: bool
) -> None:
    """Apply the changes of a run that the circuit breaker put on hold.

    A run that changes nothing by itself has changes on hold, too. `poolkeeper run apply RUN --dry-run` lists them by
    host.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        path = service.paths.part("inspections/release")
        body = {"accounts": accounts or None, "hosts": hosts or None}
        nothing = text("terminal.nothing_on_hold")
        status = perform(service, path, query={"run": run_id}, body=body, as_json=as_json, nothing=nothing)
    sys.exit(status)
