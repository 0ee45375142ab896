"""`poolkeeper run start`, also `poolkeeper inspect`: start an inspection and report its findings."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.client import RequestRefused
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import newest_event
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import ALL_WELL, INTERRUPTED
from extension.cli.output.text import counted, print_json
from extension.cli.parsing.declarations import all_option, command, json_option
from extension.cli.parsing.settings_check import require_valid
from extension.cli.parsing.settings_options import given_settings, setting_options
from extension.cli.run.progress import report, watch

_NOTHING = "nothing_to_inspect"


@command("start")
@all_option
@json_option
@setting_options
@connection_options
def start(*, connection: ServiceConnection, as_json: bool, all_rows: bool, **options: Any) -> None:
    """Inspect the pool and report findings.

    The running service does the work, and Ctrl-C leaves its run going: `poolkeeper run stop` ends it. With --gateway
    the command does the work itself. The management key comes from POOLKEEPER_MANAGEMENT_KEY, --key-file or a prompt.

    Exit status: 0 all well (or no accounts in scope), 1 findings, 2 could not check, 130 Ctrl-C.
    """
    settings = given_settings(options)
    require_valid(settings)
    with connection.open() as service:
        status = _inspect(service, settings, as_json=as_json, all_rows=all_rows)
    sys.exit(status)


def _inspect(service: ServiceLocation, settings: Mapping[str, Any], *, as_json: bool, all_rows: bool) -> int:
    try:
        _print_cost(service.client.post(service.paths.part("inspections/cost"), body=settings))
        after = newest_event(service)
        started = service.client.post(service.paths.inspections, body=settings)["run"]
        run = watch(service, int(started["id"]), after, started["total"])
        return report(service, run, as_json=as_json, all_rows=all_rows)
    except RequestRefused as error:
        if error.code != _NOTHING:
            raise
        if as_json:
            print_json({"run": None, "results": [], "exitStatus": ALL_WELL})
        click.echo(f"No accounts in scope: {error}", err=as_json)
        return ALL_WELL
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _print_cost(cost: Mapping[str, Any]) -> None:
    """Print the upper bounds of a run to stderr before it starts."""
    if cost["skipped"]:
        entries = counted(cost["skipped"], "entry", "entries")
        click.echo(f"{entries} of the gateway's list without an index cannot be inspected.", err=True)
    if cost["accounts"]:
        checked = f"{cost['probed']:,} of {counted(cost['accounts'], 'account')}"
        most = f"at most {cost['requests']:,} requests and {cost['tokens']:,} tokens"
        click.echo(f"Checking {checked}: {most}.", err=True)
