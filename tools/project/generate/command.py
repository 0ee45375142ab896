"""Command `generate`: what repeats the code is written from it, or with `--check` compared."""

from collections.abc import Mapping
from pathlib import Path

import click

from ...mirror.errors import ToolError

_check = click.option("--check", is_flag=True, help="Write nothing; a file that is out of date is status 1.")


@click.group(no_args_is_help=True)
def generate() -> None:
    """Generate what repeats the code."""


@generate.command()
@_check
def page(*, check: bool) -> None:
    """Write constants, types and frame texts of the page."""
    from .page import generated

    _write(generated(), "python -m tools generate page", check=check)


@generate.command()
@_check
@click.pass_context
def docs(context: click.Context, *, check: bool) -> None:
    """Write the tables in the documents, and the references below docs/reference."""
    from .documents import generated, references

    _write(generated(), "make docs", check=check)
    tools = context.find_root().command
    if isinstance(tools, click.Group) and not check:
        _write(references(tools), "make docs", check=False)


def _write(texts: Mapping[Path, str], command: str, *, check: bool) -> None:
    """Write the files whose text is another one; with `check` name them instead.

    Raises ToolError: `check` found some.
    """
    stale = {path: text for path, text in texts.items() if not path.is_file() or path.read_text("utf-8") != text}
    if check and stale:
        names = ", ".join(path.name for path in stale)
        error = ToolError(f"out of date: {names}", command)
        error.status = 1
        raise error
    for path, text in stale.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
