"""A fleet on the command line: figures of all gateways, duplicates, workers, and work on many gateways."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from adapter.clock import SystemClock
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import ALL_WELL, COULD_NOT_CHECK, FINDINGS, INTERRUPTED
from extension.cli.language.texts import text
from extension.cli.output.columns import Column, Row, print_columns, print_lines
from extension.cli.output.results import status_label
from extension.cli.output.text import ago, counted, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.labels import label_option
from extension.cli.parsing.scopes import scopes
from extension.cli.parsing.settings_options import setting_options_of_both_sources
from extension.cli.parsing.value_types import number_argument
from extension.inspection.settings import AutoActionMode

_LOOK_SECONDS: Final = 1.0
_LABELS: Final = "Only gateways with this label; repeatable."

fleet = CommandGroup(
    "fleet",
    help="""Show a fleet, and work on many of its gateways.

    Each gateway is worked on by its own worker. Exit status: 0 all well, 1 findings, 2 the service could not do it.
    """,
)


@fleet.command("status")
@json_option
@connection_options
def status(*, connection: ServiceConnection, as_json: bool) -> None:
    """Show every gateway with its figures, newest run and worker."""
    answer = _read(connection, "overview")
    rows = answer["gateways"]
    if as_json:
        print_json(answer)
    else:
        print_columns(
            tuple(map(Column, ("Gateway", "Accounts", "Enabled", "On hold", "Last checks", "Newest run", "Worker"))),
            [_overview_row(row) for row in rows],
        )
        counts = f"{counted(len(rows), 'gateway')}, {counted(answer['accounts'], 'account')}"
        states = f"{answer['enabled']:,} enabled, {answer['onHold']:,} on hold"
        print_lines(f"{counts}, {states}. {_verdicts(answer['verdicts'])}".strip())
    sys.exit(FINDINGS if any(row["keyRefused"] or row["problem"] for row in rows) else ALL_WELL)


@fleet.command("duplicates")
@json_option
@connection_options
def duplicates(*, connection: ServiceConnection, as_json: bool) -> None:
    """Show accounts that several gateways share.

    The same OAuth account at two gateways is critical: each refreshes the session, which ends that of the other. Exit
    status: 0 none is critical, 1 one is.
    """
    answer = _read(connection, "duplicates")
    groups = answer["duplicates"]
    if as_json:
        print_json(answer)
    elif not groups:
        click.echo("No account is at two gateways.")
    else:
        for group in groups:
            places = [f"{place['gateway']} #{place['accountId']} {place['displayName']}" for place in group["places"]]
            places += [counted(group["elsewhere"], "other place")] if group["elsewhere"] else []
            kind = "Critical, the same OAuth account" if group["critical"] else "The same key"
            print_lines(f"{kind}: {plain(', '.join(places))}")
    sys.exit(FINDINGS if any(group["critical"] for group in groups) else ALL_WELL)


@fleet.command("workers")
@json_option
@connection_options
def workers(*, connection: ServiceConnection, as_json: bool) -> None:
    """Show the workers that live, the oldest first."""
    answer = _read(connection, "workers")
    if as_json:
        print_json(answer)
        return
    print_columns(
        tuple(map(Column, ("Worker", "Version", "Gateways", "Slots", "Started"))),
        [
            Row((plain(row["name"]), plain(row["version"]), f"{len(row['visits'])}", f"{row['slots']}",
                 ago(row["startedAt"])), "full" if row["isFull"] else "")
            for row in answer["workers"]
        ],
    )  # fmt: skip


@fleet.command("inspect")
@label_option(_LABELS)
@json_option
@setting_options_of_both_sources
@connection_options
def inspect(*, connection: ServiceConnection, labels: Mapping[str, str], as_json: bool, **options: Any) -> None:
    """Inspect all gateways with some labels, each by its own worker.

    Ctrl-C leaves it going: `poolkeeper fleet stop` ends it. Exit status: 0 all well, 1 findings, 2 a gateway could not
    be inspected, 130 Ctrl-C.
    """
    finished = []
    with connection.open() as service:
        for settings in scopes(options):
            body = {"labels": dict(labels), "settings": settings}
            run = service.client.post(service.paths.part("fleet/runs"), body=body)["run"]
            finished.append(_followed(service, run))
            if not as_json:
                _print_fleet_run(finished[-1])
    if as_json:
        print_json({"runs": finished})
    sys.exit(max(map(_status, finished)))


@fleet.command("runs")
@number_argument("run", required=False)
@json_option
@connection_options
def runs(*, connection: ServiceConnection, run_id: int | None, as_json: bool) -> None:
    """List fleet runs, newest first, or show the parts of one."""
    answer = _read(connection, "runs", {"run": run_id} if run_id else None)
    if as_json:
        print_json(answer)
    elif run_id:
        _print_fleet_run(answer["runs"][0])
    else:
        for run in answer["runs"]:
            print_lines(_summary(run))


def _steering(name: str, help_text: str) -> None:
    @number_argument("run")
    @connection_options
    def steer(*, connection: ServiceConnection, run_id: int) -> None:
        with connection.open() as service:
            path = service.paths.part(f"fleet/runs/{name}")
            print_lines(_summary(service.client.post(path, {"run": run_id})["run"]))

    steer.__doc__ = help_text
    fleet.command(name)(steer)


_steering("pause", "Pause the runs of a fleet run.")
_steering("resume", "Go on with the paused runs of a fleet run.")
_steering("stop", "Stop the runs of a fleet run, and withdraw what has not begun.")


@fleet.command("apply")
@label_option(_LABELS)
@option("--mode", type=click.Choice([mode.value for mode in AutoActionMode if mode is not AutoActionMode.NONE]),
        default=AutoActionMode.DISABLE.value, help="Recommendations to carry out.")  # fmt: skip
@option("--dry-run", is_flag=True, help="Show the recommendations, and change nothing.")
@json_option
@connection_options
def apply(*, connection: ServiceConnection, labels: Mapping[str, str], mode: str, dry_run: bool, as_json: bool) -> None:
    """Carry out the recommendations of each gateway.

    These are of its newest run. The worker of each gateway plans anew, and what is on hold stays so.
    """
    with connection.open() as service:
        body: dict[str, Any] = {"labels": dict(labels)} | ({} if dry_run else {"mode": mode})
        answer = service.client.post(service.paths.part("fleet/plan" if dry_run else "fleet/apply"), body=body)
    rows = answer["gateways"]
    if as_json:
        print_json(answer)
    elif not rows:
        click.echo("Nothing to apply.")
    else:
        for row in rows:
            print_lines(_planned(row) if dry_run else _applied(row))
    sys.exit(FINDINGS if any(row.get("state") == "refused" for row in rows) else ALL_WELL)


def _read(connection: ServiceConnection, path: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
    with connection.open() as service:
        return dict(service.client.get(service.paths.part(f"fleet/{path}"), query))


def _overview_row(row: Mapping[str, Any]) -> Row:
    figures, run = row["figures"], row["run"]
    counts = [f"{figures[name]:,}" for name in ("accounts", "enabled", "onHold")] if figures else ["-"] * 3
    newest = f"{run['id']} {run['state']} {run['done']:,}/{run['total']:,}, {ago(run['at'])}" if run else "-"
    verdicts = _verdicts(figures["verdicts"]) if figures else "-"
    note = "key refused" if row["keyRefused"] else plain(row["problem"]) or ("" if row["enabled"] else "disabled")
    return Row((plain(row["gateway"]), *counts, verdicts or "-", newest, plain(row["worker"]) or "-"), note)


def _verdicts(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count:,} {status_label(verdict)}" for verdict, count in ordered)


def _followed(service: ServiceLocation, run: dict[str, Any]) -> dict[str, Any]:
    try:
        while run["state"] != "ended":
            click.echo(_summary(run), err=True)
            asyncio.run(SystemClock().sleep(_LOOK_SECONDS))
            run = service.client.get(service.paths.part("fleet/runs"), {"run": run["id"]})["runs"][0]
    except KeyboardInterrupt:
        click.echo(f"Fleet run {run['id']} goes on. Stop it with: poolkeeper fleet stop {run['id']}", err=True)
        sys.exit(INTERRUPTED)
    return run


def _status(run: Mapping[str, Any]) -> int:
    unsound = sum(count for verdict, count in run["verdicts"].items() if verdict not in {"healthy", "skipped"})
    nothing = [part for part in run["parts"] if part["state"] != "finished" and part["code"] != "nothing_to_inspect"]
    return COULD_NOT_CHECK if nothing else FINDINGS if unsound else ALL_WELL


def _print_fleet_run(run: Mapping[str, Any]) -> None:
    print_columns(
        tuple(map(Column, ("Gateway", "Run", "State", "Accounts"))),
        [
            Row((plain(part["gateway"]), str(part["run"] or "-"), plain(part["state"]),
                 f"{part['done']:,}/{part['total']:,}"), plain(part["problem"]))
            for part in run["parts"]
        ],
    )  # fmt: skip
    print_lines(f"{_summary(run)} {_verdicts(run['verdicts'])}".strip())


def _summary(run: Mapping[str, Any]) -> str:
    parts = counted(len(run["parts"]), "gateway")
    done = text("terminal.done_of", done=run["done"], n=run["total"])
    return f"Fleet run {run['id']}: {plain(run['state'])}, {parts}, {done}, {ago(run['startedAt'])}."


def _planned(row: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{count} {action}" for action, count in row["recommendations"].items() if action != "keep")
    on_hold = f" ({row['onHold']} on hold at this gateway)" if row["onHold"] else ""
    return f"{plain(row['gateway'])}: run {row['run']}, {plain(counts)}{on_hold}."


def _applied(row: Mapping[str, Any]) -> str:
    name = plain(row["gateway"])
    match row["state"]:
        case "done":
            return f"{name}: " + (f"batch {row['batch']}." if row["batch"] else "nothing to change.")
        case "pending":
            return f"{name}: not answered yet, command {row['command']}."
    return f"{name}: refused. {plain(row['problem'])}"
