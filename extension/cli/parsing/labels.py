"""Option of labels of gateways."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from extension.cli.parsing.declarations import option

_Function = TypeVar("_Function", bound=Callable[..., Any])


def label_option(help_text: str) -> Callable[[_Function], _Function]:
    """Declare a repeatable option of labels, which the command gets as a mapping."""
    return option("--label", "labels", multiple=True, callback=_labels, metavar="NAME=VALUE", help=help_text)


def _labels(_context: click.Context, _parameter: click.Parameter, pairs: tuple[str, ...]) -> Mapping[str, str]:
    parted = [pair.partition("=") for pair in pairs]
    if not all(name and equals and value for name, equals, value in parted):
        raise click.BadParameter("Write a label as NAME=VALUE.")
    return {name: value for name, _, value in parted}
