"""`poolkeeper webhook test`: send a test event."""

import sys

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.parsing.declarations import command, json_option
from extension.cli.webhook.state import print_webhook, send_test


@command("test")
@json_option
@connection_options
def test(*, connection: ServiceConnection, as_json: bool) -> None:
    """Send a test event to the webhook.

    Exit status: 0 delivered, 1 not delivered, 2 the service could not do it.
    """
    with connection.open() as service:
        state = send_test(service)
    print_webhook(state, as_json=as_json)
    sys.exit(ALL_WELL if state["last"]["taken"] else FINDINGS)
