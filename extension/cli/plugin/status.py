"""`poolkeeper plugin status`: whether a gateway has the plugin."""

import asyncio
from pathlib import Path

import click

from adapter.rules.config_text import section
from extension.cli.client.connection import key_file_option
from extension.cli.errors import CommandError
from extension.cli.exit_status import FINDINGS
from extension.cli.parsing.declarations import command
from extension.cli.plugin.effect import DISABLED, advice, fault_of, library_of
from extension.cli.plugin.own_gateway import own_mark
from extension.cli.plugin.places import config_option, folder_option, running_gateway, server_option
from extension.cli.plugin.running_gateway import GatewayRefused, GatewaySilent, OwnGateway, RunningGateway
from extension.plugin.install.config_edit import PLUGIN
from extension.plugin.install.gateway_folder import GatewayFolder, GatewayNotFound, gateway_folder
from extension.plugin.install.library_file import library_fault
from extension.plugin.install.native_library import file_name, library_version, unlike_built
from extension.plugin.install.placement import newer_library, preferred


@command("status")
@folder_option
@config_option
@server_option
@key_file_option
@click.pass_context
def status(
    ctx: click.Context, gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None
) -> None:
    """Show whether the plugin of a gateway is in effect.

    Exit status: 0 it is in effect; 1 it is not, its process does not answer, or library and process are of different
    versions; 2 the gateway could not be asked. A process that starts is waited for, up to ten seconds.
    """
    if gateway_dir is None and server is None:
        raise click.UsageError("Name the folder of the gateway with --gateway-dir, or its address with --server.")
    try:
        if server is not None:
            with running_gateway(server, key_file) as gateway:
                lines, reason = asyncio.run(_running(gateway))
        else:
            lines, reason = _on_disk(gateway_dir, config)
    except GatewaySilent as silence:
        step = (
            "On its machine `poolkeeper plugin status --gateway-dir DIR` examines config.yaml and library without it."
        )
        raise CommandError(f"{silence} {step}") from None
    except (GatewayNotFound, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    for line in lines:
        click.echo(line)
    if reason:
        click.echo(reason)
        ctx.exit(FINDINGS)
    click.echo("The plugin is in effect." if server is not None else "The plugin is installed and enabled.")


async def _running(gateway: RunningGateway) -> tuple[list[str], str]:
    """Return the lines to show, and the reason why the plugin is not in effect."""
    async with gateway:
        try:
            state = await gateway.require_release()
        except OwnGateway:
            library, lines = "", []  # the gateway of this repository has no library, but the same paths
        else:
            library = library_of(state)
            lines = [f"Library {library or 'none'}, {state.get('path') or '-'}"]
            if reason := advice(state):
                return lines, reason
        served = await gateway.served(loaded=bool(library))
        if served.missing and not library and await gateway.is_disabled():
            return lines, DISABLED
        process = "not serving" if served.answered else served.version or "none"
        broken = await gateway.configuration_fault()
        return [*lines, f"Process {process}", *([broken] if broken else [])], fault_of(served, library)


def _on_disk(gateway_dir: Path | None, config: Path | None) -> tuple[list[str], str]:
    place = gateway_folder(gateway_dir or Path(), config)
    path = place.plugins / file_name()
    enabled = section(place.values, "plugins", "configs", PLUGIN).get("enabled") is True
    switched = section(place.values, "plugins").get("enabled") is True
    if mark := own_mark(place):
        return [], (
            f"{mark} belongs to the gateway of Poolkeeper, which loads no library: "
            "ask it with `poolkeeper plugin status --server URL`."
        )
    state = {"plugins_enabled": switched, "enabled": enabled, "path": str(path) if path.is_file() else ""}
    newer = newer_library(place.plugins, library_version())
    effective = switched and enabled and path.is_file()
    reason = (
        advice({**state, "effective_enabled": effective}) or _fault(path, place) or (preferred(newer) if newer else "")
    )
    return [f"Library {state['path'] or 'none'}", *([place.found_from] if place.found_from else [])], reason


def _fault(path: Path, place: GatewayFolder) -> str:
    fault = library_fault(path, library_version()) or unlike_built(path)
    return fault and (
        f"{path} is not the library of Poolkeeper {library_version()}. {fault} Replace it with `poolkeeper plugin"
        f" install {place.options}`, then restart the gateway."
    )
