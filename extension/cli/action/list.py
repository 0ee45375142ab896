"""`poolkeeper action list`: the action history."""

from collections.abc import Mapping
from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.language.texts import text
from extension.cli.output.account_name import fitted, named
from extension.cli.output.actions import action_text, outcome
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import action_name, actor, ago, print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import NumberType, SuggestingChoice

_MOST = 2000
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


@command("list")
@option("--limit", default=20, show_default=True, type=click.IntRange(1, _MOST), help="Number of actions.")
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
        print_columns(_columns(), [_row(action) for action in actions], text("table_head.outcome"))
        if len(actions) == limit and answer["total"] > limit:
            click.echo(text("terminal.more_actions", n=answer["total"], before=str(actions[-1]["id"])))
    else:
        click.echo(text("terminal.no_action_found") if query else text("terminal.no_action"))


def _columns() -> tuple[Column, ...]:
    return (
        Column(text("table_head.action")),
        Column(text("table_head.change")),
        Column(text("table_head.account"), fit=fitted),
        Column(text("table_head.when")),
        Column(text("table_head.by"), optional=True),
        Column(text("table_head.run"), optional=True),
        Column(text("table_head.batch"), optional=True),
    )


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
