"""`poolkeeper schedule add`: add a recurring inspection."""

from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.settings_check import require_valid
from extension.cli.parsing.settings_options import given_settings, setting_options
from extension.cli.schedule.stored import EVERY, JITTER, print_schedules, save_schedule, schedule_name


@command("add")
@click.argument("name", callback=schedule_name)
@option("--every", required=True, type=EVERY, help="Interval: 90m, 12h, 1d, or a number of minutes.")
@option("--jitter", default="0", show_default=True, type=JITTER, help="Random delay (max).")
@json_option
@setting_options
@connection_options
def add(*, connection: ServiceConnection, name: str, every: int, jitter: int, as_json: bool, **options: Any) -> None:
    """Add a recurring inspection and list all schedules.

    Example: poolkeeper schedule add nightly --every 1d --family claude
    """
    settings = given_settings(options)
    require_valid(settings)
    body = {"name": name, "intervalMinutes": every, "jitterMinutes": jitter, "settings": settings}
    with connection.open() as service:
        save_schedule(service, body)
        print_schedules(service, as_json=as_json)
