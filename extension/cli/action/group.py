"""Group `poolkeeper action`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.action.list import list_actions

    return list_actions


def _undo() -> click.Command:
    from extension.cli.action.undo import undo

    return undo


def _batches() -> click.Command:
    from extension.cli.action.batches import batches

    return batches


def _cancel() -> click.Command:
    from extension.cli.action.cancel import cancel

    return cancel


action = LazyGroup(
    "action",
    {
        "list": LazyCommand(_list, "List actions, newest first."),
        "batches": LazyCommand(_batches, "List batches of actions, newest first."),
        "undo": LazyCommand(_undo, "Revert actions, or a batch; for a deleted file see account restore."),
        "cancel": LazyCommand(_cancel, "Cancel a batch in progress."),
    },
    help="List and revert actions.",
)
