"""`poolkeeper worker`: a process that works on gateways for the consoles on one database."""

import asyncio
import os
from pathlib import Path

import click

from extension.cli.client.connection import data_dir_option, gateway_option, key_file_option
from extension.cli.client.gateway_key import folder_of, gateway_key
from extension.cli.errors import CannotStart
from extension.cli.parsing.declarations import command, option
from extension.cli.process_start import forbid_core_files, without_collection
from extension.serving.errors import ServingError
from extension.serving.settings.sources import SETTINGS_FILE, as_environment, gather, read_settings_file
from extension.store.errors import StoreError


@command("worker")
@option("--settings", type=click.Path(path_type=Path), metavar="FILE", help="Settings of the service (TOML).")
@data_dir_option("Data folder, with the secret.key of the consoles. [default: that of the gateway]")
@gateway_option(required=True)
@key_file_option
def worker(settings: Path | None, data_dir: Path | None, gateway: str, key_file: Path | None) -> None:
    """Work on gateways for the consoles on one PostgreSQL.

    It ends at SIGTERM, and hands runs over without an interruption. The database is that of the consoles
    (POOLKEEPER_DATABASE_URL), and the data folder holds their secret.key. Any number of workers share the gateways;
    what one leaves or loses, another goes on with.

    Exit status: 1 when it cannot start, or when a newer version has migrated the database.
    """
    forbid_core_files()
    with without_collection():
        from extension.serving.composition import assemble
        from extension.serving.remote import remote_connection
        from extension.serving.remote_gateway import RemoteGateway, remote_gateway_address
        from extension.serving.store_faults import every_fault
        from extension.serving.worker import serve_as_worker

    if settings is not None:
        os.environ[SETTINGS_FILE] = str(settings.absolute())
    try:
        folder = folder_of(os.environ, gateway, data_dir)
        remote = RemoteGateway(remote_gateway_address(gateway), gateway_key(os.environ, key_file, gateway, folder))
        flags = {"gateway": gateway, "data_dir": folder}
        gathered = gather(flags=flags, environment=os.environ, file=read_settings_file(os.environ))
        environment = os.environ | as_environment(gathered.settings)
        assembly, _ = assemble(remote_connection(remote), environment, secrets=[remote.key], ends_at=every_fault)
        try:
            asyncio.run(serve_as_worker(assembly))
        finally:
            assembly.folder.close()
    except (ServingError, StoreError) as error:
        raise CannotStart(str(error)) from None
