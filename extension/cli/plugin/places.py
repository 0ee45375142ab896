"""Options that name a gateway, and the connection to a running one."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from adapter.management.client.http import AddressInvalid, HttpTransport
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import option
from extension.cli.plugin.running_gateway import RunningGateway

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)


def folder_option(function: _Function) -> _Function:
    """Declare `--gateway-dir`."""
    text = "Working folder of the gateway, with its config.yaml."
    return option("--gateway-dir", type=_PATH, metavar="DIR", help=text)(function)


def config_option(function: _Function) -> _Function:
    """Declare `--config`."""
    text = "Configuration of the gateway. [default: config.yaml in its folder]"
    return option("--config", type=_PATH, metavar="FILE", help=text)(function)


def server_option(function: _Function) -> _Function:
    """Declare `--server`."""
    return option("--server", metavar="URL", help="Address of the running gateway.")(function)


@contextmanager
def running_gateway(address: str, key_file: Path | None) -> Iterator[RunningGateway]:
    """Give the gateway at an address, with the key from a file, the environment or a prompt."""
    try:
        transport = HttpTransport(address, management_key(os.environ, key_file))
    except AddressInvalid as error:
        raise CommandError(str(error)) from None
    yield RunningGateway(transport)
