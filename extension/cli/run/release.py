"""`poolkeeper run release`: apply the changes of a run that are on hold."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
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
        _require_on_hold(service, run_id, hosts)
        path = service.paths.part("inspections/release")
        body = {"accounts": accounts or None, "hosts": hosts or None}
        nothing = text("terminal.nothing_on_hold")
        status = perform(service, path, query={"run": run_id}, body=body, as_json=as_json, nothing=nothing)
    sys.exit(status)


def _require_on_hold(service: ServiceLocation, run_id: int, hosts: tuple[str, ...]) -> None:
    """Refuse hosts at which nothing is on hold: a mistyped one would read as all clear."""
    if not hosts:
        return
    plans = service.client.get(service.paths.part("inspections/plan"), {"run": run_id})["plans"]
    known = sorted({row["host"] for plan in plans for row in plan["held"]})
    missing = [host for host in hosts if host not in known]
    if missing:
        others = f"Hosts with changes on hold: {', '.join(known)}." if known else f"Nothing of run {run_id} is on hold."
        raise CommandError(f"--host: nothing of run {run_id} is on hold at {', '.join(missing)}. {others}")
