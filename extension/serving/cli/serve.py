"""`poolkeeper serve`: the gateway with Poolkeeper in front of it, in one process on one port."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from extension.serving.cli.trouble import CannotStart
from extension.serving.errors import ServingError
from extension.serving.settings import DATA_FOLDER, ServiceSettings
from extension.serving.settings_file import read_settings_file
from extension.serving.sources import SETTINGS_FILE, Gathered, as_environment, gather, plugin_section
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
def serve(config: Path, settings: Path | None, **flags: Any) -> None:
    """Start the gateway with Poolkeeper in front of it.

    A flag wins over the environment (POOLKEEPER_...), that over the settings file, that over
    plugins.configs.poolkeeper in the configuration, that over the default.
    """
    text = _configuration(config)
    if settings is not None:
        os.environ[SETTINGS_FILE] = str(settings.absolute())
    try:
        gathered = gather(
            flags=flags, environment=os.environ, file=read_settings_file(os.environ), plugin=plugin_section(text)
        )
        _prepare(gathered, config)
        status = _entry()(["--config", str(config)])
    except (ServingError, StoreError) as error:
        raise CannotStart(str(error)) from None
    sys.exit(status)


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
