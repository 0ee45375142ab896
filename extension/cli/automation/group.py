"""Group `poolkeeper automation`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _pause() -> click.Command:
    from extension.cli.automation.pause import pause

    return pause


def _resume() -> click.Command:
    from extension.cli.automation.resume import resume

    return resume


def _status() -> click.Command:
    from extension.cli.automation.status import status

    return status


automation = LazyGroup(
    "automation",
    {
        "pause": LazyCommand(_pause, "Pause all automatic actions until they are resumed."),
        "resume": LazyCommand(_resume, "Resume automatic actions."),
        "status": LazyCommand(_status, "Show whether automatic actions are paused."),
    },
    help="Pause and resume automatic actions.",
)
