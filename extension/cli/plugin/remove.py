"""`poolkeeper plugin remove`: take the library out of a stock gateway."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import click

from adapter.rules.config_text import section
from extension.cli.client.connection import key_file_option
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command
from extension.cli.plugin.own_gateway import refuse_own_gateway
from extension.cli.plugin.places import config_option, folder_option, running_gateway, server_option
from extension.cli.plugin.running_gateway import GatewayRefused, RunningGateway
from extension.plugin.install.config_edit import PLUGIN, EditRefused
from extension.plugin.install.file_changes import all_or_nothing
from extension.plugin.install.gateway_folder import GatewayFolder, GatewayNotFound, gateway_folder
from extension.plugin.install.installation_record import Installation
from extension.plugin.install.interrupted_edit import EditInterrupted
from extension.plugin.install.placement import (
    disabled_config,
    prepared,
    removed_folders,
    removed_key,
    removed_libraries,
)
from extension.serving.settings.service_settings import DATA_FOLDER
from extension.serving.settings.sources import MANAGEMENT_KEY


@command("remove")
@folder_option
@config_option
@server_option
@key_file_option
def remove(gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None) -> None:
    """Take the library out of a stock gateway.

    The copy of the management key that the installation wrote goes, too; the data of the service stays.
    A running gateway unloads it when it is asked with --server; otherwise it has to be restarted.
    """
    if gateway_dir is None and server is None:
        raise click.UsageError("Name the folder of the gateway with --gateway-dir, or its address with --server.")
    try:
        if server is not None:
            with running_gateway(server, key_file) as gateway:
                found = asyncio.run(_removed(gateway))
            click.echo(
                "The gateway unloaded the plugin and deleted its file."
                if found
                else "The gateway has no plugin poolkeeper; nothing is left to remove."
            )
            if found and gateway_dir is None:
                click.echo(
                    "Kept beside its config.yaml: poolkeeper-management.key, which `poolkeeper plugin remove "
                    "--gateway-dir DIR` removes, and the data folder."
                )
        if gateway_dir is not None:
            _remove_files(gateway_folder(gateway_dir, config), key_file, server=server)
    except (GatewayNotFound, EditRefused, EditInterrupted, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        name = error.filename or gateway_dir
        raise CommandError(f"{name} cannot be written: {error.strerror}. Nothing was changed in the folder.") from None


async def _removed(gateway: RunningGateway) -> bool:
    async with gateway:
        return await gateway.remove()


def _remove_files(place: GatewayFolder, key_file: Path | None, *, server: str | None) -> None:
    if server is None:
        given = key_file is not None or os.environ.get(MANAGEMENT_KEY)
        refuse_own_gateway(place, management_key(os.environ, key_file).reveal() if given else None)
    prepared(place)
    record = Installation.read(place.config)
    with all_or_nothing() as undo:
        edited = disabled_config(place.config, undo)
        removed = removed_libraries(place.plugins, undo)
        key = removed_key(place.config, undo)
    removed_folders(place, record)
    for path in (*removed, *((key,) if key else ())):
        click.echo(f"Removed {path}.")
    if not (edited or removed or key):
        click.echo("The plugin is not installed; nothing changed.")
        return
    left = gateway_folder(place.folder, place.config)
    if record and record.had_own and PLUGIN not in section(left.values, "plugins", "configs"):
        click.echo(f"plugins.configs.{PLUGIN} was changed since the installation: what it held before is gone, too.")
    for line in _kept(place, enabled=section(left.values, "plugins").get("enabled")):
        click.echo(line)
    if server is None and removed:
        click.echo("Restart the gateway: it unloads a library only then.")


def _kept(place: GatewayFolder, *, enabled: object) -> Iterator[str]:
    """Name the leftovers of an installation, with the reason."""
    named = section(place.values, "plugins", "configs", PLUGIN).get("data-dir")
    data = place.folder / str(named) if named else place.config.parent / DATA_FOLDER
    if data.is_dir():
        yield f"Kept {data}: history and settings of the service. Delete it when they are not needed again."
    if enabled is True:
        yield f"Kept plugins.enabled in {place.config}: other plugins may need it."
