"""Commands that disable or enable accounts."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.output.actions import report_actions
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.value_types import distinct, number_argument


def switching_command(name: str, text: str, *, disabled: bool) -> click.Command:
    """Return the command that brings accounts into one state."""

    @number_argument("account", several=True)
    @option("--note", default="", help="Note for the action history.")
    @json_option
    @connection_options
    def switch(*, connection: ServiceConnection, account_ids: tuple[int, ...], note: str, as_json: bool) -> None:
        body = {"accounts": distinct(account_ids), "disabled": disabled, "reason": note}
        with connection.open() as service:
            actions = service.client.post(service.paths.pool_status, body=body)["actions"]
        sys.exit(report_actions(actions, as_json=as_json, nothing="There is nothing to do."))

    switch.__doc__ = text
    return command(name)(switch)
