"""Commands that pause or resume a schedule."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option
from extension.cli.parsing.value_types import number_argument
from extension.cli.schedule.stored import print_schedules, read_schedule, save_schedule


def pausing_command(name: str, text: str, *, enabled: bool) -> click.Command:
    """Return the command that brings a schedule into one state."""

    @number_argument("schedule")
    @json_option
    @connection_options
    def switch(*, connection: ServiceConnection, schedule_id: int, as_json: bool) -> None:
        with connection.open() as service:
            save_schedule(service, {**read_schedule(service, schedule_id), "enabled": enabled})
            print_schedules(service, as_json=as_json)

    switch.__doc__ = text
    return command(name)(switch)
