"""`poolkeeper run start`, also `poolkeeper inspect`: start an inspection and report its findings."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from extension.cli.client.client import RequestRefused
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.file_types import file_types
from extension.cli.client.run_follower import newest_event
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import COULD_NOT_CHECK, INTERRUPTED
from extension.cli.language.texts import text
from extension.cli.output.text import print_json, source_name
from extension.cli.parsing.declarations import all_option, command, json_option
from extension.cli.parsing.scopes import require_known_type, scopes
from extension.cli.parsing.settings_options import setting_options_of_both_sources
from extension.cli.run.control.progress import outcome_of, print_outcome, watch

_NOTHING = "nothing_to_inspect"


@command("start")
@all_option
@json_option
@setting_options_of_both_sources
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
                click.echo(text("terminal.empty_scope", source=source_name(settings["accountSource"])), err=True)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
    if not outcomes:
        for settings in wanted:
            require_known_type(settings, lambda: file_types(service))
        click.echo(text("terminal.nothing_in_scope", problem=empty[0].phrased), err=True)
        outcomes = [{"run": None, "results": [], "exitStatus": COULD_NOT_CHECK}]
    status = max(int(outcome["exitStatus"]) for outcome in outcomes)
    if as_json:
        print_json(outcomes[0] if len(wanted) == 1 else {"inspections": outcomes, "exitStatus": status})
    return status


def _inspect(
    service: ServiceLocation, settings: Mapping[str, Any], *, as_json: bool, all_rows: bool
) -> Mapping[str, Any]:
    cost = service.client.post(service.paths.part("inspections/cost"), body=settings)
    _print_cost(cost, source_name(settings["accountSource"]))
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
        click.echo(text("terminal.not_inspected", n=cost["skipped"]), err=True)
    if cost["accounts"]:
        wrong = text("terminal.wrong_keys", n=cost["controls"]) if cost["controls"] else ""
        requests, tokens = text("count.requests", n=cost["requests"]), text("count.tokens", n=cost["tokens"])
        most = text("terminal.at_most", requests=requests, wrong=wrong, tokens=tokens)
        line = text("terminal.checking", probed=cost["probed"], n=cost["accounts"], source=source, most=most)
        click.echo(line, err=True)
