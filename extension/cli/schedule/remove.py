"""`poolkeeper schedule remove`: remove a recurring inspection."""

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option
from extension.cli.parsing.value_types import number_argument
from extension.cli.schedule.stored import print_schedules, remove_schedule


@command("remove")
@number_argument("schedule")
@json_option
@connection_options
def remove(*, connection: ServiceConnection, schedule_id: int, as_json: bool) -> None:
    """Remove a recurring inspection, keep its runs, and list all schedules."""
    with connection.open() as service:
        remove_schedule(service, schedule_id)
        print_schedules(service, as_json=as_json)
