"""The service as a plugin of a gateway on the command line: serve, install, status, remove."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from adapter.management.client.http import AddressInvalid, HttpTransport
from extension.cli.client.connection import key_file_option
from extension.cli.client.service_lookup import management_key
from extension.cli.errors import CannotStart, CommandError, NotInEffect
from extension.cli.exit_status import FINDINGS
from extension.cli.parsing.command_group import CommandGroup
from extension.cli.parsing.declarations import option
from extension.cli.plugin_effect import DISABLED, advice, fault_of, library_of
from extension.cli.plugin_files import folder_status, remove_files, write_files
from extension.cli.plugin_gateway import (
    GatewayRefused,
    GatewaySilent,
    OwnGateway,
    RunningGateway,
    asked,
    refuse_own_gateway,
)
from extension.cli.process_start import forbid_core_files, without_collection
from extension.plugin.install.config_block import PLUGIN
from extension.plugin.install.gateway_folder import GatewayFolder, GatewayNotFound, gateway_folder
from extension.plugin.install.library import NoNativePart, library_version, native_library
from extension.plugin.install.placement import key_path, newer_library, preferred
from extension.plugin.install.program import ProgramUnusable, runs_here, usable_program
from extension.serving.errors import ServingError
from extension.serving.release import service_version
from extension.serving.settings.sources import MANAGEMENT_KEY
from extension.store.errors import StoreError

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PATH = click.Path(path_type=Path)
_LIBRARIES: Final = frozenset({"google", "grpc", "grpc_health"})


plugin = CommandGroup(
    "plugin",
    help="""Run Poolkeeper as a plugin of a gateway.

    The page and the API are then at the address of the gateway, and its management key is used for both.
    """,
)


def _gateway_options(function: _Function) -> _Function:
    """Declare the options that name a gateway by its folder or its address."""
    options = (
        option("--gateway-dir", type=_PATH, metavar="DIR", help="Working folder of the gateway, with its config.yaml."),
        option(
            "--config",
            type=_PATH,
            metavar="FILE",
            help="Configuration of the gateway. [default: config.yaml in its folder]",
        ),
        option("--server", metavar="URL", help="Address of the running gateway."),
        key_file_option,
    )
    for declare in reversed(options):
        function = declare(function)
    return function


@plugin.command("serve")
@option(
    "--socket", type=_PATH, metavar="FILE", help="Wait at this socket for a gateway, such as one in another container."
)
def serve(socket: Path | None) -> None:
    """Serve a gateway that started this process.

    The settings come from the gateway: plugins.configs.poolkeeper in its configuration.
    """
    from extension.plugin.handshake import COOKIE
    from extension.plugin.lifeline import ParentWatch

    forbid_core_files()
    parent = ParentWatch()
    if socket is None and COOKIE in os.environ:
        parent.start()
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        with without_collection():
            from extension.plugin.process import serve_attached, serve_spawned
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _LIBRARIES:
            raise
        raise CannotStart("The libraries of plugins are not installed: pip install 'poolkeeper[plugin]'.") from None
    try:
        if socket is None:
            serve_spawned(parent)
        else:
            serve_attached(socket.absolute())
    except (ServingError, StoreError) as error:
        raise CannotStart(str(error)) from None


@plugin.command("install")
@_gateway_options
@option("--program", type=_PATH, metavar="FILE", help="Program to start. [default: this one]")
def install(
    gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None, program: Path | None
) -> None:
    """Put the library into a stock gateway and enable it.

    With --gateway-dir the library is written, and config.yaml where it has no section plugins; the lines to add are
    printed otherwise. With --server the running gateway is configured over its API. The management key, when it is
    given, is kept in a file only its owner can read, for runs on a schedule.

    Exit status: 0 it is installed; 1 lines have to be added, or the plugin of the running gateway is not in effect; 2
    it is not installed.
    """
    _require_place(gateway_dir, server)
    with _failures(gateway_dir):
        # checked before anything is written; a gateway on another machine has programs of its own
        checked = usable_program(program, service_version()) if program and runs_here(gateway_dir, server) else program
        settings: dict[str, Any] = {"command": [str(checked or _own_program()), "plugin", "serve"]}
        if gateway_dir is not None:
            settings |= _placed(gateway_folder(gateway_dir, config), settings, key_file, server)
        if server is None:
            return
        _configure(server, key_file, settings, placed=gateway_dir is not None)
        if reason := asked(_running(server, key_file), _effect):
            raise NotInEffect(_configured_without_effect(reason, settings, server))
        click.echo("The plugin is in effect.")


@plugin.command("status")
@_gateway_options
@click.pass_context
def status(
    ctx: click.Context, gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None
) -> None:
    """Show whether the plugin of a gateway is in effect.

    Exit status: 0 it is in effect; 1 it is not, its process does not answer, or library and process are of different
    versions; 2 the gateway could not be asked. A process that starts is waited for, up to ten seconds.
    """
    _require_place(gateway_dir, server)
    with _failures(gateway_dir):
        try:
            lines, reason = (
                asked(_running(server, key_file), _running_status)
                if server is not None
                else folder_status(gateway_folder(gateway_dir or Path(), config))
            )
        except GatewaySilent as silence:
            raise CommandError(
                f"{silence} On its machine `poolkeeper plugin status --gateway-dir DIR` examines config.yaml and"
                " library without it."
            ) from None
    for line in lines:
        click.echo(line)
    if reason:
        click.echo(reason)
        ctx.exit(FINDINGS)
    click.echo("The plugin is in effect." if server is not None else "The plugin is installed and enabled.")


@plugin.command("remove")
@_gateway_options
def remove(gateway_dir: Path | None, config: Path | None, server: str | None, key_file: Path | None) -> None:
    """Take the library out of a stock gateway.

    The copy of the management key that the installation wrote goes, too; the data of the service stays.
    A running gateway unloads it when it is asked with --server; otherwise it has to be restarted.
    """
    _require_place(gateway_dir, server)
    with _failures(gateway_dir):
        if server is not None:
            was_there = asked(_running(server, key_file), RunningGateway.remove)
            click.echo(
                "The gateway unloaded the plugin and deleted its file."
                if was_there
                else "The gateway has no plugin poolkeeper; nothing is left to remove."
            )
            if was_there and gateway_dir is None:
                click.echo(
                    "Kept beside its config.yaml: poolkeeper-management.key, which `poolkeeper plugin remove "
                    "--gateway-dir DIR` removes, and the data folder."
                )
        if gateway_dir is not None:
            place = gateway_folder(gateway_dir, config)
            if server is None:
                refuse_own_gateway(place, _given_key(key_file))
            remove_files(place, running=server is not None)


def _require_place(gateway_dir: Path | None, server: str | None) -> None:
    if gateway_dir is None and server is None:
        raise click.UsageError("Name the folder of the gateway with --gateway-dir, or its address with --server.")


@contextmanager
def _failures(gateway_dir: Path | None) -> Iterator[None]:
    """End the command with one line where a step fails."""
    try:
        yield
    except (ProgramUnusable, NoNativePart, GatewayNotFound, GatewayRefused) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        name = error.filename or gateway_dir
        raise CommandError(
            f"{name} cannot be written: {error.strerror}. Correct that, then run the same command again."
        ) from None


def _running(address: str, key_file: Path | None) -> HttpTransport:
    """Return the connection to a gateway, with the key from a file, the environment or a prompt."""
    try:
        return HttpTransport(address, management_key(os.environ, key_file))
    except AddressInvalid as error:
        raise CommandError(str(error)) from None


def _own_program() -> Path:
    path = shutil.which(sys.argv[0]) or shutil.which("poolkeeper")
    if path is None:
        raise CommandError("The program poolkeeper is not on the PATH: name it with --program.")
    return Path(path).absolute()


def _given_key(key_file: Path | None) -> str | None:
    """Return the management key without a prompt; None where neither a file nor the environment has one."""
    if key_file is None and not os.environ.get(MANAGEMENT_KEY):
        return None
    return management_key(os.environ, key_file).reveal()


def _placed(
    place: GatewayFolder, settings: Mapping[str, Any], key_file: Path | None, server: str | None
) -> dict[str, Any]:
    """Write the files; return the settings that name them. Everything is examined before anything is written."""
    if server is not None:
        key: str | None = management_key(os.environ, key_file).reveal()
        asked(_running(server, key_file), RunningGateway.require_release)
        unverified = ""
    else:
        key = _given_key(key_file)
        unverified = refuse_own_gateway(place, key, to_load=True)
    library = native_library()
    if newer := newer_library(place.plugins, library_version()):
        raise CommandError(preferred(newer))
    remark = f" Not verified: {unverified}. It has to be release 7.2.37 or newer." if unverified else ""
    named = {} if key is None else {"management-key-file": str(key_path(place.config))}
    write_files(place, library, {**settings, **named}, key, edit=server is None, remark=remark)
    return named


def _configure(server: str, key_file: Path | None, settings: Mapping[str, Any], *, placed: bool) -> None:
    try:
        asked(_running(server, key_file), lambda gateway: gateway.configure(settings, placed=placed))
    except GatewaySilent as silence:
        raise GatewayRefused(
            f"{silence} Whether it has taken plugins.configs.{PLUGIN} is not known: look at its config.yaml."
        ) from None


async def _effect(gateway: RunningGateway) -> str:
    """Return the reason why a configured plugin is not in effect; empty when it is."""
    try:
        state = await gateway.effective()
        served = await gateway.served(loaded=bool(library_of(state)), renewed=True)
    except GatewayRefused as refusal:
        return str(refusal)
    return advice(state) or fault_of(served, library_of(state))


def _configured_without_effect(reason: str, settings: Mapping[str, Any], server: str) -> str:
    """Return what the configuration holds of a plugin that is not in effect, and how to go on."""
    names = ", ".join(["enabled", *settings])
    return (
        f"The plugin is configured but not in effect. {reason} The gateway's config.yaml has"
        f" plugins.configs.{PLUGIN} now ({names}): once the cause is gone it takes effect by itself, and"
        f" `poolkeeper plugin remove --server {server}` takes it away."
    )


async def _running_status(gateway: RunningGateway) -> tuple[list[str], str]:
    """Return the lines to show, and the reason why the plugin is not in effect."""
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
