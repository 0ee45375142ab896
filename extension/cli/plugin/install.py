"""`poolkeeper plugin install`: put the library into a stock gateway and enable it."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import click

from extension.cli.client.connection import key_file_option
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError
from extension.cli.parsing.declarations import command, option
from extension.cli.plugin.places import config_option, folder_option, running_gateway, server_option
from extension.cli.plugin.running_gateway import GatewayRefused, RunningGateway, advice
from extension.plugin.install.config_edit import EditRefused, enabled_text
from extension.plugin.install.gateway_folder import GatewayFolder, GatewayNotFound, gateway_folder
from extension.plugin.install.native_library import NoNativePart, file_name, library_version, native_library
from extension.plugin.install.placement import edited_config, key_path, newer_library, placed_key, placed_library
from extension.plugin.install.program import ProgramUnusable, runs_here, usable_program
from extension.serving.release import service_version


@command("install")
@folder_option
@config_option
@server_option
@key_file_option
@option("--program", type=click.Path(path_type=Path), metavar="FILE", help="Program to start. [default: this one]")
def install(
    gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None, program: Path | None
) -> None:
    """Put the library into a stock gateway and enable it.

    With --gateway-dir the library and config.yaml are written; with --server the running gateway is configured over its
    API. The management key, when it is given, is kept in a file only its owner can read, for runs on a schedule.
    """
    if gateway_dir is None and server is None:
        raise click.UsageError("Name the folder of the gateway with --gateway-dir, or its address with --server.")
    try:
        # checked before anything is written; a gateway on another machine has programs of its own
        named = usable_program(program, service_version()) if program and runs_here(gateway_dir, server) else program
        settings: dict[str, Any] = {"command": [str(named or _own_program()), "plugin", "serve"]}
        if gateway_dir is not None:
            place = gateway_folder(gateway_dir, config)
            library = native_library()  # looked for before anything is written
            if newer := newer_library(place.plugins, library_version()):
                raise CommandError(
                    f"{newer} is newer, and a gateway loads the newest: remove it with `poolkeeper plugin remove`, or "
                    "install that version of Poolkeeper."
                )
            settings |= _key_setting(place, key_file, required=server is not None)
            _write(place, library, settings, edit=server is None)
        if server is not None:
            with running_gateway(server, key_file) as gateway:
                click.echo(asyncio.run(_configured(gateway, settings)))
    except (ProgramUnusable, NoNativePart, GatewayNotFound, EditRefused, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or gateway_dir} cannot be written: {error.strerror}.") from None


def _own_program() -> Path:
    found = shutil.which(sys.argv[0]) or shutil.which("poolkeeper")
    if found is None:
        raise CommandError("The program poolkeeper is not on the PATH: name it with --program.")
    return Path(found).absolute()


def _key_setting(place: GatewayFolder, key_file: Path | None, *, required: bool) -> dict[str, Any]:
    if key_file is None and not os.environ.get("POOLKEEPER_MANAGEMENT_KEY") and not required:
        return {}
    path = key_path(place.config)
    if placed_key(path, management_key(os.environ, key_file).reveal()):
        click.echo(f"Wrote {path} (0600).")
    return {"management-key-file": str(path)}


def _write(place: GatewayFolder, library: Path, settings: dict[str, Any], *, edit: bool) -> None:
    target = place.plugins / file_name()
    replaced = target.exists()
    changed = placed_library(library, place.plugins, target.name)
    replaced = replaced and changed
    if changed:
        click.echo(f"Wrote {target}.")
    if edit and edited_config(place.config, lambda text: enabled_text(text, settings)):
        changed = True
        click.echo(f"Enabled the plugin in {place.config}.")
    if not changed:
        click.echo("The plugin is installed already; nothing changed.")
    elif replaced:
        click.echo("Restart the gateway: a running one keeps the library of the same version that it has loaded.")
    elif edit:
        click.echo("A running gateway loads it now; a stopped one when it starts.")
        click.echo(f"Check: poolkeeper plugin status --server URL (or --gateway-dir {place.folder})")


async def _configured(gateway: RunningGateway, settings: dict[str, Any]) -> str:
    async with gateway:
        await gateway.configure(settings)
        state = await gateway.effective()
    if reason := advice(state):
        raise GatewayRefused(f"The plugin is configured but not in effect. {reason}")
    return "The plugin is in effect."
