"""`poolkeeper price remove`: remove a stored price."""

import click

from extension.cli.client.connection import ServiceConnection, connection_options
from extension.cli.parsing.declarations import command


@command("remove")
@click.argument("price", type=click.IntRange(min=1))
@connection_options
def remove(*, connection: ServiceConnection, price: int) -> None:
    """Remove a stored price; the built-in list applies again.

    Example: poolkeeper price remove 3
    """
    with connection.open() as service:
        service.client.delete(service.paths.part("model-prices"), {"price": price})
    click.echo(f"Price {price} removed.")
