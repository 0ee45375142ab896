"""Group `poolkeeper price`."""

import click

from extension.cli.parsing.lazy_group import LazyCommand, LazyGroup


def _list() -> click.Command:
    from extension.cli.price.list import list_prices

    return list_prices


def _set() -> click.Command:
    from extension.cli.price.set import set_price

    return set_price


def _remove() -> click.Command:
    from extension.cli.price.remove import remove

    return remove


def _diff() -> click.Command:
    from extension.cli.price.diff import diff

    return diff


def _sync() -> click.Command:
    from extension.cli.price.sync import sync

    return sync


def _rerate() -> click.Command:
    from extension.cli.price.rerate import rerate

    return rerate


price = LazyGroup(
    "price",
    {
        "list": LazyCommand(_list, "List stored prices, and the prices in force of models."),
        "set": LazyCommand(_set, "Set the price of a model in US dollars for a million tokens."),
        "remove": LazyCommand(_remove, "Remove a stored price; the built-in list applies again."),
        "diff": LazyCommand(_diff, "Compare the prices in force with a public list: LiteLLM or models.dev."),
        "sync": LazyCommand(_sync, "Take over prices of a public list: LiteLLM or models.dev."),
        "rerate": LazyCommand(_rerate, "Rate stored usage again by the prices in force."),
    },
    help="Manage the prices of models.",
)
