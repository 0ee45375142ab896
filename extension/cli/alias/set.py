"""`poolkeeper alias set`: name a client key."""

import sys

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.errors import CommandError
from extension.cli.output.text import plain, print_json
from extension.cli.parsing.declarations import command, json_option, option


@command("set")
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
