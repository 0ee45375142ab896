"""`poolkeeper plugin install`: put the library into a stock gateway and enable it."""

import asyncio
import os
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from adapter.rules.config_text import section
from extension.cli.client.connection import key_file_option
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CommandError, NotInEffect
from extension.cli.parsing.declarations import command, option
from extension.cli.plugin.effect import advice, fault_of, library_of
from extension.cli.plugin.own_gateway import refuse_own_gateway
from extension.cli.plugin.places import config_option, folder_option, running_gateway, server_option
from extension.cli.plugin.running_gateway import GatewayRefused, GatewaySilent, RunningGateway
from extension.plugin.install.config_edit import PLUGIN, EditRefused
from extension.plugin.install.file_changes import all_or_nothing
from extension.plugin.install.gateway_folder import GatewayFolder, GatewayNotFound, gateway_folder
from extension.plugin.install.installation_record import Installation
from extension.plugin.install.interrupted_edit import EditInterrupted
from extension.plugin.install.native_library import NoNativePart, file_name, library_version, native_library
from extension.plugin.install.placement import (
    enabled_config,
    key_path,
    missing_folders,
    newer_library,
    placed_key,
    placed_library,
    preferred,
    prepared,
)
from extension.plugin.install.program import ProgramUnusable, runs_here, usable_program
from extension.serving.release import service_version
from extension.serving.settings.sources import MANAGEMENT_KEY

