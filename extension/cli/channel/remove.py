"""`poolkeeper channel remove`: remove a channel."""

import click

from extension.cli.channel.state import print_channels, send_command
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option


@command("remove")
@click.argument("number", type=click.IntRange(min=1))
@json_option
@connection_options
def remove(*, connection: ServiceConnection, number: int, as_json: bool) -> None:
    """Remove a channel."""
    with connection.open() as service:
        print_channels(send_command(service, "remove", {"channel": number}), as_json=as_json)
