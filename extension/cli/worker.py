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
@option("--fleet", is_flag=True, help="Work on all gateways that the database names.")
@gateway_option(required=False)
@key_file_option
def worker(
    *, settings: Path | None, data_dir: Path | None, fleet: bool, gateway: str | None, key_file: Path | None
) -> None:
    """Work on gateways for the consoles on one PostgreSQL.

    It ends at SIGTERM, and hands runs over without an interruption. The database is that of the consoles
    (POOLKEEPER_DATABASE_URL), and the data folder holds their secret.key. Any number of workers share the gateways;
    what one leaves or loses, another goes on with.

    Exit status: 1 when it cannot start, or when a newer version has migrated the database.
    """
    if fleet == (gateway is not None):
        raise click.UsageError("Give either --gateway or --fleet.")
    forbid_core_files()
    if settings is not None:
        os.environ[SETTINGS_FILE] = str(settings.absolute())
    try:
        if gateway is None:
            _work_in_fleet(data_dir)
        else:
            _work_on(gateway, data_dir, key_file)
    except (ServingError, StoreError) as error:
        raise CannotStart(str(error)) from None


def _work_in_fleet(data_dir: Path | None) -> None:
    with without_collection():
        from extension.serving.fleet_processes import fleet_folder, serve_fleet_worker

    settings = gather(
        flags={"data_dir": data_dir}, environment=os.environ, file=read_settings_file(os.environ)
    ).settings
    folder = (settings.data_dir or fleet_folder(os.environ)).absolute()
    serve_fleet_worker(os.environ | as_environment(settings.model_copy(update={"data_dir": folder})))


def _work_on(gateway: str, data_dir: Path | None, key_file: Path | None) -> None:
    with without_collection():
        from extension.serving.composition import assemble
        from extension.serving.remote import remote_connection
        from extension.serving.remote_gateway import RemoteGateway, remote_gateway_address
        from extension.serving.store_faults import every_fault
        from extension.serving.worker import serve_as_worker

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
