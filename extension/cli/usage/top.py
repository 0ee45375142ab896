"""`poolkeeper usage top`: names with the most requests."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_json
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.usage.explanation import explanation_lines
from extension.cli.usage.figures import cells, days_option, period, print_gaps, read_summary

_DIMENSIONS = ("model", "account", "client", "provider", "failure")
_COLUMNS = (Column("Requests"), Column("Failed"), Column("Tokens"), Column("Cost"))


@command("top")
@option("--by", default="model", show_default=True, type=click.Choice(_DIMENSIONS), help="Dimension to list.")
@option("--limit", default=10, show_default=True, type=click.IntRange(1, 1_000), help="Number of rows.")
@days_option
@option("--explain", "explains", is_flag=True, help="Show what each cost is made of: counts, rates, their source.")
@json_option
@connection_options
def top(*, by: str, limit: int, days: int, explains: bool, connection: ServiceConnection, as_json: bool) -> None:
    """Show the names with the most requests.

    Names are those of models, accounts, client keys, providers or failures.
    """
    wanted = period(days)
    with connection.open() as service:
        found = read_summary(service, {**wanted, "by": by, "limit": limit})
        names = [group["name"] for group in found["groups"]] if explains else []
        path = service.paths.part("usage/explanation")
        explained = [service.client.get(path, {**wanted, by: name}) for name in names]
    if as_json:
        print_json({**found, "explanations": explained} if explains else found)
        return
    rows = [Row([plain(group["label"] or group["name"] or "-"), *cells(group["figures"])]) for group in found["groups"]]
    if not rows:
        click.echo("No usage is stored for this period.")
    else:
        print_columns((Column(by.capitalize()), *_COLUMNS), rows)
    for row, explanation in zip(rows, explained, strict=False):
        click.echo("\n  ".join((f"{row.cells[0]}:", *explanation_lines(explanation))))
    print_gaps(found)
