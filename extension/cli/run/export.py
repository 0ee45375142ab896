"""`poolkeeper run export`: all results of a run as CSV or JSON lines."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, option
from extension.cli.parsing.value_types import SuggestingChoice, number_argument


@command("export")
@number_argument("run")
@option(
    "--format",
    "file_format",
    default="csv",
    show_default=True,
    type=SuggestingChoice(["csv", "jsonl"]),
    help="Format of the file.",
)
@connection_options
def export(*, connection: ServiceConnection, run_id: int, file_format: str) -> None:
    """Print all results of a run as CSV or JSON lines.

    Example: poolkeeper run export 7 > run-7.csv
    """
    with connection.open() as service:
        path = service.paths.part("inspections/export")
        click.echo(service.client.text(path, {"run": run_id, "format": file_format}), nl=False)
