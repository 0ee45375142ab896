"""Group `poolkeeper alias`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.alias.list import list_aliases

    return list_aliases


def _set() -> click.Command:
    from extension.cli.alias.set import set_alias

    return set_alias


def _remove() -> click.Command:
    from extension.cli.alias.remove import remove

    return remove


alias = LazyGroup(
    "alias",
    {
        "list": LazyCommand(_list, "List the aliases of client keys."),
        "set": LazyCommand(_set, "Name a client key."),
        "remove": LazyCommand(_remove, "Remove the alias of a client key."),
    },
    help="""Manage names of client keys.

    A key is hashed when it is named, and kept nowhere; its fingerprint identifies it from then on.
    """,
)
