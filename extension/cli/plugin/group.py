"""Group `poolkeeper plugin`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _serve() -> click.Command:
    from extension.cli.plugin.serve import serve

    return serve


def _install() -> click.Command:
    from extension.cli.plugin.install import install

    return install


def _status() -> click.Command:
    from extension.cli.plugin.status import status

    return status


def _remove() -> click.Command:
    from extension.cli.plugin.remove import remove

    return remove


plugin = LazyGroup(
    "plugin",
    {
        "serve": LazyCommand(_serve, "Serve a gateway that started this process."),
        "install": LazyCommand(_install, "Put the library into a stock gateway and enable it."),
        "status": LazyCommand(_status, "Show whether the plugin of a gateway is in effect."),
        "remove": LazyCommand(_remove, "Take the library out of a stock gateway."),
    },
    help="""Run Poolkeeper as a plugin of a gateway.

    The page and the API are then at the address of the gateway, and its management key is used for both.
    """,
)
