"""Names of client keys on the command line."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.errors import CommandError
from extension.cli.output.columns import Column, Row, print_columns
from extension.cli.output.text import plain, print_json
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import json_option, option

alias = CommandGroup(
    "alias",
    help="""Manage names of client keys.

    A key is hashed when it is named, and kept nowhere; its fingerprint identifies it from then on.
    """,
)


@alias.command("list")
@json_option
@connection_options
def list_aliases(*, connection: ServiceConnection, as_json: bool) -> None:
    """List the aliases of client keys."""
    with connection.open() as service:
        answer = service.client.get(service.paths.part("api-key-aliases"))
    if as_json:
        print_json(answer)
    elif answer["aliases"]:
        rows = [Row((plain(row["alias"]), row["fingerprint"])) for row in answer["aliases"]]
        print_columns((Column("Alias"), Column("Fingerprint")), rows)
    else:
        click.echo("No alias yet. Name a client key with: poolkeeper alias set NAME")


@alias.command("set")
@click.argument("alias")
@option("--fingerprint", help="Fingerprint of the key, instead of the key itself.")
@json_option
@connection_options
def set_alias(*, connection: ServiceConnection, alias: str, fingerprint: str | None, as_json: bool) -> None:
    """Name a client key.

    The key is read from a prompt or standard input, never from an option. It is hashed and kept nowhere.

    Example: poolkeeper alias set "Anna's laptop"
    """
    body = {"alias": alias, **({"fingerprint": fingerprint} if fingerprint else {"key": _key()})}
    with connection.open() as service:
        answer = service.client.put(service.paths.part("api-key-aliases"), body)
    if as_json:
        print_json(answer)
    else:
        named = answer["alias"]
        click.echo(f"The client key with fingerprint {named['fingerprint']} is called {plain(named['alias'])}.")


def _key() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Client key", hide_input=True, err=True))
    key = sys.stdin.readline().strip()
    if not key:
        raise CommandError("The client key is missing. Write it to standard input, or run this at a terminal.")
    return key


@alias.command("remove")
@click.argument("fingerprint")
@connection_options
def remove(*, connection: ServiceConnection, fingerprint: str) -> None:
    """Remove the alias of a client key."""
    with connection.open() as service:
        service.client.delete(service.paths.part("api-key-aliases"), {"fingerprint": fingerprint})
    click.echo(f"The client key with fingerprint {fingerprint} has no alias any more.")
