"""Group `poolkeeper channel`."""

from extension.cli.parsing.command_group import LazyCommand, LazyGroup

channel = LazyGroup(
    "channel",
    {
        "list": LazyCommand(
            "extension.cli.channel.list:list_channels", "List the channels and their newest deliveries."
        ),
        "add": LazyCommand("extension.cli.channel.add:add", "Add a channel."),
        "edit": LazyCommand("extension.cli.channel.edit:edit", "Change name, address or topics of a channel."),
        "test": LazyCommand("extension.cli.channel.test:test", "Send a test message to a channel."),
        "remove": LazyCommand("extension.cli.channel.remove:remove", "Remove a channel."),
    },
    help="""Manage channels of notifications.

    Channels are chats, e-mail and other services of the Apprise library, which comes with
    poolkeeper[notifications].
    """,
)
