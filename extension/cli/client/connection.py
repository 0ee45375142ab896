"""Connection of a command: its options, and the service that they lead to."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from click.core import ParameterSource

from extension.cli.client.client import RequestRefused, Unreachable
from extension.cli.client.service_lookup import ServiceLocation, as_command_error, connect
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import option
from extension.serving.settings.sources import ENVIRONMENT_PREFIX, MANAGEMENT_KEY, SERVER

_Function = TypeVar("_Function", bound=Callable[..., Any])
DATA_DIR = f"{ENVIRONMENT_PREFIX}DATA_DIR"
CONNECTION = "Connection"
"""Title of the group of these options in the help."""


@dataclass(frozen=True, slots=True)
class ServiceConnection:
    """Options that select a service: a running one, or a temporary one in front of `gateway`."""

    gateway: str | None
    server: str | None
    data_dir: Path | None
    config: Path
    key_file: Path | None
    pool: str | None = None

    @contextmanager
    def open(self) -> Iterator[ServiceLocation]:
        """Connect for the block; a failed request within it ends the command."""
        with ExitStack() as stack:
            try:
                if self.gateway:
                    # a server and its libraries are imported only where one is started
                    from extension.cli.client.local_service import service_for

                    yield stack.enter_context(service_for(self.gateway, self.data_dir, self.key_file))
                else:
                    yield connect(self.server, self.data_dir, self.config, self.key_file, self.pool)
            except RequestRefused as error:
                raise _refusal(error) from None
            except Unreachable as error:
                raise as_command_error(error) from None


def connection_options(function: _Function) -> _Function:
    """Declare the options; the command receives them as one `connection`."""

    @wraps(function)
    def connected(**values: Any) -> Any:
        names = ("gateway", "server", "data_dir", "config", "key_file", "pool")
        context = click.get_current_context()
        chosen = {name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
        if {"gateway", "server"} <= chosen:
            raise click.UsageError("--gateway and --server contradict each other. Give one of them.")
        if {"gateway", "pool"} <= chosen:
            raise click.UsageError("--pool chooses a gateway of a running fleet. Leave --gateway out.")
        connection = ServiceConnection(**{name: values.pop(name) for name in names})
        return function(connection=connection, **values)

    command = cast("_Function", connected)
    for declare in reversed(_OPTIONS):
        command = declare(command)
    return command


def _refusal(error: RequestRefused) -> CommandError:
    """Return the failure for a refused request, which names an option where a setting was refused."""
    if error.code not in {"bad_setting", "bad_request"}:
        return as_command_error(error)
    # the settings are imported only where one was refused
    from extension.cli.parsing.settings_options import option_of, with_flag

    return CommandError(with_flag(error.phrased_with(option_of)))


def gateway_option(*, required: bool) -> Callable[[_Function], _Function]:
    """Declare `--gateway` for a command that needs no service."""
    text = "URL of the gateway, such as http://127.0.0.1:8317."
    return option("--gateway", required=required, metavar="URL", help=text, group=CONNECTION)


def key_file_option(function: _Function) -> _Function:
    """Declare `--key-file`."""
    text = f"File with the management key, instead of {MANAGEMENT_KEY}."
    return option("--key-file", type=click.Path(path_type=Path), metavar="FILE", help=text, group=CONNECTION)(function)


def config_option(function: _Function) -> _Function:
    """Declare `--config` for a command that works on the data folder beside it."""
    return option(
        "--config",
        default="config.yaml",
        show_default=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Configuration of the gateway; the data folder is beside it.",
        group=CONNECTION,
    )(function)


def data_dir_option(text: str, envvar: str | None = None) -> Callable[[_Function], _Function]:
    """Declare `--data-dir`."""
    kind = click.Path(path_type=Path)
    return option("--data-dir", envvar=envvar, type=kind, metavar="FOLDER", help=text, group=CONNECTION)


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    option("--gateway", metavar="URL", help="Work on a gateway directly, without a running service.", group=CONNECTION),
    option("--pool", metavar="NAME", help="Gateway of a fleet to work on.", group=CONNECTION),
    option("--server", envvar=SERVER, metavar="URL", help="URL of a running service.", group=CONNECTION),
    data_dir_option("Data folder of the service.", DATA_DIR),
    config_option,
    key_file_option,
)
