"""Data folder of a command that works on its files."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from adapter.privacy.secret import Secret
from extension.cli.client.connection import CONNECTION, DATA_DIR, config_option, data_dir_option
from extension.cli.client.gateway_key import folder_of
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import option
from extension.serving.errors import ServingError
from extension.serving.settings.service_settings import DATA_FOLDER
from extension.serving.settings.settings_file import read_settings_file
from extension.serving.settings.sources import gather, plugin_section
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular_text

_Function = TypeVar("_Function", bound=Callable[..., Any])


def folder_options(function: _Function) -> _Function:
    """Declare the options that select a data folder."""
    gateway = option("--gateway", metavar="URL", help="URL of a remote gateway, for its data folder.", group=CONNECTION)
    folder = data_dir_option("Data folder. [default: poolkeeper/ beside the configuration]", DATA_DIR)
    return folder(gateway(config_option(function)))


def data_folder(data_dir: Path | None, config: Path, gateway: str | None) -> Path:
    """Return the data folder that the options select.

    Raises:
        CommandError: a setting cannot be used.
    """
    if gateway:
        try:
            return folder_of(os.environ, gateway, data_dir)
        except ServingError as error:
            raise CommandError(str(error)) from None
    return (data_dir or config.absolute().parent / DATA_FOLDER).absolute()


def shared_database(config: Path) -> Secret | None:
    """Return the address of the PostgreSQL database that the settings name; None for the data folder's own.

    Raises:
        CommandError: a setting cannot be used.
    """
    try:
        text = read_regular_text(config, LARGEST_CONFIGURATION) if config.is_file() else ""
        gathered = gather(environment=os.environ, file=read_settings_file(os.environ), plugin=plugin_section(text))
    except (ServingError, OSError, UnicodeDecodeError) as error:
        raise CommandError(str(error)) from None
    return Secret(gathered.settings.database_url) if gathered.settings.database_url else None
