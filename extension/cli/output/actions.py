"""Actions, batches and planned changes for people, and the exit status of a command that acts."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.language.reasons import hold_text, joined, reasons_text
from extension.cli.language.texts import text, token_text
from extension.cli.output.account_name import named
from extension.cli.output.columns import print_lines
from extension.cli.output.text import action_name, host_name, listed, plain, print_json

_DONE: Final = frozenset({"applied", "unchanged"})
_CUT_OFF: Final = frozenset({"failed", "interrupted"})
_PENDING: Final = "pending"
_SWITCHES: Final = frozenset({"disable", "enable"})
_EARLY: Final = frozenset({"canceled", "failed", "interrupted"})
_LEFT: Final = ("held", "refused", "already", "notEnabled")
_DETAIL: Final = re.compile("[:\uff1a]")
_UNRECORDED: Final = {"already": "terminal.already_so", "refused": "terminal.left_to_person"}
"""Groups of a plan that may leave no record, because something was done about the finding since."""
_OUTCOMES: Final = {"already": ("unchanged",), "refused": ("refused", "conflict", "missing")}


def report_command(command: Mapping[str, Any], *, as_json: bool, nothing: str) -> int:
    """Print the batch of a command with its actions; return its exit status: 0 all done, 1 something was not."""
    batch, actions = command["batch"], command["actions"]
    if as_json:
        print_json(command)
    elif batch is None:
        click.echo(nothing)
    else:
        for action in sorted(actions, key=lambda action: action["outcome"] in _DONE):
            past = text("terminal.past", action=action_name(action), account=named(action), outcome=outcome(action))
            print_lines(joined([past, action_text(action)]))
        pending = sum(action["outcome"] == _PENDING for action in actions)
        for line in batch_lines(batch, pending, undoable=any(map(_is_undoable, actions))):
            print_lines(line)
    complete = batch is None or batch["state"] == "done"
    return ALL_WELL if complete and all(action["outcome"] in _DONE for action in actions) else FINDINGS


def _is_undoable(action: Mapping[str, Any]) -> bool:
    """Return whether an undo has an effect; a deletion and its restoration are each reverted by another command."""
    return action["outcome"] == "applied" and action["action"] in _SWITCHES


def batch_lines(batch: Mapping[str, Any], pending: int = 0, *, undoable: bool = True) -> list[str]:
    """Return a batch in a few lines: totals, changes left out, an early end, and how to undo it if that has an effect.

    Its `pending` actions may have been carried out, so that they do not count as not done.
    """
    number, planned = str(batch["id"]), batch["planned"]
    lines = []
    if batch["done"]:
        lines.append(text("terminal.batch_total", n=batch["done"], counts=_totals(batch["outcomes"])))
    if planned["onHold"]:
        lines.append(text("terminal.on_hold", n=planned["onHold"], run=str(batch["run"] or "RUN")))
    if planned["notEnabled"] and not batch["outcomes"].get("refused"):
        lines.append(text("terminal.not_enabled", n=planned["notEnabled"]))
    for group, key in _UNRECORDED.items():
        recorded = sum(batch["outcomes"].get(name, 0) for name in _OUTCOMES[group])
        if planned[group] > recorded and batch["state"] not in _EARLY:
            lines.append(text(key, n=planned[group] - recorded))
    if batch["state"] in _EARLY:
        state, undone = batch_state(batch), batch["total"] - batch["done"] - pending
        ended = text("terminal.batch_ended", batch=number, state=state, left=undone, n=batch["total"])
        reason = plain(reasons_text(batch.get("reasons", ()), batch["reason"]))
        lines.append(ended + (text("terminal.colon") + reason if reason else text("terminal.full_stop")))
    if pending:
        lines.append(text("terminal.batch_pending", n=pending, batch=number))
    lines += filter(None, [rest_of(batch)])
    if undoable and batch["outcomes"].get("applied"):
        lines.append(text("terminal.undo_with", batch=number))
    return lines or [text("terminal.nothing_changed")]


def rest_of(batch: Mapping[str, Any]) -> str:
    """Return how to go on with the rest of a batch that was cut off; empty for any other."""
    if batch["state"] not in _CUT_OFF or batch["done"] >= batch["total"]:
        return ""
    return text("batch_rest.of_run" if batch["cause"] == "run" else "batch_rest.of_command")


def automatic_lines(batch: Mapping[str, Any]) -> list[str]:
    """Return what a run changed by itself, and how to undo it; no line for a run that changed nothing."""
    if not batch["done"]:
        return []
    lines = [text("terminal.automatic_total", n=batch["done"], counts=_totals(batch["outcomes"]))]
    if batch["outcomes"].get("applied"):
        lines.append(text("terminal.undo_with", batch=str(batch["id"])))
    return lines


def print_plan(plan: Mapping[str, Any]) -> None:
    """Print the plan of one mode: the changes, then those that are not made, with the reason."""
    counts = [
        text("terminal.count_of", n=len(plan[group]), name=_label(group))
        for group in _LEFT
        if plan[group] or group == "held"
    ]
    print_lines(text("terminal.plan", mode=plan["mode"], n=len(plan["applied"]), left=listed(counts)))
    if losses := plan.get("losses"):
        print_lines(text("terminal.plan_losses", parts=plain(listed(losses))))
    for change in plan["applied"]:
        reason = plain(reasons_text(change.get("reasons", ()), change["reason"]))
        print_lines(text("terminal.planned", action=action_name(change), account=named(change), reason=reason))
    for host, changes in _by_host(plan["held"]).items():
        key = "terminal.held_at" if host else "terminal.held"
        for reason, alike in _by_reason(changes).items():
            print_lines(text(key, n=len(alike), host=host_name(host), reason=reason))
            for change in alike:
                print_lines(f"    {action_name(change)} {named(change)}")
    for group in _LEFT[1:]:
        for change in plan[group]:
            words = {"action": action_name(change), "account": named(change), "reason": _against(change)}
            print_lines(text("terminal.left", group=_label(group), **words))


def outcome(action: Mapping[str, Any]) -> str:
    """Return the outcome of an action in words."""
    return outcome_name(str(action["outcome"]))


def outcome_name(token: str) -> str:
    """Return an outcome in words."""
    return token_text("terminal_outcome", token, plain(token))


def action_text(action: Mapping[str, Any]) -> str:
    """Return the explanation of an outcome."""
    return plain(reasons_text(action["texts"], action["text"]))


def batch_state(batch: Mapping[str, Any]) -> str:
    """Return the state of a batch in words."""
    return token_text("batch_state", str(batch["state"]), plain(batch["state"]))


def _label(group: str) -> str:
    return token_text("terminal_left", group, group)


def _against(change: Mapping[str, Any]) -> str:
    return plain(hold_text(change, change["against"]))


def _by_host(changes: Sequence[Mapping[str, Any]]) -> Mapping[str, list[Mapping[str, Any]]]:
    hosts: dict[str, list[Mapping[str, Any]]] = {}
    for change in changes:
        hosts.setdefault(str(change["host"]), []).append(change)
    return hosts


def _by_reason(changes: Sequence[Mapping[str, Any]]) -> Mapping[str, list[Mapping[str, Any]]]:
    """Group the changes on hold at a host by reason, the most frequent first."""
    reasons: dict[str, list[Mapping[str, Any]]] = {}
    for change in changes:
        reasons.setdefault(_against(change), []).append(change)
    return dict(sorted(reasons.items(), key=lambda entry: -len(entry[1])))


def _totals(outcomes: Mapping[str, int]) -> str:
    counts = Counter[str]()
    for name, number in outcomes.items():
        counts[_DETAIL.split(outcome_name(name))[0]] += number
    return listed([text("terminal.count_of", n=number, name=word) for word, number in counts.most_common()])
