"""Backup and restoration of the data folder."""

from datetime import UTC, datetime
from pathlib import Path

import click

from adapter.clock import SystemClock
from extension.cli.client.data_folder import data_folder, folder_options, shared_database
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command, option
from extension.serving.release import service_version
from extension.store.errors import StoreError


@command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@folder_options
def backup(*, file: Path, data_dir: Path | None, config: Path, gateway: str | None) -> None:
    """Write database and keys of the service into FILE.

    The service may run meanwhile. FILE is as secret as the data folder, and holds nothing of the gateway's
    configuration. An existing file is not overwritten.

    Example: poolkeeper backup poolkeeper-2026-11-22.backup
    """
    from extension.store.archive.archives import back_up

    folder = data_folder(data_dir, config, gateway)
    try:
        manifest = back_up(folder, shared_database(config), file, now=SystemClock().now_ms(), version=service_version())
    except StoreError as error:
        raise CommandError(str(error)) from None
    content = [name for name in manifest.members if not name.endswith(".rows")]
    rows = f"{len(manifest.tables)} tables of the PostgreSQL database, and " if manifest.tables else ""
    click.echo(f"{file} holds {rows}{', '.join(content)} of {folder}. Keep it secret.")


@command("restore")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@option("--replace", is_flag=True, help="Replace a database that is there; it is kept beside the new one.")
@folder_options
def restore(*, file: Path, replace: bool, data_dir: Path | None, config: Path, gateway: str | None) -> None:
    """Put a backup into the data folder of a stopped service.

    A file that is no backup, is damaged or comes from a newer version is refused, and nothing is changed.
    """
    from extension.store.archive.archives import restore as put_back

    folder = data_folder(data_dir, config, gateway)
    try:
        manifest = put_back(file, folder, shared_database(config), replace=replace, now=SystemClock().now_ms())
    except StoreError as error:
        raise CommandError(str(error)) from None
    made = datetime.fromtimestamp(manifest.made_at / 1000, UTC)
    click.echo(f"{folder} is as it was at {made:%Y-%m-%d %H:%M:%S} UTC. Start the service.")
