"""Decorators that declare commands and options."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from extension.cli.parsing.help_formatter import GroupedCommand, GroupedOption

_Function = TypeVar("_Function", bound=Callable[..., Any])


def command(name: str) -> Callable[[Callable[..., Any]], GroupedCommand]:
    """Declare a command."""
    return click.command(name, cls=GroupedCommand)


def option(*spellings: str, **attributes: Any) -> Callable[[_Function], _Function]:
    """Declare an option; `group` is the title of its section in the help."""
    return click.option(*spellings, cls=GroupedOption, **attributes)


def json_option(function: _Function) -> _Function:
    """Declare `--json`."""
    return option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")(function)


def accept_loss_option(function: _Function) -> _Function:
    """Declare `--accept-loss`."""
    text = "Change even if the gateway drops parts of config.yaml with the write; an undo brings them back."
    return option("--accept-loss", "accept_loss", is_flag=True, help=text)(function)


def accepted(loss: bool) -> dict[str, bool]:
    """Return the field of a command for `--accept-loss`; none without it, which an earlier service does not know."""
    return {"acceptLoss": True} if loss else {}


def all_option(function: _Function) -> _Function:
    """Declare `--all`."""
    return option("--all", "all_rows", is_flag=True, help="Show every account, not only findings.")(function)
