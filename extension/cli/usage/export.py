"""`poolkeeper usage export`: events as a file."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, option
from extension.cli.usage.figures import days_option, period

_FORMATS = click.Choice(("jsonl", "csv"))


@command("export")
@days_option
@option(
    "--format", "as_format", default="jsonl", show_default=True, type=click.Choice(("jsonl", "csv")), help="Format."
)
@connection_options
def export(*, days: int, as_format: str, connection: ServiceConnection) -> None:
    """Write events of usage to standard output.

    `poolkeeper usage import` takes in JSON lines.
    """
    with connection.open() as service:
        query = {**period(days), "format": as_format}
        click.echo(service.client.text(service.paths.part("usage/export"), query), nl=False)
