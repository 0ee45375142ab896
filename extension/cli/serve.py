"""`poolkeeper serve`: Poolkeeper in front of a gateway, in one process with it or in front of one elsewhere."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from extension.cli.errors import CannotStart
from extension.serving.errors import ServingError
from extension.serving.settings.service_settings import DATA_FOLDER, ServiceSettings
from extension.serving.settings.settings_file import read_settings_file
from extension.serving.settings.sources import (
    MANAGEMENT_KEY,
    SETTINGS_FILE,
    Gathered,
    as_environment,
    gather,
    plugin_section,
)
from extension.store.errors import StoreError

_GATEWAY = "gateway"


@click.command()
@click.option(
    "--config",
    default="config.yaml",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The gateway's configuration.",
)
@click.option("--settings", type=click.Path(path_type=Path), help="File with settings of the service (TOML).")
@click.option(
    "--data-dir", type=click.Path(path_type=Path), help="Data folder. [default: poolkeeper/ beside the configuration]"
)
@click.option("--prefix", help="Prefix of the service's own paths. [default: poolkeeper]")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), help="[default: info]")
@click.option("--log-format", type=click.Choice(["console", "json"]), help="[default: console]")
@click.option("--session-hours", type=float, help="How long a log-in of the page lasts. [default: 12]")
@click.option("--gateway", help="Address of a gateway that runs elsewhere, e.g. http://127.0.0.1:8317.")
@click.option("--listen", help="With --gateway: where to listen. [default: 127.0.0.1:8318]")
@click.option(
    "--key-file",
    type=click.Path(path_type=Path),
    help=f"With --gateway: file with its management key, instead of {MANAGEMENT_KEY}.",
)
def serve(config: Path, settings: Path | None, key_file: Path | None, **flags: Any) -> None:
    """Start a gateway with Poolkeeper in front of it, or Poolkeeper in front of a gateway elsewhere.

    With --gateway the gateway's management key comes from POOLKEEPER_MANAGEMENT_KEY, --key-file, where `poolkeeper key
    store` has put it, or a prompt. It is kept in memory only, unless stored, and is what one logs in with.

    A flag wins over the environment (POOLKEEPER_...), that over the settings file, that over
    plugins.configs.poolkeeper in the configuration, that over the default.
    """
    if settings is not None:
        os.environ[SETTINGS_FILE] = str(settings.absolute())
    try:
        remote = _gather(flags, "").settings
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
    from extension.serving.remote import Server, authority_of, listen, remote_application, remote_gateway

    address = settings.gateway or ""
    folder = folder_of(os.environ, address, settings.data_dir)
    gateway = remote_gateway(address, gateway_key(os.environ, key_file, address, folder))
    environment = os.environ | as_environment(settings.model_copy(update={"data_dir": folder}))
    listener = listen(settings.listen)
    application = remote_application(gateway, environment, authority_of(listener))
    Server(application).serve_on(listener)


def _gather(flags: Mapping[str, Any], text: str) -> Gathered:
    return gather(flags=flags, environment=os.environ, file=read_settings_file(os.environ), plugin=plugin_section(text))


def _configuration(config: Path) -> str:
    """Read the gateway's configuration; made sure of here, so that no data folder is made beside a mistyped path."""
    try:
        return config.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        reason = "it is not UTF-8 text"
    except OSError as error:
        reason = error.strerror or str(error)
    raise CannotStart(
        f"The configuration {config} cannot be read: {reason}. Name the gateway's config.yaml with --config.",
    )


def _prepare(gathered: Gathered, config: Path) -> None:
    """Leave the effective settings in this process's environment, where the composition root reads them."""
    for warning in gathered.warnings:
        click.echo(f"poolkeeper: {warning}", err=True)
    folder = gathered.settings.data_dir or config.absolute().parent / DATA_FOLDER
    effective: ServiceSettings = gathered.settings.model_copy(update={"data_dir": folder.absolute()})
    os.environ.update(as_environment(effective))


def _entry() -> Callable[[Sequence[str]], int]:
    """Import the generated entry point, which needs the gateway's distribution.

    Raises:
        CannotStart: that distribution is not installed.
    """
    try:
        from extension._generated_entry import main
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != _GATEWAY:
            raise
        raise CannotStart(
            "The gateway is not installed, so there is nothing to serve. Install it: pip install poolkeeper-gateway.",
        ) from None
    return main
