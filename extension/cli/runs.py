"""`poolkeeper runs`: the runs so far, what one of them found, what changed with it, and its results as a file."""

import json
from pathlib import Path
from typing import Any

import click

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.service_lookup import ServiceLocation, connect, connection_options, explained
from extension.cli.tables import counted, named, summary


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 200), help="How many runs to list.")
@click.option("--run", "run_id", type=click.IntRange(1), help="Only this run.")
@click.option("--difference", is_flag=True, help="With --run: what changed since the run before.")
@click.option("--export", "export_as", type=click.Choice(["csv", "jsonl"]), help="With --run: print all its results.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
@connection_options
def runs(
    *,
    limit: int,
    run_id: int | None,
    difference: bool,
    export_as: str | None,
    as_json: bool,
    server: str | None,
    data_dir: Path | None,
    config: Path,
    key_file: Path | None,
) -> None:
    """List the runs, newest first, or look into one of them."""
    if run_id is None and (difference or export_as):
        raise click.UsageError("Name the run with --run.")
    if export_as and (difference or as_json):
        raise click.UsageError("--export prints a file: leave --difference and --json out.")
    found = connect(server, data_dir, config, key_file)
    try:
        if export_as:
            path = found.paths.part("inspections/export")
            click.echo(found.client.text(path, {"run": run_id, "format": export_as}), nl=False)
        elif difference:
            _show_difference(found, run_id, as_json=as_json)
        else:
            _show_runs(found, {"run": run_id} if run_id else {"limit": limit}, as_json=as_json)
    except (RequestRefused, Unreachable) as error:
        raise explained(error) from None


def _show_runs(found: ServiceLocation, query: dict[str, Any], *, as_json: bool) -> None:
    answer = found.client.get(found.paths.inspections, query)
    if as_json:
        click.echo(json.dumps(answer, indent=2))
        return
    for run in answer["runs"]:
        click.echo(summary(run))
    if not answer["runs"]:
        click.echo("No run yet.")


def _show_difference(found: ServiceLocation, run_id: int | None, *, as_json: bool) -> None:
    answer = found.client.get(found.paths.part("inspections/difference"), {"run": run_id})
    if as_json:
        click.echo(json.dumps(answer, indent=2))
        return
    if answer["against"] is None:
        click.echo("There is no earlier run of the same accounts to compare with.")
        return
    changed = counted(len(answer["changes"]), "account changed", "accounts changed")
    click.echo(f"Run {answer['run']} against run {answer['against']}: {changed}.")
    for change in answer["changes"]:
        before, after = (_short(change[side]) for side in ("before", "after"))
        click.echo(f"  {named(change)}: {before} -> {after}")


def _short(picture: dict[str, Any] | None) -> str:
    if picture is None:
        return "not in it"
    state = {True: "enabled", False: "disabled", None: "state unknown"}[picture["enabled"]]
    return f"{picture['verdict'].replace('_', ' ')}, {state}"
