"""`poolkeeper channel test`: send a test message."""

import sys

import click

from extension.cli.channel.state import delivery, send_command
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.output.columns import print_lines
from extension.cli.output.text import print_json
from extension.cli.parsing.declarations import command, json_option


@command("test")
@click.argument("number", type=click.IntRange(min=1))
@json_option
@connection_options
def test(*, connection: ServiceConnection, number: int, as_json: bool) -> None:
    """Send a test message to a channel.

    Exit status: 0 delivered, 1 not delivered, 2 the service could not do it.
    """
    with connection.open() as service:
        sent = send_command(service, "test", {"channel": number})
    if as_json:
        print_json(sent)
    else:
        print_lines(f"Channel {number}: {delivery(sent)}")
    sys.exit(ALL_WELL if sent["taken"] else FINDINGS)
