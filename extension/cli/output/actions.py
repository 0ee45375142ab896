"""Actions, batches and planned changes for people, and the exit status of a command that acts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.output.columns import print_lines
from extension.cli.output.text import counted, named, plain, print_json

_DONE: Final = frozenset({"applied", "unchanged"})
_EARLY: Final = frozenset({"canceled", "failed", "interrupted"})
_LEFT: Final[Mapping[str, str]] = {
    "held": "on hold",
    "refused": "refused",
    "already": "already so",
    "notEnabled": "not enabled",
}
OUTCOMES: Final[Mapping[str, str]] = {
    "pending": "pending",
    "applied": "done",
    "unchanged": "unchanged",
    "refused": "failed",
    "conflict": "not done",
    "missing": "failed: not in the pool",
    "uncertain": "uncertain",
    "failed": "failed",
}
"""Words for the outcome of an action."""


def report_command(command: Mapping[str, Any], *, as_json: bool, nothing: str) -> int:
    """Print the batch of a command with its actions; return its exit status: 0 all done, 1 something was not."""
    batch, actions = command["batch"], command["actions"]
    if as_json:
        print_json(command)
    elif batch is None:
        click.echo(nothing)
    else:
        for action in sorted(actions, key=lambda one: one["outcome"] in _DONE):
            print_lines(f"{_past(action)} {plain(action['text'])}".rstrip())
        for line in batch_lines(batch):
            print_lines(line)
    complete = batch is None or batch["state"] == "done"
    return ALL_WELL if complete and all(action["outcome"] in _DONE for action in actions) else FINDINGS


def batch_lines(batch: Mapping[str, Any]) -> list[str]:
    """Return a batch in a few lines: totals, changes left out, an early end, and how to undo it."""
    lines = [f"{counted(batch['done'], 'action')}: {_totals(batch['outcomes'])}."] if batch["done"] else []
    planned = batch["planned"]
    if planned["onHold"]:
        run = batch["run"] or "RUN"
        lines.append(f"{counted(planned['onHold'], 'change')} on hold. Release with: poolkeeper run release {run}")
    if planned["notEnabled"] and not batch["outcomes"].get("refused"):
        lines.append(f"{counted(planned['notEnabled'], 'account')} not enabled: disabled manually.")
    left = batch["total"] - batch["done"]
    if batch["state"] in _EARLY:
        reason = f": {plain(batch['reason'])}" if batch["reason"] else "."
        lines.append(f"Batch {batch['id']} {batch['state']}, {left:,} of {batch['total']:,} not done{reason}")
    if batch["outcomes"].get("applied"):
        lines.append(f"Undo with: poolkeeper action undo --batch {batch['id']}")
    return lines or ["Nothing was changed."]


def print_plan(plan: Mapping[str, Any]) -> None:
    """Print the plan of one mode: the changes, then those that are not made, with the reason."""
    left = [f"{len(plan[group])} {label}" for group, label in _LEFT.items() if plan[group] or group == "held"]
    print_lines(f"{plan['mode']}: {counted(len(plan['applied']), 'change')}, {', '.join(left)}.")
    for change in plan["applied"]:
        print_lines(f"  {change['action']} {named(change)}: {plain(change['reason'])}")
    for host, held in _by_host(plan["held"]).items():
        place = f" at {plain(host)}" if host else ""
        print_lines(f"  on hold: {counted(len(held), 'account')}{place}: {plain(held[0]['against'])}")
        for change in held:
            print_lines(f"    {change['action']} {named(change)}")
    for group, label in _LEFT.items():
        for change in plan[group] if group != "held" else ():
            print_lines(f"  {label}: {change['action']} {named(change)}: {plain(change['against'])}")


def _by_host(held: Sequence[Mapping[str, Any]]) -> Mapping[str, list[Mapping[str, Any]]]:
    hosts: dict[str, list[Mapping[str, Any]]] = {}
    for change in held:
        hosts.setdefault(str(change["host"]), []).append(change)
    return hosts


def outcome(action: Mapping[str, Any]) -> str:
    """Return the outcome of an action in words."""
    return OUTCOMES.get(str(action["outcome"]), plain(action["outcome"]))


def _past(action: Mapping[str, Any]) -> str:
    return f"{action['action']} {named(action)}: {outcome(action)}."


def _totals(outcomes: Mapping[str, int]) -> str:
    counts = Counter[str]()
    for name, number in outcomes.items():
        counts[OUTCOMES.get(name, plain(name)).partition(":")[0]] += number
    return ", ".join(f"{number:,} {word}" for word, number in counts.most_common())
