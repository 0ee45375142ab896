"""Lookup of the running service and of the management key for it."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from adapter.contract.expectations import PREFIX
from adapter.privacy.secret import Secret
from extension.api.paths import Paths
from extension.cli.client.client import Client, RequestRefused, Unreachable
from extension.cli.errors import CommandError
from extension.serving.service_file import read
from extension.serving.settings.service_settings import DATA_FOLDER, FLEET_FOLDER, state_folder
from extension.serving.settings.sources import ENVIRONMENT_PREFIX, MANAGEMENT_KEY

_PREFIX = f"{ENVIRONMENT_PREFIX}PREFIX"
_NEXT_STEP = (
    "Start one with: poolkeeper serve --config config.yaml. Name one that runs elsewhere with --server ADDRESS, "
    "or work without one with --gateway ADDRESS."
)


@dataclass(frozen=True, slots=True)
class ServiceLocation:
    """Client and paths of a service; `lasting` when the service outlives the command."""

    client: Client
    paths: Paths
    lasting: bool = True


def connect(
    server: str | None, data_dir: Path | None, config: Path, key_file: Path | None, pool: str | None = None
) -> ServiceLocation:
    """Return the running service, addressed with the management key; `pool` is the one of a fleet to work on."""
    address, prefix = (server, os.environ.get(_PREFIX, PREFIX)) if server else _running(data_dir, config)
    try:
        client = Client(address, management_key(os.environ, key_file), pool=pool or "")
    except (Unreachable, ValueError) as error:
        raise CommandError(str(error)) from None
    return ServiceLocation(client, Paths(prefix))


def as_command_error(error: Unreachable | RequestRefused) -> CommandError:
    """Return the failure of a command for a failed request."""
    return CommandError(f"{error} {_NEXT_STEP}" if isinstance(error, Unreachable) else error.phrased)


def management_key(environment: Mapping[str, str], key_file: Path | None) -> Secret:
    """Read the management key from a file, the environment or a prompt; never from an option, which others can see."""
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
        (data_dir,)
        if data_dir
        else (
            config.absolute().parent / DATA_FOLDER,
            state_folder(os.environ),
            state_folder(os.environ) / FLEET_FOLDER,
        )
    )
    for folder in folders:
        service = read(folder)
        if service is not None:
            return service.address, service.prefix
    raise CommandError(f"No service is running here (looked in {' and '.join(map(str, folders))}). {_NEXT_STEP}")
