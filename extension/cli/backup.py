"""`poolkeeper backup`: write the data folder into one file."""

from pathlib import Path

import click

from adapter.clock import SystemClock
from extension.cli.client.data_folder import data_folder, folder_options, shared_database
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command
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
        archive = back_up(folder, shared_database(config), file, now=SystemClock().now_ms())
    except StoreError as error:
        raise CommandError(str(error)) from None
    content = [name for name in archive.members if not name.endswith(".rows")]
    rows = f"{len(archive.tables)} tables of the PostgreSQL database, and " if archive.tables else ""
    click.echo(f"{file} holds {rows}{', '.join(content)} of {folder}. Keep it secret.")
