"""Group `poolkeeper run`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _start() -> click.Command:
    from extension.cli.run.start import start

    return start


def _list() -> click.Command:
    from extension.cli.run.list import list_runs

    return list_runs


def _show() -> click.Command:
    from extension.cli.run.show import show

    return show


def _watch() -> click.Command:
    from extension.cli.run.watch import watch

    return watch


def _pause() -> click.Command:
    from extension.cli.run.pause import pause

    return pause


def _resume() -> click.Command:
    from extension.cli.run.resume import resume

    return resume


def _finish() -> click.Command:
    from extension.cli.run.finish import finish

    return finish


def _stop() -> click.Command:
    from extension.cli.run.stop import stop

    return stop


def _apply() -> click.Command:
    from extension.cli.run.apply import apply

    return apply


def _release() -> click.Command:
    from extension.cli.run.release import release

    return release


def _undo() -> click.Command:
    from extension.cli.run.undo import undo

    return undo


def _export() -> click.Command:
    from extension.cli.run.export import export

    return export


def _diff() -> click.Command:
    from extension.cli.run.diff import diff

    return diff


run = LazyGroup(
    "run",
    {
        "start": LazyCommand(_start, "Inspect the pool and report findings."),
        "list": LazyCommand(_list, "List runs, newest first."),
        "show": LazyCommand(_show, "Show a run and its findings."),
        "watch": LazyCommand(_watch, "Follow a run to its end and report its findings."),
        "pause": LazyCommand(_pause, "Pause a run."),
        "resume": LazyCommand(_resume, "Resume a paused, interrupted or failed run."),
        "finish": LazyCommand(_finish, "Finish a run early."),
        "stop": LazyCommand(_stop, "Stop a run and keep its results."),
        "apply": LazyCommand(_apply, "Apply the recommendations of a run in one batch."),
        "release": LazyCommand(_release, "Apply the changes of a run that the circuit breaker put on hold."),
        "undo": LazyCommand(_undo, "Revert the changes made for a run."),
        "export": LazyCommand(_export, "Print all results of a run as CSV or JSON lines."),
        "diff": LazyCommand(_diff, "Show the changes of a run against an earlier one."),
    },
    help="Start, list, show and control runs.",
)
