"""`poolkeeper alias remove`: remove the alias of a client key."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command


@command("remove")
@click.argument("fingerprint")
@connection_options
def remove(*, connection: ServiceConnection, fingerprint: str) -> None:
    """Remove the alias of a client key."""
    with connection.open() as service:
        service.client.delete(service.paths.part("api-key-aliases"), {"fingerprint": fingerprint})
    click.echo(f"The client key with fingerprint {fingerprint} has no alias any more.")
