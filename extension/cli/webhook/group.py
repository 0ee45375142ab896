"""Group `poolkeeper webhook`."""

from extension.cli.parsing.command_group import LazyCommand, LazyGroup

webhook = LazyGroup(
    "webhook",
    {
        "show": LazyCommand("extension.cli.webhook.show:show", "Show the host of the webhook and its last delivery."),
        "set": LazyCommand("extension.cli.webhook.set:set_webhook", "Set the URL that is notified of changes."),
        "test": LazyCommand("extension.cli.webhook.test:test", "Send a test event to the webhook."),
        "remove": LazyCommand(
            "extension.cli.webhook.remove:remove", "Remove the webhook; nothing is notified of changes any more."
        ),
    },
    help="Manage notifications of changes.",
)
