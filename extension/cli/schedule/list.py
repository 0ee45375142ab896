"""`poolkeeper schedule list`: recurring inspections."""

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option
from extension.cli.schedule.stored import print_schedules


@command("list")
@json_option
@connection_options
def list_schedules(*, connection: ServiceConnection, as_json: bool) -> None:
    """List recurring inspections."""
    with connection.open() as service:
        print_schedules(service, as_json=as_json)
