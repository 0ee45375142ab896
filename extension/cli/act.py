"""`poolkeeper act`: does what follows from a run, shows it beforehand, releases what was held, or takes it back."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.run_follower import read_run
from extension.cli.client.service_lookup import ServiceLocation, connect, connection_options, explained
from extension.cli.errors import CommandError
from extension.cli.tables import ALL_WELL, FINDINGS, counted, named, plain

_MODES = ("disable", "delete", "strategy4", "strategy5", "strategy6")
_DONE = frozenset({"applied", "unchanged"})


@click.command()
@click.option("--from", "run_id", required=True, type=click.IntRange(1), help="The run to act on.")
@click.option("--mode", type=click.Choice(_MODES), help="By which mode. [default: the run's own, else disable]")
@click.option("--account", "accounts", multiple=True, type=click.IntRange(1), help="Only this account; repeatable.")
@click.option("--dry-run", is_flag=True, help="Only show what each mode, or the one named, would do.")
@click.option("--release", is_flag=True, help="Do what the brake held in that run.")
@click.option("--undo", is_flag=True, help="Take back what was done about that run; deletions cannot be.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
@connection_options
def act(
    *,
    run_id: int,
    mode: str | None,
    accounts: tuple[int, ...],
    dry_run: bool,
    release: bool,
    undo: bool,
    as_json: bool,
    server: str | None,
    data_dir: Path | None,
    config: Path,
    key_file: Path | None,
) -> None:
    """Act on what a run found, in one batch.

    What the brake holds is left, unless --release asks for it. An account that changed since is a conflict.

    Exit status: 0 all done (or only shown), 1 something could not be done, 2 the service could not be asked.
    """
    if sum((dry_run, release, undo)) > 1:
        raise click.UsageError("Choose one of --dry-run, --release and --undo.")
    found = connect(server, data_dir, config, key_file)
    try:
        if dry_run:
            _show_plans(found, run_id, mode, as_json=as_json)
            return
        made = _made(found, run_id, mode, accounts, command="release" if release else "undo" if undo else "apply")
    except (RequestRefused, Unreachable) as error:
        raise explained(error) from None
    _show_actions(made, as_json=as_json)
    sys.exit(ALL_WELL if all(action["outcome"] in _DONE for action in made) else FINDINGS)


def _made(
    found: ServiceLocation, run_id: int, mode: str | None, accounts: tuple[int, ...], *, command: str
) -> list[dict[str, Any]]:
    body: dict[str, Any] | None = None if command == "undo" else {"accounts": accounts or None}
    if body is not None and command == "apply":
        body["mode"] = mode or _own_mode(found, run_id)
    path = found.paths.part(f"inspections/{command}")
    actions: list[dict[str, Any]] = found.client.post(path, {"run": run_id}, body)["actions"]
    return actions


def _own_mode(found: ServiceLocation, run_id: int) -> str:
    own = str(read_run(found, run_id)["settings"].get("autoActionMode", "none"))
    return own if own in _MODES else _MODES[0]


def _show_plans(found: ServiceLocation, run_id: int, mode: str | None, *, as_json: bool) -> None:
    answer = found.client.get(found.paths.part("inspections/plan"), {"run": run_id})
    known = [plan["mode"] for plan in answer["plans"] if plan["mode"] != "none"]
    if mode is not None and mode not in known:
        raise CommandError(f"Run {run_id} does not know the mode {mode}. Choose {' or '.join(known)}.")
    plans = [plan for plan in answer["plans"] if plan["mode"] in ({mode} if mode else known)]
    if as_json:
        click.echo(json.dumps({**answer, "plans": plans}, indent=2))
        return
    for plan in plans:
        click.echo(f"{plan['mode']}: {counted(len(plan['applied']), 'change')}, {len(plan['held'])} held.")
        for change in plan["applied"]:
            click.echo(f"  {change['action']} {named(change)}: {plain(change['reason'])}")
        for change in plan["held"]:
            click.echo(f"  held: {change['action']} {named(change)}: {plain(change['held'])}")


def _show_actions(made: list[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"actions": made}, indent=2))
        return
    for action in made:
        text = plain(action["text"])
        click.echo(f"{action['action']} {named(action)}: {action['outcome']}. {text}")
    click.echo(f"{counted(len(made), 'action')}." if made else "There is nothing to do.")
