"""`poolkeeper key forget`: remove a stored management key."""

import os
from pathlib import Path

import click

from extension.cli.client.connection import data_dir_option, gateway_option
from extension.cli.client.gateway_key import folder_of
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command
from extension.serving.errors import ServingError


@command("forget")
@gateway_option(required=True)
@data_dir_option("Data folder. [default: the folder of this gateway]")
def forget(*, gateway: str, data_dir: Path | None) -> None:
    """Remove the stored management key of a gateway."""
    from extension.serving import key_store

    try:
        folder = folder_of(os.environ, gateway, data_dir)
        removed = key_store.forget(folder)
    except ServingError as error:
        raise CommandError(str(error)) from None
    click.echo(f"The key stored in {folder} is removed." if removed else f"No key is stored in {folder}.")
