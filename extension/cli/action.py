"""Actions and their batches on the command line."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.followers import ACTIVE
from extension.cli.language.reasons import joined, reasons_text
from extension.cli.language.texts import text, token_text
from extension.cli.output.account_name import named
from extension.cli.output.actions import action_text, batch_state, outcome, outcome_name, rest_of
from extension.cli.output.columns import Row, columns, print_columns
from extension.cli.output.progress import perform
from extension.cli.output.text import action_name, actor, ago, listed, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import accept_loss_option, accepted, json_option, option
from extension.cli.parsing.value_types import NumberType, SuggestingChoice, distinct, number_argument

action = CommandGroup("action", help="List and revert actions.")


_MOST_ACTIONS = 2000
_RESULTS: Mapping[str, tuple[str, ...]] = {
    "done": ("applied",),
    "unchanged": ("unchanged",),
    "skipped": ("conflict",),
    "uncertain": ("uncertain",),
    "refused": ("refused", "missing"),
    "failed": ("failed",),
}
_CAUSES: Mapping[str, str] = {
    "manual": "request",
    "automatic": "run",
    "plan": "apply",
    "release": "release",
    "undo": "undo",
}
_MOST_BATCHES = 200


@action.command("list")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, _MOST_ACTIONS), help="Number of actions.")
@option("--before", type=NumberType("action"), help="Only actions with a smaller number: the next page.")
@option("--batch", "batch_id", type=NumberType("batch"), help="Only actions of this batch.")
@option("--run", "run_id", type=NumberType("run"), help="Only actions on results of this run.")
@option("--account", "account_id", type=NumberType("account"), help="Only actions on this account.")
@option("--actor", default="", help="Only actions of this actor; a part of the name.")
@option("--cause", type=SuggestingChoice(tuple(_CAUSES)), help="Only actions with this cause.")
@option("--result", type=SuggestingChoice(tuple(_RESULTS)), help="Only actions with this result.")
@json_option
@connection_options
def list_actions(*, connection: ServiceConnection, limit: int, as_json: bool, **conditions: Any) -> None:
    """List actions, newest first."""
    names = {"batch_id": "batch", "run_id": "run", "account_id": "account", "before": "before"}
    query = {names[name]: conditions[name] for name in names if conditions[name] is not None}
    if conditions["actor"]:
        query["actor"] = conditions["actor"]
    if conditions["result"]:
        query["result"] = ",".join(_RESULTS[conditions["result"]])
    if conditions["cause"]:
        query["cause"] = _CAUSES[conditions["cause"]]
    with connection.open() as service:
        answer = service.client.get(service.paths.part("pool/actions"), {**query, "limit": limit})
    actions = answer["actions"]
    if as_json:
        print_json(answer)
    elif actions:
        heads = columns("action", "change", "account", "when", optional=["by", "run", "batch"])
        print_columns(heads, [_row(action) for action in actions], text("table_head.outcome"))
        if len(actions) == limit and answer["total"] > limit:
            click.echo(text("terminal.more_actions", n=answer["total"], before=str(actions[-1]["id"])))
    else:
        click.echo(text("terminal.no_action_found") if query else text("terminal.no_action"))


def _by(action: Mapping[str, Any]) -> str:
    """Name who acted: a person, or a run on behalf of the one who started it."""
    name = actor(action["actor"])
    return text("terminal.automatically", actor=name) if action["actorKind"] == "automation" else name


def _row(action: Mapping[str, Any]) -> Row:
    run = "" if action["run"] is None else str(action["run"])
    result = outcome(action)
    note = text("terminal.sentence", text=result.capitalize(), more=action_text(action)).strip()
    return Row(
        (
            str(action["id"]),
            action_name(action),
            named(action),
            ago(action["at"]),
            _by(action),
            run,
            str(action["batch"] or ""),
        ),
        note,
    )


@action.command("batches")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, _MOST_BATCHES), help="Number of batches.")
@json_option
@connection_options
def batches(*, connection: ServiceConnection, limit: int, as_json: bool) -> None:
    """List batches of actions, newest first.

    A batch is all actions of one command, or of the automation of one run.
    """
    with connection.open() as service:
        answer = service.client.get(service.paths.part("pool/batches"), {"limit": limit})
    if as_json:
        print_json(answer)
    elif answer["batches"]:
        heads = columns("batch", "cause", "state", "done", "when", optional=["by", "run"])
        print_columns(heads, [_batch_row(batch) for batch in answer["batches"]], text("table_head.outcome"))
    else:
        click.echo(text("terminal.no_batch"))


def _batch_row(batch: Mapping[str, Any]) -> Row:
    counts = [
        text("terminal.count_of", n=number, name=outcome_name(name)) for name, number in batch["outcomes"].items()
    ]
    on_hold = batch["planned"]["onHold"]
    counts += [text("terminal.left_on_hold", n=on_hold)] if on_hold else []
    cells = (
        str(batch["id"]),
        token_text("cause", str(batch["cause"]), plain(batch["cause"])),
        batch_state(batch),
        f"{batch['done']:,}/{batch['total']:,}",
        ago(batch["at"]),
        actor(batch["actor"]),
        "" if batch["run"] is None else str(batch["run"]),
    )
    outcomes = listed(counts) or text("terminal.no_action_in_batch")
    reason = plain(reasons_text(batch.get("reasons", ()), batch["reason"]))
    more = joined([reason, rest_of(batch)])
    return Row(cells, text("terminal.sentence", text=outcomes, more=more).strip())


@action.command("undo")
@click.argument("action_ids", metavar="[ACTION...]", nargs=-1, type=NumberType("action"))
@option("--batch", "batch_id", type=NumberType("batch"), help="Revert all actions of this batch.")
@accept_loss_option
@json_option
@connection_options
def undo(
    *,
    connection: ServiceConnection,
    action_ids: tuple[int, ...],
    batch_id: int | None,
    accept_loss: bool,
    as_json: bool,
) -> None:
    """Revert actions, or a batch; for a deleted file see account restore.

    If one of the numbers cannot be reverted, none is. Of a batch, every action that can be reverted is. An undo
    restores the enabled state alone: later edits of the account stay. Exit status: 0 all done, 1 some changes failed, 2
    nothing was done.
    """
    if bool(action_ids) is (batch_id is not None):
        raise click.UsageError("Name actions by number, or a batch with --batch.")
    body = {**({"actions": distinct(action_ids)} if action_ids else {"batch": batch_id}), **accepted(accept_loss)}
    with connection.open() as service:
        status = perform(service, service.paths.part("pool/undo"), body=body, as_json=as_json)
    sys.exit(status)


@action.command("cancel")
@number_argument("batch")
@json_option
@connection_options
def cancel(*, connection: ServiceConnection, batch_id: int, as_json: bool) -> None:
    """Cancel a batch in progress.

    The current write is finished, and no further one starts. Finished changes stay, until
    `poolkeeper action undo --batch` reverts them.
    """
    with connection.open() as service:
        batch = service.client.post(service.paths.part("pool/batches/cancel"), {"batch": batch_id})
    if as_json:
        print_json(batch)
    elif batch["state"] in ACTIVE:
        click.echo(text("terminal.batch_stops", batch=str(batch_id)))
    else:
        click.echo(text("terminal.batch_has_ended", batch=str(batch_id), state=batch_state(batch)))
