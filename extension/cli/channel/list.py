"""`poolkeeper channel list`: the channels and their newest deliveries."""

from extension.cli.channel.state import print_channels, read_channels
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option


@command("list")
@json_option
@connection_options
def list_channels(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the channels and their newest deliveries."""
    with connection.open() as service:
        print_channels(read_channels(service), as_json=as_json)
