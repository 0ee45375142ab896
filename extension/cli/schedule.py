"""Recurring inspections on the command line."""

from collections.abc import Mapping
from typing import Any, Final

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.followers import file_types
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.language.reasons import reasons_text
from extension.cli.language.texts import text, token_text
from extension.cli.output.columns import Row, columns, print_columns
from extension.cli.output.text import plain, print_json, scope, shown_time
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option
from extension.cli.parsing.scopes import is_known_type, require_known_type, scopes
from extension.cli.parsing.settings_options import (
    given_settings,
    overlaid,
    require_valid,
    setting_options,
    setting_options_of_both_sources,
)
from extension.cli.parsing.value_types import DurationType, number_argument
from extension.cli.wrapping import wrapped_error
from extension.inspection.accounts.account import Source
from extension.inspection.accounts.families import Family

schedule = CommandGroup("schedule", help="Manage recurring inspections.")


EVERY: Final = DurationType(1, 525_600)
"""Interval of a schedule: up to a year."""
JITTER: Final = DurationType(0, 10_080)
"""Random delay of a schedule: up to a week."""
CRON: Final = 'Five cron fields, such as "0 3 * * *" for 03:00 every day.'
TIME_ZONE: Final = "Time zone of --cron, such as Asia/Shanghai. [default: UTC]"
LONGEST_NAME: Final = 100
_PATH: Final = "inspections/schedules"
_KEPT: Final = ("id", "name", "enabled", "intervalMinutes", "jitterMinutes", "cron", "timeZone", "settings")


_HOUR, _DAY = 60, 1440


