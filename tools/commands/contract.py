"""`python -m tools contract`."""

from __future__ import annotations

from pathlib import Path

import click

from .context import Invocation, finish, output_option


@click.command()
@click.option("--tree", type=click.Path(path_type=Path), metavar="DIR", help="Judge this tree, not the mirrored one.")
@output_option
@click.pass_context
def contract(ctx: click.Context, tree: Path | None, output_format: str) -> None:
    """Hold the endpoints and configuration keys the code relies on against what a gateway offers.

    Exit status: 0 clean, 1 findings, 2 could not check.
    """
    from ..contract.check import Contract

    finish(ctx, Contract(ctx.ensure_object(Invocation).project(), tree).report(), output_format)