_KEYLESS: Final = (
    "No management key was given. Unless MANAGEMENT_PASSWORD is in the gateway's environment, the plugin needs one"
    " before it answers: install again with the key in POOLKEEPER_MANAGEMENT_KEY or in a --key-file."
)


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

    Exit status: 0 it is installed; 1 the running gateway is configured, but the plugin is not in effect; 2 nothing was
    written.
    """
    if gateway_dir is None and server is None:
        raise click.UsageError("Name the folder of the gateway with --gateway-dir, or its address with --server.")
    try:
        # checked before anything is written; a gateway on another machine has programs of its own
        named = usable_program(program, service_version()) if program and runs_here(gateway_dir, server) else program
        settings: dict[str, Any] = {"command": [str(named or _own_program()), "plugin", "serve"]}
        with all_or_nothing() as undo:
            if gateway_dir is not None:
                settings |= _installed(gateway_folder(gateway_dir, config), settings, key_file, server, undo)
            if server is not None:
                with running_gateway(server, key_file) as gateway:
                    asyncio.run(_configured(gateway, settings))
        if server is not None:
            with running_gateway(server, key_file) as gateway:
                reason = asyncio.run(_effect(gateway))
            if reason:
                raise NotInEffect(_held(reason, settings, server))
            click.echo("The plugin is in effect.")
    except (ProgramUnusable, NoNativePart, GatewayNotFound, EditRefused, EditInterrupted, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        name = error.filename or gateway_dir
        raise CommandError(f"{name} cannot be written: {error.strerror}. Nothing was changed.") from None


def _own_program() -> Path:
    found = shutil.which(sys.argv[0]) or shutil.which("poolkeeper")
    if found is None:
        raise CommandError("The program poolkeeper is not on the PATH: name it with --program.")
    return Path(found).absolute()


def _installed(
    place: GatewayFolder, settings: dict[str, Any], key_file: Path | None, server: str | None, undo: ExitStack
) -> dict[str, Any]:
    """Write the files; return the settings that name them. Everything is examined before anything is written."""
    given = key_file is not None or os.environ.get(MANAGEMENT_KEY) or server is not None
    key = management_key(os.environ, key_file).reveal() if given else None
    if server is not None:
        with running_gateway(server, key_file) as gateway:
            asyncio.run(_asked(gateway))
        unverified = ""
    else:
        unverified = refuse_own_gateway(place, key, to_load=True)
    library = native_library()
    if newer := newer_library(place.plugins, library_version()):
        raise CommandError(preferred(newer))
    if prepared(place):
        click.echo(f"Set {place.config} back to its text before an installation that was interrupted.")
    remark = f" Not verified: {unverified}. It has to be release 7.2.37 or newer." if unverified else ""
    _write(place, library, settings, key, undo, edit=server is None, remark=remark)
    return {} if key is None else {"management-key-file": str(key_path(place.config))}


def _write(
    place: GatewayFolder,
    library: Path,
    settings: dict[str, Any],
    key: str | None,
    undo: ExitStack,
    *,
    edit: bool,
    remark: str,
) -> None:
    """Write key, library and configuration in this order: a gateway reads the last at once. Then say what changed."""
    target, key_file = place.plugins / file_name(), key_path(place.config)
    replaced, made = target.exists(), missing_folders(place)
    keyed = key is not None and placed_key(key_file, key, undo)
    placed = placed_library(library, place.plugins, target.name, undo)
    wanted = settings | ({} if key is None else {"management-key-file": str(key_file)})
    edited = edit and enabled_config(place.config, wanted, undo, made)
    if keyed:
        click.echo(f"Wrote {key_file} (0600).{remark}")
    elif key is None and not section(place.values, "plugins", "configs", PLUGIN).get("management-key-file"):
        click.echo(_KEYLESS)
    if placed:
        click.echo(f"Wrote {target}.")
    if edited:
        click.echo(f"Enabled the plugin in {place.config}.")
        if PLUGIN in section(place.values, "plugins", "configs") and Installation.read(place.config) is None:
            click.echo(f"plugins.configs.{PLUGIN} was there and had a command or a pin: a removal takes it away whole.")
    if placed and replaced:
        click.echo("Restart the gateway: a running one keeps the library of the same version that it has loaded.")
    elif placed or edited:
        if edit:
            click.echo(_loaded_when(place))
            click.echo(f"Check: poolkeeper plugin status --server URL (or {place.options})")
    elif keyed:
        click.echo("A running plugin reads the key again by itself as soon as the gateway refuses the one it has.")
    else:
        click.echo("The plugin is installed already; nothing changed.")


def _loaded_when(place: GatewayFolder) -> str:
    """Say when the library is loaded. The working folder of a running gateway is not known here."""
    if not place.found_from:
        return "A running gateway with this configuration loads it now; a stopped one when it starts."
    return (
        f"{place.found_from} One that runs there loads it now, a stopped one when it is started there; "
        "`readlink /proc/PID/cwd` shows the folder of a running one. For another folder set plugins.dir to an absolute "
        "path and install again."
    )


async def _asked(gateway: RunningGateway) -> None:
    async with gateway:
        await gateway.require_release()


async def _configured(gateway: RunningGateway, settings: dict[str, Any]) -> None:
    async with gateway:
        await gateway.require_library()
        try:
            await gateway.configure(settings)
        except GatewaySilent as silence:
            raise GatewayRefused(
                f"{silence} Whether it has taken plugins.configs.{PLUGIN} is not known: look at its config.yaml."
            ) from None


async def _effect(gateway: RunningGateway) -> str:
    """Return the reason why a configured plugin is not in effect; empty when it is."""
    async with gateway:
        try:
            state = await gateway.effective()
            served = await gateway.served(loaded=bool(library_of(state)), renewed=True)
        except GatewayRefused as refusal:
            return str(refusal)
        return advice(state) or fault_of(served, library_of(state))


def _held(reason: str, settings: dict[str, Any], server: str) -> str:
    """Say what the configuration holds of a plugin that is not in effect, and how to go on."""
    names = ", ".join(["enabled", *settings])
    return (
        f"The plugin is configured but not in effect. {reason} The gateway's config.yaml has"
        f" plugins.configs.{PLUGIN} now ({names}): once the cause is gone it takes effect by itself, and"
        f" `poolkeeper plugin remove --server {server}` takes it away."
    )
