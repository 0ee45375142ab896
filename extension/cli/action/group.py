"""Group `poolkeeper action`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.action.list import list_actions

    return list_actions


def _undo() -> click.Command:
    from extension.cli.action.undo import undo

    return undo


action = LazyGroup(
    "action",
    {
        "list": LazyCommand(_list, "List actions, newest first."),
        "undo": LazyCommand(_undo, "Revert actions by number; deletions cannot be reverted."),
    },
    help="List and revert actions.",
)
