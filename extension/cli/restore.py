"""`poolkeeper restore`: put a backup into a data folder."""

from datetime import UTC, datetime
from pathlib import Path

import click

from adapter.clock import SystemClock
from extension.cli.client.data_folder import data_folder, folder_options, shared_database
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command, option
from extension.store.errors import StoreError


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
        archive = put_back(file, folder, shared_database(config), replace=replace, now=SystemClock().now_ms())
    except StoreError as error:
        raise CommandError(str(error)) from None
    made = datetime.fromtimestamp(archive.made_at / 1000, UTC)
    click.echo(f"{folder} is as it was at {made:%Y-%m-%d %H:%M:%S} UTC. Start the service.")
