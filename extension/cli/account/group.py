"""Group `poolkeeper account`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.account.list import list_accounts

    return list_accounts


def _disable() -> click.Command:
    from extension.cli.account.disable import disable

    return disable


def _enable() -> click.Command:
    from extension.cli.account.enable import enable

    return enable


def _restore() -> click.Command:
    from extension.cli.account.restore import restore

    return restore


account = LazyGroup(
    "account",
    {
        "list": LazyCommand(_list, "List the accounts of the pool with the status of their last check."),
        "disable": LazyCommand(_disable, "Disable accounts by number."),
        "enable": LazyCommand(_enable, "Enable accounts by number."),
        "restore": LazyCommand(_restore, "Restore deleted auth files by account; each is kept for 30 days."),
    },
    help="List, disable, enable and restore accounts.",
)
