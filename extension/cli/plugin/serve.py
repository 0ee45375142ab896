"""`poolkeeper plugin serve`: the process that a gateway starts."""

import os
from pathlib import Path

import click

from extension.cli.core_files import forbid_core_files
from extension.cli.errors import CannotStart
from extension.cli.parsing.declarations import command, option
from extension.cli.quick_import import without_collection
from extension.serving.errors import ServingError
from extension.store.errors import StoreError

_NEEDED = frozenset({"google", "grpc", "grpc_health"})


@command("serve")
@option(
    "--socket",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Wait at this socket for a gateway, such as one in another container.",
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
        if (error.name or "").partition(".")[0] not in _NEEDED:
            raise
        raise CannotStart("The libraries of plugins are not installed: pip install 'poolkeeper[plugin]'.") from None
    try:
        if socket is None:
            serve_spawned(parent)
        else:
            serve_attached(socket.absolute())
    except (ServingError, StoreError) as error:
        raise CannotStart(str(error)) from None
