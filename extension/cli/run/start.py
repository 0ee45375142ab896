"""`poolkeeper run start`, also `poolkeeper inspect`: start an inspection and report its findings."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from extension.cli.client.client import RequestRefused
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.run_follower import newest_event
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import COULD_NOT_CHECK, INTERRUPTED
from extension.cli.output.text import counted, print_json
from extension.cli.parsing.declarations import all_option, command, json_option
from extension.cli.parsing.scopes import SOURCE_NAMES, require_known_type, scopes
from extension.cli.parsing.settings_options import setting_options
from extension.cli.run.control.progress import outcome_of, print_outcome, watch

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

    Without --account-source and --family both API keys and OAuth files are inspected, one after the other.

    Exit status: 0 all well, 1 findings, 2 could not check or no account in scope, 130 Ctrl-C.
    """
    wanted = scopes(options)
    with connection.open() as service:
        status = _inspect_all(service, wanted, as_json=as_json, all_rows=all_rows)
    sys.exit(status)


def _inspect_all(
    service: ServiceLocation, wanted: Sequence[Mapping[str, Any]], *, as_json: bool, all_rows: bool
) -> int:
    """Inspect each scope, and return the worst exit status; an empty scope counts when all are empty."""
    outcomes: list[Mapping[str, Any]] = []
    empty: list[RequestRefused] = []
    for settings in wanted:
        try:
            outcomes.append(_inspect(service, settings, as_json=as_json, all_rows=all_rows))
        except RequestRefused as error:
            if error.code != _NOTHING:
                raise
            empty.append(error)
            if len(wanted) > 1:
                click.echo(f"{SOURCE_NAMES[settings['accountSource']]}: no accounts in scope.", err=True)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
    if not outcomes:
        for settings in wanted:
            require_known_type(settings)
        click.echo(f"No accounts in scope: {empty[0]}", err=True)
        outcomes = [{"run": None, "results": [], "exitStatus": COULD_NOT_CHECK}]
    status = max(int(outcome["exitStatus"]) for outcome in outcomes)
    if as_json:
        print_json(outcomes[0] if len(wanted) == 1 else {"inspections": outcomes, "exitStatus": status})
    return status


def _inspect(
    service: ServiceLocation, settings: Mapping[str, Any], *, as_json: bool, all_rows: bool
) -> Mapping[str, Any]:
    cost = service.client.post(service.paths.part("inspections/cost"), body=settings)
    _print_cost(cost, SOURCE_NAMES[settings["accountSource"]])
    after = newest_event(service)
    started = service.client.post(service.paths.inspections, body=settings)["run"]
    run = watch(service, int(started["id"]), after, started["total"])
    outcome = outcome_of(service, run)
    if not as_json:
        print_outcome(outcome, all_rows=all_rows)
    return outcome


def _print_cost(cost: Mapping[str, Any], source: str) -> None:
    """Print the upper bounds of a run to stderr before it starts."""
    if cost["skipped"]:
        entries = counted(cost["skipped"], "entry", "entries")
        click.echo(f"{entries} of the gateway's list without an index cannot be inspected.", err=True)
    if cost["accounts"]:
        checked = f"{cost['probed']:,} of {counted(cost['accounts'], 'account')}"
        wrong = f" ({cost['controls']:,} with a wrong key)" if cost["controls"] else ""
        most = f"at most {cost['requests']:,} requests{wrong} and {cost['tokens']:,} tokens"
        click.echo(f"Checking {checked} ({source}): {most}.", err=True)
