"""Group `poolkeeper plugin`."""

from extension.cli.parsing.command_group import LazyCommand, LazyGroup

plugin = LazyGroup(
    "plugin",
    {
        "serve": LazyCommand("extension.cli.plugin.serve:serve", "Serve a gateway that started this process."),
        "install": LazyCommand(
            "extension.cli.plugin.install:install", "Put the library into a stock gateway and enable it."
        ),
        "status": LazyCommand(
            "extension.cli.plugin.status:status", "Show whether the plugin of a gateway is in effect."
        ),
        "remove": LazyCommand("extension.cli.plugin.remove:remove", "Take the library out of a stock gateway."),
    },
    help="""Run Poolkeeper as a plugin of a gateway.

    The page and the API are then at the address of the gateway, and its management key is used for both.
    """,
)
