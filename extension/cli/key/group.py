"""Group `poolkeeper key`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _store() -> click.Command:
    from extension.cli.key.store import store

    return store


def _forget() -> click.Command:
    from extension.cli.key.forget import forget

    return forget


key = LazyGroup(
    "key",
    {
        "store": LazyCommand(_store, "Store the management key of a gateway, encrypted with a passphrase."),
        "forget": LazyCommand(_forget, "Remove the stored management key of a gateway."),
    },
    help="""Store or forget the management key of a gateway.

    `serve`, `doctor` and commands with --gateway use a stored key when neither POOLKEEPER_MANAGEMENT_KEY nor --key-file
    names one. They ask for its passphrase unless POOLKEEPER_PASSPHRASE contains it.
    """,
)
