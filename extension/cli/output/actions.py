"""Actions and planned changes for people, and the exit status of a command that acts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.output.columns import print_lines
from extension.cli.output.text import counted, named, plain, print_json

_DONE: Final = frozenset({"applied", "unchanged"})
OUTCOMES: Final[Mapping[str, str]] = {
    "pending": "pending",
    "applied": "done",
    "unchanged": "unchanged",
    "refused": "failed",
    "conflict": "skipped: changed since the check",
    "missing": "failed: not in the pool",
    "uncertain": "uncertain",
    "failed": "failed",
}
"""Words for the outcome of an action."""


def report_actions(actions: Sequence[Mapping[str, Any]], *, as_json: bool, nothing: str) -> int:
    """Print the actions of a command and return its exit status: 0 all done, 1 something was not."""
    if as_json:
        print_json({"actions": list(actions)})
    elif not actions:
        click.echo(nothing)
    else:
        for action in sorted(actions, key=lambda one: one["outcome"] in _DONE):
            print_lines(f"{_past(action)} {plain(action['text'])}".rstrip())
        click.echo(f"{counted(len(actions), 'action')}: {_totals(actions)}.")
    return ALL_WELL if all(action["outcome"] in _DONE for action in actions) else FINDINGS


def print_plan(plan: Mapping[str, Any]) -> None:
    """Print the changes of one mode, and those on hold."""
    print_lines(f"{plan['mode']}: {counted(len(plan['applied']), 'change')}, {len(plan['held'])} on hold.")
    for change in plan["applied"]:
        print_lines(f"  {change['action']} {named(change)}: {plain(change['reason'])}")
    for change in plan["held"]:
        print_lines(f"  on hold: {change['action']} {named(change)}: {plain(change['held'])}")


def outcome(action: Mapping[str, Any]) -> str:
    """Return the outcome of an action in words."""
    return OUTCOMES.get(str(action["outcome"]), plain(action["outcome"]))


def _past(action: Mapping[str, Any]) -> str:
    return f"{action['action']} {named(action)}: {outcome(action)}."


def _totals(actions: Sequence[Mapping[str, Any]]) -> str:
    counts = Counter(outcome(action).partition(":")[0] for action in actions)
    return ", ".join(f"{number:,} {word}" for word, number in counts.most_common())
