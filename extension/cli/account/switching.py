"""Commands that disable or enable accounts."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.command import perform
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import distinct, number_argument


def switching_command(name: str, text: str, *, disabled: bool) -> click.Command:
    """Return the command that brings accounts into one state."""

    @number_argument("account", several=True)
    @option("--note", default="", help="Note for the action history.")
    @json_option
    @connection_options
    def switch(*, connection: ServiceConnection, account_ids: tuple[int, ...], note: str, as_json: bool) -> None:
        chosen = distinct(account_ids)
        # Accounts named by number are changed even if a run has put them on hold.
        body = {"accounts": chosen, "released": chosen, "disabled": disabled, "reason": note}
        with connection.open() as service:
            status = perform(service, service.paths.pool_status, body=body, as_json=as_json)
        sys.exit(status)

    switch.__doc__ = text
    return command(name)(switch)
