"""Finding the running service, and the key to show it."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from adapter.contract.expectations import PREFIX
from adapter.privacy.secret import Secret
from extension.api.paths import Paths
from extension.cli.client.client import Client, RequestRefused, Unreachable
from extension.cli.errors import CommandError
from extension.serving.service_file import read
from extension.serving.settings.service_settings import DATA_FOLDER, state_folder
from extension.serving.settings.sources import ENVIRONMENT_PREFIX, MANAGEMENT_KEY, SERVER

_DATA_DIR = f"{ENVIRONMENT_PREFIX}DATA_DIR"
_PREFIX = f"{ENVIRONMENT_PREFIX}PREFIX"
_START = (
    "Start one with: poolkeeper serve --config config.yaml. One that runs elsewhere is named with --server ADDRESS."
)
_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ServiceLocation:
    """A service to talk to: a client of it, and its paths; `lasting` when it outlives the command."""

    client: Client
    paths: Paths
    lasting: bool = True


def connection_options(command: _Command) -> _Command:
    """Add the options by which a command finds the service and its key."""
    for option in (
        click.option(
            "--key-file", type=click.Path(path_type=Path), help=f"File with the key, instead of {MANAGEMENT_KEY}."
        ),
        click.option(
            "--config",
            default="config.yaml",
            show_default=True,
            type=click.Path(path_type=Path),
            help="The gateway's configuration; the service's data folder lies beside it.",
        ),
        click.option(
            "--data-dir", envvar=_DATA_DIR, type=click.Path(path_type=Path), help="The service's data folder."
        ),
        click.option("--server", envvar=SERVER, help="Address of the service, e.g. http://127.0.0.1:8317."),
    ):
        command = option(command)
    return command


def connect(server: str | None, data_dir: Path | None, config: Path, key_file: Path | None) -> ServiceLocation:
    """Find the service and the key.

    Raises:
        CommandError: no service is running, or there is no key.
    """
    address, prefix = (server, os.environ.get(_PREFIX, PREFIX)) if server else _running(data_dir, config)
    try:
        client = Client(address, management_key(os.environ, key_file))
    except (Unreachable, ValueError) as error:
        raise CommandError(str(error)) from None
    return ServiceLocation(client, Paths.under(prefix))


def explained(error: Unreachable | RequestRefused) -> CommandError:
    """Turn what a client met into how the command fails."""
    return CommandError(f"{error} {_START}" if isinstance(error, Unreachable) else str(error))


def management_key(environment: Mapping[str, str], key_file: Path | None) -> Secret:
    """Take the management key from a file, the environment, or a prompt; never from an option, which others can see.

    Raises:
        CommandError: the file cannot be read, or there is nobody to ask.
    """
    if key_file is not None:
        try:
            text = key_file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise CommandError(
                f"The key file {key_file} cannot be read. Name a text file that holds the key."
            ) from None
        if not text:
            raise CommandError(f"The key file {key_file} is empty. Write the management key into it.")
        return Secret(text)
    if key := environment.get(MANAGEMENT_KEY, ""):
        return Secret(key)
    if not sys.stdin.isatty():
        raise CommandError(f"The management key is missing. Set {MANAGEMENT_KEY} or name a file with --key-file.")
    return Secret(str(click.prompt("Management key", hide_input=True, err=True)))


def _running(data_dir: Path | None, config: Path) -> tuple[str, str]:
    folders: Sequence[Path] = (
        (data_dir,) if data_dir else (config.absolute().parent / DATA_FOLDER, state_folder(os.environ))
    )
    for folder in folders:
        service = read(folder)
        if service is not None:
            return service.address, service.prefix
    raise CommandError(f"No service is running here (looked in {' and '.join(map(str, folders))}). {_START}")
