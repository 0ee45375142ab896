"""`poolkeeper plugin remove`: take the library out of a stock gateway."""

import asyncio
from pathlib import Path

import click

from extension.cli.client.connection import key_file_option
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command
from extension.cli.plugin.places import config_option, folder_option, running_gateway, server_option
from extension.cli.plugin.running_gateway import GatewayRefused, RunningGateway
from extension.plugin.install.config_edit import EditRefused, removed_text
from extension.plugin.install.gateway_folder import GatewayNotFound, gateway_folder
from extension.plugin.install.placement import edited_config, removed_key, removed_libraries


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
                asyncio.run(_removed(gateway))
            click.echo("The gateway unloaded the plugin and deleted its file.")
        if gateway_dir is not None:
            _remove_files(gateway_dir, config, restart=server is None)
    except (GatewayNotFound, EditRefused, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or gateway_dir} cannot be written: {error.strerror}.") from None


async def _removed(gateway: RunningGateway) -> None:
    async with gateway:
        await gateway.remove()


def _remove_files(gateway_dir: Path, config: Path | None, *, restart: bool) -> None:
    place = gateway_folder(gateway_dir, config)
    edited = edited_config(place.config, removed_text)
    removed = removed_libraries(place.plugins)
    key = removed_key(place.config)
    for path in (*removed, *((key,) if key else ())):
        click.echo(f"Removed {path}.")
    if not (edited or removed or key):
        click.echo("The plugin is not installed; nothing changed.")
    elif restart:
        click.echo("Restart the gateway: it unloads a library only then.")
