"""`poolkeeper run release`: apply the changes of a run that are on hold."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.actions import report_actions
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType, number_argument


@command("release")
@number_argument("run")
@option("--account", "accounts", multiple=True, type=NumberType("account"), help="Only this account; repeatable.")
@json_option
@connection_options
def release(*, connection: ServiceConnection, run_id: int, accounts: tuple[int, ...], as_json: bool) -> None:
    """Apply the changes of a run that the circuit breaker put on hold.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        path = service.paths.part("inspections/release")
        actions = service.client.post(path, {"run": run_id}, {"accounts": accounts or None})["actions"]
    sys.exit(report_actions(actions, as_json=as_json, nothing="There is nothing on hold."))
