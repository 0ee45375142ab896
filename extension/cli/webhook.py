"""`poolkeeper webhook`: which address is told when a run changes the picture, and whether that works."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.service_lookup import connect, connection_options, explained
from extension.cli.errors import CommandError
from extension.cli.tables import ALL_WELL, FINDINGS, plain

_PATH = "config/webhook"


@click.command()
@click.option("--set", "set_address", is_flag=True, help="Ask for an address and tell it from now on.")
@click.option("--remove", is_flag=True, help="Tell nobody from now on.")
@click.option("--test", is_flag=True, help="Send a message that says nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, and nothing else.")
@connection_options
def webhook(
    *,
    set_address: bool,
    remove: bool,
    test: bool,
    as_json: bool,
    server: str | None,
    data_dir: Path | None,
    config: Path,
    key_file: Path | None,
) -> None:
    """Show which address is told when a run changes the picture, after what the options ask for has been done.

    The address may hold a token, so it is asked for, or read from standard input where that is no terminal; it is
    never an option, and never shown. Exit status: 1 when a test message was not taken, 2 when the service could not
    be asked.
    """
    if set_address and remove:
        raise click.UsageError("Choose one of --set and --remove.")
    found = connect(server, data_dir, config, key_file)
    path = found.paths.part(_PATH)
    try:
        if set_address or remove:
            found.client.post(path, body={"address": _address() if set_address else ""})
        if test:
            found.client.post(found.paths.part(f"{_PATH}/test"))
        answer = found.client.get(path)
    except (RequestRefused, Unreachable) as error:
        raise explained(error) from None
    click.echo(json.dumps(answer, indent=2) if as_json else _told(answer))
    sys.exit(FINDINGS if test and not answer["last"]["taken"] else ALL_WELL)


def _address() -> str:
    """Ask for the address at a terminal, else read it from standard input."""
    if sys.stdin.isatty():
        return str(click.prompt("Address", hide_input=True, err=True))
    address = sys.stdin.readline().strip()
    if not address:
        raise CommandError("The address is missing. Write it to standard input, or run this at a terminal.")
    return address


def _told(answer: dict[str, Any]) -> str:
    by = {"settings": ", by the service's settings", "person": ""}.get(answer["setBy"], "")
    lines = [f"Changes are told to {plain(answer['host'])}{by}." if answer["setBy"] else "Nobody is told of changes."]
    if answer["last"]:
        last = answer["last"]
        at = datetime.fromtimestamp(last["at"] / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        subject = "test message" if last["kind"] == "test" else f"changes of run {last['run']}"
        outcome = "taken" if last["taken"] else f"not taken. {plain(last['problem'])}"
        lines.append(f"Last message: {subject}, {at}, {outcome}{'.' if last['taken'] else ''}")
    return "\n".join(lines)
