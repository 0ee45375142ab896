"""Group `poolkeeper channel`."""

import click

from extension.cli.parsing.command_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.channel.list import list_channels

    return list_channels


def _add() -> click.Command:
    from extension.cli.channel.add import add

    return add


def _edit() -> click.Command:
    from extension.cli.channel.edit import edit

    return edit


def _test() -> click.Command:
    from extension.cli.channel.test import test

    return test


def _remove() -> click.Command:
    from extension.cli.channel.remove import remove

    return remove


channel = LazyGroup(
    "channel",
    {
        "list": LazyCommand(_list, "List the channels and their newest deliveries."),
        "add": LazyCommand(_add, "Add a channel."),
        "edit": LazyCommand(_edit, "Change name, address or topics of a channel."),
        "test": LazyCommand(_test, "Send a test message to a channel."),
        "remove": LazyCommand(_remove, "Remove a channel."),
    },
    help="""Manage channels of notifications.

    Channels are chats, e-mail and other services of the Apprise library, which comes with
    poolkeeper[notifications].
    """,
)
