"""Group `poolkeeper schedule`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.schedule.list import list_schedules

    return list_schedules


def _add() -> click.Command:
    from extension.cli.schedule.add import add

    return add


def _edit() -> click.Command:
    from extension.cli.schedule.edit import edit

    return edit


def _pause() -> click.Command:
    from extension.cli.schedule.pause import pause

    return pause


def _resume() -> click.Command:
    from extension.cli.schedule.resume import resume

    return resume


def _remove() -> click.Command:
    from extension.cli.schedule.remove import remove

    return remove


schedule = LazyGroup(
    "schedule",
    {
        "list": LazyCommand(_list, "List recurring inspections."),
        "add": LazyCommand(_add, "Add a recurring inspection and list all schedules."),
        "edit": LazyCommand(_edit, "Change a recurring inspection and list all schedules."),
        "pause": LazyCommand(_pause, "Pause a recurring inspection and list all schedules."),
        "resume": LazyCommand(_resume, "Resume a recurring inspection and list all schedules."),
        "remove": LazyCommand(_remove, "Remove a recurring inspection, keep its runs, and list all schedules."),
    },
    help="Manage recurring inspections.",
)
