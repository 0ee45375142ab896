"""Runs on the command line: start, follow, show and control."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from extension.cli.client.client import RequestRefused
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.followers import ENDED, automatic_batches, chosen_run, file_types, read_results
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.exit_status import ALL_WELL, COULD_NOT_CHECK, FINDINGS, INTERRUPTED
from extension.cli.language.reasons import reasons_text
from extension.cli.language.texts import text
from extension.cli.output.account_name import named
from extension.cli.output.actions import automatic_lines
from extension.cli.output.columns import Row, columns, print_columns, print_lines
from extension.cli.output.progress import naming_run_that_is_not_read, outcome_of, print_outcome, report, watch_run
from extension.cli.output.results import left_out, on_hold, print_results, recommended, run_state, status_label, summary
from extension.cli.output.text import listed, plain, print_export, print_json, scope, source_name, trigger
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import all_option, json_option, option
from extension.cli.parsing.scopes import require_known_type, scopes
from extension.cli.parsing.settings_options import setting_options_of_both_sources
from extension.cli.parsing.value_types import NumberType, SuggestingChoice, number_argument
from extension.cli.run_changes import apply, release, undo

run = CommandGroup("run", help="Start, list, show and control runs.")


_NOTHING = "nothing_to_inspect"


@run.command("start")
@all_option
@json_option
@option("--only", type=SuggestingChoice(["failing"]), help="Only accounts that failed when they were checked last.")
@setting_options_of_both_sources
@connection_options
def start(*, connection: ServiceConnection, as_json: bool, all_rows: bool, only: str | None, **options: Any) -> None:
    """Inspect the pool and report findings.

    The running service does the work, and Ctrl-C leaves its run going: `poolkeeper run stop` ends it. With --gateway
    the command does the work itself. The management key comes from POOLKEEPER_MANAGEMENT_KEY, --key-file or a prompt.

    Without --account-source and --family both API keys and OAuth files are inspected, one after the other.

    Exit status: 0 all well, 1 findings (any account that is not healthy and not disabled), 2 nothing could be
    checked, no account in scope or the run did not finish, 130 Ctrl-C.
    """
    chosen = scopes(options)
    with connection.open() as service:
        status = _inspect_all(service, chosen, only, as_json=as_json, all_rows=all_rows)
    sys.exit(status)


def _inspect_all(
    service: ServiceLocation, chosen: Sequence[Mapping[str, Any]], only: str | None, *, as_json: bool, all_rows: bool
) -> int:
    """Inspect each scope, and return the exit status of all; an empty scope counts when all are empty."""
    outcomes: list[Mapping[str, Any]] = []
    empty: list[RequestRefused] = []
    for settings in chosen:
        try:
            outcomes.append(_inspect(service, settings, only, as_json=as_json, all_rows=all_rows))
        except RequestRefused as error:
            if error.code != _NOTHING:
                raise
            empty.append(error)
            if len(chosen) > 1:
                click.echo(text("terminal.empty_scope", source=source_name(settings["accountSource"])), err=True)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
    if not outcomes:
        for settings in chosen:
            require_known_type(settings, lambda: file_types(service))
        click.echo(text("terminal.nothing_in_scope", problem=empty[0].phrased), err=True)
        outcomes = [{"run": None, "results": [], "exitStatus": COULD_NOT_CHECK}]
    statuses = {int(outcome["exitStatus"]) for outcome in outcomes}
    # One source that could not be checked beside one that could is a finding.
    status = statuses.pop() if len(statuses) == 1 else FINDINGS
    if as_json:
        print_json(outcomes[0] if len(chosen) == 1 else {"inspections": outcomes, "exitStatus": status})
    return status


def _inspect(
    service: ServiceLocation, settings: Mapping[str, Any], only: str | None, *, as_json: bool, all_rows: bool
) -> Mapping[str, Any]:
    query = {"only": only} if only else None
    cost = service.client.post(service.paths.part("inspections/cost"), query, body=settings)
    _print_cost(cost, source_name(settings["accountSource"]))
    started = service.client.post(service.paths.part("inspections"), query, body=settings)["run"]
    with naming_run_that_is_not_read(started):
        run = watch_run(service, started)
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


@run.command("list")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, 200), help="Number of runs.")
@json_option
@connection_options
def list_runs(*, connection: ServiceConnection, limit: int, as_json: bool) -> None:
    """List runs, newest first.

    Exit status: 0, or 2 when the service cannot be reached.
    """
    with connection.open() as service:
        answer = service.client.get(service.paths.part("inspections"), {"limit": limit})
    if as_json:
        print_json(answer)
    elif answer["runs"]:
        heads = columns("run", "state", "accounts", "findings", "started", optional=["scope"])
        print_columns(heads, [_row(run) for run in answer["runs"]])
        if hold_line := on_hold(answer["runs"][0]):
            print_lines(hold_line)
    else:
        click.echo(text("terminal.no_run"))


def _row(run: Mapping[str, Any]) -> Row:
    findings = recommended(run, *(action for action in run["recommendations"] if action != "keep"))
    return Row(
        (
            str(run["id"]),
            run_state(run),
            text("terminal.done_of", done=run["done"], n=run["total"]),
            findings or text("terminal.no_findings"),
            text("run.started", origin=trigger(run)),
            scope(run),
        ),
        plain(reasons_text(run.get("reasons", ()), run["reason"])),
    )


@run.command("show")
@number_argument("run", required=False)
@all_option
@json_option
@connection_options
def show(*, connection: ServiceConnection, run_id: int | None, as_json: bool, all_rows: bool) -> None:
    """Show a run and its findings.

    Without RUN it shows the newest run. `poolkeeper run export` writes all results to a file. Exit status: 0, or 2
    when the service cannot be reached.
    """
    with connection.open() as service:
        run = chosen_run(service, run_id)
        if as_json:
            print_json({"runs": [run] if run else []})
            return
        if run is None:
            click.echo(text("terminal.no_run"))
            return
        results = read_results(service, run["id"])
        automatic = automatic_batches(service, run)
    print_results(results, all_rows=all_rows)
    for line in (
        left_out(results, all_rows=all_rows),
        summary(run),
        text("terminal.started", origin=trigger(run), scope=scope(run)),
        on_hold(run),
    ):
        if line:
            print_lines(line)
    for line in [line for batch in automatic for line in automatic_lines(batch)]:
        print_lines(line)


@run.command("watch")
@number_argument("run", required=False)
@all_option
@json_option
@connection_options
def watch(*, connection: ServiceConnection, run_id: int | None, as_json: bool, all_rows: bool) -> None:
    """Follow a run to its end and report its findings.

    Without RUN it follows the newest run. Ctrl-C leaves the run going. Exit status: 0 all well, 1 findings, 2 could
    not check, 130 Ctrl-C.
    """
    status = ALL_WELL
    with connection.open() as service:
        run = chosen_run(service, run_id)
        if run is None and as_json:
            print_json({"run": None, "results": [], "exitStatus": ALL_WELL})
        elif run is None:
            click.echo(text("terminal.no_run"))
        else:
            if run["state"] not in ENDED:
                run = watch_run(service, run)
            status = report(service, run, as_json=as_json, all_rows=all_rows)
    sys.exit(status)


def steering_command(name: str, help_text: str) -> click.Command:
    """Return the command that sends a command of that name for a run."""

    @number_argument("run", required=False)
    @connection_options
    def steer(*, connection: ServiceConnection, run_id: int | None) -> None:
        with connection.open() as service:
            run = chosen_run(service, run_id)
            if run is None:
                click.echo(text("terminal.no_run"))
                return
            status = _send(service, name, int(run["id"]))
        sys.exit(status)

    steer.__doc__ = help_text
    return run.command(name)(steer)


def _send(service: ServiceLocation, name: str, run_id: int) -> int:
    """Send the command; a temporary service has to stay until the run has ended."""
    run = service.client.post(service.paths.part(f"inspections/{name}"), {"run": run_id})["run"]
    if service.lasting or run["state"] in ENDED:
        print_lines(summary(run))
        return ALL_WELL
    return report(service, watch_run(service, run), as_json=False, all_rows=False)


pause = steering_command(
    "pause",
    """Pause a run.

    Without RUN it pauses the newest run. No further checks and actions start until `poolkeeper run resume`.
    """,
)


resume = steering_command(
    "resume",
    """Resume a paused, interrupted or failed run.

    Without RUN it resumes the newest run. Accounts with a result are not checked again. With --gateway the command
    follows the run to its end, with the exit status of `poolkeeper inspect`.
    """,
)


finish = steering_command(
    "finish",
    """Finish a run early.

    Without RUN it finishes the newest run. No further checks start. The automatic actions of the run are applied to
    the results so far.
    """,
)


@run.command("stop")
@number_argument("run", required=False)
@connection_options
def stop(*, connection: ServiceConnection, run_id: int | None) -> None:
    """Stop a run and keep its results.

    Without RUN it stops the newest run.
    """
    with connection.open() as service:
        run = chosen_run(service, run_id)
        if run is None or run["state"] in ENDED:
            click.echo("No run is going on.")
            return
        print_lines(summary(service.client.post(service.paths.part("inspections/stop"), {"run": run["id"]})["run"]))


for change in (apply, release, undo):
    run.add_command(change)


@run.command("export")
@number_argument("run")
@option(
    "--format",
    "file_format",
    default="csv",
    show_default=True,
    type=SuggestingChoice(["csv", "jsonl"]),
    help="Format of the file.",
)
@connection_options
def export(*, connection: ServiceConnection, run_id: int, file_format: str) -> None:
    """Print all results of a run as CSV or JSON lines.

    Example: poolkeeper run export 7 > run-7.csv
    """
    with connection.open() as service:
        path = service.paths.part("inspections/export")
        print_export(service.client.text(path, {"run": run_id, "format": file_format}))


@run.command("diff")
@number_argument("run")
@option("--against", type=NumberType("run"), help="Earlier run. [default: the previous run of the same scope]")
@json_option
@connection_options
def diff(*, connection: ServiceConnection, run_id: int, against: int | None, as_json: bool) -> None:
    """Show the changes of a run against an earlier one."""
    query = {"run": run_id} if against is None else {"run": run_id, "against": against}
    with connection.open() as service:
        answer = service.client.get(service.paths.part("inspections/difference"), query)
    if as_json:
        print_json(answer)
        return
    if answer["against"] is None:
        click.echo(text("terminal.no_earlier_run"))
        return
    runs = {name: str(answer[name]) for name in ("run", "against")}
    covered = text("count.accounts", n=answer["covered"])
    click.echo(text("terminal.difference", n=len(answer["changes"]), covered=covered, **runs))
    for change in answer["changes"]:
        before, after = (_short(change[side]) for side in ("before", "after"))
        print_lines(text("terminal.changed_to", account=named(change), before=before, after=after))


def _short(result: Mapping[str, Any] | None) -> str:
    if result is None:
        return text("terminal.not_in_run")
    keys = {True: "state.enabled", False: "state.disabled", None: "terminal.state_unknown"}
    return listed([status_label(result["verdict"]).lower(), text(keys[result["enabled"]])])
