"""`poolkeeper channel add`: add a channel."""

import click

from extension.cli.channel.state import asked_address, print_channels, send_command, topics_option
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option


@command("add")
@click.argument("name")
@topics_option
@json_option
@connection_options
def add(*, connection: ServiceConnection, name: str, topics: tuple[str, ...], as_json: bool) -> None:
    """Add a channel.

    The address is one of the Apprise library, such as tgram://… or mailto://…. It may contain a token, and is therefore
    read from a prompt or standard input, never from an option, and never shown.
    """
    with connection.open() as service:
        body = {"name": name, "address": asked_address(), "topics": list(topics)}
        print_channels(send_command(service, "", body), as_json=as_json)
