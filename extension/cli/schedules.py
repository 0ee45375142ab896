"""`poolkeeper schedules`: shows, saves, switches and removes inspections that are started by the clock."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.service_lookup import ServiceLocation, connect, connection_options, explained
from extension.cli.errors import CommandError
from extension.cli.settings_options import given_settings, setting_options
from extension.cli.tables import plain

_PATH = "inspections/schedules"


@click.command()
@click.option("--save", "name", help="Save a schedule of this name with the settings given; the rest are defaults.")
@click.option("--every", "minutes", type=click.IntRange(1), help="With --save: minutes from one run to the next.")
@click.option("--jitter", default=0, type=click.IntRange(0), help="With --save: up to so many minutes later by chance.")
@click.option("--on", "switched_on", type=click.IntRange(1), help="Switch this schedule on.")
@click.option("--off", "switched_off", type=click.IntRange(1), help="Switch this schedule off.")
@click.option("--remove", "removed", type=click.IntRange(1), help="Remove this schedule; its runs stay.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
@setting_options
@connection_options
def schedules(
    *,
    name: str | None,
    minutes: int | None,
    jitter: int,
    switched_on: int | None,
    switched_off: int | None,
    removed: int | None,
    as_json: bool,
    server: str | None,
    data_dir: Path | None,
    config: Path,
    key_file: Path | None,
    **settings: Any,
) -> None:
    """Show the schedules, after what the options ask for has been done."""
    if (name is None) is not (minutes is None):
        raise click.UsageError("--save and --every belong together.")
    found = connect(server, data_dir, config, key_file)
    try:
        if name is not None:
            body = {"name": name, "intervalMinutes": minutes, "jitterMinutes": jitter}
            found.client.post(found.paths.part(_PATH), body={**body, "settings": given_settings(settings)})
        for number, on in ((switched_on, True), (switched_off, False)):
            if number is not None:
                _switch(found, number, on=on)
        if removed is not None:
            found.client.delete(found.paths.part(_PATH), {"schedule": removed})
        _show(found.client.get(found.paths.part(_PATH)), as_json=as_json)
    except (RequestRefused, Unreachable) as error:
        raise explained(error) from None


def _switch(found: ServiceLocation, number: int, *, on: bool) -> None:
    known = found.client.get(found.paths.part(_PATH))["schedules"]
    schedule = next((each for each in known if each["id"] == number), None)
    if schedule is None:
        raise CommandError(f"There is no schedule {number}. Take a number from the list: poolkeeper schedules")
    kept = {key: schedule[key] for key in ("id", "name", "intervalMinutes", "jitterMinutes", "settings")}
    found.client.post(found.paths.part(_PATH), body={**kept, "enabled": on})


def _show(answer: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(answer, indent=2))
        return
    for schedule in answer["schedules"]:
        state = f"next at {_time(schedule['nextAt'])}" if schedule["enabled"] else "switched off"
        last = f", last run {schedule['lastRun']}" if schedule["lastRun"] else ""
        problem = f" ({plain(schedule['problem'])})" if schedule["problem"] else ""
        every = f"every {schedule['intervalMinutes']} minutes"
        click.echo(f"Schedule {schedule['id']} {plain(schedule['name'])}: {every}, {state}{last}{problem}.")
    if not answer["schedules"]:
        click.echo("There are no schedules.")


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