def schedule_name(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Check the length of a name."""
    if value is not None and not 1 <= len(value) <= LONGEST_NAME:
        raise click.BadParameter(f"A name has 1 to {LONGEST_NAME} characters.", context, parameter)
    return value


@schedule.command("list")
@json_option
@connection_options
def list_schedules(*, connection: ServiceConnection, as_json: bool) -> None:
    """List recurring inspections."""
    with connection.open() as service:
        print_schedules(service, as_json=as_json)


@schedule.command("add")
@click.argument("name", callback=schedule_name)
@option("--every", type=EVERY, help="Interval: 90m, 12h, 1d, or a number of minutes.")
@option("--cron", help=CRON)
@option("--time-zone", help=TIME_ZONE)
@option("--jitter", default="0", show_default=True, type=JITTER, help="Random delay (max).")
@json_option
@setting_options_of_both_sources
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

    It covers what `poolkeeper inspect` covers: without --account-source and --family one schedule is added for each of
    both sources.

    Example: poolkeeper schedule add nightly --cron "0 3 * * *" --time-zone Asia/Shanghai --family claude
    """
    if every is None and cron is None:
        raise click.UsageError("Give --every or --cron.")
    chosen = scopes(options)
    body = {"name": name, **timing(every, cron, time_zone), "jitterMinutes": jitter}
    with connection.open() as service:
        for settings in chosen:
            save_schedule(service, {**body, "settings": settings})
        print_schedules(service, as_json=as_json)


@schedule.command("edit")
@number_argument("schedule")
@option("--name", callback=schedule_name, help="New name.")
@option("--every", type=EVERY, help="Interval: 90m, 12h, 1d, or a number of minutes.")
@option("--cron", help=CRON)
@option("--time-zone", help=TIME_ZONE)
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
    cron: str | None,
    time_zone: str | None,
    jitter: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Change a recurring inspection and list all schedules.

    Options that are left out keep their stored value. The next run starts one interval from now,
    or at the next time of the cron expression.
    """
    chosen = given_settings(options)
    changes = {"name": name, "jitterMinutes": jitter}
    times = timing(every, cron, time_zone)
    with connection.open() as service:
        stored = read_schedule(service, schedule_id)
        settings = overlaid(stored["settings"], chosen)
        require_valid(settings)
        given_changes = {field: value for field, value in changes.items() if value is not None}
        save_schedule(service, {**stored, **given_changes, **times, "settings": settings})
        print_schedules(service, as_json=as_json)


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
    return schedule.command(name)(switch)


pause = pausing_command("pause", "Pause a recurring inspection and list all schedules.", enabled=False)
resume = pausing_command(
    "resume",
    """Resume a recurring inspection and list all schedules.

    The next run starts one interval from now, or at the next time of the cron expression.
    """,
    enabled=True,
)


@schedule.command("remove")
@number_argument("schedule")
@json_option
@connection_options
def remove(*, connection: ServiceConnection, schedule_id: int, as_json: bool) -> None:
    """Remove a recurring inspection, keep its runs, and list all schedules."""
    with connection.open() as service:
        service.client.delete(service.paths.part(_PATH), {"schedule": schedule_id})
        print_schedules(service, as_json=as_json)


def read_schedule(service: ServiceLocation, number: int) -> dict[str, Any]:
    """Return the stored fields of a schedule."""
    schedules = service.client.get(service.paths.part(_PATH))["schedules"]
    stored = next((row for row in schedules if row["id"] == number), None)
    if stored is None:
        raise CommandError(f"There is no schedule {number}. List schedules with: poolkeeper schedule list")
    return {name: stored[name] for name in _KEPT}


def save_schedule(service: ServiceLocation, body: Mapping[str, Any]) -> None:
    """Store a schedule; the command says when it covers no account, and when no running service will start it."""
    _require_type(service, body["settings"])
    saved = service.client.post(service.paths.part(_PATH), body=body)
    if saved["accountsInScope"] == 0 and saved["schedule"]["enabled"]:
        click.echo(wrapped_error(text("terminal.schedule_without_accounts")), err=True)
    if not service.lasting:
        click.echo("Schedules start only while a service runs: poolkeeper serve --gateway URL", err=True)


def _require_type(service: ServiceLocation, settings: Mapping[str, Any]) -> None:
    chosen = {"accountSource": Source.OAUTH.value, "targetType": Family.ALL.value, **settings}
    if chosen["accountSource"] != Source.OAUTH or is_known_type(chosen["targetType"]):
        return
    query = {"source": "oauth", "family": chosen["targetType"], "view": "slim", "limit": 1}
    if not service.client.get(service.paths.part("pool"), query)["statistics"]["total"]:
        require_known_type(chosen, lambda: file_types(service))


def print_schedules(service: ServiceLocation, *, as_json: bool) -> None:
    """Print all schedules."""
    answer = service.client.get(service.paths.part(_PATH))
    if as_json:
        print_json(answer)
    elif answer["schedules"]:
        heads = columns("schedule", "name", "when", "next", "changes", optional=["last_run", "scope"])
        print_columns(heads, [_row(schedule) for schedule in answer["schedules"]])
    else:
        click.echo(text("terminal.no_schedule"))


def duration(minutes: int) -> str:
    """Return minutes in the form that `--every` accepts."""
    if minutes % _DAY == 0:
        return f"{minutes // _DAY}d"
    return f"{minutes // _HOUR}h" if minutes % _HOUR == 0 else f"{minutes}m"


def timing(every: int | None, cron: str | None, time_zone: str | None) -> dict[str, Any]:
    """Return the fields of a schedule for an interval or a cron expression; empty when neither is given."""
    if every is not None and cron is not None:
        raise click.UsageError("--every and --cron contradict each other. Give one of them.")
    if time_zone is not None and every is not None:
        raise click.UsageError("--time-zone belongs to --cron.")
    if every is not None:
        return {"intervalMinutes": every, "cron": "", "timeZone": ""}
    zone = {} if time_zone is None else {"timeZone": time_zone}
    return zone if cron is None else {"intervalMinutes": None, "cron": cron, **zone}


def _times(schedule: Mapping[str, Any]) -> str:
    if schedule["cron"]:
        return f"{plain(schedule['cron'])} ({plain(schedule['timeZone']) or 'UTC'})"
    return duration(schedule["intervalMinutes"])


def _row(schedule: Mapping[str, Any]) -> Row:
    settings = schedule["settings"]
    most = schedule["jitterMinutes"]
    delay = text("terminal.delay", duration=duration(most)) if most else ""
    return Row(
        (
            str(schedule["id"]),
            plain(schedule["name"]),
            f"{_times(schedule)}{delay}",
            shown_time(schedule["nextAt"]) if schedule["enabled"] else text("terminal.paused"),
            _changes(settings["accountSource"], settings["autoActionMode"]),
            text("terminal.run", run=schedule["lastRun"]) if schedule["lastRun"] else text("terminal.none"),
            scope(settings),
        ),
        plain(reasons_text(schedule.get("problems", ()), schedule["problem"])),
    )


def _changes(source: str, mode: str) -> str:
    """Return what the runs of a schedule change; the mode disable enables API keys again, and no OAuth file."""
    of_source = token_text("schedule_changes", f"{mode}_{source}", "")
    return of_source or token_text("schedule_changes", mode, plain(mode))
