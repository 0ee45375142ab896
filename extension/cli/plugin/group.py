"""Group `poolkeeper plugin`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _serve() -> click.Command:
    from extension.cli.plugin.serve import serve

    return serve


plugin = LazyGroup(
    "plugin",
    {
        "serve": LazyCommand(_serve, "Serve a gateway that started this process."),
    },
    help="""Run Poolkeeper inside a gateway, as one of its plugins.

    The page and the API are then at the address of the gateway, and its management key is used for both.
    """,
)
