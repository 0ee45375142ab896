"""`poolkeeper webhook set`: configure the webhook."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command, json_option
from extension.cli.webhook.state import change_webhook, print_webhook


@command("set")
@json_option
@connection_options
def set_webhook(*, connection: ServiceConnection, as_json: bool) -> None:
    """Set the URL that is notified of changes.

    The URL may contain a token. It is therefore read from a prompt or standard input, never from an option, and never
    shown. Try it with `poolkeeper webhook test`.
    """
    with connection.open() as service:
        print_webhook(change_webhook(service, _address()), as_json=as_json)


def _address() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Webhook URL", hide_input=True, err=True))
    address = sys.stdin.readline().strip()
    if not address:
        raise CommandError("The webhook URL is missing. Write it to standard input, or run this at a terminal.")
    return address
