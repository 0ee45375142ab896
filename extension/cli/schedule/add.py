"""`poolkeeper schedule add`: add a recurring inspection."""

from typing import Any

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option, option
from extension.cli.parsing.settings_check import require_valid
from extension.cli.parsing.settings_options import given_settings, setting_options
from extension.cli.schedule.stored import (
    CRON,
    EVERY,
    JITTER,
    TIME_ZONE,
    print_schedules,
    save_schedule,
    schedule_name,
    timing,
)


@command("add")
@click.argument("name", callback=schedule_name)
@option("--every", type=EVERY, help="Interval: 90m, 12h, 1d, or a number of minutes.")
@option("--cron", help=CRON)
@option("--time-zone", help=TIME_ZONE)
@option("--jitter", default="0", show_default=True, type=JITTER, help="Random delay (max).")
@json_option
@setting_options
@connection_options
def add(
    *,
    connection: ServiceConnection,
    name: str,
    every: int | None,
    cron: str | None,
    time_zone: str | None,
    jitter: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Add a recurring inspection and list all schedules.

    A schedule checks one source: OAuth files, or API keys with --account-source api_key or --family. Add two for both.

    Example: poolkeeper schedule add nightly --cron "0 3 * * *" --time-zone Asia/Shanghai --family claude
    """
    if every is None and cron is None:
        raise click.UsageError("Give --every or --cron.")
    settings = given_settings(options)
    require_valid(settings)
    body = {"name": name, **timing(every, cron, time_zone), "jitterMinutes": jitter, "settings": settings}
    with connection.open() as service:
        save_schedule(service, body)
        print_schedules(service, as_json=as_json)
