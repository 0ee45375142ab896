"""Changes of a run on the command line: apply, release, undo."""

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.followers import read_run
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.exit_status import ALL_WELL
from extension.cli.language.texts import text
from extension.cli.output.actions import print_plan
from extension.cli.output.progress import perform
from extension.cli.output.text import print_json
from extension.cli.parsing.declarations import accept_loss_option, accepted, command, json_option, option
from extension.cli.parsing.value_types import NumberType, SuggestingChoice, number_argument
from extension.inspection.accounts.account import Source
from extension.inspection.settings import AUTO_ACTION_MODES

_MODES = ("disable", "delete", "strategy4", "strategy5", "strategy6")


@command("apply")
@number_argument("run")
@option(
    "--mode", type=SuggestingChoice(_MODES), help="Mode of the changes. [default: the mode of the run, or else disable]"
)
@option("--account", "accounts", multiple=True, type=NumberType("account"), help="Only this account; repeatable.")
@option("--dry-run", is_flag=True, help="Show the changes of each mode, or of --mode, and change nothing.")
@accept_loss_option
@json_option
@connection_options
def apply(
    *,
    connection: ServiceConnection,
    run_id: int,
    mode: str | None,
    accounts: tuple[int, ...],
    dry_run: bool,
    accept_loss: bool,
    as_json: bool,
) -> None:
    """Apply the recommendations of a run in one batch.

    Changes on hold are left out, except those of accounts named with --account: see `poolkeeper run release`. A change
    from outside since the check skips the account.

    Exit status: 0 all done (or --dry-run), 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        if dry_run:
            _show_plans(service, run_id, mode, accounts, as_json=as_json)
            sys.exit(ALL_WELL)
        if accounts:
            _read_plans(service, run_id, accounts)
        path = service.paths.part("inspections/apply")
        chosen = _chosen_mode(read_run(service, run_id), mode)
        body = {"accounts": accounts or None, "released": accounts, "mode": chosen, **accepted(accept_loss)}
        status = perform(service, path, query={"run": run_id}, body=body, as_json=as_json)
    sys.exit(status)


def _chosen_mode(run: Mapping[str, Any], mode: str | None) -> str:
    if mode is None:
        mode = str(run["settings"].get("autoActionMode", "none"))
        return mode if mode in _MODES else _MODES[0]
    _require_mode(run["id"], mode, [name for name in AUTO_ACTION_MODES[Source(run["accountSource"])] if name in _MODES])
    return mode


def _require_mode(run_id: int, mode: str, modes: Sequence[str]) -> None:
    if mode not in modes:
        raise CommandError(f"--mode: run {run_id} has no mode {mode}. Choose {' or '.join(modes)}.")


def _read_plans(service: ServiceLocation, run_id: int, accounts: tuple[int, ...]) -> dict[str, Any]:
    """Read the plans of a run, and refuse accounts that none of them names: nothing to do would read as all well."""
    answer: dict[str, Any] = service.client.get(service.paths.part("inspections/plan"), {"run": run_id})
    named = {row["account"] for plan in answer["plans"] for rows in _groups(plan).values() for row in rows}
    missing = [str(number) for number in accounts if number not in named]
    if missing:
        raise CommandError(f"--account: run {run_id} recommends no change of account {', '.join(missing)}.")
    return answer


def _show_plans(
    service: ServiceLocation, run_id: int, mode: str | None, accounts: tuple[int, ...], *, as_json: bool
) -> None:
    answer = _read_plans(service, run_id, accounts)
    modes = [plan["mode"] for plan in answer["plans"] if plan["mode"] != "none"]
    if mode is not None:
        _require_mode(run_id, mode, modes)
    plans = [plan_of(plan, accounts) for plan in answer["plans"] if plan["mode"] in ({mode} if mode else modes)]
    if as_json:
        print_json({**answer, "plans": plans})
        return
    for plan in plans:
        print_plan(plan)


def plan_of(plan: Mapping[str, Any], accounts: Collection[int]) -> dict[str, Any]:
    """Return a plan with the rows of these accounts alone, all of them without one; what is named does not wait."""
    if not accounts:
        return dict(plan)
    groups = {name: [row for row in rows if row["account"] in accounts] for name, rows in _groups(plan).items()}
    return {**plan, **groups, "applied": [*groups["applied"], *groups["held"]], "held": []}


def _groups(plan: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the rows of a plan by group."""
    return {name: rows for name, rows in plan.items() if isinstance(rows, list) and name != "losses"}


@command("release")
@number_argument("run")
@option("--account", "accounts", multiple=True, type=NumberType("account"), help="Only this account; repeatable.")
@option("--host", "hosts", multiple=True, help="Only accounts at this host, as --dry-run shows it; repeatable.")
@accept_loss_option
@json_option
@connection_options
def release(
    *,
    connection: ServiceConnection,
    run_id: int,
    accounts: tuple[int, ...],
    hosts: tuple[str, ...],
    accept_loss: bool,
    as_json: bool,
) -> None:
    """Apply the changes of a run that the circuit breaker put on hold.

    A run that changes nothing by itself has changes on hold, too. `poolkeeper run apply RUN --dry-run` lists them by
    host.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        _require_on_hold(service, run_id, hosts)
        path = service.paths.part("inspections/release")
        body = {"accounts": accounts or None, "hosts": hosts or None, **accepted(accept_loss)}
        nothing = text("terminal.nothing_on_hold")
        status = perform(service, path, query={"run": run_id}, body=body, as_json=as_json, nothing=nothing)
    sys.exit(status)


def _require_on_hold(service: ServiceLocation, run_id: int, hosts: tuple[str, ...]) -> None:
    """Refuse hosts at which nothing is on hold: a mistyped one would read as all clear."""
    if not hosts:
        return
    plans = service.client.get(service.paths.part("inspections/plan"), {"run": run_id})["plans"]
    hosts_on_hold = sorted({row["host"] for plan in plans for row in plan["held"]})
    missing = [host for host in hosts if host not in hosts_on_hold]
    if missing:
        others = (
            f"Hosts with changes on hold: {', '.join(hosts_on_hold)}."
            if hosts_on_hold
            else f"Nothing of run {run_id} is on hold."
        )
        raise CommandError(f"--host: nothing of run {run_id} is on hold at {', '.join(missing)}. {others}")


@command("undo")
@number_argument("run")
@accept_loss_option
@json_option
@connection_options
def undo(*, connection: ServiceConnection, run_id: int, accept_loss: bool, as_json: bool) -> None:
    """Revert the changes made for a run.

    These are its automatic changes and all changes that a person made on its results. A deleted file is put back with
    poolkeeper account restore.

    Exit status: 0 all done, 1 some changes failed, 2 the service could not do it.
    """
    with connection.open() as service:
        path = service.paths.part("inspections/undo")
        status = perform(service, path, query={"run": run_id}, body=accepted(accept_loss), as_json=as_json)
    sys.exit(status)
