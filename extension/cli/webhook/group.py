"""Group `poolkeeper webhook`."""

import click

from extension.cli.parsing.command_group import LazyCommand, LazyGroup


def _show() -> click.Command:
    from extension.cli.webhook.show import show

    return show


def _set() -> click.Command:
    from extension.cli.webhook.set import set_webhook

    return set_webhook


def _test() -> click.Command:
    from extension.cli.webhook.test import test

    return test


def _remove() -> click.Command:
    from extension.cli.webhook.remove import remove

    return remove


webhook = LazyGroup(
    "webhook",
    {
        "show": LazyCommand(_show, "Show the host of the webhook and its last delivery."),
        "set": LazyCommand(_set, "Set the URL that is notified of changes."),
        "test": LazyCommand(_test, "Send a test event to the webhook."),
        "remove": LazyCommand(_remove, "Remove the webhook; nothing is notified of changes any more."),
    },
    help="Manage notifications of changes.",
)
