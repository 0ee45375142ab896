"""`poolkeeper webhook remove`: remove the webhook."""

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option
from extension.cli.webhook.state import change_webhook, print_webhook


@command("remove")
@json_option
@connection_options
def remove(*, connection: ServiceConnection, as_json: bool) -> None:
    """Remove the webhook; nothing is notified of changes any more."""
    with connection.open() as service:
        print_webhook(change_webhook(service, ""), as_json=as_json)
