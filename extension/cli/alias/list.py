"""`poolkeeper alias list`: names of client keys."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_json
from extension.cli.parsing.declarations import command, json_option


@command("list")
@json_option
@connection_options
def list_aliases(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the aliases of client keys."""
    with connection.open() as service:
        answer = service.client.get(service.paths.part("api-key-aliases"))
    if as_json:
        print_json(answer)
    elif answer["aliases"]:
        rows = [Row((plain(one["alias"]), one["fingerprint"])) for one in answer["aliases"]]
        print_columns((Column("Alias"), Column("Fingerprint")), rows)
    else:
        click.echo("No alias yet. Name a client key with: poolkeeper alias set NAME")
