"""Backup and restoration of the data folder."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from adapter.clock import SystemClock
from adapter.privacy.secret import Secret
from extension.cli.client.connection import CONNECTION, DATA_DIR, config_option, data_dir_option
from extension.cli.client.gateway_key import folder_of
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command, option
from extension.serving.errors import ServingError
from extension.serving.settings.service_settings import DATA_FOLDER
from extension.serving.settings.sources import gather, plugin_section, read_settings_file
from extension.store.errors import StoreError
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular_text

_Function = TypeVar("_Function", bound=Callable[..., Any])


def folder_options(function: _Function) -> _Function:
    """Declare the options that select a data folder."""
    gateway = option("--gateway", metavar="URL", help="URL of a remote gateway, for its data folder.", group=CONNECTION)
    folder = data_dir_option("Data folder. [default: poolkeeper/ beside the configuration]", DATA_DIR)
    return folder(gateway(config_option(function)))


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


def data_folder(data_dir: Path | None, config: Path, gateway: str | None) -> Path:
    """Return the data folder that the options select."""
    if gateway:
        try:
            return folder_of(os.environ, gateway, data_dir)
        except ServingError as error:
            raise CommandError(str(error)) from None
    return (data_dir or config.absolute().parent / DATA_FOLDER).absolute()


def shared_database(config: Path) -> Secret | None:
    """Return the address of the PostgreSQL database that the settings name; None for the data folder's own."""
    try:
        text = read_regular_text(config, LARGEST_CONFIGURATION) if config.is_file() else ""
        gathered = gather(environment=os.environ, file=read_settings_file(os.environ), plugin=plugin_section(text))
    except (ServingError, OSError, UnicodeDecodeError) as error:
        raise CommandError(str(error)) from None
    return Secret(gathered.settings.database_url) if gathered.settings.database_url else None
