"""State of the channels: sending commands and printing what they answer."""

import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.language.reasons import reasons_text
from extension.cli.output.columns import print_lines
from extension.cli.output.text import ago, plain, print_json
from extension.cli.parsing.declarations import option

TOPICS: Final = ("changes", "actions", "on-hold", "foreign-edits", "failures")
"""Kinds of events that a channel can be limited to."""

topics_option = option(
    "--on", "topics", multiple=True, type=click.Choice(TOPICS), help="Report only this kind of event; repeatable."
)
"""Option of the topics."""

_PATH: Final = "config/channels"


def read_channels(service: ServiceLocation) -> dict[str, Any]:
    """Return the channels and their newest deliveries."""
    return service.client.get(service.paths.part(_PATH))


def send_command(service: ServiceLocation, command: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Send a command ("" adds a channel) and return its answer."""
    path = f"{_PATH}/{command}" if command else _PATH
    return dict(service.client.post(service.paths.part(path), body=dict(body)) or {})


def asked_address() -> str:
    """Return an address from a prompt or standard input: it may hold a token, and options show in process lists.

    Raises:
        CommandError: standard input is empty.
    """
    if sys.stdin.isatty():
        return str(click.prompt("Apprise address", hide_input=True, err=True))
    address = sys.stdin.readline().strip()
    if not address:
        raise CommandError("The address is missing. Write it to standard input, or run this at a terminal.")
    return address


def print_channels(state: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the channels."""
    if as_json:
        print_json(state)
        return
    if not state["channels"]:
        click.echo("No channels. Add one with: poolkeeper channel add NAME")
    for each in state["channels"]:
        topics = ", ".join(each["topics"]) or "all events"
        last = f" Last: {delivery(each['last'])}" if each["last"] else ""
        print_lines(f"{each['id']}  {plain(each['name'])} ({plain(each['scheme'])}): {topics}.{last}")


def delivery(sent: Mapping[str, Any]) -> str:
    """Return a delivery in words."""
    outcome = (
        "delivered."
        if sent["taken"]
        else f"not delivered. {plain(reasons_text(sent.get('problems', ()), sent['problem']))}"
    )
    return f"{plain(sent['kind'])}, {ago(sent['at'])}, {outcome}"
