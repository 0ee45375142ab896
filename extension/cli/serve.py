"""`poolkeeper serve`: Poolkeeper with a gateway in one process, or in front of a remote gateway."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from extension.cli.client.connection import CONNECTION, data_dir_option, gateway_option, key_file_option
from extension.cli.errors import CannotStart
from extension.cli.parsing.declarations import command, option
from extension.cli.parsing.value_types import SuggestingChoice
from extension.cli.process_start import forbid_core_files, without_collection
from extension.serving.errors import ServingError
from extension.serving.settings.service_settings import DATA_FOLDER, ServiceSettings, meaning_of
from extension.serving.settings.sources import (
    SETTINGS_FILE,
    Gathered,
    as_environment,
    gather,
    plugin_section,
    read_settings_file,
)
from extension.store.errors import StoreError
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular_text

_GATEWAY = "gateway"
_Function = TypeVar("_Function", bound=Callable[..., Any])


def _setting(name: str, **attributes: Any) -> Callable[[_Function], _Function]:
    """Declare the option of a setting, with the first sentence of its meaning."""
    default = ServiceSettings.model_fields[name].default
    shown = f"{default:g}" if isinstance(default, float) else default
    meaning = meaning_of(name).partition(". ")[0].removesuffix(".").replace("`", "")
    return option(f"--{name.replace('_', '-')}", help=f"{meaning}. [default: {shown}]", **attributes)


@command("serve")
@option(
    "--config",
    default="config.yaml",
    show_default=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration of the gateway.",
)
@option("--settings", type=click.Path(path_type=Path), metavar="FILE", help="Settings of the service (TOML).")
@data_dir_option("Data folder. [default: poolkeeper/ beside the configuration]")
@_setting("prefix", metavar="TEXT")
@_setting("log_level", type=SuggestingChoice(["debug", "info", "warning", "error"]))
@_setting("log_format", type=SuggestingChoice(["console", "json"]))
@_setting("session_hours", type=float)
@_setting("reads_per_second", type=int)
@option("--fleet", is_flag=True, help="Serve all gateways that the database names.", group=CONNECTION)
@gateway_option(required=False)
@_setting("listen", metavar="HOST:PORT", group=CONNECTION)
@key_file_option
def serve(*, config: Path, settings: Path | None, key_file: Path | None, fleet: bool, **flags: Any) -> None:
    """Start Poolkeeper with a gateway, or in front of one or a fleet.

    With --gateway the management key comes from POOLKEEPER_MANAGEMENT_KEY, --key-file, `poolkeeper key store` or a
    prompt. It stays in memory, and the same key signs in to the page. With --fleet that key is the console's own, and
    the gateways are those of `poolkeeper gateway` in a PostgreSQL database.

    Exit status: 1 when it cannot start.

    An option takes precedence over the environment (POOLKEEPER_...), then the settings file, then
    plugins.configs.poolkeeper in the configuration.
    """
    forbid_core_files()
    if settings is not None:
        os.environ[SETTINGS_FILE] = str(settings.absolute())
    try:
        remote = _gather(flags, "").settings
        if fleet:
            _serve_fleet(remote, key_file)
            return
        if remote.gateway:
            _serve_remote(remote, key_file)
            return
        status = _serve_embedded(flags, config)
    except (ServingError, StoreError) as error:
        raise CannotStart(str(error)) from None
    sys.exit(status)


def _serve_embedded(flags: Mapping[str, Any], config: Path) -> int:
    _prepare(_gather(flags, _configuration(config)), config)
    return _entry()(["--config", str(config)])


def _serve_remote(settings: ServiceSettings, key_file: Path | None) -> None:
    from extension.cli.client.gateway_key import folder_of, gateway_key

    with without_collection():
        from extension.serving.remote import remote_application
        from extension.serving.remote_gateway import RemoteGateway, remote_gateway_address
        from extension.serving.server import Server, authority_of, listen

    address = settings.gateway or ""
    folder = folder_of(os.environ, address, settings.data_dir)
    gateway = RemoteGateway(remote_gateway_address(address), gateway_key(os.environ, key_file, address, folder))
    environment = os.environ | as_environment(settings.model_copy(update={"data_dir": folder}))
    listener = listen(settings.listen)
    application = remote_application(gateway, environment, authority_of(listener))
    Server(application, trusted_proxies=settings.trusted_proxies).serve_on(listener)


def _serve_fleet(settings: ServiceSettings, key_file: Path | None) -> None:
    from extension.cli.client.service_lookup import management_key

    with without_collection():
        from extension.serving.fleet_processes import fleet_application, fleet_folder
        from extension.serving.server import Server, authority_of, listen

    if settings.gateway:
        raise click.UsageError("--fleet and --gateway contradict each other. Give one of them.")
    folder = (settings.data_dir or fleet_folder(os.environ)).absolute()
    environment = os.environ | as_environment(settings.model_copy(update={"data_dir": folder}))
    key = management_key(os.environ, key_file)
    listener = listen(settings.listen)
    application = fleet_application(key, environment, authority_of(listener))
    Server(application, trusted_proxies=settings.trusted_proxies).serve_on(listener)


def _gather(flags: Mapping[str, Any], text: str) -> Gathered:
    return gather(flags=flags, environment=os.environ, file=read_settings_file(os.environ), plugin=plugin_section(text))


def _configuration(config: Path) -> str:
    """Read the gateway's configuration before a data folder is created beside a mistyped path."""
    try:
        return read_regular_text(config, LARGEST_CONFIGURATION)
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    except OSError as error:
        reason = error.strerror or str(error)
    raise CannotStart(
        f"The configuration {config} cannot be read: {reason}. Name the gateway's config.yaml with --config."
    )


def _prepare(gathered: Gathered, config: Path) -> None:
    """Export the effective settings to the environment of this process for the composition root."""
    for warning in gathered.warnings:
        click.echo(f"poolkeeper: {warning}", err=True)
    folder = gathered.settings.data_dir or config.absolute().parent / DATA_FOLDER
    effective: ServiceSettings = gathered.settings.model_copy(update={"data_dir": folder.absolute()})
    os.environ.update(as_environment(effective))


def _entry() -> Callable[[Sequence[str]], int]:
    """Import the generated entry point, which needs the gateway's distribution."""
    try:
        with without_collection():
            from extension._generated_entry import main
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != _GATEWAY:
            raise
        raise CannotStart(
            "The gateway is not installed, so there is nothing to serve. Install it: pip install poolkeeper-gateway."
        ) from None
    return main
