"""`poolkeeper channel edit`: change a channel."""

from typing import Any

import click

from extension.cli.channel.state import asked_address, print_channels, send_command, topics_option
from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command, json_option, option


@command("edit")
@click.argument("number", type=click.IntRange(min=1))
@option("--name", help="Another name.")
@option("--address", "asks_address", is_flag=True, help="Read another address from standard input.")
@option("--all-events", is_flag=True, help="Report all kinds of events.")
@topics_option
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
        body |= {"address": asked_address()} if asks_address else {}
        print_channels(send_command(service, "edit", body), as_json=as_json)
