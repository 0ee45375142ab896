"""`poolkeeper plugin status`: whether a gateway has the plugin."""

import asyncio
from pathlib import Path
from typing import Any

import click

from adapter.rules.config_text import config_values, section
from extension.cli.client.connection import key_file_option
from extension.cli.errors import CommandError
from extension.cli.exit_status import FINDINGS
from extension.cli.parsing.declarations import command
from extension.cli.plugin.places import config_option, folder_option, running_gateway, server_option
from extension.cli.plugin.running_gateway import GatewayRefused, RunningGateway, advice
from extension.plugin.install.config_edit import PLUGIN
from extension.plugin.install.gateway_folder import GatewayNotFound, gateway_folder
from extension.plugin.install.native_library import file_name
from extension.store.regular_file import LARGEST_CONFIGURATION, read_regular_text


@command("status")
@folder_option
@config_option
@server_option
@key_file_option
@click.pass_context
def status(
    ctx: click.Context, gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None
) -> None:
    """Show whether a gateway has the plugin.

    Exit status: 0 it is in effect, 1 it is not, 2 the gateway could not be asked.
    """
    if gateway_dir is None and server is None:
        raise click.UsageError("Name the folder of the gateway with --gateway-dir, or its address with --server.")
    try:
        if server is not None:
            with running_gateway(server, key_file) as gateway:
                state = asyncio.run(_state(gateway))
            metadata = state.get("metadata") or {}
            click.echo(
                f"Library {metadata.get('Version') or metadata.get('version') or 'none'}, {state.get('path', '-')}"
            )
        else:
            state = _on_disk(gateway_dir, config)
            click.echo(f"Library {state.get('path') or 'none'}")
    except (GatewayNotFound, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    if reason := advice(state):
        click.echo(reason)
        ctx.exit(FINDINGS)
    click.echo("The plugin is in effect." if server is not None else "The plugin is installed and enabled.")


async def _state(gateway: RunningGateway) -> dict[str, Any]:
    async with gateway:
        return await gateway.state()


def _on_disk(gateway_dir: Path | None, config: Path | None) -> dict[str, Any]:
    place = gateway_folder(gateway_dir or Path(), config)
    values = config_values(read_regular_text(place.config, LARGEST_CONFIGURATION))
    path = place.plugins / file_name()
    enabled = section(values, "plugins", "configs", PLUGIN).get("enabled") is True
    switched = section(values, "plugins").get("enabled") is True
    state = {"plugins_enabled": switched, "enabled": enabled, "path": str(path) if path.is_file() else ""}
    return {**state, "effective_enabled": switched and enabled and path.is_file()}
