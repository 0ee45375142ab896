"""Channels of notifications on the command line."""

import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.client.service_lookup import ServiceLocation
from extension.cli.errors import CommandError
from extension.cli.exit_status import ALL_WELL, FINDINGS
from extension.cli.language.reasons import reasons_text
from extension.cli.output.columns import print_lines
from extension.cli.output.text import ago, plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option

_KINDS: Final = ("apprise", "json")
_TOPICS: Final = ("changes", "actions", "on-hold", "foreign-edits", "failures", "budgets", "quotas")
_PATH: Final = "config/channels"

_topics_option = option(
    "--on", "topics", multiple=True, type=click.Choice(_TOPICS), help="Report only this kind of event; repeatable."
)
_number_argument = click.argument("number", type=click.IntRange(min=1))


channel = CommandGroup(
    "channel",
    help="""Manage channels of notifications.

    Channels are webhooks, which get JSON, and chats, e-mail and other services of the Apprise library, which comes with
    poolkeeper[notifications].
    """,
)


@channel.command("list")
@json_option
@connection_options
def list_channels(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the channels and their newest deliveries."""
    with connection.open() as service:
        _print_channels(service.client.get(service.paths.part(_PATH)), as_json=as_json)


@channel.command("add")
@click.argument("name")
@option("--kind", type=click.Choice(_KINDS), default="apprise", help="Text by the Apprise library, or JSON to a URL.")
@_topics_option
@json_option
@connection_options
def add(*, connection: ServiceConnection, name: str, kind: str, topics: tuple[str, ...], as_json: bool) -> None:
    """Add a channel.

    The address is one of the Apprise library, such as tgram://… or mailto://…, or with --kind json a URL that gets each
    message as JSON (a webhook). It may contain a token, and is therefore read from a prompt or standard input, never
    from an option, and never shown.
    """
    with connection.open() as service:
        body = {"name": name, "kind": kind, "address": _address(), "topics": list(topics)}
        _print_channels(_send(service, "", body), as_json=as_json)


@channel.command("edit")
@_number_argument
@option("--name", help="Another name.")
@option("--address", "asks_address", is_flag=True, help="Read another address from standard input.")
@option("--all-events", is_flag=True, help="Report all kinds of events.")
@_topics_option
@json_option
@connection_options
def edit(
    *,
    connection: ServiceConnection,
    number: int,
    name: str | None,
    asks_address: bool,
    all_events: bool,
    topics: tuple[str, ...],
    as_json: bool,
) -> None:
    """Change name, address or topics of a channel.

    What is not given stays.
    """
    body: dict[str, Any] = {"channel": number}
    body |= {"name": name} if name else {}
    body |= {"topics": [] if all_events else list(topics)} if all_events or topics else {}
    with connection.open() as service:
        body |= {"address": _address()} if asks_address else {}
        _print_channels(_send(service, "edit", body), as_json=as_json)


@channel.command("test")
@_number_argument
@json_option
@connection_options
def test(*, connection: ServiceConnection, number: int, as_json: bool) -> None:
    """Send a test message to a channel.

    Exit status: 0 delivered, 1 not delivered, 2 the service could not do it.
    """
    with connection.open() as service:
        delivery = _send(service, "test", {"channel": number})
    if as_json:
        print_json(delivery)
    else:
        print_lines(f"Channel {number}: {_delivery_text(delivery)}")
    sys.exit(ALL_WELL if delivery["taken"] else FINDINGS)


@channel.command("remove")
@_number_argument
@json_option
@connection_options
def remove(*, connection: ServiceConnection, number: int, as_json: bool) -> None:
    """Remove a channel."""
    with connection.open() as service:
        _print_channels(_send(service, "remove", {"channel": number}), as_json=as_json)


def _send(service: ServiceLocation, verb: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Send a command ("" adds a channel) and return its answer."""
    path = f"{_PATH}/{verb}" if verb else _PATH
    return dict(service.client.post(service.paths.part(path), body=dict(body)) or {})


def _address() -> str:
    """Return an address from a prompt or standard input: it may hold a token, and options show in process lists."""
    if sys.stdin.isatty():
        return str(click.prompt("Address", hide_input=True, err=True))
    address = sys.stdin.readline().strip()
    if not address:
        raise CommandError("The address is missing. Write it to standard input, or run this at a terminal.")
    return address


def _print_channels(state: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(state)
        return
    if not state["channels"]:
        click.echo("No channels. Add one with: poolkeeper channel add NAME")
    for row in state["channels"]:
        topics = ", ".join(row["topics"]) or "all events"
        last = f" Last: {_delivery_text(row['last'])}" if row["last"] else ""
        print_lines(f"{row['id']}  {plain(row['name'])} ({plain(row['host'] or row['scheme'])}): {topics}.{last}")


def _delivery_text(delivery: Mapping[str, Any]) -> str:
    problem = plain(reasons_text(delivery["problems"], delivery["problem"]))
    outcome = "delivered." if delivery["taken"] else f"not delivered. {problem}"
    return f"{plain(delivery['kind'])}, {ago(delivery['at'])}, {outcome}"
