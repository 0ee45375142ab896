"""`poolkeeper schedule edit`: change a recurring inspection."""

from typing import Any

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.settings_check import require_valid
from extension.cli.parsing.settings_options import given_settings, overlaid, setting_options
from extension.cli.parsing.value_types import number_argument
from extension.cli.schedule.stored import (
    EVERY,
    JITTER,
    print_schedules,
    read_schedule,
    save_schedule,
    schedule_name,
)


@command("edit")
@number_argument("schedule")
@option("--name", callback=schedule_name, help="New name.")
@option("--every", type=EVERY, help="Interval: 90m, 12h, 1d, or a number of minutes.")
@option("--jitter", type=JITTER, help="Random delay (max).")
@json_option
@setting_options
@connection_options
def edit(
    *,
    connection: ServiceConnection,
    schedule_id: int,
    name: str | None,
    every: int | None,
    jitter: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Change a recurring inspection and list all schedules.

    Options that are left out keep their stored value. The next run starts one interval from now.
    """
    given = given_settings(options)
    changes = {"name": name, "intervalMinutes": every, "jitterMinutes": jitter}
    with connection.open() as service:
        stored = read_schedule(service, schedule_id)
        settings = overlaid(stored["settings"], given)
        require_valid(settings)
        given_changes = {field: value for field, value in changes.items() if value is not None}
        save_schedule(service, {**stored, **given_changes, "settings": settings})
        print_schedules(service, as_json=as_json)
