"""`python -m tools demo`: the stand-in for providers alone, or the whole demo."""

import asyncio
from pathlib import Path

import click

from .fleet import serve_fleet
from .folder import open_folder
from .plugin import plugin_command, without_plugin
from .service import serve_demo, serve_providers, service_command
from .traffic import keep_traffic

_FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".demo"),
    show_default=True,
    help="Where the demo pool is kept; written when absent or empty.",
)
_PORT = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default="a free one",
    help="Port of the stand-in in a folder that is written now.",
)


@click.group(invoke_without_command=True)
@_FOLDER
@_PORT
@click.pass_context
def demo(context: click.Context, folder: Path, port: int) -> None:
    """Serve the stand-in for providers, on a demo pool whose keys are named after their behavior."""
    context.default_map = {"run": {"folder": folder, "port": port}}
    if context.invoked_subcommand is None:
        asyncio.run(serve_providers(open_folder(folder, providers_port=port), click.echo))


@demo.command()
@_FOLDER
@_PORT
@click.option("--plugin", is_flag=True, help="Let the gateway start the extension as its plugin.")
@click.option(
    "--traffic/--no-traffic", default=True, show_default=True, help="Import a week of usage and send requests."
)
def run(folder: Path, port: int, *, plugin: bool, traffic: bool) -> None:
    """Serve the stand-in, the gateway and the extension; print the page's address and the management key."""
    opened = open_folder(folder, providers_port=port)
    if plugin:
        command = plugin_command(opened)
    else:
        without_plugin(opened)
        command = service_command(opened)
    asyncio.run(serve_demo(opened, command, click.echo, keep_traffic if traffic else None))


@demo.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(".demo-fleet"),
    show_default=True,
    help="Where the demo pools and the data folders are kept; written when absent or empty.",
)
def fleet(folder: Path) -> None:
    """Serve three gateways, a console and two workers on PostgreSQL; print the page's address and the management key.

    PostgreSQL is started in a temporary folder, unless POOLKEEPER_DATABASE_URL names a database.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    asyncio.run(serve_fleet(folder.resolve(), click.echo))
