"""`poolkeeper inspect`: one inspection by the running service, watched to its end."""

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from adapter.contract.expectations import PAGE
from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.local_service import service_for
from extension.cli.client.run_follower import follow, newest_event, read_results
from extension.cli.client.service_lookup import ServiceLocation, connect, connection_options, explained
from extension.cli.settings_options import given_settings, setting_options
from extension.cli.tables import ALL_WELL, counted, exit_status, summary, verdict_table

_INTERRUPTED = 130
_NOTHING = "nothing_to_inspect"
_WIDE = 200


@click.command()
@setting_options
@click.option("--json", "as_json", is_flag=True, help="Print run and results as one JSON object, and nothing else.")
@click.option("--gateway", help="Inspect a gateway elsewhere, without a running service: its address.")
@connection_options
def inspect(
    *,
    as_json: bool,
    gateway: str | None,
    server: str | None,
    data_dir: Path | None,
    config: Path,
    key_file: Path | None,
    **settings: Any,
) -> None:
    """Inspect the pool and show what was found, and why.

    The running service does the work; this is its client. With --gateway the command does it itself. The management
    key comes from POOLKEEPER_MANAGEMENT_KEY, --key-file or a prompt. Leaving with Ctrl-C leaves a service's run going:
    `poolkeeper stop` ends it.

    Exit status: 0 all well (or no accounts in scope), 1 something is recommended, 2 could not check.
    """
    with ExitStack() as opened:
        if gateway:
            found = opened.enter_context(service_for(gateway, data_dir, key_file))
        else:
            found = connect(server, data_dir, config, key_file)
        status = _inspect(found, given_settings(settings), as_json=as_json)
    sys.exit(status)


def _inspect(found: ServiceLocation, settings: Mapping[str, Any], *, as_json: bool) -> int:
    """Inspect and print; answers the exit status."""
    try:
        _tell_cost(found.client.post(found.paths.part("inspections/cost"), body=settings))
        after = newest_event(found)
        started = found.client.post(found.paths.inspections, body=settings)["run"]
        run_id = int(started["id"])
        run = _watch(found, run_id, after, started["total"])
        results = read_results(found, run_id)
        difference = found.client.get(found.paths.part("inspections/difference"), {"run": run_id})
    except RequestRefused as error:
        if error.code != _NOTHING:
            raise explained(error) from None
        _show_nothing(str(error), as_json=as_json)
        return ALL_WELL
    except Unreachable as error:
        raise explained(error) from None
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    status = exit_status(run, results)
    if as_json:
        found_all = {"run": run, "results": results, "difference": difference, "exitStatus": status}
        click.echo(json.dumps(found_all, indent=2))
    else:
        console = Console() if sys.stdout.isatty() else Console(width=_WIDE)
        console.print(verdict_table(results))
        click.echo(summary(run))
        _tell_difference(difference)
    return status


def _tell_difference(difference: Mapping[str, Any]) -> None:
    """Say how many accounts changed since the run before; `poolkeeper runs --difference` names them."""
    if difference["against"] is not None:
        changed = counted(len(difference["changes"]), "account changed", "accounts changed")
        click.echo(f"Since run {difference['against']}: {changed}.")


def _tell_cost(cost: dict[str, Any]) -> None:
    """Say what the run can cost at most and what it leaves out, before it starts; stdout stays free for the outcome."""
    if cost["skipped"]:
        left = counted(cost["skipped"], "entry", "entries")
        click.echo(f"{left} of the gateway's list without an index cannot be inspected.", err=True)
    if cost["accounts"]:
        probed, accounts = f"{cost['probed']:,}", f"{cost['accounts']:,}"
        most = f"at most {cost['requests']:,} requests and {cost['tokens']:,} tokens"
        click.echo(f"Probing {probed} of {accounts} accounts: {most}.", err=True)


def _watch(found: ServiceLocation, run_id: int, after: int, total: int) -> dict[str, Any]:
    """Follow a run with a progress bar on the terminal; stdout stays free for the outcome."""
    bar = Progress(
        TextColumn("Inspecting"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )
    try:
        with bar:
            task = bar.add_task("inspecting", total=total)
            return follow(found, run_id, after, lambda done, total: bar.update(task, completed=done, total=total))
    except KeyboardInterrupt:
        if found.lasting:
            address = f"{found.client.address}{PAGE}"
            click.echo(f"Run {run_id} goes on. Stop it with: poolkeeper stop; watch it at {address}", err=True)
        sys.exit(_INTERRUPTED)


def _show_nothing(text: str, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"run": None, "results": [], "exitStatus": ALL_WELL}, indent=2))
    click.echo(f"No accounts in scope: {text}", err=as_json)
