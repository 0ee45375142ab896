"""`poolkeeper webhook show`: the configured webhook and its last delivery."""

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option
from extension.cli.webhook.state import print_webhook, read_webhook


@command("show")
@json_option
@connection_options
def show(*, connection: ServiceConnection, as_json: bool) -> None:
    """Show the host of the webhook and its last delivery."""
    with connection.open() as service:
        print_webhook(read_webhook(service), as_json=as_json)
