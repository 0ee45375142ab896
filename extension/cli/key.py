"""Stored management keys on the command line."""

import os
from pathlib import Path

import click

from extension.cli.client.connection import data_dir_option, gateway_option, key_file_option
from extension.cli.client.gateway_key import folder_of, passphrase
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError
from extension.cli.parsing.command_group import CommandGroup
from extension.serving.errors import ServingError
from extension.serving.remote_gateway import remote_gateway_address

key = CommandGroup(
    "key",
    help="""Store or forget the management key of a gateway.

    `serve`, `doctor` and commands with --gateway use a stored key when neither POOLKEEPER_MANAGEMENT_KEY nor --key-file
    names one. They ask for its passphrase unless POOLKEEPER_PASSPHRASE contains it.
    """,
)


@key.command("store")
@gateway_option(required=True)
@data_dir_option("Data folder. [default: the folder of this gateway]")
@key_file_option
def store(*, gateway: str, data_dir: Path | None, key_file: Path | None) -> None:
    """Store the management key of a gateway, encrypted with a passphrase.

    A stored key is replaced, and the gateway is not contacted. The key comes from --key-file,
    POOLKEEPER_MANAGEMENT_KEY or a prompt, the passphrase from POOLKEEPER_PASSPHRASE or a prompt. A lost passphrase
    cannot be recovered: store the key again.
    """
    # the library for it is imported only where a key is stored
    from extension.serving import key_store

    try:
        folder = folder_of(os.environ, gateway, data_dir)
        key = management_key(os.environ, key_file)
        path = key_store.store(folder, remote_gateway_address(gateway), key, passphrase(os.environ, anew=True))
    except ServingError as error:
        raise CommandError(str(error)) from None
    click.echo(f"Stored, encrypted, in {path}. Remove it with: poolkeeper key forget --gateway {gateway}")


@key.command("forget")
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
