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
        "summary": LazyCommand(
            _summary, "Show requests, tokens and cost of the last days, and where records may be missing."
        ),
        "top": LazyCommand(
            _top, "Show the models, accounts, client keys, providers or failures with the most requests."
        ),
        "export": LazyCommand(
            _export, "Write events of usage to standard output; `poolkeeper usage import` takes in JSON lines."
        ),
        "import": LazyCommand(
            _import, "Take in an export in JSON lines; events that are stored already stay as they are."
        ),
    },
    help="Show, export and import usage.",
)
