"""`poolkeeper key`: keep the management key of a gateway elsewhere, encrypted, or forget it again."""

import os
from pathlib import Path

import click

from extension.cli.client.gateway_key import folder_of, passphrase
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError
from extension.serving.errors import ServingError
from extension.serving.remote import remote_gateway_address

_GATEWAY = click.option("--gateway", required=True, help="Address of the gateway, e.g. http://127.0.0.1:8317.")
_DATA_DIR = click.option(
    "--data-dir", type=click.Path(path_type=Path), help="Data folder. [default: the one of this gateway]"
)


@click.group()
def key() -> None:
    """Keep the management key of a gateway elsewhere, encrypted, or forget it again.

    `serve`, `inspect` and `doctor --gateway` use it when neither POOLKEEPER_MANAGEMENT_KEY nor --key-file has one, and
    ask for its passphrase unless POOLKEEPER_PASSPHRASE has it.
    """


@key.command()
@_GATEWAY
@_DATA_DIR
@click.option("--key-file", type=click.Path(path_type=Path), help="File with the key, instead of the environment.")
def store(*, gateway: str, data_dir: Path | None, key_file: Path | None) -> None:
    """Store the key, encrypted with a passphrase; one that is there is replaced. The gateway is not asked.

    The key comes from --key-file, POOLKEEPER_MANAGEMENT_KEY or a prompt, the passphrase from POOLKEEPER_PASSPHRASE or a
    prompt. Who loses the passphrase stores the key again.
    """
    from extension.serving import key_store

    try:
        folder = folder_of(os.environ, gateway, data_dir)
        taken = management_key(os.environ, key_file)
        path = key_store.store(folder, remote_gateway_address(gateway), taken, passphrase(os.environ, anew=True))
    except ServingError as error:
        raise CommandError(str(error)) from None
    click.echo(f"Stored, encrypted, in {path}. Remove it with: poolkeeper key forget --gateway {gateway}")


@key.command()
@_GATEWAY
@_DATA_DIR
def forget(*, gateway: str, data_dir: Path | None) -> None:
    """Remove the stored key."""
    from extension.serving import key_store

    try:
        folder = folder_of(os.environ, gateway, data_dir)
        removed = key_store.forget(folder)
    except ServingError as error:
        raise CommandError(str(error)) from None
    click.echo(f"The key stored in {folder} is removed." if removed else f"No key is stored in {folder}.")
