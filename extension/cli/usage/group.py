"""Group `poolkeeper usage`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _summary() -> click.Command:
    from extension.cli.usage.summary import summary

    return summary


def _top() -> click.Command:
    from extension.cli.usage.top import top

    return top


def _export() -> click.Command:
    from extension.cli.usage.export import export

    return export


def _import() -> click.Command:
    from extension.cli.usage.import_file import import_file

    return import_file


usage = LazyGroup(
    "usage",
    {
        "summary": LazyCommand(_summary, "Show requests, tokens and cost by day."),
        "top": LazyCommand(_top, "Show the names with the most requests."),
        "export": LazyCommand(_export, "Write events of usage to standard output."),
        "import": LazyCommand(_import, "Take in an export in JSON lines."),
    },
    help="Show, export and import usage.",
)
